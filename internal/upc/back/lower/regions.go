package lower

import (
	"fmt"
	"slices"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// A function, or a loop with those in it, in which accesses are recorded is a region: the run-time says at its
// beginning whether they are recorded this time, and for how many iterations of all these loops (UPC-Thrille's
// check-region; hierarchical sampling, section 4.2). For the rest of the time there is a copy that records nothing, and
// is as fast as a program that was compiled without --check=race. Strict accesses and calls of the library are recorded
// in both.

// mostCopies is how many functions and loops around each other have copies.
const mostCopies = 5

// regionsHere is the C name of the array of a unit's regions where it is used, regionsDefined where it is defined;
// regionsSymbol is what the assembler calls both.
const (
	regionsHere    = "upcr_regions_here"
	regionsDefined = "upcr_regions_defined"
	regionsSymbol  = "upcr_regions_of_this_unit"
)

// region is the C expression of a new region.
func (l *lowerer) region() string {
	l.races.regions++
	return fmt.Sprintf("%s + %d", regionsHere, l.races.regions-1)
}

// copies says that the body of a function is printed with a plain copy.
func (l *lowerer) copies(n syntax.Node) bool {
	return l.relaxed() && l.mayCopy(n) && l.accesses(n) && twofold(n)
}

// copiesLoop says it of a loop, in whose plain copy functions have their plain forms.
func (l *lowerer) copiesLoop(n syntax.Node) bool {
	return l.mayCopy(n) && !l.short(n) && (l.accesses(n) || l.callsPlainForm(n)) && twofold(n)
}

func (l *lowerer) mayCopy(n syntax.Node) bool {
	if !l.relaxed() && !l.races.inPlainForm || !l.inside || l.races.depth == mostCopies {
		return false
	}
	s, ok := n.(syntax.Stmt)
	return !ok || !l.afterPragma(s)
}

// accesses says that a part of the program may access shared memory by expressions.
func (l *lowerer) accesses(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if e, ok := n.(syntax.Expr); ok && !found {
			i := l.info.Exprs[e]
			found = i != nil && i.Lvalue && i.Type.IsShared() && !i.Strict || l.throughPointer(e)
		}
		return !found
	})
	return found
}

// twofold says that a part of the program means the same if it stands in a function twice: it defines no label, no type
// and no object that lasts, and each case label belongs to a switch within it.
func twofold(n syntax.Node) bool {
	fine := true
	var walk func(n syntax.Node, cases bool)
	walk = func(n syntax.Node, cases bool) {
		switch n := n.(type) {
		case *syntax.LabelStmt:
			fine = false
		case *syntax.Block:
			fine = fine && len(n.Labels) == 0
		case *syntax.StructSpec:
			fine = fine && !n.HasBody
		case *syntax.EnumSpec:
			fine = fine && !n.HasBody
		case *syntax.VarDecl:
			fine = fine && !slices.Contains(n.Specs.Storage, "static")
		case *syntax.CaseStmt:
			fine = fine && cases
		case *syntax.SwitchStmt:
			cases = true
		case *syntax.FuncDecl:
			fine = false
		}
		if fine {
			syntax.Children(n, func(c syntax.Node) { walk(c, cases) })
		}
	}
	walk(n, false)
	return fine
}

// copy prints a part of the program once more, so that nothing is recorded in it.
func (l *lowerer) copy(print func()) { l.as(true, false, false, func() { l.Again(print) }) }

// copyOfLoop is copy for a loop.
func (l *lowerer) copyOfLoop(print func()) { l.as(true, true, false, func() { l.Again(print) }) }

// as prints a part of the program in one of the ways that races describes.
func (l *lowerer) as(quiet, inPlainLoop, inPlainForm bool, print func()) {
	r := &l.races
	q, loop, form := r.quiet, r.inPlainLoop, r.inPlainForm
	r.quiet, r.inPlainLoop, r.inPlainForm = quiet, inPlainLoop, inPlainForm
	print()
	r.quiet, r.inPlainLoop, r.inPlainForm = q, loop, form
}

// within prints what a region has in it.
func (l *lowerer) within(print func()) {
	l.races.depth++
	print()
	l.races.depth--
}

// counting prints what is in a loop, with the variable that counts the iterations.
func (l *lowerer) counting(left string, print func()) {
	around := l.races.left
	l.races.left = left
	l.within(func() { l.as(false, false, false, print) })
	l.races.left = around
}

// body prints the body of a function, which is entered in the chain of callers if loops are known by that.
func (l *lowerer) body(b *syntax.Block, function *types.Object) {
	leads := l.races.leads[function]
	copies := b != nil && l.copies(b)
	if !leads && !copies {
		l.node(b)
		return
	}
	l.goToNode(b)
	l.Text("{")
	if leads {
		l.Text(fmt.Sprintf("UPCR_FUNCTION(%#x);", functionNumber(l.races.function)))
	}
	if copies {
		l.Text("if (upcr_enters(" + l.region() + "))")
		l.within(func() { l.node(b) })
		l.Text("else")
		l.copy(func() { l.node(b) })
	} else {
		l.node(b)
	}
	l.Text("}")
}

// sampledWhole prints a loop that is recorded from its beginning to its end or not at all, and says false, and prints
// nothing, if there is no choice.
func (l *lowerer) sampledWhole(s syntax.Stmt, print func()) bool {
	if !l.copiesLoop(s) {
		return false
	}
	l.Text("{")
	left := l.granted(s)
	l.Text("if (" + left + " > 0) {")
	l.counting(left, print)
	l.Text("} else {")
	l.copyOfLoop(print)
	l.Text("} }")
	return true
}

// granted prints the variable that counts the iterations which are still recorded, if there is no loop around that has
// one, and gives its name; there is none, and the name is empty, if the loop has no plain copy.
func (l *lowerer) granted(s syntax.Stmt) string {
	if !l.copiesLoop(s) {
		return ""
	}
	if l.races.left != "" {
		return l.races.left
	}
	left, region := l.name("left"), l.region()
	if w := l.weight(s); w > 1 {
		l.races.weighed = append(l.races.weighed, fmt.Sprintf("[%d] = {.weight = %d}", l.races.regions-1, w))
	}
	l.Text("long " + left + " = upcr_grant(" + region + ");")
	l.races.regionOf = map[string]string{left: region}
	return left
}

// goesOn is the condition under which a loop is still recorded. The outermost one lets the run-time know how many
// iterations were left last.
func (l *lowerer) goesOn(left string) string {
	if region := l.races.regionOf[left]; region != "" && l.races.left == "" {
		return "((" + region + ")->left = " + left + "--) > 0"
	}
	return left + "-- > 0"
}

// twice prints a loop that continues while its condition holds and iterations are granted, and its plain copy, which
// does the rest. The print gets what stands before the condition. The count falls below 0 only where the condition
// comes next, so that a loop that has ended otherwise has ended.
func (l *lowerer) twice(left string, print func(granted string)) {
	if left == "" {
		print("")
		return
	}
	going := l.goesOn(left) + " && "
	l.counting(left, func() { print(going) })
	l.Text("if (" + left + " < 0)")
	l.copyOfLoop(func() { print("") })
}

// sampledFor prints a loop with an initialisation, a condition and a step, of which each but the body may be nil, and
// says false, and prints nothing, if it has no plain copy.
func (l *lowerer) sampledFor(init syntax.Stmt, cond, post syntax.Expr, body, s syntax.Stmt) bool {
	if !l.copiesLoop(s) {
		return false
	}
	l.goToNode(s)
	l.Text("{")
	if init != nil {
		l.node(init)
	}
	l.twice(l.granted(s), func(granted string) {
		if f, ok := s.(*syntax.ForStmt); ok && granted == "" && l.stepping(f, true) {
			return
		}
		l.Text("for (; " + granted)
		if cond != nil {
			l.Text("(")
			l.value(cond)
			l.Text(")")
		} else if granted != "" {
			l.Text("1")
		}
		l.Text(";")
		if post != nil {
			l.unused[post] = true
			l.value(post)
		}
		l.Text(")")
		l.node(body)
	})
	l.Text("}")
	return true
}

// sampledWhile is sampledFor for while.
func (l *lowerer) sampledWhile(s *syntax.WhileStmt) bool {
	if !l.copiesLoop(s) {
		return false
	}
	l.goToNode(s)
	l.Text("{")
	l.twice(l.granted(s), func(granted string) {
		l.Text("while (" + granted + "(")
		l.value(s.Cond)
		l.Text("))")
		l.node(s.Body)
	})
	l.Text("}")
	return true
}

// sampledDo is sampledFor for do. Whether the plain copy continues is what the condition gave last.
func (l *lowerer) sampledDo(s *syntax.DoStmt) bool {
	if !l.copiesLoop(s) {
		return false
	}
	l.goToNode(s)
	l.Text("{")
	left := l.granted(s)
	more := l.name("more")
	going := l.goesOn(left)
	l.Text("int " + more + " = 1; if (" + going + ") do { " + more + " = 0;")
	l.counting(left, func() {
		l.node(s.Body)
		l.Text("} while ((" + more + " = !!(")
		l.value(s.Cond)
	})
	l.Text(")) && " + going + "); if (" + more + ") do")
	l.copyOfLoop(func() {
		l.node(s.Body)
		l.Text("while (")
		l.value(s.Cond)
		l.Text(");")
	})
	l.Text("}")
	return true
}
