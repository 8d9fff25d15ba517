package reduce

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// writer makes a program of the calls of a log from some on.
type writer struct {
	log   *trace.Log
	from  []int
	pairs *pairing.Pairs
	// waited are the parts that some call waits for; a library may give several sends one request, of which the log does
	// not say when it was completed
	waited map[pairing.Ref]bool
	names  map[uint32]string // of communicators
	sizes  map[way]int64     // see largest
}

// way is where messages go.
type way struct {
	comm uint32
	to   op.Rank
}

// isWorld says whether a communicator has the ranks of MPI_COMM_WORLD in their order.
func (w *writer) isWorld(comm uint32) bool {
	m := w.log.Comms[comm].Members
	return len(m) == w.log.Head.Ranks && slices.IsSorted(m)
}

// comm is the name of a communicator in the program.
func (w *writer) comm(i uint32) string {
	if i == 0 {
		return "MPI_COMM_WORLD"
	}
	if len(w.log.Comms[i].Members) == 1 {
		return "MPI_COMM_SELF"
	}
	if w.names == nil {
		w.names = make(map[uint32]string)
	}
	if w.names[i] == "" {
		w.names[i] = fmt.Sprintf("comms[%d]", len(w.names))
	}
	return w.names[i]
}

// group is ranks that make the same calls.
type group struct {
	ranks []op.Rank
	lines []string
}

// groups puts ranks together whose calls are the same, if need be with their peers named by distance.
func (w *writer) groups() (list []*group, most int, left []string) {
	far, near := make(map[string][]int), make(map[string][]int)
	type texts struct{ far, near []string }
	var all []texts
	for i := range w.log.Threads {
		if w.log.Threads[i].Index > 0 {
			all = append(all, texts{})
			continue
		}
		a, b := w.bodyOf(i, false), w.bodyOf(i, true)
		most = max(most, a.most)
		for name := range a.left {
			left = append(left, name)
		}
		t := texts{looped(a.lines), looped(b.lines)}
		all = append(all, t)
		far[strings.Join(t.far, "\n")] = append(far[strings.Join(t.far, "\n")], i)
		near[strings.Join(t.near, "\n")] = append(near[strings.Join(t.near, "\n")], i)
	}
	known := make(map[string]*group)
	for i := range w.log.Threads {
		t := &w.log.Threads[i]
		if t.Index > 0 {
			continue
		}
		lines := all[i].far
		if len(near[strings.Join(all[i].near, "\n")]) > len(far[strings.Join(lines, "\n")]) {
			lines = all[i].near
		}
		key := strings.Join(lines, "\n")
		if known[key] == nil {
			known[key] = &group{lines: lines}
			list = append(list, known[key])
		}
		known[key].ranks = append(known[key].ranks, t.Rank)
	}
	slices.Sort(left)
	return list, most, slices.Compact(left)
}

// program is the text, as lines.
func (w *writer) program() (out []string) {
	list, most, left := w.groups()
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("/* The calls of %d ranks, made by unknot reduce: mpicc -o reduced reduced.c; mpirun -n %d ./reduced",
		w.log.Head.Ranks, w.log.Head.Ranks)
	if mpi := oneLine(w.log.Head.MPI); mpi != "" {
		add(" * They were recorded with %s.", mpi)
	}
	for _, n := range w.log.Notes {
		add(" * %s", oneLine(n))
	}
	if slices.ContainsFunc(w.from, func(n int) bool { return n > 0 }) {
		add(" * These are the last calls, with all that they match; earlier ones are left out.")
	}
	if len(left) > 0 {
		out = append(out, wrapped(" * Left out: ", " *   ", left)...)
	}
	out[len(out)-1] += " */"
	add("#include <mpi.h>")
	add("#include <stdio.h>")
	add("#include <stdlib.h>")
	body := strings.Builder{}
	for _, g := range list {
		body.WriteString(strings.Join(g.lines, "\n") + "\n")
	}
	uses := func(what string) bool { return strings.Contains(body.String(), what) }
	if uses(Outside + "()") {
		add("#include <unistd.h>")
	}
	add("")
	if uses("reqs[") {
		add("static MPI_Request reqs[%d];", most)
	}
	if len(w.names) > 0 {
		add("static MPI_Comm comms[%d];", len(w.names))
	}
	add("static int rank, size;")
	if uses("statuses") {
		add("static MPI_Status statuses[%d];", most)
	}
	if uses("&done") {
		add("static int done;")
	}
	add("")
	if uses("room(") {
		add("/* Each call has separate memory, which is never freed. */")
		add("static void *room(size_t bytes)")
		add("{")
		add("    return calloc(bytes > 0 ? bytes : 1, 1);")
		add("}")
		add("")
	}
	out = append(out, w.communicators()...)
	for i, g := range list {
		if len(g.lines) == 0 {
			continue
		}
		add("static void part%d(void) /* %s */", i, ranks(g.ranks))
		add("{")
		for _, l := range g.lines {
			add("    %s", l)
		}
		add("}")
		add("")
	}
	add("int main(int argc, char **argv)")
	add("{")
	add("    MPI_Init(&argc, &argv);")
	add("    MPI_Comm_rank(MPI_COMM_WORLD, &rank);")
	add("    MPI_Comm_size(MPI_COMM_WORLD, &size);")
	add("    if (size != %d) {", w.log.Head.Ranks)
	add("        fprintf(stderr, \"run it with %d ranks\\n\");", w.log.Head.Ranks)
	add("        MPI_Abort(MPI_COMM_WORLD, 1);")
	add("    }")
	if len(w.names) > 0 {
		add("    create();")
	}
	if len(list) == 1 && len(list[0].lines) > 0 {
		add("    part0();")
	} else if len(list) > 1 {
		add("    switch (rank) {")
		for i, g := range list {
			if len(g.lines) == 0 {
				continue
			}
			out = append(out, cases(g.ranks)...)
			add("        part%d();", i)
			add("        break;")
		}
		add("    }")
	}
	if len(w.names) > 0 {
		add("    for (int i = 0; i < %d; i++)", len(w.names))
		add("        if (comms[i] != MPI_COMM_NULL)")
		add("            MPI_Comm_free(&comms[i]);")
	}
	add("    MPI_Finalize();")
	add("    return 0;")
	add("}")
	return out
}

// communicators is the function that creates those that are used.
func (w *writer) communicators() (out []string) {
	if len(w.names) == 0 {
		return nil
	}
	out = append(out, "static MPI_Comm among(int n, const int *ranks)", "{", "    MPI_Group world, some;",
		"    MPI_Comm comm;", "", "    MPI_Comm_group(MPI_COMM_WORLD, &world);",
		"    MPI_Group_incl(world, n, ranks, &some);", "    MPI_Comm_create(MPI_COMM_WORLD, some, &comm);",
		"    MPI_Group_free(&world);", "    MPI_Group_free(&some);", "    return comm;", "}", "",
		"static void create(void)", "{")
	numbers := make([]uint32, 0, len(w.names))
	for i := range w.names {
		numbers = append(numbers, i)
	}
	slices.SortFunc(numbers, func(a, b uint32) int {
		return strings.Compare(fmt.Sprintf("%12s", w.names[a]), fmt.Sprintf("%12s", w.names[b]))
	})
	var calls []string
	for _, i := range numbers {
		m := w.log.Comms[i].Members
		list := make([]string, len(m))
		for k, r := range m {
			list[k] = fmt.Sprint(r)
		}
		name := "members" + strings.Trim(w.names[i], "coms[]")
		lines := wrapped("    static const int "+name+"[] = {", "        ", list)
		lines[len(lines)-1] += "};"
		out = append(out, lines...)
		calls = append(calls, fmt.Sprintf("    %s = among(%d, %s);", w.names[i], len(m), name))
	}
	return append(append(append(out, ""), calls...), "}", "")
}

// wrapped are lines of things with commas between them.
func wrapped(first, next string, list []string) (out []string) {
	const most = 100
	line := first
	for i, s := range list {
		if i < len(list)-1 {
			s += ", "
		}
		if len(line)+len(s) > most && line != next && line != first {
			out = append(out, strings.TrimRight(line, " "))
			line = next
		}
		line += s
	}
	return append(out, line)
}

// cases are the labels of some ranks.
func cases(list []op.Rank) []string {
	const most = 10
	var out []string
	for len(list) > 0 {
		n := min(most, len(list))
		line := "   "
		for _, r := range list[:n] {
			line += fmt.Sprintf(" case %d:", r)
		}
		out, list = append(out, line), list[n:]
	}
	return out
}

// ranks names some ranks: the first and their number, if there are many.
func ranks(list []op.Rank) string {
	if len(list) == 1 {
		return fmt.Sprintf("rank %d", list[0])
	}
	const most = 12
	names := make([]string, 0, most)
	for _, r := range list[:min(most, len(list))] {
		names = append(names, fmt.Sprint(r))
	}
	if len(list) > most {
		return fmt.Sprintf("%d ranks: %s, …", len(list), strings.Join(names, ", "))
	}
	return "ranks " + strings.Join(names, ", ")
}

func oneLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.ReplaceAll(line, "*/", "")
}
