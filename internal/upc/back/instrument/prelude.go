package instrument

import (
	"fmt"
	"strings"

	"unknot/internal/upc/layout"
)

// preludeFile is the name that line markers give to what is not the user's; flag 3 makes it a system header, of which
// compilers tell no warnings.
const preludeFile = `# 1 "<upc-check>" 3`

// hook is the name of a function of the run-time, which the prelude is to declare.
func (e *editor) hook(name string) string {
	e.used[name] = true
	return name
}

// prelude is what comes before the source: declarations, and the places that the text refers to. A source without any
// has none.
func (e *editor) prelude() string {
	if len(e.sites)+len(e.inlineSites)+len(e.used) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(preludeFile + "\n" + layout.Structs)
	for _, h := range layout.Hooks() {
		if e.used[h.Name] {
			b.WriteString(h.Declaration + "\n")
		}
	}
	if n := len(e.shapes); n > 0 {
		fmt.Fprintf(&b, "static struct upck_shape upck_shapes[%d];\n", n)
		table(&b, fmt.Sprintf("static const struct upck_arg upck_args[%d]", n), e.args)
	}
	if n := len(e.sites); n > 0 {
		table(&b, fmt.Sprintf("static const struct upck_site upck_sites[%d]", n), e.sites)
	}
	if n := len(e.inlineSites); n > 0 {
		declaration := fmt.Sprintf("const struct upck_site %s[%d]", e.inlineTable(), n)
		b.WriteString("extern " + declaration + ";\n")
		table(&b, declaration, e.inlineSites)
	}
	return b.String()
}

func table(b *strings.Builder, declaration string, lines []string) {
	b.WriteString(declaration + " = {\n")
	for _, s := range lines {
		b.WriteString("\t" + s + ",\n")
	}
	b.WriteString("};\n")
}

// shapesTable are the lines at the end of the source, where the objects are declared that they name.
func (e *editor) shapesTable() []string {
	if len(e.shapes) == 0 {
		return nil
	}
	lines := []string{preludeFile, fmt.Sprintf("static struct upck_shape upck_shapes[%d] = {", len(e.shapes))}
	for _, s := range e.shapes {
		lines = append(lines, "\t"+s+",")
	}
	return append(lines, "};")
}
