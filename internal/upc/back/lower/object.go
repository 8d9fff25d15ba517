package lower

import (
	"fmt"
	"strconv"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// sharedObject prints the declaration of a shared object: an array of the bytes that each thread keeps for it, which
// stands in a section that gives it its place in the threads' segments.
func (l *lowerer) sharedObject(n *syntax.InitDeclarator) {
	o := l.info.Defs[n.Declarator.Name]
	if o == nil {
		return
	}
	l.goToNode(n)
	name := l.nameOf(o, o.Name)
	if !o.Defined || l.inside {
		l.Line("UPCR_EXTERN(" + name + ");")
		return
	}
	if !l.placed[o] {
		l.placed[o] = true
		macro := "UPCR_TENTATIVE"
		switch {
		case o.Storage == types.Internal || o.Storage == types.StaticLocal:
			macro = "UPCR_INTERNAL"
		case l.initialised[o]:
			macro = "UPCR_OBJECT"
		}
		l.Line(fmt.Sprintf("%s(%s, %d, %d);", macro, name, max(l.c.LocalSize(o.Type).Int, 1), l.alignment(o)))
	}
	if n.Init != nil {
		l.startObject(o, n.Init)
	}
}

func (l *lowerer) alignment(o *types.Object) int64 { return max(l.c.Alignof(o.Type), o.Align) }

// start prints a function that runs at the start.
func (l *lowerer) start(body func()) {
	l.starts++
	name := fmt.Sprintf("upcr_begin%d", l.starts)
	l.Text("static void " + name + "(void) {")
	body()
	l.Text("} UPCR_AT_START(" + name + ");")
}

// startObject prints the initialisation of a shared object, which thread 0 does (UPC 1.3, 6.5.1.1).
func (l *lowerer) startObject(o *types.Object, init syntax.Init) {
	elem, _, _ := ultimate(o.Type)
	if _, _, threads := ultimate(open(o.Type)); threads {
		l.fail(init, "the initialiser of '"+o.Name+
			"' has THREADS in an inner dimension, and the number of threads is not known; hint: -T N")
		return
	}
	e, size := l.ctype(elem), l.size(elem)
	address := "UPCR_ADDRESS(" + l.nameOf(o, o.Name) + ")"
	l.start(func() {
		l.Text("if (upcr_thread == 0) {")
		if !isArray(o.Type) {
			l.Text(e + " upcr_v =")
			l.node(init)
			l.Text("; upcr_put(" + address + ", &upcr_v, sizeof upcr_v);")
		} else {
			l.Text(l.declare(private(open(o.Type)), "upcr_v") + " =")
			l.node(init)
			l.Text(fmt.Sprintf("; for (unsigned long upcr_i = 0; upcr_i < sizeof upcr_v / %d; upcr_i++)"+
				" upcr_put(UPCR_INDEX(%s, (long)upcr_i, %d, %d), (char *)upcr_v + upcr_i * %d, %d);",
				size, address, o.Type.Block.Elements(), size, size, size))
		}
		l.Text("}")
	})
}

// open is an array type whose first length is left to the initialiser if it depends on THREADS.
func open(t types.Type) types.Type {
	if a, ok := t.T.(*types.Array); ok && a.Kind == types.LenThreads {
		t.T = &types.Array{Elem: a.Elem, Kind: types.LenIncomplete}
	}
	return t
}

// private is the type of a variable that holds the same values: const would forbid to fill it in.
func private(t types.Type) types.Type {
	if a, ok := t.T.(*types.Array); ok {
		c := *a
		c.Elem = private(a.Elem)
		return types.Type{T: &c}
	}
	t.Qual, t.Block = 0, types.Block{}
	return t
}

// starting are the initialisers of an object of static storage whose values are known at the start of the program only:
// addresses of shared objects.
func (l *lowerer) starting(n *syntax.InitDeclarator) []*syntax.InitExpr {
	if n.Init == nil {
		return nil
	}
	var list []*syntax.InitExpr
	syntax.Walk(n.Init, func(c syntax.Node) bool {
		if e, ok := c.(*syntax.InitExpr); ok {
			if len(l.info.Starts[e]) > 0 && decayed(l.TypeOf(e.X)).IsPointerToShared() {
				list = append(list, e)
			}
			return false
		}
		return true
	})
	return list
}

// startPointers prints the initialisation of the pointers-to-shared within a private object, which every thread does.
func (l *lowerer) startPointers(n *syntax.InitDeclarator, list []*syntax.InitExpr) {
	o := l.info.Defs[n.Declarator.Name]
	l.start(func() {
		for _, e := range list {
			delete(l.blank, e)
			for _, at := range l.info.Starts[e] {
				l.Text(fmt.Sprintf("*(%s *)((char *)&%s + %d) =", pointerType, l.nameOf(o, o.Name), at))
				l.value(e.X)
				l.Text(";")
			}
		}
	})
}

// moveStatics prints, before a function, the static objects of its blocks that must stand at file scope: shared ones,
// and those that are initialised at the start.
func (l *lowerer) moveStatics(f *syntax.FuncDecl) {
	syntax.Walk(f.Body, func(c syntax.Node) bool {
		d, ok := c.(*syntax.VarDecl)
		if !ok || l.isTypedef(d) {
			return true
		}
		for _, n := range d.Names {
			o := l.info.Defs[n.Declarator.Name]
			if o == nil || o.Storage != types.StaticLocal {
				continue
			}
			t := l.info.Declarators[n.Declarator]
			if !t.IsShared() && len(l.starting(n)) == 0 {
				continue
			}
			l.temps++
			l.rename[o] = fmt.Sprintf("upcr_%s_%d", o.Name, l.temps)
			if (n.Init != nil || !t.IsShared()) && l.ownNames(d, f) {
				l.fail(n, "'"+o.Name+"' gets its value at the start of the program, so its type and value cannot use "+
					"a type or constant "+
					"that is declared in this function; hint: declare these before the function")
			}
			if t.IsShared() {
				l.sharedObject(n)
			} else {
				l.declaration(d, n, t)
			}
			l.moved[n] = true
		}
		return true
	})
}

// ownNames says that a declaration names a struct, enum, typedef or constant that the function itself declares.
func (l *lowerer) ownNames(d *syntax.VarDecl, f *syntax.FuncDecl) bool {
	within := func(n syntax.Node) bool { return n != nil && n.First() >= f.Body.First() && n.Last() <= f.Body.Last() }
	inside := map[*types.Struct]bool{}
	for spec, s := range l.info.Structs {
		if spec.HasBody && within(spec) {
			inside[s] = true
		}
	}
	found := false
	syntax.Walk(d, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.StructSpec:
			found = found || inside[l.info.Structs[n]]
		case *syntax.Declarator:
			u, _, _ := ultimate(l.info.Declarators[n])
			s, ok := u.T.(*types.Struct)
			found = found || ok && inside[s]
		case *syntax.NameExpr:
			o := l.info.Uses[n]
			found = found || o != nil && o.Function == f && o.Storage != types.StaticLocal
		}
		return !found
	})
	return found
}

// findInitialised notes which shared objects have an initialiser: one without is a tentative definition.
func (l *lowerer) findInitialised() {
	for _, d := range l.file.Decls {
		v, ok := d.(*syntax.VarDecl)
		if !ok {
			continue
		}
		for _, n := range v.Names {
			if n.Init != nil && n.Declarator.Name != nil {
				if o := l.info.Defs[n.Declarator.Name]; o != nil && o.Type.IsShared() {
					l.initialised[o] = true
				}
			}
		}
	}
}
