//go:build !quick

package gen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/vocab/mpi"
)

// TestCallsWriteWhatTheTableSays has both libraries make random calls of all functions that it can, each with guard
// bytes around its buffers, and compares what was written with what the table says of the buffers.
func TestCallsWriteWhatTheTableSays(t *testing.T) {
	for _, l := range libraries {
		t.Run(l.mpicc, func(t *testing.T) {
			protos, err := Protos(header(t, l.mpicc))
			if err != nil {
				t.Fatal(err)
			}
			table, err := mpi.Load()
			if err != nil {
				t.Fatal(err)
			}
			w := &writtenProgram{rand: rand.New(rand.NewPCG(1, 2))}
			bases := map[string]bool{}
			for i := range protos {
				f := table.ByName(protos[i].Name)
				if f == nil || !wrapped(&protos[i]) {
					continue
				}
				if w.calls(f, &protos[i], false) {
					bases[f.Base] = true
					w.calls(f, &protos[i], true)
				}
			}
			if len(bases) < 30 {
				t.Errorf("calls of only %d kinds of functions were made", len(bases))
			}
			dir := t.TempDir()
			source, program := filepath.Join(dir, "calls.c"), filepath.Join(dir, "calls")
			if err := os.WriteFile(source, []byte(writtenHead+w.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(l.mpicc, "-Wno-deprecated-declarations", "-o", program,
				source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			mpirun := strings.Replace(l.mpicc, "mpicc", "mpirun", 1)
			cmd := exec.CommandContext(t.Context(), mpirun, "-n", fmt.Sprint(ranksOfCalls), program)
			cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
				"OMPI_MCA_rmaps_base_oversubscribe=1")
			cmd.WaitDelay = time.Second
			out, err := cmd.CombinedOutput()
			if want := fmt.Sprintf("%d calls\n", w.n); err != nil || string(out) != want {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

const ranksOfCalls = 3

// writtenHead is what the calls need. Buffers of data have bytes of 1, 4 or 5 (by rank), whose combinations with
// MPI_BOR are such bytes; others begin as fill, windows as 0xaa.
const writtenHead = `#include <mpi.h>
#include <stdio.h>
#include <string.h>
enum { size = 4096, base = 1024, fill = 0x30, fillwin = 0xaa };
static int rank, failed;
static const char *name;
static unsigned char memory[4][size], before[4][size], marked[4][size];
static MPI_Comm ring;
static MPI_Win win;
static void init(int i, int value) { memset(memory[i], value, size); memset(marked[i], 0, size); memcpy(before[i], memory[i], size); }
static int data(void) { return rank == 0 ? 1 : rank == 1 ? 4 : 5; }
static void mark(int i, int from, int bytes) { memset(marked[i] + base + from, 1, bytes); }
static void check(int i, int all)
{
    for (int k = 0; k < size; k++) {
        int changed = memory[i][k] != before[i][k];
        if (changed && !marked[i][k] || !changed && marked[i][k] && all) {
            printf("rank %d: %s: byte %d of buffer %d is %s\n", rank, name, k - base, i, changed ? "written" : "not written");
            failed = 1;
            return;
        }
    }
}
`

// writtenProgram is a C program of calls.
type writtenProgram struct {
	strings.Builder
	rand *rand.Rand
	n    int
	all  strings.Builder
}

func (w *writtenProgram) String() string {
	return w.Builder.String() + fmt.Sprintf(`int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int next[2] = {(rank + 1) %% %[1]d, (rank + %[1]d - 1) %% %[1]d};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, next, MPI_UNWEIGHTED, 2, next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Win_create(memory[3] + base, size - 2 * base, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
%[2]s    MPI_Win_free(&win);
    int any;
    MPI_Reduce(&failed, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && !any)
        printf("%[3]d calls\n");
    MPI_Finalize();
}
`, ranksOfCalls, w.all.String(), w.n)
}

// writtenCall is one call of the program.
type writtenCall struct {
	f       *mpi.Func
	p       *Proto
	shape   [ranksOfCalls][ranksOfCalls]int // elements from one rank to another
	gaps    [ranksOfCalls][ranksOfCalls]int
	root    int
	inPlace bool
	code    strings.Builder
}

// calls adds a call, if it knows how; with other, MPI_IN_PLACE stands where it may, or the partner is MPI_PROC_NULL.
func (w *writtenProgram) calls(f *mpi.Func, p *Proto, other bool) bool {
	switch f.Class {
	case mpi.Coll, mpi.Sendrecv, mpi.Isendrecv, mpi.Rma, mpi.Rrma:
	case mpi.Local:
		if f.Class == mpi.Local && f.Base != "MPI_Reduce_local" {
			return false
		}
	default:
		return false
	}
	if len(f.Buffers()) == 0 {
		return false
	}
	c := &writtenCall{f: f, p: p, root: w.rand.IntN(ranksOfCalls)}
	c.fill(w.rand)
	none := false
	if other {
		for _, b := range f.Buffers() {
			c.inPlace = c.inPlace || b.InPlace != mpi.Nowhere
			none = none || b.Peer >= 0
		}
		if !c.inPlace && !none || f.Class == mpi.Isendrecv { // with MPI_PROC_NULL it crashes in MPICH 4.0.2
			return false
		}
		if sent := c.f.Buffers()[0]; c.inPlace && sent.Displs >= 0 && c.f.Buffers()[1].Displs >= 0 {
			for i := range ranksOfCalls {
				for j := range i {
					c.shape[i][j] = c.shape[j][i] // what replaces something is as much
				}
			}
		}
	}
	fmt.Fprintf(&w.Builder, "static void call%d(void)\n{\n    name = \"%s%s\";\n%s}\n", w.n, f.Name,
		map[bool]string{true: " (other)"}[other], c.write(none))
	fmt.Fprintf(&w.all, "    call%d();\n", w.n)
	w.n++
	return true
}

// fill chooses how much goes from where to where, so that what is given and what is taken agree.
func (c *writtenCall) fill(r *rand.Rand) {
	uniform, from, to := 1+r.IntN(4), [ranksOfCalls]int{}, [ranksOfCalls]int{}
	for i := range ranksOfCalls {
		from[i], to[i] = r.IntN(4), r.IntN(4)
	}
	sent, received := c.f.Buffers()[0], c.f.Buffers()[len(c.f.Buffers())-1]
	for i := range ranksOfCalls {
		for j := range ranksOfCalls {
			c.gaps[i][j] = r.IntN(3)
			switch {
			case sent.Sum:
				c.shape[i][j] = to[j]
			case sent.Counts && received.Counts:
				c.shape[i][j] = r.IntN(4)
			case sent.Counts:
				c.shape[i][j] = to[j]
			case received.Counts:
				c.shape[i][j] = from[i]
			default:
				c.shape[i][j] = uniform
			}
		}
	}
}

// partners are the ranks to which the entries of a buffer's array belong.
func (c *writtenCall) partners(rank int) []int {
	if c.f.Suits == mpi.SuitsNeighbours {
		return []int{(rank + 1) % ranksOfCalls, (rank + ranksOfCalls - 1) % ranksOfCalls}
	}
	return []int{0, 1, 2}
}

// blocks are the counts and displacements of a buffer at a rank, in elements.
func (c *writtenCall) blocks(b *mpi.Buffer, rank int) (counts, displs []int) {
	at := 0
	for k, other := range c.partners(rank) {
		n := c.shape[rank][other]
		if b.Access != mpi.Reads {
			n = c.shape[other][rank]
		}
		if b.Own {
			n = c.shape[rank][other]
		}
		at += c.gaps[rank][k]
		counts, displs = append(counts, n), append(displs, at)
		at += n
	}
	return counts, displs
}

// used says whether a rank uses a buffer (MPI-4.0, 6.2.3, for an intracommunicator).
func (c *writtenCall) used(b *mpi.Buffer, rank int) bool {
	switch b.Used {
	case mpi.AtRoot:
		return rank == c.root
	case mpi.AtOthers:
		return rank != c.root
	case mpi.AtLater:
		return rank > 0
	}
	return true
}

// marks is the C text that marks what a rank writes of a buffer.
func (c *writtenCall) marks(i int, b *mpi.Buffer, rank int) (out string) {
	counts, displs := c.blocks(b, rank)
	mark := func(at, n int) { out += fmt.Sprintf(" mark(%d, %d, %d);", i, 4*at, 4*n) }
	switch {
	case b.Own:
		mark(0, counts[rank])
	case b.Counts:
		for k := range counts {
			mark(displs[k], counts[k])
		}
	case b.Count < 0:
		mark(0, 1)
	case b.Each != mpi.ByParam:
		mark(0, counts[0]*len(counts))
	default:
		mark(0, counts[0])
	}
	return out
}

func (c *writtenCall) line(format string, args ...any) {
	fmt.Fprintf(&c.code, "    "+format+"\n", args...)
}

// write is the body of the C function that makes the call.
func (c *writtenCall) write(none bool) string {
	f, args := c.f, make([]string, len(c.f.Params))
	rma := f.Class == mpi.Rma || f.Class == mpi.Rrma
	c.line("MPI_Request request = MPI_REQUEST_NULL; (void)request;")
	number := map[int]int{} // of the memory of a parameter
	for _, b := range f.Buffers() {
		if _, known := number[b.At]; !known {
			number[b.At] = len(number)
			c.line("init(%d, fill);", number[b.At])
		}
		i := number[b.At]
		if b.Access == mpi.Reads {
			for rank := range ranksOfCalls {
				if c.used(&b, rank) {
					c.line("if (rank == %d) init(%d, %s);", rank, i,
						map[bool]string{true: "fillwin", false: "data()"}[f.Params[b.At].Name == "compare_addr"])
				}
			}
		}
		place := "0"
		if c.inPlace && b.InPlace == mpi.Everywhere {
			place = "1"
		} else if c.inPlace && b.InPlace == mpi.AtRoot {
			place = fmt.Sprintf("rank == %d", c.root)
		}
		args[b.At] = fmt.Sprintf("%s ? MPI_IN_PLACE : (void *)(memory[%d] + base)", place, i)
		c.describe(&b, args)
	}
	if target, ok := f.Target(); ok {
		c.line("MPI_Barrier(MPI_COMM_WORLD); init(3, fillwin); MPI_Barrier(MPI_COMM_WORLD);")
		c.line("MPI_Win_lock_all(0, win);")
		args[target.At] = "3"
		c.describe(&target, args)
	}
	c.others(args, none)
	c.line("%s(%s);", f.Name, strings.Join(args, ", "))
	if f.Persistent {
		c.line("MPI_Start(&request);")
	}
	if f.Nonblocking || f.Persistent {
		c.line("MPI_Wait(&request, MPI_STATUS_IGNORE);")
	}
	if f.Persistent {
		c.line("MPI_Request_free(&request);")
	}
	if rma {
		c.line("MPI_Win_unlock_all(win); MPI_Barrier(MPI_COMM_WORLD);")
	}
	for _, b := range f.Buffers() {
		for rank := range ranksOfCalls {
			if b.Access != mpi.Reads && c.used(&b, rank) && (!none || b.Peer < 0) {
				c.line("if (rank == %d) {%s }", rank, c.marks(number[b.At], &b, rank))
			}
		}
	}
	for i := range len(number) {
		c.line("check(%d, %d);", i, map[bool]int{true: 1}[!c.inPlace])
	}
	if target, ok := f.Target(); ok {
		if target.Access != mpi.Reads && !none {
			bytes := 4
			if target.Count >= 0 {
				bytes = 4 * c.shape[0][0]
			}
			c.line("mark(3, 12, %d);", bytes)
		}
		c.line("check(3, 1);")
	}
	return c.code.String()
}

// describe gives the arguments that say what is in a buffer.
func (c *writtenCall) describe(b *mpi.Buffer, args []string) {
	tables := func(i int, kind string, row func(rank int) []string) {
		var rows []string
		for rank := range ranksOfCalls {
			rows = append(rows, "{"+strings.Join(row(rank), ", ")+"}")
		}
		c.line("%s a%d[%d][%d] = {%s};", kind, i, ranksOfCalls, ranksOfCalls, strings.Join(rows, ", "))
		args[i] = fmt.Sprintf("a%d[rank]", i)
	}
	numbers := func(v []int, unit int) (out []string) {
		for _, n := range v {
			out = append(out, fmt.Sprint(n*unit))
		}
		return out
	}
	if b.Count >= 0 && args[b.Count] == "" {
		kind := c.p.Params[b.Count].Base()
		tables(b.Count, kind, func(rank int) []string { n, _ := c.blocks(b, rank); return numbers(n, 1) })
		if !b.Counts {
			args[b.Count] += "[0]"
		}
	}
	if b.Displs >= 0 && args[b.Displs] == "" {
		unit := 1
		if b.Types {
			unit = 4
		}
		tables(b.Displs, c.p.Params[b.Displs].Base(), func(rank int) []string {
			_, at := c.blocks(b, rank)
			return numbers(at, unit)
		})
	}
	switch {
	case b.Type < 0:
	case b.Types:
		c.line("MPI_Datatype t%[1]d[%[2]d] = {MPI_INT, MPI_INT, MPI_INT};", b.Type, ranksOfCalls)
		args[b.Type] = fmt.Sprintf("t%d", b.Type)
	default:
		args[b.Type] = "MPI_INT"
	}
}

// others gives the arguments that say nothing of buffers.
func (c *writtenCall) others(args []string, none bool) {
	for i, p := range c.f.Params {
		if args[i] != "" {
			continue
		}
		switch p.Name {
		case "comm":
			args[i] = "MPI_COMM_WORLD"
			if c.f.Suits == mpi.SuitsNeighbours {
				args[i] = "ring"
			}
		case "root":
			args[i] = fmt.Sprint(c.root)
		case "op":
			args[i] = "MPI_BOR"
		case "info":
			args[i] = "MPI_INFO_NULL"
		case "request":
			args[i] = "&request"
		case "status":
			args[i] = "MPI_STATUS_IGNORE"
		case "sendtag", "recvtag":
			args[i] = "7"
		case "win":
			args[i] = "win"
		case "dest", "target_rank":
			args[i] = fmt.Sprintf("(rank + 1) %% %d", ranksOfCalls)
		case "source":
			args[i] = fmt.Sprintf("(rank + %d) %% %d", ranksOfCalls-1, ranksOfCalls)
		}
		if none && (p.Name == "dest" || p.Name == "source" || p.Name == "target_rank") {
			args[i] = "MPI_PROC_NULL"
		}
	}
}
