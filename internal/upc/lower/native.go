package lower

import "unknot/internal/upc/syntax"

// Native gives a translation unit as UPC for a native compiler: its own tokens and pragmas, with line markers where lines come apart.
func Native(f *syntax.File) []byte {
	w := newWriter(f)
	w.native = true
	w.tokens(0, syntax.Pos(len(f.Tokens)-1))
	w.fresh()
	return w.out.Bytes()
}
