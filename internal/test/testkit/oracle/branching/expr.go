package branching

// ExprOp is what an expression does.
type ExprOp uint8

// Kinds of expressions. Register reads one of what calls set (see Reg), the others combine two.
const (
	Const ExprOp = iota
	Register
	Add
	Sub
	Mul
	Mod // of what is not negative
	Eq
	Ne
	Lt
	And
	Or
)

// Expr is an expression of ints.
type Expr struct {
	Op   ExprOp
	N    int // Const: the value
	Reg  Reg
	A, B *Expr
}

// Area is a group of registers.
type Area uint8

// Areas. Those of a slot are set when a receive into it is over, or when a probe has found a message; In is also the
// result of a collective. The rest are those of the last call that sets them: Index of Waitany and Testany, -1 for
// MPI_UNDEFINED; Flag of a poll; Outcount of Waitsome and Testsome, -1 for MPI_UNDEFINED; Done, which of its requests
// these reported, as bits; Cancelled of a receive that was completed.
const (
	Var Area = iota
	In
	Source // as a rank in the communicator of the call
	Tag
	Count
	Index
	Flag
	Outcount
	Done
	Cancelled
	areas
)

// Reg is a register of a rank: the n-th of an area. Index and those after it have one only.
type Reg struct {
	Area Area
	N    int
}

// N is a constant.
func N(n int) *Expr { return &Expr{N: n} }

// V is a variable.
func V(n int) *Expr { return get(Var, n) }

func get(a Area, n int) *Expr { return &Expr{Op: Register, Reg: Reg{a, n}} }

// of combines two expressions.
func of(op ExprOp, a, b *Expr) *Expr { return &Expr{Op: op, A: a, B: b} }

// eval gives the value of an expression by what its registers hold.
func (e *Expr) eval(read func(Reg) int) int {
	switch e.Op {
	case Const:
		return e.N
	case Register:
		return read(e.Reg)
	}
	a, b := e.A.eval(read), e.B.eval(read)
	switch e.Op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Mod:
		return a % b
	case Eq:
		return bit(a == b)
	case Ne:
		return bit(a != b)
	case Lt:
		return bit(a < b)
	case And:
		return bit(a != 0 && b != 0)
	default:
		return bit(a != 0 || b != 0)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// walk shows every register that an expression reads.
func (e *Expr) walk(visit func(Reg)) {
	if e == nil {
		return
	}
	if e.Op == Register {
		visit(e.Reg)
	}
	e.A.walk(visit)
	e.B.walk(visit)
}
