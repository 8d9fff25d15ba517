package reduce

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// body makes the calls of one rank.
type body struct {
	*writer
	t     *trace.Thread
	at    int             // of the thread in the log
	near  bool            // peers in MPI_COMM_WORLD are named by their distance
	lines []string        // of calls
	open  map[uint32]int  // parts that are pending, and their requests
	taken map[int]bool    // requests
	left  map[string]bool // functions that are left out
	most  int             // requests
}

func (w *writer) bodyOf(at int, near bool) *body {
	b := &body{writer: w, t: &w.log.Threads[at], at: at, near: near, open: make(map[uint32]int),
		taken: make(map[int]bool), left: make(map[string]bool)}
	for i := w.from[at]; i < len(b.t.Ops); i++ {
		b.call(&b.t.Ops[i])
	}
	return b
}

// Outside is the function of a call that stands for a rank which is outside of MPI and makes no more calls.
const Outside = "pause"

// call adds one call of the log.
func (b *body) call(o *trace.Op) {
	name := b.log.Funcs[o.Fn]
	before := len(b.lines)
	posts := b.t.Posts(o)
	switch {
	case o.Final:
		return
	case name == Outside && !o.Returned:
		b.add("/* " + b.place(o.Site) + "it was outside of MPI, and made no more calls */")
		b.add("for (;;)")
		b.add("    pause();")
		return
	case name == "MPI_Sendrecv" && len(posts) == 2 && posts[0].Kind == op.Send && b.known(posts):
		b.sendrecv(o, posts)
	case !b.known(posts):
		b.left[name] = true
	case len(posts) == 1 && o.Blocking:
		b.add(b.part(name, &posts[0], b.ref(o, 0), -1))
	case len(posts) > 0:
		for k := range posts {
			if posts[k].Kind == op.Served {
				continue
			}
			ref := b.ref(o, k)
			req := b.request(ref.Part)
			b.add(b.part(name, &posts[k], ref, req))
			if posts[k].Kind == op.Send && !b.waited[ref] {
				b.add(fmt.Sprintf("MPI_Request_free(&reqs[%d]);", req))
				b.completes(ref.Part)
			}
		}
		if o.Blocking {
			b.wait(o)
		}
	case o.Waiting > 0:
		b.wait(o)
	default:
		b.left[name] = true
	}
	if !o.Returned && len(b.lines) > before {
		b.lines = slices.Insert(b.lines, before, "/* "+b.place(o.Site)+"it did not return */")
	}
}

// place says where a call is in the program, if that is known.
func (b *body) place(site uint32) string {
	if int(site) >= len(b.log.Sites) || b.log.Sites[site].File == "" {
		return ""
	}
	s := &b.log.Sites[site]
	clean := strings.NewReplacer("*/", "", "\n", "")
	return fmt.Sprintf("%s:%d: ", clean.Replace(filepath.Base(s.File)), s.Line)
}

func (b *body) ref(o *trace.Op, k int) pairing.Ref {
	return pairing.Ref{Thread: uint32(b.at), Part: o.First + uint32(k)}
}

// known says whether all that a call starts is on a communicator of the program's, or completes by itself.
func (b *body) known(parts []trace.Part) bool {
	return !slices.ContainsFunc(parts, func(p trace.Part) bool {
		return p.Kind != op.Served && b.log.Comms[p.Comm].Inner || p.Kind == op.Observed
	})
}

func (b *body) add(line string) { b.lines = append(b.lines, line) }

// request is a free one for a part that is pending from now on.
func (b *body) request(part uint32) int {
	r := 0
	for b.taken[r] {
		r++
	}
	b.taken[r], b.open[part] = true, r
	b.most = max(b.most, r+1)
	return r
}

// completes has a request be free again.
func (b *body) completes(part uint32) {
	delete(b.taken, b.open[part])
	delete(b.open, part)
}

// wait adds the completion of what a call waits for.
func (b *body) wait(o *trace.Op) {
	var reqs []int
	for _, w := range b.t.WaitsOf(o) {
		if r, ok := b.open[w.Part]; ok && int(w.Thread) == b.at {
			reqs = append(reqs, r)
			if w.Done || !o.Any {
				b.completes(w.Part)
			}
		}
	}
	slices.Sort(reqs)
	switch {
	case len(reqs) == 0:
	case len(reqs) == 1:
		b.add(fmt.Sprintf("MPI_Wait(&reqs[%d], MPI_STATUS_IGNORE);", reqs[0]))
	case o.Any && reqs[len(reqs)-1]-reqs[0] == len(reqs)-1:
		b.add(fmt.Sprintf("MPI_Waitany(%d, &reqs[%d], &done, MPI_STATUS_IGNORE);", len(reqs), reqs[0]))
	case reqs[len(reqs)-1]-reqs[0] == len(reqs)-1:
		b.add(fmt.Sprintf("MPI_Waitall(%d, &reqs[%d], statuses);", len(reqs), reqs[0]))
	default: // of any, too: the others are waited for by nobody else
		for _, r := range reqs {
			b.add(fmt.Sprintf("MPI_Wait(&reqs[%d], MPI_STATUS_IGNORE);", r))
		}
	}
}

func (b *body) sendrecv(o *trace.Op, p []trace.Part) {
	sent, room := b.bytes(b.ref(o, 0)), b.bytes(b.ref(o, 1))
	b.add(fmt.Sprintf("MPI_Sendrecv(room(%d), %d, MPI_BYTE, %s, %s, room(%d), %d, MPI_BYTE, %s, %s, %s, "+
		"MPI_STATUS_IGNORE);", sent, sent, b.peer(&p[0]), tag(&p[0]), room, room, b.peer(&p[1]), tag(&p[1]),
		b.comm(p[0].Comm)))
}

// part is the call that starts a part: one that blocks if it has no request.
func (b *body) part(name string, p *trace.Part, r pairing.Ref, req int) string {
	begins, end := "", ""
	if req >= 0 {
		begins, end = "i", fmt.Sprintf(", &reqs[%d]", req)
	}
	n := b.bytes(r)
	switch p.Kind {
	case op.Send:
		f := map[op.SendMode]string{op.Standard: "send", op.Synchronous: "ssend", op.Buffered: "send",
			op.Ready: "rsend"}[p.Mode]
		return fmt.Sprintf("MPI_%s(room(%d), %d, MPI_BYTE, %s, %s, %s%s);", capital(begins+f), n, n, b.peer(p), tag(p),
			b.comm(p.Comm), end)
	case op.Recv:
		if end == "" {
			end = ", MPI_STATUS_IGNORE"
		}
		any := ""
		if p.Matched >= 0 && (p.Wild || p.Peer == op.AnySource) {
			any = " /* from any source */"
		}
		return fmt.Sprintf("MPI_%s(room(%d), %d, MPI_BYTE, %s, %s, %s%s);%s", capital(begins+"recv"), n, n, b.peer(p),
			tag(p), b.comm(p.Comm), end, any)
	case op.Probe:
		return fmt.Sprintf("MPI_Probe(%s, %s, %s, MPI_STATUS_IGNORE);", b.peer(p), tag(p), b.comm(p.Comm))
	}
	return b.collective(name, p, n, end)
}

// collective is a call of a collective, with whatever data.
func (b *body) collective(name string, p *trace.Part, n int64, end string) string {
	f := strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(name, "MPI_")), "_c")
	begins := ""
	if end != "" {
		f, begins = strings.TrimPrefix(f, "i"), "i"
	}
	comm, ints := b.comm(p.Comm), max(n/4, 1)
	many := ints * int64(len(b.log.Comms[p.Comm].Members))
	one, all := fmt.Sprintf("room(%d), %d, MPI_INT", 4*ints, ints), fmt.Sprintf("room(%d), %d, MPI_INT", 4*many, ints)
	root := ""
	if p.Peer >= 0 {
		root = b.peer(p) + ", "
	}
	both := fmt.Sprintf("room(%d), room(%d), %d, MPI_INT, MPI_SUM, ", 4*ints, 4*ints, ints)
	args := ""
	switch f = strings.TrimSuffix(strings.TrimSuffix(f, "w"), "v"); f {
	case "bcast":
		args = one + ", " + root
	case "reduce", "allreduce", "scan", "exscan":
		args = both + root
	case "gather":
		args = one + ", " + all + ", " + root
	case "scatter":
		args = all + ", " + one + ", " + root
	case "allgather":
		args = one + ", " + all + ", "
	case "alltoall":
		args = all + ", " + all + ", "
	case "reduce_scatter", "reduce_scatter_block":
		f = "reduce_scatter_block"
		args = fmt.Sprintf("room(%d), room(%d), %d, MPI_INT, MPI_SUM, ", 4*many, 4*ints, ints)
	case "barrier":
	default: // another call of all members
		return fmt.Sprintf("MPI_%s(%s%s); /* %s */", capital(begins+"barrier"), comm, end, name)
	}
	return fmt.Sprintf("MPI_%s(%s%s%s);", capital(begins+f), args, comm, end)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func tag(p *trace.Part) string {
	switch {
	case p.Tag == op.AnyTag && p.Matched >= 0 && p.MatchedTag >= 0:
		return fmt.Sprint(p.MatchedTag)
	case p.Tag == op.AnyTag:
		return "MPI_ANY_TAG"
	}
	return fmt.Sprint(p.Tag)
}

// peer is the destination, source or root of a part.
func (b *body) peer(p *trace.Part) string {
	peer := p.Peer
	switch {
	case p.Kind != op.Coll && p.Kind != op.Send && p.Matched >= 0: // so that each run is that of the log
		peer = p.Matched
	case p.Wild || p.Peer == op.AnySource:
		return "MPI_ANY_SOURCE"
	case p.Peer == op.ProcNull || p.Peer < 0:
		return "MPI_PROC_NULL"
	}
	members := b.log.Comms[p.Comm].Members
	if b.near && p.Kind != op.Coll && b.isWorld(p.Comm) {
		n := op.Rank(b.log.Head.Ranks)
		return fmt.Sprintf("(rank + %d) %% size", (peer-b.t.Rank+n)%n)
	}
	return fmt.Sprint(max(0, slices.Index(members, peer)))
}

// unknown is the size of messages of which the log does not have it.
const unknown = 4

// bytes is the size of a message, or the room for one: for the largest that the rank may receive, as MPI may choose
// another message than in the run.
func (b *body) bytes(r pairing.Ref) int64 {
	p := r.In(b.log)
	if p.Kind == op.Recv || p.Kind == op.Probe {
		return b.largest(p.Comm, b.t.Rank)
	}
	return sizeOf(p)
}

func sizeOf(p *trace.Part) int64 {
	if p.Bytes < 0 {
		return unknown
	}
	return p.Bytes
}

// largest is the size of the largest message to a rank on a communicator.
func (w *writer) largest(comm uint32, to op.Rank) int64 {
	if w.sizes == nil {
		w.sizes = make(map[way]int64)
		for i := range w.log.Threads {
			for k := range w.log.Threads[i].Parts {
				if p := &w.log.Threads[i].Parts[k]; p.Kind == op.Send {
					at := way{p.Comm, p.Peer}
					w.sizes[at] = max(w.sizes[at], sizeOf(p))
				}
			}
		}
	}
	if n, some := w.sizes[way{comm, to}]; some {
		return n
	}
	return unknown
}
