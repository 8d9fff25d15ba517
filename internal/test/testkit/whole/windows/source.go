package windows

import (
	"fmt"
	"strings"
)

// Place is an act of a program: a step of a round.
type Place struct{ Round, Step int }

// File is the name that the source is to have.
const File = "rounds.c"

// Source is the program in C, and which act each line makes, by its number. No line makes two.
func (p *Program) Source() (text string, acts map[int]Place) {
	w := &writer{program: p, acts: make(map[int]Place)}
	w.add("#include <mpi.h>", "#include <string.h>", "",
		fmt.Sprintf("static int rank, token, sink, box[%d][8];", p.boxes()),
		"static MPI_Group all;", "static MPI_Request request;", "",
		"static MPI_Group only(int n, const int *ranks)", "{", "    MPI_Group g;",
		"    MPI_Group_incl(all, n, ranks, &g);", "    return g;", "}", "")
	for i := range p.Rounds {
		w.round(i)
	}
	w.add("int main(int argc, char **argv)", "{", "    MPI_Init(&argc, &argv);",
		"    MPI_Comm_rank(MPI_COMM_WORLD, &rank);", "    MPI_Comm_group(MPI_COMM_WORLD, &all);")
	for i := range p.Rounds {
		w.add(fmt.Sprintf("    round%d();", i))
	}
	w.add("    MPI_Group_free(&all);", "    MPI_Finalize();", "    return sink == 12345678;", "}")
	return strings.Join(w.lines, "\n") + "\n", w.acts
}

// boxes is how many acts there are.
func (p *Program) boxes() (n int) {
	for i := range p.Rounds {
		n += len(p.Rounds[i].Steps)
	}
	return max(n, 1)
}

type writer struct {
	program *Program
	lines   []string
	acts    map[int]Place
	box     int // of the act that is written
}

func (w *writer) add(lines ...string) { w.lines = append(w.lines, lines...) }

// act adds the line of an act.
func (w *writer) act(at Place, line string) {
	w.add(line)
	w.acts[len(w.lines)] = at
}

func (w *writer) round(n int) {
	r := &w.program.Rounds[n]
	first := w.box
	for i := range r.Steps {
		if a := &r.Steps[i].Act; r.Steps[i].Kind == Acts && a.Plain() && a.Helper {
			w.add(fmt.Sprintf("static __attribute__((noipa)) void act%d(int *p)", w.box), "{")
			w.act(Place{n, i}, "    "+w.plain(a))
			w.add("}", "")
		}
		w.box++
	}
	w.box = first
	if r.Flavour == Created {
		w.add(fmt.Sprintf("static int memory%d[%d];", n, r.Cells), "")
	}
	w.add(fmt.Sprintf("static void round%d(void)", n), "{", fmt.Sprintf("    int *part[%d] = {0}, *p;",
		w.program.Ranks), "    MPI_Win win;", "    MPI_Group group;")
	size := fmt.Sprintf("%d * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD", r.Cells)
	switch r.Flavour {
	case Created:
		w.add(fmt.Sprintf("    MPI_Win_create(memory%d, %s, &win);", n, size),
			fmt.Sprintf("    part[rank] = memory%d;", n))
	case Allocated:
		w.add(fmt.Sprintf("    MPI_Win_allocate(%s, &part[rank], &win);", size))
	case Shared:
		w.add(fmt.Sprintf("    MPI_Win_allocate_shared(%s, &part[rank], &win);", size),
			fmt.Sprintf("    for (int i = 0; i < %d; i++) {", w.program.Ranks), "        MPI_Aint bytes;",
			"        int unit;", "        MPI_Win_shared_query(win, i, &bytes, &unit, &part[i]);", "    }")
	}
	w.add("    (void)group, (void)part, (void)p;")
	for rank := range w.program.Ranks {
		w.add(fmt.Sprintf("    if (rank == %d) {", rank))
		for i := range r.Steps {
			w.box = first + i
			if s := &r.Steps[i]; s.by(rank) {
				w.step(Place{n, i}, s, rank)
			}
		}
		w.add("    }")
	}
	w.box = first + len(r.Steps)
	w.add("    MPI_Win_free(&win);", "}", "")
}

func (w *writer) step(at Place, s *Step, rank int) {
	line := ""
	to := fmt.Sprintf("%d, ", s.Peer)
	all := ""
	if s.Peer == Everyone {
		to, all = "", "_all"
	}
	switch s.Kind {
	case Acts:
		w.access(at, &s.Act)
		return
	case Barrier:
		line = "MPI_Barrier(MPI_COMM_WORLD);"
	case Message:
		line = fmt.Sprintf("MPI_Send(&token, 1, MPI_INT, %d, %d, MPI_COMM_WORLD);", s.Peer, at.Step)
		if rank == s.Peer {
			line = fmt.Sprintf("MPI_Recv(&token, 1, MPI_INT, %d, %d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
				s.Rank, at.Step)
		}
	case Sync:
		line = "MPI_Win_sync(win);"
	case Fence:
		line = "MPI_Win_fence(0, win);"
		if s.Assert != "" {
			line = "MPI_Win_fence(" + s.Assert + ", win);"
		}
	case Post, Start:
		ranks := strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Group), " ", ", "), "[]")
		w.add(fmt.Sprintf("        group = only(%d, (int[]){%s});", len(s.Group), ranks))
		name := "MPI_Win_post"
		if s.Kind == Start {
			name = "MPI_Win_start"
		}
		w.add("        "+name+"(group, 0, win);", "        MPI_Group_free(&group);")
		return
	case Complete:
		line = "MPI_Win_complete(win);"
	case Wait:
		line = "MPI_Win_wait(win);"
	case Lock:
		line = "MPI_Win_lock_all(0, win);"
		if kind := "SHARED"; s.Peer != Everyone {
			if s.Exclusive {
				kind = "EXCLUSIVE"
			}
			line = fmt.Sprintf("MPI_Win_lock(MPI_LOCK_%s, %d, 0, win);", kind, s.Peer)
		}
	case Unlock:
		line = "MPI_Win_unlock" + all + "(" + to + "win);"
	case Flush:
		line = "MPI_Win_flush" + all + "(" + to + "win);"
	case FlushLocal:
		line = "MPI_Win_flush_local" + all + "(" + to + "win);"
	}
	w.add("        " + line)
}

// access adds an act to the text of its rank.
func (w *writer) access(at Place, a *Act) {
	if a.Plain() {
		if a.Helper {
			w.add(fmt.Sprintf("        act%d(part[%d]);", w.box, a.Target))
			return
		}
		w.add(fmt.Sprintf("        p = part[%d];", a.Target))
		w.act(at, "        "+w.plain(a))
		return
	}
	local := fmt.Sprintf("box[%d]", w.box)
	given := local
	if a.Lent >= 0 {
		local = fmt.Sprintf("part[rank] + %d", a.Lent)
		if !a.fills() {
			given = local
		}
	} else if a.Manner == GetAccumulate {
		local += " + 4"
	}
	there := fmt.Sprintf("%d, %d, %d, MPI_INT", a.Target, a.At, a.N)
	data := func(at string) string { return fmt.Sprintf("%s, %d, MPI_INT, ", at, a.N) }
	line := ""
	switch a.Manner {
	case Put:
		line = "MPI_Put(" + data(given) + there + ", win);"
	case Get:
		line = "MPI_Get(" + data(local) + there + ", win);"
	case Accumulate:
		line = "MPI_Accumulate(" + data(given) + there + ", MPI_" + a.Op + ", win);"
	case GetAccumulate:
		line = "MPI_Get_accumulate(" + data(given) + data(local) + there + ", MPI_" + a.Op + ", win);"
	case Rput:
		line = "MPI_Rput(" + data(given) + there + ", win, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);"
	case Rget:
		line = "MPI_Rget(" + data(local) + there + ", win, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);"
	}
	w.act(at, "        "+line)
}

// plain is an access without a call, to what p points to.
func (w *writer) plain(a *Act) string {
	cell := fmt.Sprintf("p[%d]", a.At)
	switch a.Manner {
	case Load:
		for i := 1; i < a.N; i++ {
			cell += fmt.Sprintf(" + p[%d]", a.At+i)
		}
		return fmt.Sprintf("sink += %s + %d;", cell, w.box)
	case Store:
		for i := 1; i < a.N; i++ {
			cell += fmt.Sprintf(" = p[%d]", a.At+i)
		}
		return fmt.Sprintf("%s = %d;", cell, w.box)
	case CopyFrom:
		return fmt.Sprintf("memcpy(box[%d], &%s, %d * sizeof(int));", w.box, cell, a.N)
	}
	return fmt.Sprintf("memcpy(&%s, box[%d], %d * sizeof(int));", cell, w.box, a.N)
}
