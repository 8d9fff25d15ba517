package mpi

import "unknot/internal/vocab/op"

// Receives gives the parameters that say whom a receive or probe is from, and its tag; false if the call is neither.
// That of MPI_Recv_init is from there at each start.
func (f *Func) Receives() (source, tag int, ok bool) {
	if s, has := f.Param(RSource); has {
		tag, ok = f.Param(RRecvTag)
		return s, tag, ok
	}
	s, has := f.Param(RPeer)
	if !has || f.Params[s].Name != "source" {
		return -1, -1, false
	}
	tag, ok = f.Param(RTag)
	return s, tag, ok
}

// SendsStandard says whether the call makes a send of standard or ready mode (MPI-4.0, 3.4), or with MPI_Send_init a
// request whose starts do. Partitioned sends are none: they are matched otherwise.
func (f *Func) SendsStandard() bool {
	switch f.Class {
	case Send, Isend, SendInit, Sendrecv, Isendrecv:
		return f.Mode.Blocks() == op.Standard
	}
	return false
}

// Chooses says whether MPI may choose what the call reports, so that a plan can give it an outcome (plan.Outcome).
func (f *Func) Chooses() bool {
	switch f.Class {
	case Waitany, Waitsome, Test, Testany, Testsome, Testall, Iprobe, Improbe:
		return true
	}
	return false
}

// Param is the index of the parameter with a role.
func (f *Func) Param(role Role) (int, bool) {
	for i := range f.Params {
		if f.Params[i].Role == role {
			return i, true
		}
	}
	return -1, false
}

// InMode is the function that does the same with a send of another mode, nil if there is none.
func (t *T) InMode(f *Func, mode op.SendMode) *Func {
	for i := range t.Funcs() {
		g := &t.Funcs()[i]
		if g.Class == f.Class && g.Mode == mode && g.Large() == f.Large() {
			return g
		}
	}
	return nil
}

// OfClass is the first function of a class, nil if there is none.
func (t *T) OfClass(c Class) *Func {
	for i := range t.Funcs() {
		if f := &t.Funcs()[i]; f.Class == c {
			return f
		}
	}
	return nil
}
