package instrument

import (
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// call edits a call. Those of library functions go to their wrappers, those that end the program tell the checker
// first, and those of the program's own functions are noted if that was asked for. Calls through pointers stay as they
// are: the pointers are to other functions (address).
func (e *editor) call(c *syntax.CallExpr) {
	name, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	e.untouched[c.Fun] = ok
	e.children(c)
	for _, a := range c.Args {
		e.usesGiven(a)
	}
	e.readsTicks(c)
	o := e.info.Uses[name]
	if !ok || o != nil && o.Kind != types.ObjFunc {
		e.through(c)
		return
	}
	open := c.Fun.Last() + 1
	if o == nil || e.spelling(open) != "(" {
		return
	}
	f, ok := o.Type.T.(*types.Func)
	if !ok {
		return
	}
	library := isLibrary(o)
	switch {
	case e.wrapped(o) && len(c.Args) == len(f.Params):
		e.declareWrapper(o, f)
		e.instead[name.First()] = "upckw_" + o.Name
		e.firstArgument(c, open, e.siteOf(o.Name, c.First(), c.Args, e.unused[c], e.endless[c], e.result(o.Name, c)...))
	case library && o.Name == "exit" && len(c.Args) == 1:
		e.instead[name.First()] = e.hook("upck_exit")
		e.firstArgument(c, open, e.site(o.Name, c.First(), c.Args, false))
	case library && (o.Name == "_Exit" || o.Name == "_exit" || o.Name == "quick_exit") && len(c.Args) == 1:
		e.append(open, e.hook("upck_quit")+"("+e.site(o.Name, c.First(), c.Args, false)+",")
		e.append(c.Args[0].Last(), ")")
	case library && len(c.Args) > 0 && setsJump[o.Name]:
		e.setjmp(c, open)
	case library && len(c.Args) > 0 && jumps[o.Name]:
		e.longjmp(c, open, o.Name)
	case e.options.Stack && !e.fromSystem(o):
		e.follow(c, o.Name, f)
	}
}

// isLibrary says that a function is not the source's own.
func isLibrary(o *types.Object) bool { return o.Storage == types.External && !o.Defined }

// wrapped says that something is a library function that has a wrapper, declared with its parameters. One that the
// program declares, and no header of the system, is the program's own.
func (e *editor) wrapped(o *types.Object) bool {
	if o == nil || o.Kind != types.ObjFunc || !isLibrary(o) || e.fromUser(o) || !e.options.Wrapped(o.Name) {
		return false
	}
	f, ok := o.Type.T.(*types.Func)
	return ok && f.Prototype && !f.Variadic
}

// address edits a name that is not the function of a call. If it is that of a library function, the program takes its
// address, and gets the address of the function that checks what is called through pointers.
func (e *editor) address(name *syntax.NameExpr) {
	o := e.info.Uses[name]
	if !e.wrapped(o) {
		return
	}
	checked := "upckp_" + o.Name
	e.instead[name.First()] = checked
	e.declare(o.Type, checked)
}

// declare declares a function of the checker's before the current declaration, once.
func (e *editor) declare(t types.Type, name string) {
	if e.declared[name] {
		return
	}
	e.declared[name] = true
	e.needed = append(e.needed, preludeFile, types.Declare(t, name, nil)+";")
}

// firstArgument puts an argument before the others of a call.
func (e *editor) firstArgument(c *syntax.CallExpr, open syntax.Pos, text string) {
	if len(c.Args) > 0 {
		text += ","
	}
	e.after[open] = joined(text, e.after[open])
}

// declareWrapper declares the wrapper of a library function, by the type that the source has for the function.
func (e *editor) declareWrapper(o *types.Object, f *types.Func) {
	site := types.Type{T: &types.Struct{Tag: "upck_site"}, Qual: types.Const}
	w := *f
	w.Params = append([]types.Type{types.PointerTo(site)}, f.Params...)
	e.declare(types.Type{T: &w}, "upckw_"+o.Name)
}

// fromSystem says that a function is declared by a system header, or by nobody.
func (e *editor) fromSystem(o *types.Object) bool {
	return o.Decl == nil || e.system(o.Decl.First())
}

// fromUser says that a function is declared by the program itself.
func (e *editor) fromUser(o *types.Object) bool {
	return o.Decl != nil && !e.system(o.Decl.First()) && !e.options.Native
}

// through edits a call through a pointer.
func (e *editor) through(c *syntax.CallExpr) {
	p, ok := types.Decay(e.TypeOf(c.Fun)).T.(*types.Pointer)
	if !ok || !e.options.Stack {
		return
	}
	if f, ok := p.Elem.T.(*types.Func); ok {
		e.follow(c, e.source(c.Fun), f)
	}
}

// follow has a call stand in the list of calls while it runs. Its value is kept in a variable of the calling function
// until the call is taken off the list.
func (e *editor) follow(c *syntax.CallExpr, name string, f *types.Func) {
	result := f.Result.Unqualified()
	if !e.nameable(result) {
		return
	}
	site := e.site(name, c.First(), nil, false)
	open, end := "("+e.hook("upck_push")+"("+site+"),", ", "+e.hook("upck_pop")+"())"
	if !result.IsVoid() {
		v := e.variableOf(result)
		open += " " + v + " ="
		end = ", " + e.hook("upck_pop") + "(), " + v + ")"
	}
	e.put(c.First(), open)
	e.append(c.Last(), end)
}

// nameable says that a type can be written at the start of a function: what it is made of has names of file scope.
func (e *editor) nameable(t types.Type) bool {
	if t.Name != nil {
		return t.Name.Function == nil
	}
	switch u := t.T.(type) {
	case *types.Basic:
		return true
	case *types.Pointer:
		return e.nameable(u.Elem)
	case *types.Enum:
		return u.Tag != "" && !e.local[u]
	case *types.Struct:
		return u.Tag != "" && !e.local[u]
	case *types.Array:
		return u.Kind == types.LenKnown && e.nameable(u.Elem)
	case *types.Func:
		for _, p := range u.Params {
			if !e.nameable(p) {
				return false
			}
		}
		return e.nameable(u.Result)
	}
	return false
}

// findLocal notes the structs and enums that a function declares.
func (e *editor) findLocal(f *syntax.FuncDecl) {
	e.local = map[types.Underlying]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.StructSpec:
			e.local[e.info.Structs[n]] = e.local[e.info.Structs[n]] || n.HasBody
		case *syntax.EnumSpec:
			e.local[e.info.Enums[n]] = e.local[e.info.Enums[n]] || n.HasBody
		}
		return true
	})
}

// declareResults declares the variables for the values of calls that are followed, before the first statement of the
// function that is no pragma.
func (e *editor) declareResults(f *syntax.FuncDecl) {
	for _, s := range f.Body.Stmts {
		if _, ok := s.(*syntax.PragmaStmt); ok {
			continue
		}
		for i := len(e.results) - 1; i >= 0; i-- {
			e.put(s.First(), e.results[i])
		}
		return
	}
}
