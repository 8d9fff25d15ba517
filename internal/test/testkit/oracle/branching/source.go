package branching

import (
	"fmt"
	"slices"
	"strings"
)

// C is the program in C, a statement a line: the lines are those of the sites in the logs of Run. With
// SHOW_VALUES in the environment it prints what its ranks know in the end, else nothing.
func (p *Program) C() string { return compile(p).text }

// String is the text of the ranks, as it is in C.
func (p *Program) String() string {
	text := p.C()
	from, to := strings.Index(text, "    switch (rank) {\n"), strings.Index(text, "    MPI_Finalize();")
	head := ""
	if p.Name != "" {
		head = p.Name + "\n"
	}
	return fmt.Sprintf("%scommunicators %v\n%s", head, p.Comms, text[from:to])
}

// prelude is what the calls are written with. A completion has its requests in a separate array, whose handles go
// back where they came from when it is over. Only the status of a receive says anything (MPI-4.0, 3.7.3).
const prelude = `#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGE = %d, SLOTS = %d, COMMS = %d };
enum { NONE, SENDS, RECEIVES, COLLECTS, HANDLES };
static int out[SLOTS][LARGE], in[SLOTS][LARGE], var[%d];
static int from[SLOTS], tag[SLOTS], count[SLOTS], serves[SLOTS];
static int at = -1, flag, outcount, done, cancelled;
static MPI_Comm comm[COMMS];
static MPI_Request slot[SLOTS], some[SLOTS];
static MPI_Message message[SLOTS];
static MPI_Status status, statuses[SLOTS];
static int places[SLOTS], at_hand[SLOTS];
static char room[1 << 24];

static void learn(int n)
{
    if (status.MPI_SOURCE < 0)
        return;
    from[n] = status.MPI_SOURCE;
    tag[n] = status.MPI_TAG;
    MPI_Get_count(&status, MPI_INT, &count[n]);
}

static void take(int k)
{
    int n = at_hand[k];
    if (serves[n] != RECEIVES)
        return;
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        learn(n);
}

static void gather(int n, const int *which)
{
    for (int i = 0; i < n; i++) {
        at_hand[i] = which[i];
        some[i] = slot[which[i]];
    }
}

static void scatter(int n)
{
    for (int i = 0; i < n; i++)
        slot[at_hand[i]] = some[i];
}

static void took_one(int n)
{
    scatter(n);
    if (at < 0)
        at = -1;
    else
        take(at);
}

static void took_all(int n)
{
    scatter(n);
    for (int i = 0; i < n; i++) {
        status = statuses[i];
        take(i);
    }
}

static void took_some(int n)
{
    scatter(n);
    done = 0;
    if (outcount < 0)
        outcount = -1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < outcount; i++)
            if (places[i] == k) {
                done |= 1 << k;
                status = statuses[i];
                take(k);
            }
}

static void end(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (slot[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&slot[i]);
    if (!getenv("SHOW_VALUES"))
        return;
    for (int i = 0; i < SLOTS; i++)
        printf("slot %%d: sent %%d, got %%d, from %%d, tag %%d, count %%d\n", i, out[i][0], in[i][0], from[i], tag[i], count[i]);
    printf("variable %%d, flag %%d\n", var[0], flag);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < SLOTS; i++) {
        slot[i] = MPI_REQUEST_NULL;
        message[i] = MPI_MESSAGE_NULL;
    }
    comm[0] = MPI_COMM_WORLD;
`

// program writes the whole.
func (w *compiler) program() {
	slots, vars := 1, 1
	for r := range w.ranks {
		slots = max(slots, len(w.ranks[r].slots))
		vars = max(vars, variables(w.p.Ranks[r]))
		for reg := range w.ranks[r].regs {
			if reg.Area == Var {
				vars = max(vars, reg.N+1)
			}
		}
	}
	w.raw(fmt.Sprintf(prelude, large, slots, len(w.p.Comms), vars))
	w.indent = 1
	w.comms = []string{"MPI_COMM_WORLD"}
	for c, members := range w.p.Comms[1:] {
		var is []string
		for _, r := range members {
			is = append(is, fmt.Sprintf("rank == %d", r))
		}
		w.line("MPI_Comm_split(MPI_COMM_WORLD, %s ? 0 : MPI_UNDEFINED, rank, &comm[%d]);",
			strings.Join(is, " || "), c+1)
		w.everywhere(&Call{Kind: Split})
		w.comms = append(w.comms, fmt.Sprintf("split of MPI_COMM_WORLD at %s:%d", sourceName, w.lines))
	}
	w.line("switch (rank) {")
	for r := range w.p.Ranks {
		w.rank = r
		w.line("case %d:", r)
		for n, u := range w.ranks[r].slots {
			if u != unused {
				w.line("    serves[%d] = %s;", n, [...]string{"NONE", "SENDS", "RECEIVES", "COLLECTS", "HANDLES"}[u])
			}
		}
		w.block(w.p.Ranks[r])
		w.line("    break;")
	}
	w.line("}")
	w.line("end();")
	w.line("MPI_Finalize();")
	w.everywhere(&Call{Kind: Finalize})
	w.line("(void)took_one, (void)took_all, (void)took_some, (void)gather; // not every program needs them")
	w.line("return 0;")
	w.raw("}\n")
}

func variables(list []Stmt) int {
	n := 0
	for i := range list {
		if list[i].Kind == Set {
			n = max(n, list[i].Var+1)
		}
		n = max(n, variables(list[i].Body), variables(list[i].Else))
	}
	return n
}

func (w *compiler) raw(text string) {
	w.b.WriteString(text)
	w.lines += strings.Count(text, "\n")
}

func (w *compiler) line(format string, args ...any) {
	w.raw(strings.Repeat("    ", w.indent) + fmt.Sprintf(format, args...) + "\n")
}

func (w *compiler) reg(r Reg) string {
	switch r.Area {
	case In:
		return fmt.Sprintf("in[%d][0]", r.N)
	case Index, Flag, Outcount, Done, Cancelled:
		return [...]string{Index: "at", Flag: "flag", Outcount: "outcount", Done: "done",
			Cancelled: "cancelled"}[r.Area]
	}
	return fmt.Sprintf("%s[%d]", [...]string{Var: "var", Source: "from", Tag: "tag", Count: "count"}[r.Area], r.N)
}

var signs = [...]string{Add: "+", Sub: "-", Mul: "*", Mod: "%", Eq: "==", Ne: "!=", Lt: "<", And: "&&", Or: "||"}

func (w *compiler) expr(e *Expr) string {
	text := w.term(e)
	if e.Op > Register {
		text = text[1 : len(text)-1]
	}
	return text
}

func (w *compiler) term(e *Expr) string {
	switch e.Op {
	case Const:
		return fmt.Sprint(e.N)
	case Register:
		return w.reg(e.Reg)
	}
	return fmt.Sprintf("(%s %s %s)", w.term(e.A), signs[e.Op], w.term(e.B))
}

func (w *compiler) peer(e *Expr) string {
	if e == nil {
		return "MPI_ANY_SOURCE"
	}
	return w.expr(e)
}

func (w *compiler) tag(e *Expr) string {
	if e == nil {
		return "MPI_ANY_TAG"
	}
	return w.expr(e)
}

// call writes a call with what goes before and after it.
func (w *compiler) call(c *Call) string {
	k := c.Slot
	value := ""
	if c.Value != nil {
		value = fmt.Sprintf("out[%d][0] = %s; ", k, w.expr(c.Value))
	}
	where := fmt.Sprintf("%s, %s, comm[%d]", w.peer(c.Peer), w.tag(c.Tag), c.Comm)
	handle := fmt.Sprintf("&slot[%d]", k)
	name := c.name()
	switch c.Kind {
	case Send:
		return fmt.Sprintf("%s%s(out[%d], %d, MPI_INT, %s);", value, name, k, c.count(), where)
	case Isend, SendInit:
		return fmt.Sprintf("%s%s(out[%d], %d, MPI_INT, %s, %s);", value, name, k, c.count(), where, handle)
	case Recv:
		return fmt.Sprintf("%s(in[%d], LARGE, MPI_INT, %s, &status); learn(%d);", name, k, where, k)
	case Irecv, RecvInit:
		return fmt.Sprintf("%s(in[%d], LARGE, MPI_INT, %s, %s);", name, k, where, handle)
	case Start, Cancel:
		return fmt.Sprintf("%s%s(%s);", value, name, handle)
	case Sendrecv:
		return fmt.Sprintf("%s%s(out[%d], %d, MPI_INT, %s, %s, in[%d], LARGE, MPI_INT, %s, &status); learn(%d);", value,
			name, k, c.count(), w.expr(c.To),
			w.expr(c.Out), k, where, k)
	case Probe:
		return fmt.Sprintf("%s(%s, &status); learn(%d);", name, where, k)
	case Iprobe:
		return fmt.Sprintf("%s(%s, &flag, &status); if (flag) learn(%d);", name, where, k)
	case Mprobe:
		return fmt.Sprintf("%s(%s, &message[%d], &status); learn(%d);", name, where, k, k)
	case Improbe:
		return fmt.Sprintf("%s(%s, &flag, &message[%d], &status); if (flag) learn(%d);", name, where, k, k)
	case Mrecv:
		return fmt.Sprintf("%s(in[%d], LARGE, MPI_INT, &message[%d], &status); learn(%d);", name, k, k, k)
	case Barrier:
		return fmt.Sprintf("%s(comm[%d]);", name, c.Comm)
	case Ibarrier:
		return fmt.Sprintf("%s(comm[%d], %s);", name, c.Comm, handle)
	case Bcast, Ibcast:
		before, after := "", ""
		if slices.Index(w.p.Comms[c.Comm], w.rank) == c.Root {
			before = fmt.Sprintf("in[%d][0] = %s; ", k, w.expr(c.Value))
		}
		if c.Kind == Ibcast {
			after = ", " + handle
		}
		return fmt.Sprintf("%s%s(in[%d], 1, MPI_INT, %d, comm[%d]%s);", before, name, k, c.Root, c.Comm, after)
	case Reduce:
		return fmt.Sprintf("%s%s(out[%d], in[%d], 1, MPI_INT, MPI_SUM, %d, comm[%d]);", value, name, k, k,
			c.Root, c.Comm)
	case Allreduce:
		return fmt.Sprintf("%s%s(out[%d], in[%d], 1, MPI_INT, MPI_SUM, comm[%d]);", value, name, k, k, c.Comm)
	}
	return w.completion(c, name)
}

// completion writes a call that completes requests.
func (w *compiler) completion(c *Call, name string) string {
	which := c.slots()
	n := len(which)
	before := fmt.Sprintf("gather(%d, (int[]){%s}); ", n, strings.Trim(strings.ReplaceAll(fmt.Sprint(which), " ", ", "),
		"[]"))
	switch c.Kind {
	case Wait:
		return before + fmt.Sprintf("%s(some, statuses); took_all(1);", name)
	case Waitall:
		return before + fmt.Sprintf("%s(%d, some, statuses); took_all(%d);", name, n, n)
	case Waitany:
		return before + fmt.Sprintf("%s(%d, some, &at, &status); took_one(%d);", name, n, n)
	case Waitsome:
		return before + fmt.Sprintf("%s(%d, some, &outcount, places, statuses); took_some(%d);", name, n, n)
	case Test:
		return before + fmt.Sprintf("%s(some, &flag, statuses); if (flag) took_all(1);", name)
	case Testall:
		return before + fmt.Sprintf("%s(%d, some, &flag, statuses); if (flag) took_all(%d);", name, n, n)
	case Testany:
		return before + fmt.Sprintf("%s(%d, some, &at, &flag, &status); if (flag) took_one(%d); else at = -1;", name, n,
			n)
	default:
		return before + fmt.Sprintf("%s(%d, some, &outcount, places, statuses); took_some(%d);", name, n, n)
	}
}
