package oracle

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/op"
)

// Source writes the program in C, so that it can be run on a real MPI. Requests that complete stay in the program's
// variables as MPI_REQUEST_NULL, as the calls that wait for them again expect.
func (p *Program) Source() string {
	var b strings.Builder
	b.WriteString(`#include <mpi.h>
#include <stdlib.h>

static MPI_Comm comm[8];
static int in, out = 42, indices[64];

static MPI_Request start(MPI_Request r)
{
    MPI_Start(&r);
    return r;
}

static MPI_Request send_init(int to, int tag, MPI_Comm c) { MPI_Request r; MPI_Send_init(&out, 1, MPI_INT, to, tag, c, &r); return start(r); }
static MPI_Request ssend_init(int to, int tag, MPI_Comm c) { MPI_Request r; MPI_Ssend_init(&out, 1, MPI_INT, to, tag, c, &r); return start(r); }
static MPI_Request bsend_init(int to, int tag, MPI_Comm c) { MPI_Request r; MPI_Bsend_init(&out, 1, MPI_INT, to, tag, c, &r); return start(r); }
static MPI_Request recv_init(int from, int tag, MPI_Comm c) { MPI_Request r; MPI_Recv_init(&in, 1, MPI_INT, from, tag, c, &r); return start(r); }

int main(int argc, char **argv)
{
    int rank, n;
    static char room[1 << 16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(room, sizeof room);
    comm[0] = MPI_COMM_WORLD;
`)
	for c, members := range p.Comms[1:] {
		var is []string
		for _, r := range members {
			is = append(is, fmt.Sprintf("rank == %d", r))
		}
		fmt.Fprintf(&b, "    MPI_Comm_split(MPI_COMM_WORLD, %s ? 0 : MPI_UNDEFINED, rank, &comm[%d]);\n",
			strings.Join(is, " || "), c+1)
	}
	b.WriteString("    switch (rank) {\n")
	for r := range p.Ranks {
		fmt.Fprintf(&b, "    case %d: {\n", r)
		w := sourceOf{p: p, rank: r, b: &b, requests: make(map[int]int), seq: make([]int, len(p.Comms))}
		for i := range p.Ranks[r] {
			w.call(&p.Ranks[r][i])
		}
		b.WriteString("        break;\n    }\n")
	}
	b.WriteString("    }\n    (void)n;\n    MPI_Finalize();\n    return 0;\n}\n")
	return b.String()
}

type sourceOf struct {
	p        *Program
	rank     int
	b        *strings.Builder
	requests map[int]int // by call: how many it started
	seq      []int
}

func (w *sourceOf) line(format string, args ...any) {
	fmt.Fprintf(w.b, "        "+format+"\n", args...)
}

// peer is a rank in the communicator.
func (w *sourceOf) peer(part Part) string {
	if part.Peer == Any {
		return "MPI_ANY_SOURCE"
	}
	return fmt.Sprint(slices.Index(w.p.Comms[part.Comm], part.Peer))
}

func (w *sourceOf) tag(part Part) string {
	if part.Tag == Any {
		return "MPI_ANY_TAG"
	}
	return fmt.Sprint(part.Tag)
}

func (w *sourceOf) where(part Part) string {
	return fmt.Sprintf("%s, %s, comm[%d]", w.peer(part), w.tag(part), part.Comm)
}

func (w *sourceOf) call(c *Call) {
	switch c.Kind {
	case Probe:
		w.line("MPI_Probe(%s, MPI_STATUS_IGNORE);", w.where(c.Parts[0]))
	case Collective:
		w.collective(c)
	case Talk:
		w.talk(c)
	default:
		w.wait(c)
	}
}

func (w *sourceOf) collective(c *Call) {
	wave := w.p.Wave(c.Comm, w.seq[c.Comm])
	w.seq[c.Comm]++
	root := slices.Index(w.p.Comms[c.Comm], wave.Root)
	at := fmt.Sprintf("comm[%d]", c.Comm)
	args := map[Gather]string{Barrier: "Barrier(" + at, Bcast: fmt.Sprintf("Bcast(&out, 1, MPI_INT, %d, %s", root, at),
		Empty:  fmt.Sprintf("Bcast(&out, 0, MPI_INT, %d, %s", root, at),
		Reduce: fmt.Sprintf("Reduce(&out, &in, 1, MPI_INT, MPI_SUM, %d, %s", root, at),
		Scan:   "Scan(&out, &in, 1, MPI_INT, MPI_SUM, " + at}[wave.Gather]
	if !wave.Nonblocking {
		w.line("MPI_%s);", args)
		w.requests[c.ID] = 0
		return
	}
	w.requests[c.ID] = 1
	w.line("MPI_Request r%d[1];", c.ID)
	w.line("MPI_I%s, &r%d[0]);", strings.ToLower(args[:1])+args[1:], c.ID)
}

func (w *sourceOf) talk(c *Call) {
	names := [...]string{"", "s", "b"}
	plain := len(c.Parts) == 2 && c.Parts[0].Send && !c.Parts[1].Send && c.Parts[0].Mode == op.Standard &&
		c.Parts[0].Comm == c.Parts[1].Comm
	switch {
	case !c.Nonblocking && plain:
		w.line("MPI_Sendrecv(&out, 1, MPI_INT, %s, %s, &in, 1, MPI_INT, %s, MPI_STATUS_IGNORE);", w.peer(c.Parts[0]),
			w.tag(c.Parts[0]), w.where(c.Parts[1]))
		return
	case !c.Nonblocking && len(c.Parts) == 1 && c.Parts[0].Send:
		w.line("MPI_%s(&out, 1, MPI_INT, %s);", [...]string{"Send", "Ssend", "Bsend"}[c.Parts[0].Mode],
			w.where(c.Parts[0]))
		return
	case !c.Nonblocking && len(c.Parts) == 1:
		w.line("MPI_Recv(&in, 1, MPI_INT, %s, MPI_STATUS_IGNORE);", w.where(c.Parts[0]))
		return
	}
	w.requests[c.ID] = len(c.Parts)
	w.line("MPI_Request r%d[%d];", c.ID, len(c.Parts))
	for i, part := range c.Parts {
		switch {
		case c.Persistent && part.Send:
			w.line("r%d[%d] = %ssend_init(%s);", c.ID, i, names[part.Mode], w.where(part))
		case c.Persistent:
			w.line("r%d[%d] = recv_init(%s);", c.ID, i, w.where(part))
		case part.Send:
			w.line("MPI_I%ssend(&out, 1, MPI_INT, %s, &r%d[%d]);", names[part.Mode], w.where(part), c.ID, i)
		default:
			w.line("MPI_Irecv(&in, 1, MPI_INT, %s, &r%d[%d]);", w.where(part), c.ID, i)
		}
	}
	if !c.Nonblocking {
		w.line("MPI_Waitall(%d, r%d, MPI_STATUSES_IGNORE);", len(c.Parts), c.ID)
		w.requests[c.ID] = 0
	}
}

// wait collects the requests of the calls in an array and puts them back, as they are null or inactive after it.
func (w *sourceOf) wait(c *Call) {
	n := 0
	w.line("{")
	w.line("    MPI_Request all[64];")
	for _, id := range c.Requests {
		for i := range w.requests[id] {
			w.line("    all[%d] = r%d[%d];", n, id, i)
			n++
		}
	}
	switch c.Kind {
	case Waitany:
		w.line("    MPI_Waitany(%d, all, &n, MPI_STATUS_IGNORE);", n)
	case Waitsome:
		w.line("    MPI_Waitsome(%d, all, &n, indices, MPI_STATUSES_IGNORE);", n)
	default:
		if n == 1 {
			w.line("    MPI_Wait(all, MPI_STATUS_IGNORE);")
			break
		}
		w.line("    MPI_Waitall(%d, all, MPI_STATUSES_IGNORE);", n)
	}
	n = 0
	for _, id := range c.Requests {
		for i := range w.requests[id] {
			w.line("    r%d[%d] = all[%d];", id, i, n)
			n++
		}
	}
	w.line("}")
}
