package lower

import (
	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/front/syntax"
)

// Native gives a translation unit as UPC for a native compiler: its own tokens and pragmas, with line markers where
// lines come apart.
func Native(f *syntax.File) []byte {
	w := emit.New(f)
	w.UPC = true
	w.Tokens(0, syntax.Pos(len(f.Tokens)-1))
	w.Fresh()
	return w.Printed("").Bytes
}
