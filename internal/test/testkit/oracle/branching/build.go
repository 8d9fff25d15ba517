package branching

import "unknot/internal/vocab/op"

// Short forms for writing programs.

func do(c Call) Stmt { return Stmt{Kind: Do, Call: &c} }

func set(n int, value *Expr) Stmt { return Stmt{Kind: Set, Var: n, Value: value} }

func when(cond *Expr, then ...Stmt) Stmt { return Stmt{Kind: If, Cond: cond, Body: then} }

func either(cond *Expr, then, otherwise []Stmt) Stmt {
	return Stmt{Kind: If, Cond: cond, Body: then, Else: otherwise}
}

func while(cond *Expr, body ...Stmt) Stmt { return Stmt{Kind: While, Cond: cond, Body: body} }

func until(cond *Expr, body ...Stmt) Stmt {
	return Stmt{Kind: DoWhile, Cond: of(Eq, cond, N(0)), Body: body}
}

func send(slot int, to *Expr, tag int, value *Expr) Stmt {
	return do(Call{Kind: Send, Slot: slot, Peer: to, Tag: N(tag), Value: value})
}

func ssend(slot int, to *Expr, tag int, value *Expr) Stmt {
	return do(Call{Kind: Send, Mode: op.Synchronous, Slot: slot, Peer: to, Tag: N(tag), Value: value})
}

// recv receives from a rank, or from any if it is nil.
func recv(slot int, from *Expr, tag *Expr) Stmt {
	return do(Call{Kind: Recv, Slot: slot, Peer: from, Tag: tag})
}

func irecv(slot int, from *Expr, tag *Expr) Stmt {
	return do(Call{Kind: Irecv, Slot: slot, Peer: from, Tag: tag})
}

func wait(slot int) Stmt { return do(Call{Kind: Wait, Slot: slot}) }

func is(a, b *Expr) *Expr { return of(Eq, a, b) }

func plus(a, b *Expr) *Expr { return of(Add, a, b) }

func less(a, b *Expr) *Expr { return of(Lt, a, b) }

// world is a program on MPI_COMM_WORLD only.
func world(name string, ranks ...[]Stmt) *Program {
	all := make([]int, len(ranks))
	for r := range all {
		all[r] = r
	}
	p := &Program{Name: name, Comms: [][]int{all}, Ranks: ranks}
	p.mark()
	return p
}

// mark sets what a program says of itself.
func (p *Program) mark() {
	p.Polls, p.Cancels = false, false
	var look func(list []Stmt, endless bool)
	look = func(list []Stmt, endless bool) {
		for i := range list {
			s := &list[i]
			if s.Kind == Do {
				p.Cancels = p.Cancels || s.Call.Kind == Cancel
				p.Polls = p.Polls || endless && s.Call.Kind.polls()
			}
			// A loop that counts its turns says so in the first part of its condition.
			look(s.Body, s.Kind == DoWhile || s.Kind == While && s.Cond.Op != And || endless)
			look(s.Else, endless)
		}
	}
	for _, list := range p.Ranks {
		look(list, false)
	}
}
