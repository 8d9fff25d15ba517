package text

import (
	"hash/fnv"
	"math"
	"strings"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// prefix is what a name may be written without.
const prefix = "MPI_"

// form is how the arguments of a call are written.
type form uint8

const (
	opaque   form = iota // anything in the parentheses; the call ends by itself
	sendTo               // (destination, tag)
	recvFrom             // (source, tag), also probes
	exchange             // (destination, tag, source, tag)
	collective
	waitAll // (requests)
	waitAny
	finalize
)

// shape is what a call's name says about it.
type shape struct {
	form   form
	kind   op.PartKind
	mode   op.SendMode
	sync   op.Sync
	rooted bool   // a collective whose first argument is its root
	starts bool   // returns at once, with a request
	choice bool   // MPI may choose what it reports
	what   uint64 // identifies a collective among members
	fn     uint16 // index in the log's names
}

// shapes knows the functions of MPI and numbers those that a log names.
type shapes struct {
	table   *mpi.T
	written map[string]*shape // by the name as it is written
	byName  map[string]*shape // by the function's name
	names   []string          // by shape.fn
}

func newShapes() (*shapes, error) {
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	return &shapes{table: table, written: make(map[string]*shape), byName: make(map[string]*shape)}, nil
}

// named gives the shape of a name as it is written, with or without MPI_; nil if the log names too many functions.
func (s *shapes) named(name []byte) *shape {
	if found := s.written[string(name)]; found != nil {
		return found
	}
	full := string(name)
	if !strings.HasPrefix(full, prefix) {
		full = prefix + full
	}
	found := s.exactly(full)
	if found != nil {
		s.written[string(name)] = found
	}
	return found
}

// exactly gives the shape of a function by its whole name; nil if the log names too many functions.
func (s *shapes) exactly(full string) *shape {
	if found := s.byName[full]; found != nil {
		return found
	}
	if len(s.names) > math.MaxUint16 {
		return nil
	}
	found := shapeOf(s.table.ByName(full), full)
	found.fn = uint16(len(s.names))
	s.names = append(s.names, full)
	s.byName[full] = found
	return found
}

// shapeOf reads a row of the table. A poll stands for the call that waits for the same: it is in a log only if it found
// something.
func shapeOf(f *mpi.Func, name string) *shape {
	sh := &shape{}
	if f == nil {
		return sh
	}
	switch f.Class {
	case mpi.Send, mpi.Isend:
		sh.form, sh.kind, sh.mode = sendTo, op.Send, f.Mode.Blocks()
	case mpi.Recv, mpi.Irecv:
		sh.form, sh.kind = recvFrom, op.Recv
	case mpi.Mprobe, mpi.Improbe:
		sh.form, sh.kind = recvFrom, op.Recv
	case mpi.Probe, mpi.Iprobe:
		sh.form, sh.kind = recvFrom, op.Probe
	case mpi.Sendrecv, mpi.Isendrecv:
		sh.form = exchange
	case mpi.Coll, mpi.CommCreate, mpi.WinCreate, mpi.WinColl, mpi.FileOpen, mpi.FileColl, mpi.FileIcoll:
		if f.Persistent {
			return sh
		}
		sh.form, sh.kind, sh.sync, sh.what = collective, op.Coll, f.Sync.Carrying(true), hashOf(name)
		for _, p := range f.Params {
			sh.rooted = sh.rooted || p.Role == mpi.RRoot
		}
	case mpi.Wait, mpi.Waitall, mpi.Test, mpi.Testall:
		sh.form = waitAll
	case mpi.Waitany, mpi.Waitsome, mpi.Testany, mpi.Testsome:
		sh.form = waitAny
	case mpi.Finalize:
		sh.form = finalize
	}
	sh.starts, sh.choice = f.Nonblocking, f.Chooses()
	return sh
}

// hashOf is the same for the large-count form of a collective, which may meet the other.
func hashOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(mpi.Plain(name)))
	return h.Sum64()
}
