package decode

import "unknot/internal/vocab/mpi"

// Call is a function with the words of an Enter or Exit record of it.
type Call struct {
	Func  *mpi.Func
	Words []uint64
}

// Num is the argument of a role in an Enter record, or 0 if the function has none.
func (c *Call) Num(role mpi.Role) int64 {
	if c.Func.EnterAt[role] == -2 { // behind an array
		return int64(Number(c.List(role)))
	}
	v, _ := c.Func.EnterWord(role, c.Words)
	return v
}

// Word is Num, for handles and addresses.
func (c *Call) Word(role mpi.Role) uint64 { return uint64(c.Num(role)) }

// List is the array of a role in an Enter record.
func (c *Call) List(role mpi.Role) []uint64 { return c.find(role, true) }

// At is the argument of parameter i in an Enter record, and Values the array of it.
func (c *Call) At(i int) uint64 { return c.Word(c.Func.Params[i].Role) }

// Values is the array of parameter i in an Enter record.
func (c *Call) Values(i int) []uint64 { return c.Func.Values(c.Func.Params[i].Name, c.Words, true) }

// Out is the result of a role in an Exit record; false if the record has none.
func (c *Call) Out(role mpi.Role) (int64, bool) { return c.Func.ExitWord(role, c.Words) }

// Outs is the array of a role in an Exit record.
func (c *Call) Outs(role mpi.Role) []uint64 { return c.find(role, false) }

func (c *Call) find(role mpi.Role, enter bool) (out []uint64) {
	_ = c.Func.Walk(c.Words, enter, func(p *mpi.Param, v []uint64) {
		if p.Role == role {
			out = v
		}
	})
	return out
}
