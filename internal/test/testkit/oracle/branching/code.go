package branching

import (
	"fmt"
	"strings"
)

type opcode uint8

const (
	opCall opcode = iota
	opSet
	opBranch // goes to To if Value is 0
	opJump
)

// instr is an instruction of a rank.
type instr struct {
	op    opcode
	call  *Call
	line  int // of the source in C
	reg   Reg
	value *Expr
	to    int
}

// use is what a slot serves.
type use uint8

const (
	unused use = iota
	sends
	receives
	collects
	handles // messages of MPI_Mprobe
)

// code is a program that is ready to run.
type code struct {
	p     *Program
	text  string   // in C
	comms []string // names, as unknot gives them
	ranks []rankCode
}

// rankCode is the code of one rank. Registers that nobody reads have no place, so that states which differ only there
// are one.
type rankCode struct {
	ins     []instr
	slots   []use
	cancels []bool // by slot: some call cancels it
	regs    map[Reg]int
}

// compiler lowers a program and writes it in C on the way, so that both agree on lines.
type compiler struct {
	code
	b      strings.Builder
	lines  int // written so far
	rank   int
	indent int
}

func compile(p *Program) *code {
	w := &compiler{code: code{p: p, ranks: make([]rankCode, len(p.Ranks))}}
	for r := range p.Ranks {
		c := &w.ranks[r]
		c.regs = make(map[Reg]int)
		c.survey(p.Ranks[r])
	}
	w.program()
	w.text = w.b.String()
	return &w.code
}

// survey finds out which slots and registers a rank has.
func (c *rankCode) survey(list []Stmt) {
	visit := func(r Reg) {
		if _, known := c.regs[r]; !known {
			c.regs[r] = len(c.regs)
		}
	}
	for i := range list {
		s := &list[i]
		s.Value.walk(visit)
		s.Cond.walk(visit)
		if k := s.Call; k != nil {
			for _, e := range []*Expr{k.Peer, k.Tag, k.To, k.Out, k.Value} {
				e.walk(visit)
			}
			c.serve(k)
		}
		c.survey(s.Body)
		c.survey(s.Else)
	}
}

func (c *rankCode) serve(k *Call) {
	for _, n := range append([]int{k.Slot}, k.Slots...) {
		for n >= len(c.slots) {
			c.slots, c.cancels = append(c.slots, unused), append(c.cancels, false)
		}
	}
	u := unused
	switch k.Kind {
	case Isend, SendInit:
		u = sends
	case Irecv, RecvInit:
		u = receives
	case Mprobe, Improbe:
		u = handles
	case Ibarrier, Ibcast:
		u = collects
	case Cancel:
		c.cancels[k.Slot] = true
	}
	if u == unused {
		return
	}
	if was := c.slots[k.Slot]; was != unused && was != u {
		panic(fmt.Sprintf("slot %d has two uses", k.Slot))
	}
	c.slots[k.Slot] = u
}

func (w *compiler) emit(i instr) int {
	c := &w.ranks[w.rank]
	c.ins = append(c.ins, i)
	return len(c.ins) - 1
}

// everywhere adds a call to all ranks that is not in the program's text, with the line that was written last.
func (w *compiler) everywhere(c *Call) {
	for w.rank = range w.ranks {
		w.emit(instr{op: opCall, call: c, line: w.lines})
	}
}

// block lowers and writes statements.
func (w *compiler) block(list []Stmt) {
	w.indent++
	for i := range list {
		w.stmt(&list[i])
	}
	w.indent--
}

func (w *compiler) stmt(s *Stmt) {
	here := func() int { return len(w.ranks[w.rank].ins) }
	land := func(at int) { w.ranks[w.rank].ins[at].to = here() }
	switch s.Kind {
	case Do:
		w.line("%s", w.call(s.Call))
		w.emit(instr{op: opCall, call: s.Call, line: w.lines})
	case Set:
		w.line("%s = %s;", w.reg(Reg{Var, s.Var}), w.expr(s.Value))
		w.emit(instr{op: opSet, reg: Reg{Var, s.Var}, value: s.Value})
	case If:
		w.line("if (%s) {", w.expr(s.Cond))
		no := w.emit(instr{op: opBranch, value: s.Cond})
		w.block(s.Body)
		if len(s.Else) > 0 {
			end := w.emit(instr{op: opJump})
			land(no)
			w.line("} else {")
			w.block(s.Else)
			land(end)
		} else {
			land(no)
		}
		w.line("}")
	case While:
		w.line("while (%s) {", w.expr(s.Cond))
		top := here()
		no := w.emit(instr{op: opBranch, value: s.Cond})
		w.block(s.Body)
		w.emit(instr{op: opJump, to: top})
		land(no)
		w.line("}")
	case DoWhile:
		w.line("do {")
		top := here()
		w.block(s.Body)
		no := w.emit(instr{op: opBranch, value: s.Cond})
		w.emit(instr{op: opJump, to: top})
		land(no)
		w.line("} while (%s);", w.expr(s.Cond))
	}
}
