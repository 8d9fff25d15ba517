package instrument

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// tables are the places and arguments that the text refers to. Those that inline functions with external linkage refer
// to have external linkage as well (C11 6.7.4p3).
type tables struct{ sites, inlineSites, args, shapes []string }

// inlineTable is the name of the table with external linkage: no other translation unit of a program has the same.
func (e *editor) inlineTable() string {
	h := fnv.New64a()
	h.Write(e.file.Text)
	return fmt.Sprintf("upck_sites_%016x", h.Sum64())
}

// mostText is how much of an argument's text is kept: arguments can be made of macros that expand to pages.
const mostText = 200

// site notes a place at which the checker is called, and gives the expression that names it. call is what stands there,
// in one word.
func (e *editor) site(call string, at syntax.Pos, args []syntax.Expr, unused bool) string {
	return e.siteOf(call, at, args, unused, false)
}

// siteOf is site for a call that may be made until it succeeds. What is known of its result comes after the shapes of
// its arguments.
func (e *editor) siteOf(call string, at syntax.Pos, args []syntax.Expr, unused, endless bool, result ...string) string {
	region := 0
	if e.forall != nil {
		region = e.forall.number
	}
	list, shapes := "0", "0"
	if len(args) > 0 {
		list, shapes = fmt.Sprintf("&upck_args[%d]", len(e.args)), fmt.Sprintf("&upck_shapes[%d]", len(e.shapes))
		for _, a := range args {
			e.args = append(e.args, "{ "+emit.Quote(shortened(e.source(a)))+", "+e.declarations(a)+" }")
			e.shapes = append(e.shapes, e.shape(a))
		}
		e.shapes = append(e.shapes, result...)
	}
	p := e.file.Position(at)
	flag := "0"
	switch {
	case unused:
		flag = "1"
	case endless:
		flag = "0, 1"
	}
	text := fmt.Sprintf("{ %s, %s, %s, %d, %d, %s, %d, %s, %s }", emit.Quote(call), emit.Quote(p.File),
		emit.Quote(e.name), p.Line, len(args), list, region,
		shapes, flag)
	if e.inline {
		e.inlineSites = append(e.inlineSites, text)
		return fmt.Sprintf("&%s[%d]", e.inlineTable(), len(e.inlineSites)-1)
	}
	e.sites = append(e.sites, text)
	return fmt.Sprintf("&upck_sites[%d]", len(e.sites)-1)
}

// shortened cuts a text that is too long, between characters.
func shortened(s string) string {
	if len(s) <= mostText {
		return s
	}
	n := mostText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// declarations says, as a C string, where the variables in an argument are declared, or 0.
func (e *editor) declarations(a syntax.Expr) string {
	var list []string
	syntax.Walk(a, func(n syntax.Node) bool {
		name, ok := n.(*syntax.NameExpr)
		if !ok {
			return true
		}
		o := e.info.Uses[name]
		if o == nil || o.Kind != types.ObjVar && o.Kind != types.ObjParam || o.Decl == nil || e.system(o.Decl.First()) {
			return true
		}
		p := e.file.Position(o.Decl.First())
		if text := fmt.Sprintf("%s declared at %s:%d", o.Name, p.File, p.Line); !slices.Contains(list, text) {
			list = append(list, text)
		}
		return true
	})
	if len(list) == 0 {
		return "0"
	}
	return emit.Quote(strings.Join(list, "; "))
}
