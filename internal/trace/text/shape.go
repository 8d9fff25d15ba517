package text

import (
	"hash/fnv"
	"math"
	"strings"

	"unknot/internal/probe/mpiapi"
	"unknot/internal/trace"
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
	kind   trace.PartKind
	mode   trace.SendMode
	sync   trace.Sync
	rooted bool   // a collective whose first argument is its root
	starts bool   // returns at once, with a request
	choice bool   // MPI may choose what it reports
	what   uint64 // identifies a collective among members
	fn     uint16 // index in the log's names
}

// shapes knows the functions of MPI and numbers those that a log names.
type shapes struct {
	table   *mpiapi.T
	written map[string]*shape // by the name as it is written
	byName  map[string]*shape // by the function's name
	names   []string          // by shape.fn
}

func newShapes() (*shapes, error) {
	table, err := mpiapi.Load()
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
func shapeOf(f *mpiapi.Func, name string) *shape {
	sh := &shape{}
	if f == nil {
		return sh
	}
	switch f.Class {
	case mpiapi.Send, mpiapi.Isend:
		sh.form, sh.kind, sh.mode = sendTo, trace.Send, modeOf(f.Mode)
	case mpiapi.Recv, mpiapi.Irecv:
		sh.form, sh.kind = recvFrom, trace.Recv
	case mpiapi.Mprobe, mpiapi.Improbe:
		sh.form, sh.kind = recvFrom, trace.Recv
	case mpiapi.Probe, mpiapi.Iprobe:
		sh.form, sh.kind = recvFrom, trace.Probe
	case mpiapi.Sendrecv, mpiapi.Isendrecv:
		sh.form = exchange
	case mpiapi.Coll, mpiapi.CommCreate, mpiapi.WinCreate, mpiapi.WinColl, mpiapi.FileOpen, mpiapi.FileColl, mpiapi.FileIcoll:
		if f.Persistent {
			return sh
		}
		sh.form, sh.kind, sh.sync, sh.what = collective, trace.Coll, syncOf(f.Sync), hashOf(name)
		for _, p := range f.Params {
			sh.rooted = sh.rooted || p.Role == mpiapi.RRoot
		}
	case mpiapi.Wait, mpiapi.Waitall, mpiapi.Test, mpiapi.Testall:
		sh.form = waitAll
	case mpiapi.Waitany, mpiapi.Waitsome, mpiapi.Testany, mpiapi.Testsome:
		sh.form = waitAny
	case mpiapi.Finalize:
		sh.form = finalize
	}
	sh.starts, sh.choice = f.Nonblocking, f.Chooses()
	return sh
}

func modeOf(m mpiapi.Mode) trace.SendMode {
	switch m {
	case mpiapi.Synchronous:
		return trace.Synchronous
	case mpiapi.Buffered, mpiapi.Ready:
		return trace.Buffered
	}
	return trace.Standard
}

// syncOf takes every collective for one that carries data.
func syncOf(s mpiapi.Sync) trace.Sync {
	switch s {
	case mpiapi.SyncAll, mpiapi.SyncAllData:
		return trace.SyncAll
	case mpiapi.SyncFromRoot:
		return trace.SyncFromRoot
	case mpiapi.SyncToRoot:
		return trace.SyncToRoot
	case mpiapi.SyncLower:
		return trace.SyncLower
	}
	return trace.SyncNone
}

// hashOf is the same for the large-count form of a collective, which may meet the other.
func hashOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strings.TrimSuffix(name, "_c")))
	return h.Sum64()
}
