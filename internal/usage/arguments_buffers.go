package usage

import (
	"fmt"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/mpi"
)

// Codes about addresses.
const (
	nullPointer    finding.Code = "null-pointer"
	inPlaceInvalid finding.Code = "in-place-invalid"
)

func addressCheckers() []Checker {
	return []Checker{
		{
			Name: "pointers", Family: Arguments, Watch: watchPointers,
			Peers: []string{"ERROR_POINTER_NULL", "ERROR_POINTER_NULL_NOT_BOTTOM", "ERROR_POINTER_NULL_STATUS_IGNORE", "WARNING_POINTER_NULL",
				"ERROR_POINTER_NULL_COMM_SIZE", "ERROR_POINTER_NULL_COMM_SIZE_ARRAY", "ERROR_POINTER_NULL_COMM_SIZE_ARRAY_AT_INDEX"},
			Codes: []finding.Doc{{
				Code: nullPointer, Title: "an argument is a null pointer", Severity: finding.Error, Since: "0.2",
				Means: "MPI would read or write through a pointer that is NULL: a buffer with a count greater than 0, an array, or the address of a result. Most MPI libraries do not check, so the program crashes in the call.",
				Why:   "An allocation that failed or was skipped on some ranks, a variable that is set only on the root, or NULL instead of MPI_STATUS_IGNORE, which has another value in some MPI libraries.",
				Fix:   "Allocate before the call, or pass a count of 0. To ignore a status, pass MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.",
			}},
		},
		{
			Name: "in-place", Family: Arguments, Watch: watchInPlace,
			Peers: []string{"ERROR_MPI_IN_PLACE_USED"},
			Codes: []finding.Doc{{
				Code: inPlaceInvalid, Title: "MPI_IN_PLACE is not allowed here", Severity: finding.Error, Since: "0.2",
				Means: "MPI_IN_PLACE is not a buffer. It is allowed only for one argument of some collectives on an intracommunicator: usually the send buffer, in MPI_Gather and MPI_Reduce the root's send buffer, in MPI_Scatter the root's receive buffer (MPI-4.0, chapter 6). Elsewhere MPI treats it as an address.",
				Why:   "All ranks make the same call, but only the root may pass MPI_IN_PLACE; or it was passed for the other buffer.",
				Fix:   "Pass it on the root only, for the right argument. The other ranks pass their buffer: MPI_Reduce(rank == root ? MPI_IN_PLACE : buf, buf, ...).",
			}},
		},
	}
}

// side is whether a rank's buffer counts in a call.
type side uint8

const (
	everywhere side = iota
	atRoot          // at the root only
	atLeaves        // of an intercommunicator not in the root's group; everywhere in an intracommunicator
)

// dataBuffer is a buffer of a call, with what says how much is in it.
type dataBuffer struct {
	at       int // the parameter
	count    int // -1: one element
	counts   bool
	mine     bool // of the counts only the rank's own matters
	datatype int
	types    bool
	side     side
}

// operation is a function's name without the marks of its non-blocking, persistent and large-count forms: "Gather".
func operation(f *mpi.Func) string {
	name := strings.TrimPrefix(strings.TrimSuffix(f.Name, "_c"), "MPI_")
	if f.Class != mpi.Coll {
		return name
	}
	if f.Persistent {
		name = strings.TrimSuffix(name, "_init")
	}
	if f.Nonblocking && name[0] == 'I' {
		name = strings.ToUpper(name[1:2]) + name[2:]
	}
	return name
}

// dataBuffers are a function's buffers of data of a datatype. What MPI_Mrecv gets may be no message, so it may need no buffer.
func dataBuffers(f *mpi.Func) (out []dataBuffer) {
	if f.Class == mpi.Mrecv || f.Class == mpi.Imrecv {
		return nil
	}
	for i := range f.Params {
		if f.Params[i].Kind != mpi.KPtr {
			continue
		}
		b := dataBuffer{at: i, count: -1, datatype: -1}
		counts, types := []string{"count"}, []string{"datatype"}
		switch f.Params[i].Name {
		case "sendbuf":
			counts, types = []string{"sendcount", "sendcounts", "count", "recvcounts", "recvcount"}, []string{"sendtype", "sendtypes", "datatype"}
		case "recvbuf":
			counts, types = []string{"recvcount", "recvcounts", "count"}, []string{"recvtype", "recvtypes", "datatype"}
		case "origin_addr":
			counts, types = []string{"origin_count"}, []string{"origin_datatype", "datatype"}
		case "result_addr":
			counts, types = []string{"result_count"}, []string{"result_datatype", "datatype"}
		case "compare_addr":
			counts = nil
		case "inbuf":
			counts = []string{"incount", "count"}
		case "outbuf":
			counts = []string{"outcount"}
		case "buf", "buffer", "inoutbuf":
		default:
			continue
		}
		b.count, b.datatype = parameterOf(f, counts...), parameterOf(f, types...)
		rma := f.Class == mpi.Rma || f.Class == mpi.Rrma
		if b.datatype < 0 || b.count < 0 && !rma {
			continue // a buffer of bytes
		}
		b.counts = b.count >= 0 && f.Params[b.count].Kind.Varying()
		b.types = f.Params[b.datatype].Kind.Varying()
		b.side, b.mine = significance(operation(f), f.Params[i].Name)
		out = append(out, b)
	}
	return out
}

// significance says on which ranks a collective's buffer counts.
func significance(function, name string) (p side, mine bool) {
	switch function {
	case "Gather", "Gatherv", "Reduce":
		if name == "recvbuf" {
			return atRoot, false
		}
		return atLeaves, false
	case "Scatter", "Scatterv":
		if name == "sendbuf" {
			return atRoot, false
		}
		return atLeaves, false
	case "Reduce_scatter":
		return everywhere, name == "recvbuf"
	}
	return everywhere, false
}

// answer is what is known of a question.
type answer uint8

const (
	unsure answer = iota
	yes
	no
)

func answered(b bool) answer {
	if b {
		return yes
	}
	return no
}

// atRootOf says whether the rank is the root of a call (MPI-4.0, 6.2.3).
func atRootOf(c *Call, root int) answer {
	v, ok := c.Int(root)
	switch {
	case !ok || c.Comm == nil:
		return unsure
	case c.Comm.Inter:
		return answered(v == c.Rank.Limits.Root)
	case c.Comm.Rank < 0:
		return unsure
	}
	return answered(v == int64(c.Comm.Rank))
}

// counted says whether a buffer counts on this rank.
func (b *dataBuffer) counted(c *Call, root int) answer {
	if root < 0 {
		return yes
	}
	v, ok := c.Int(root)
	if !ok || c.Comm == nil {
		return unsure
	}
	if c.Comm.Inter && v == c.Rank.Limits.ProcNull {
		return no
	}
	if b.side == atRoot {
		return atRootOf(c, root)
	}
	if c.Comm.Inter && b.side == atLeaves {
		return answered(v != c.Rank.Limits.Root)
	}
	return yes
}

// holds says whether a buffer has an element.
func (b *dataBuffer) holds(c *Call) bool {
	switch {
	case b.count < 0:
		return true
	case !b.counts:
		n, ok := c.Int(b.count)
		return ok && n > 0
	}
	for at, v := range c.Array(b.count) {
		if int64(v) > 0 && (!b.mine || c.Comm != nil && at == c.Comm.Rank) {
			return true
		}
	}
	return false
}

// noPeer says that a call talks to MPI_PROC_NULL, so that its buffer is not touched.
func noPeer(c *Call, peers []int) bool {
	for _, i := range peers {
		if v, ok := c.Int(i); ok && v == c.Rank.Limits.ProcNull {
			return true
		}
	}
	return false
}

// peers are the parameters that name who a call talks to.
func peers(f *mpi.Func) (out []int) {
	for _, name := range []string{"dest", "source", "target_rank"} {
		if i := parameterOf(f, name); i >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// watchPointers looks at pointers that are null. Of a buffer it is certain for predefined datatypes only: with a type of
// absolute addresses a null pointer is MPI_BOTTOM (MPI-4.0, 5.1.5).
func watchPointers(h *Hooks) {
	h.Null(func(c *Call, i int) {
		if i >= len(c.Func.Params) {
			return
		}
		c.Say(nullPointer, i, func() Words {
			w := Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} NULL.", c.Rank.World, c.Func.Name, c.Func.Params[i].Name)}
			switch c.Func.Params[i].Name {
			case "status":
				w.Hint = "to ignore the status, pass MPI_STATUS_IGNORE"
			case "array_of_statuses":
				w.Hint = "to ignore the statuses, pass MPI_STATUSES_IGNORE"
			}
			return w
		})
	})
	h.Given(func(f *mpi.Func) func(*Call) {
		list, root, to := dataBuffers(f), parameterOf(f, "root"), peers(f)
		if len(list) == 0 {
			return nil
		}
		exscan := operation(f) == "Exscan"
		return func(c *Call) {
			for i := range list {
				b := &list[i]
				if v, ok := c.Int(b.at); !ok || v != 0 {
					continue
				}
				if !b.holds(c) || !b.filled(c) || noPeer(c, to) || b.counted(c, root) != yes {
					continue
				}
				if name := f.Params[b.at].Name; name == "recvbuf" && exscan && (c.Comm == nil || c.Comm.Rank <= 0) || name == "origin_addr" && c.ignoresOrigin() {
					continue
				}
				c.Say(nullPointer, b.at, func() Words { return nullBuffer(c, b) })
			}
		}
	})
}

// ignoresOrigin says that the call's operator is MPI_NO_OP, which reads nothing (MPI-4.0, 12.3.4).
func (c *Call) ignoresOrigin() bool {
	i := parameterOf(c.Func, "op")
	if i < 0 {
		return false
	}
	o := c.Rank.Object(OpKind, c.handle(i))
	return o == nil || o.Name == "MPI_NO_OP"
}

// filled says that the elements of a buffer are known to have bytes at the buffer's address: those of a predefined datatype.
func (b *dataBuffer) filled(c *Call) bool {
	handles := c.Array(b.datatype)
	if !b.types {
		handles = []uint64{c.handle(b.datatype)}
	}
	for _, t := range handles {
		o := c.Rank.Object(TypeKind, t)
		if o == nil || !o.Predefined || o.Name == "MPI_LB" || o.Name == "MPI_UB" || o.Name == "MPI_DATATYPE_NULL" {
			return false
		}
	}
	return len(handles) > 0
}

func nullBuffer(c *Call, b *dataBuffer) Words {
	f := c.Func
	much := ""
	switch {
	case b.count < 0:
		much = "one element is transferred"
	case b.counts:
		much = fmt.Sprintf("{%s} has an entry greater than 0", f.Params[b.count].Name)
	default:
		n, _ := c.Int(b.count)
		much = fmt.Sprintf("{%s} is %d", f.Params[b.count].Name, n)
	}
	return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} NULL, but %s.", c.Rank.World, f.Name, f.Params[b.at].Name, much)}
}

// placed is the buffer of a collective for which MPI_IN_PLACE may stand, and where (MPI-4.0, 6.5 to 6.11); false if for none.
func placed(function string) (name string, root bool, ok bool) {
	switch function {
	case "Gather", "Gatherv", "Reduce":
		return "sendbuf", true, true
	case "Scatter", "Scatterv":
		return "recvbuf", true, true
	case "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan":
		return "sendbuf", false, true
	}
	return "", false, false
}

// watchInPlace looks for MPI_IN_PLACE where it may not stand.
func watchInPlace(h *Hooks) {
	h.Given(func(f *mpi.Func) func(*Call) {
		list, root, to := dataBuffers(f), parameterOf(f, "root"), peers(f)
		if len(list) == 0 {
			return nil
		}
		name, rootOnly, _ := placed(operation(f))
		return func(c *Call) {
			for i := range list {
				b := &list[i]
				v, ok := c.Int(b.at)
				if !ok || uint64(v) != c.Rank.Limits.InPlace || v == 0 {
					continue
				}
				may := f.Params[b.at].Name == name
				if may && (c.Comm == nil || !c.Comm.Inter && (!rootOnly || atRootOf(c, root) != no)) {
					continue
				}
				if b.counted(c, root) != yes || !b.holds(c) || noPeer(c, to) {
					continue
				}
				c.Say(inPlaceInvalid, b.at, func() Words { return misplaced(c, b.at, name, rootOnly) })
			}
		}
	})
}

func misplaced(c *Call, i int, name string, rootOnly bool) Words {
	rule := "it is allowed in some collectives only"
	switch this := c.Func.Params[i].Name; {
	case name != "" && c.Comm != nil && c.Comm.Inter:
		rule = "it is not allowed with an intercommunicator"
	case name == this && rootOnly:
		rule = "only the root may pass it"
	case name != "" && rootOnly:
		rule = "it is allowed for " + name + " at the root only"
	case name != "":
		rule = "it is allowed for " + name + " only"
	case c.Func.Class == mpi.Coll:
		rule = "it is not allowed in this call"
	}
	return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} MPI_IN_PLACE; %s.", c.Rank.World, c.Func.Name, c.Func.Params[i].Name, rule)}
}
