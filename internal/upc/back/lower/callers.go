package lower

import (
	"hash/fnv"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// leadsToLoops says of the functions of the unit whether they have loops that are regions, or may call functions that
// do. Only these keep the chain of callers, by which the run-time tells contexts (upcr_functions); the others cost
// nothing.
func (l *lowerer) leadsToLoops() map[*types.Object]bool {
	leads := make(map[*types.Object]bool)
	bodies := make(map[*types.Object]*syntax.Block)
	for _, d := range l.file.Decls {
		f, ok := d.(*syntax.FuncDecl)
		if !ok || f.Body == nil || l.file.System[l.file.Tokens[d.First()].File] {
			continue
		}
		if o := l.info.Defs[f.Name.Name]; o != nil {
			bodies[o] = f.Body
		}
	}
	for o, body := range bodies {
		leads[o] = l.hasRegionLoop(body, bodies)
	}
	for changed := true; changed; {
		changed = false
		for o, body := range bodies {
			if !leads[o] && l.callsOneOf(body, bodies, leads) {
				leads[o], changed = true, true
			}
		}
	}
	return leads
}

// hasRegionLoop says that a part of the program has a loop in which accesses may be recorded, there or in a function of
// the unit.
func (l *lowerer) hasRegionLoop(n syntax.Node, bodies map[*types.Object]*syntax.Block) bool {
	found := false
	own := func(n syntax.Node) (calls bool) {
		syntax.Walk(n, func(n syntax.Node) bool {
			if name, ok := n.(*syntax.NameExpr); ok {
				calls = calls || bodies[l.info.Uses[name]] != nil
			}
			return !calls
		})
		return calls
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.ForallStmt:
			found = found || !l.short(n) && (l.accesses(n) || own(n))
		}
		return !found
	})
	return found
}

// callsOneOf says that a part of the program calls a function that leads to loops, or one of which that is not known.
func (l *lowerer) callsOneOf(n syntax.Node, bodies map[*types.Object]*syntax.Block, leads map[*types.Object]bool) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && !found {
			name, named := syntax.Unparen(call.Fun).(*syntax.NameExpr)
			if !named {
				found = true
				return false
			}
			o := l.info.Uses[name]
			switch {
			case o == nil || inLibrary(name.Name):
			case bodies[o] != nil:
				found = leads[o]
			case o.Kind != types.ObjFunc:
				found = true // through a pointer
			case o.Decl != nil:
				found = !l.file.System[l.file.Tokens[o.Decl.First()].File]
			}
		}
		return !found
	})
	return found
}

// functionNumber is a number of 16 bits for a function, not 0.
func functionNumber(name string) uint16 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it cannot fail
	n := h.Sum32()
	return uint16(n>>16) ^ uint16(n) | 1
}
