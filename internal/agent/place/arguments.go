package place

import (
	"fmt"

	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Args puts a call's arguments into MPI's terms.
func (a *Places) Args(r *Process, f *mpi.Func, v []uint64, stamp uint32) finding.Phrase {
	c := decode.Call{Func: f, Words: v}
	k := &r.Objects.Limits
	var out []finding.Phrase
	add := func(format string, args ...any) { out = append(out, finding.Plain(fmt.Sprintf(format, args...))) }
	var cm *objects.Comm
	if f.EnterAt[mpi.RComm] >= 0 && int(f.EnterAt[mpi.RComm]) < len(v) {
		cm = r.Objects.CommAt(c.Word(mpi.RComm), stamp)
	}
	of := cm // what peers are ranks of
	peer := func(prep string, role mpi.Role) {
		if f.EnterAt[role] < 0 || int(f.EnterAt[role]) >= len(v) {
			return
		}
		switch p := int32(c.Num(role)); {
		case int64(p) == k.AnySource && prep == "from":
			add("from any source")
		case int64(p) == k.ProcNull:
			add("%s MPI_PROC_NULL", prep)
		case of != nil && of.World(int64(p)) != op.Rank(p) && of.World(int64(p)) >= 0:
			out = append(out, finding.Naming(prep+" ", p, "").Then(finding.Naming(" (world ", of.World(int64(p)), ")")))
		default:
			out = append(out, finding.Naming(prep+" ", p, ""))
		}
	}
	tag := func(role mpi.Role) {
		if f.EnterAt[role] < 0 || int(f.EnterAt[role]) >= len(v) {
			return
		}
		if t := int32(c.Num(role)); int64(t) == k.AnyTag {
			add("any tag")
		} else {
			add("tag %d", t)
		}
	}
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.SendInit, mpi.PsendInit:
		peer("to", mpi.RPeer)
	case mpi.Sendrecv, mpi.Isendrecv:
		peer("to", mpi.RPeer)
		tag(mpi.RTag)
		peer("from", mpi.RSource)
		tag(mpi.RRecvTag)
	case mpi.WinLock, mpi.WinUnlock, mpi.WinFlush, mpi.Rma, mpi.Rrma:
		peer("of", mpi.RPeer)
	case mpi.IntercommCreate:
		peer("local leader", mpi.RRoot)
		// to others the remote leader means nothing (MPI-4.0, 7.6.2)
		if cm != nil && cm.World(int64(int32(c.Num(mpi.RRoot)))) == r.World {
			of = r.Objects.CommAt(c.Word(mpi.RPeerComm), stamp)
			peer("remote leader", mpi.RPeer)
		}
	default:
		peer("from", mpi.RPeer)
	}
	if f.Class != mpi.Sendrecv && f.Class != mpi.Isendrecv {
		tag(mpi.RTag)
	}
	if f.EnterAt[mpi.RRoot] >= 0 && int(f.EnterAt[mpi.RRoot]) < len(v) && f.Class != mpi.IntercommCreate {
		switch root := int64(int32(c.Num(mpi.RRoot))); {
		case cm != nil && cm.Inter && root == k.Root:
			add("root MPI_ROOT")
		case cm != nil && cm.Inter && root == k.ProcNull:
			add("root MPI_PROC_NULL")
		default:
			add("root %d", root)
		}
	}
	if f.EnterAt[mpi.ROp] >= 0 && int(f.EnterAt[mpi.ROp]) < len(v) {
		switch name := r.Objects.Name(mpi.OOp, c.Word(mpi.ROp)); {
		case name != "":
			add("%s", name)
		case c.Word(mpi.ROp) == 0: // in no MPI library a handle of an operator, nor of a datatype
			add("an invalid operator")
		default:
			add("a user-defined operator")
		}
	}
	if f.OfGroup() {
		if tag := f.Values("stringtag", v, true); tag != nil {
			add("tag %q", decode.Text(tag))
		}
	}
	if cm != nil {
		add("%s", a.CommName(r, cm))
	} else if f.EnterAt[mpi.RComm] >= 0 && int(f.EnterAt[mpi.RComm]) < len(v) && r.Objects.Null(mpi.OComm,
		c.Word(mpi.RComm)) {
		add("MPI_COMM_NULL")
	}
	if f.EnterAt[mpi.RCount] >= 0 && f.EnterAt[mpi.RType] >= 0 &&
		int(max(f.EnterAt[mpi.RType], f.EnterAt[mpi.RCount])) < len(v) {
		add("%d × %s", c.Num(mpi.RCount), a.TypeName(r, c.Word(mpi.RType)))
	}
	if f.EnterAt[mpi.RRequests] >= 0 && int(f.EnterAt[mpi.RRequests]) < len(v) {
		switch n := v[f.EnterAt[mpi.RRequests]]; n {
		case 1:
			add("1 request")
		default:
			add("%d requests", n)
		}
	}
	return finding.JoinPhrases(out, ", ")
}

// TypeName is what the user knows a datatype by.
func (a *Places) TypeName(r *Process, h uint64) string {
	if n := r.Objects.Name(mpi.OType, h); n != "" {
		return n
	}
	if h == 0 {
		return "an invalid datatype"
	}
	if size := r.Objects.Size(h); size >= 0 {
		return fmt.Sprintf("a derived type of %d bytes", size)
	}
	return "a derived type"
}

// CtxName is what the user knows the communicator of an identity by.
func (a *Places) CtxName(r *Process, ctx op.CommID) string {
	if c := r.Objects.CommByID(ctx); c != nil {
		return a.CommName(r, c)
	}
	return "another communicator"
}

// InMethod adds to the arguments of a call by which method of mpi4py it is made.
func InMethod(args finding.Phrase, method string) finding.Phrase {
	in := finding.Plain("in mpi4py's " + method)
	if args.Text == "" {
		return in
	}
	return args.Then(finding.Plain(", ")).Then(in)
}
