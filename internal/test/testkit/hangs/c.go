package hangs

import (
	"fmt"
	"slices"
	"strings"
)

// written is a value as source: what must come before it, the expression, and what must come after its use.
type written struct {
	before []string
	text   string
	after  []string
}

// pieces are what a program may need outside of its functions, by the word that says that it does.
var cPieces = []struct{ word, text string }{
	{"other[", "static int other[1 << 18];"},
	{"buffer[", "static int buffer[1 << 18];"},
	{"beside[", "static int beside[1 << 18];"},
	{"rest[", "static int rest[1 << 18];"},
	{"given[", "static int given[16];"},
	{"plan.", "struct plan {\n    char name[3];\n    int peer;\n    long tag;\n    short more[4];\n};\n\nstatic struct plan plan;"},
	{"table[", "static const int table[] = {5, 0, 17, 1, 4, 2, 9, 3};"},
	{"world_rank", "static int world_rank, world_size;"},
	{"shared", "static MPI_Comm shared;"},
	{"requests[", "static MPI_Request requests[1];"},
	{"states", "static MPI_Status states[1];"},
	{"window", "static MPI_Win window;"},
	{"origins", "static MPI_Group origins;"},
	{"later(", "static __attribute__((noinline)) int later(int v)\n{\n    return v - given[15];\n}"},
	{"work(", "static __attribute__((noinline)) void work(int n)\n{\n    buffer[n & 7] += n;\n}"},
	{"compute(", "static __attribute__((noinline)) void compute(void)\n{\n" +
		"    for (volatile int i = 0; i >= 0; i = (i + 1) & 1023)\n        usleep(1000);\n}"},
}

// c is the source in C or C++.
func (g *generator) c() string {
	var roles, threads []string
	for rank := range g.plan.ranks {
		roles = append(roles, g.cRole(rank, 0, g.plan.main[rank])...)
	}
	for rank, calls := range g.plan.threads {
		threads = append(threads, g.cRole(rank, 1, calls)...)
	}
	main := g.cMain()
	body := strings.Join(slices.Concat(g.helpers, roles, threads, main), "\n")
	g.printf("#include <mpi.h>")
	if g.plan.threads != nil {
		g.printf("#include <pthread.h>")
	}
	g.printf("#include <stdlib.h>")
	g.printf("#include <unistd.h>")
	body += " given[15]"
	for _, piece := range slices.Backward(cPieces) {
		if strings.Contains(body, piece.word) {
			body += piece.text
		}
	}
	for _, piece := range cPieces {
		if strings.Contains(body, piece.word) {
			g.printf("")
			for part := range strings.SplitSeq(piece.text, "\n") {
				g.printf("%s", part)
			}
		}
	}
	for _, text := range slices.Concat(g.helpers, roles, threads, main) {
		number := 0
		if head, mark, ok := strings.Cut(text, "//@"); ok {
			fmt.Sscan(mark, &number)
			text = head
		}
		g.out = append(g.out, line{text: strings.TrimRight(text, " "), truth: number})
	}
	return g.source()
}

// cRole is the function of a rank's thread.
func (g *generator) cRole(rank, thread int, calls []call) []string {
	name := fmt.Sprintf("rank_%d", rank)
	if thread > 0 {
		name = fmt.Sprintf("thread_%d", rank)
	}
	text := []string{"", fmt.Sprintf("static void %s(int rank, int size)", name), "{"}
	if !g.locals {
		text[1] = fmt.Sprintf("static void %s(void)", name)
	}
	if thread > 0 {
		text[1] = fmt.Sprintf("static void *%s(void *unused)", name)
	}
	start := len(text)
	for i, c := range calls {
		text = append(text, g.cCall(c, g.truth(rank, thread, i == len(calls)-1), rank)...)
	}
	text = append(text, g.different("    work(%d);"))
	if len(calls) == 0 {
		text = append(text, "    compute();")
	}
	all := strings.Join(text[start:], "\n")
	switch {
	case thread > 0:
		if uses(all, "rank") || uses(all, "size") {
			text = slices.Insert(text, start, "    int rank, size;", "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);",
				"    MPI_Comm_size(MPI_COMM_WORLD, &size);")
			if !uses(all, "size") {
				text = append(text, "    (void)size;")
			}
		}
		text = append(text, "    return unused;")
		for i := range text { // two threads must not receive in the same memory
			text[i] = strings.NewReplacer("buffer[", "beside[", "other[", "rest[").Replace(text[i])
		}
	case g.locals:
		for _, v := range []string{"rank", "size"} {
			if !uses(all, v) {
				text = slices.Insert(text, start, fmt.Sprintf("    (void)%s;", v))
			}
		}
	default:
		for i := range text {
			text[i] = rename(text[i])
		}
	}
	return append(text, "}")
}

// truth is the number of what is true of a rank's thread, plus one; 0 if the call is not the last one.
func (g *generator) truth(rank, thread int, last bool) int {
	if !last {
		return 0
	}
	return 1 + slices.IndexFunc(g.program.Truths, func(t Truth) bool { return t.Rank == rank && t.Thread == thread })
}

// uses says whether a text has a word.
func uses(text, word string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), word)
}

// rename has a line use the variables of the program.
func rename(text string) string {
	for _, v := range []string{"rank", "size"} {
		for _, around := range []string{"(% ", "(%)", " % ", " %;", " %)", "[%]", "(%,", " %,", "(%;"} {
			from := strings.Replace(around, "%", v, 1)
			text = strings.ReplaceAll(text, from, strings.Replace(around, "%", "world_"+v, 1))
		}
	}
	return text
}

// cCall are the lines of a call; truth is that of the last one of a thread.
func (g *generator) cCall(c call, truth, rank int) []string {
	args := make([]string, len(c.args))
	w := written{}
	wrapped := truth > 0 && chance(g, 3)
	var types []string
	g.used = [16]bool{}
	for i, a := range c.args {
		switch a.role {
		case peer, tag:
			e := g.cValue(a.v, rank, a.role == tag, w.after == nil)
			w.before, w.after = append(w.before, e.before...), append(e.after, w.after...)
			args[i] = e.text
			types = append(types, e.text)
		default:
			args[i] = g.cPlain(a)
		}
	}
	text := w.before
	indent := "    "
	if w.after != nil {
		indent = "        "
	}
	mark := ""
	if truth > 0 {
		mark = fmt.Sprintf(" //@%d", truth)
	}
	if wrapped && len(types) > 0 {
		text = append(text, g.cWrapped(c, args, types, indent, mark)...)
	} else {
		text = append(text, fmt.Sprintf("%s%s(%s);%s", indent, c.name, strings.Join(args, ", "), mark))
	}
	return append(text, w.after...)
}

// cWrapped has the call in a function that is called with its values.
func (g *generator) cWrapped(c call, args, values []string, indent, mark string) []string {
	cpp := g.program.Language == CPP
	var names, params []string
	inner := slices.Clone(args)
	for i, v := range values {
		n := fmt.Sprintf("v%d", i)
		names = append(names, n)
		params = append(params, "int "+n)
		at := slices.Index(inner, v)
		inner[at] = n
	}
	statement := fmt.Sprintf("%s(%s);", c.name, strings.Join(inner, ", "))
	if cpp && chance(g, 2) {
		id := len(g.helpers)
		return []string{fmt.Sprintf("%sauto go%d = [=](%s) {", indent, id, strings.Join(params, ", ")),
			indent + "    " + statement + mark, indent + "};",
			fmt.Sprintf("%sgo%d(%s);", indent, id, strings.Join(values, ", "))}
	}
	id := len(g.helpers)
	quality := pick(g, "static ", "static ", "static __attribute__((noinline)) ")
	if cpp && chance(g, 2) {
		g.helpers = append(g.helpers, "", "template <typename T>",
			fmt.Sprintf("%svoid enter_%d(%s)", quality, id, strings.ReplaceAll(strings.Join(params, ", "), "int ", "T ")))
	} else {
		g.helpers = append(g.helpers, "", fmt.Sprintf("%svoid enter_%d(%s)", quality, id, strings.Join(params, ", ")))
	}
	g.helpers = append(g.helpers, "{", "    "+statement+mark, g.different("    work(%d);"), "}")
	if chance(g, 2) { // a level more
		g.helpers = append(g.helpers, "", fmt.Sprintf("%svoid outer_%d(%s)", quality, id, strings.Join(params, ", ")), "{",
			"    work("+names[0]+");", fmt.Sprintf("    enter_%d(%s);", id, strings.Join(names, ", ")),
			"    work("+names[0]+");", "}")
		return []string{fmt.Sprintf("%souter_%d(%s);", indent, id, strings.Join(values, ", "))}
	}
	return []string{fmt.Sprintf("%senter_%d(%s);", indent, id, strings.Join(values, ", "))}
}

// cPlain is an argument whose value is not sought.
func (g *generator) cPlain(a arg) string {
	switch a.role {
	case buffer:
		return []string{"&buffer[16]", "&other[2]"}[a.v]
	case large:
		return "&buffer[0]"
	case datatype:
		return "MPI_INT"
	case communicator:
		if g.plan.kind == "world" {
			return "MPI_COMM_WORLD"
		}
		return "shared"
	case status:
		return "MPI_STATUS_IGNORE"
	case statuses:
		if g.program.Language == C || g.program.Language == CPP {
			return "states" // gcc warns of MPICH's MPI_STATUSES_IGNORE
		}
		return "MPI_STATUSES_IGNORE"
	case request:
		return "&requests[0]"
	case requests:
		return "requests"
	case index:
		return "&other[3]"
	case operation:
		return "MPI_SUM"
	case window:
		return "window"
	case group:
		return "origins"
	default:
		return fmt.Sprint(a.v)
	}
}

// cValue writes a value in one of many ways; loop says that the use may be in a loop.
func (g *generator) cValue(v, rank int, tag, loop bool) written {
	if v == Any {
		name := "MPI_ANY_SOURCE"
		if tag {
			name = "MPI_ANY_TAG"
		}
		if chance(g, 2) {
			n := g.name("any")
			return written{before: []string{fmt.Sprintf("    int %s = %s;", n, name)}, text: n}
		}
		return written{text: name}
	}
	how := g.IntN(16)
	for g.used[how] {
		how = g.IntN(16)
	}
	g.used[how] = how >= 5 && how <= 7
	switch how {
	case 0, 1:
		return written{text: fmt.Sprint(v)}
	case 2:
		n := g.name("value")
		return written{before: []string{fmt.Sprintf("    int %s = given[%d];", n, g.argument(v))}, text: n}
	case 3:
		return written{text: fmt.Sprintf("given[%d]", g.argument(v))}
	case 4:
		return written{text: fmt.Sprintf("given[%d] + 3", g.argument(v-3))}
	case 5:
		k := g.argument(v)
		return written{before: []string{fmt.Sprintf("    plan.peer = given[%d];", k), "    work(1);"}, text: "plan.peer"}
	case 6:
		k := g.argument(v)
		return written{before: []string{fmt.Sprintf("    plan.tag = given[%d];", k)}, text: "(int)plan.tag"}
	case 7:
		if v < 1<<15 {
			n, k := g.IntN(4), g.argument(v)
			return written{before: []string{fmt.Sprintf("    plan.more[%d] = (short)given[%d];", n, k), "    work(2);"},
				text: fmt.Sprintf("plan.more[%d]", n)}
		}
	case 8:
		if loop && v >= 0 && v < 100 {
			i := g.name("i")
			return written{text: i, before: []string{
				fmt.Sprintf("    for (int %s = 0; %s < 100; %s++) {", i, i, i),
				fmt.Sprintf("        work(%s);", i),
				fmt.Sprintf("        if (%s != given[%d])", i, g.argument(v)), "            continue;"},
				after: []string{"    }"}}
		}
	case 9:
		n := g.name("value")
		return written{before: []string{fmt.Sprintf("    int %s = later(%d);", n, v), "    work(3);"}, text: n}
	case 10:
		n := g.name("choice")
		return written{before: []string{fmt.Sprintf("    int %s = given[%d] > 3 ? %d : %d;", n, g.argument(9), v, v+1)}, text: n}
	case 11:
		n, k := g.name("chosen"), g.argument(4)
		return written{text: n, before: []string{fmt.Sprintf("    int %s;", n), fmt.Sprintf("    switch (given[%d]) {", k),
			fmt.Sprintf("    case 0: %s = %d; break;", n, v+3), fmt.Sprintf("    case 1: %s = %d; break;", n, v*2+1),
			fmt.Sprintf("    case 2: %s = later(%d); break;", n, v+8), fmt.Sprintf("    case 3: %s = %d; break;", n, v+77),
			fmt.Sprintf("    case 4: %s = %d; break;", n, v), fmt.Sprintf("    case 5: %s = later(%d); break;", n, v-9),
			fmt.Sprintf("    default: %s = %d; break;", n, v+5), "    }"}}
	case 12, 13:
		if e := g.ofRank(v, rank, "size"); e != "" {
			return written{text: e}
		}
	case 14:
		if at := slices.Index([]int{5, 0, 17, 1, 4, 2, 9, 3}, v); at >= 0 {
			return written{text: fmt.Sprintf("table[given[%d]]", g.argument(at))}
		}
	case 15:
		n := g.name("list")
		k := g.argument(1)
		return written{text: fmt.Sprintf("%s[given[%d]]", n, k),
			before: []string{fmt.Sprintf("    int %s[3] = {later(%d), later(%d), later(%d)};", n, v+1, v, v+2)}}
	}
	if e := g.ofRank(v, rank, "size"); e != "" && !tag {
		return written{text: e}
	}
	return written{text: fmt.Sprintf("given[%d]", g.argument(v))}
}

// ofRank is an expression of a rank, and of the number of ranks, that gives a value; "" if none does.
func (g *generator) ofRank(v, rank int, size string) string {
	n := g.plan.ranks
	var list []string
	add := func(value int, text string) {
		if value == v {
			list = append(list, text)
		}
	}
	mod := func(a string) string { return "(" + a + ") % " + size }
	if size != "size" {
		mod = func(a string) string { return "mod(" + a + ", " + size + ")" }
	}
	for k := 1; k < n; k++ {
		add((rank+k)%n, mod(fmt.Sprintf("rank + %d", k)))
	}
	add((rank-1+n)%n, mod("rank - 1 + "+size))
	add(n-1-rank, size+" - 1 - rank")
	add(rank+1, "rank + 1")
	add(rank-1, "rank - 1")
	add(rank*100, "rank * 100")
	add(n-1, size+" - 1")
	if len(list) == 0 {
		return ""
	}
	return pick(g, list...)
}

func (g *generator) name(word string) string {
	g.names++
	return fmt.Sprintf("%s_%d", word, g.names)
}

// cMain is the main function.
func (g *generator) cMain() []string {
	text := []string{"", "int main(int argc, char **argv)", "{"}
	add := func(format string, args ...any) { text = append(text, "    "+fmt.Sprintf(format, args...)) }
	if g.plan.threads != nil {
		add("int provided;")
		add("MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);")
		add("if (provided != MPI_THREAD_MULTIPLE)")
		add("    MPI_Abort(MPI_COMM_WORLD, 1);")
	} else {
		add("MPI_Init(&argc, &argv);")
	}
	rank, size := "world_rank", "world_size"
	if g.locals {
		rank, size = "rank", "size"
		add("int rank, size;")
	}
	add("MPI_Comm_rank(MPI_COMM_WORLD, &%s);", rank)
	add("MPI_Comm_size(MPI_COMM_WORLD, &%s);", size)
	add("for (int i = 1; i < argc && i < 16; i++)")
	add("    given[i - 1] = atoi(argv[i]);")
	switch g.plan.kind {
	case "split":
		add("MPI_Comm_split(MPI_COMM_WORLD, %s %% %d, %s, &shared);", rank, g.plan.colors, rank)
	case "dup":
		add("MPI_Comm_dup(MPI_COMM_WORLD, &shared);")
	case "create":
		add("MPI_Group all, some;")
		add("int range[1][3] = {{%s %% %d, %s - 1, %d}};", rank, g.plan.colors, size, g.plan.colors)
		add("MPI_Comm_group(MPI_COMM_WORLD, &all);")
		add("MPI_Group_range_incl(all, 1, range, &some);")
		add("MPI_Comm_create(MPI_COMM_WORLD, some, &shared);")
	}
	if g.plan.window {
		add("MPI_Win_create(&buffer[0], sizeof(int) * 64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);")
		add("MPI_Group everybody;")
		add("int first = 1;")
		add("MPI_Comm_group(MPI_COMM_WORLD, &everybody);")
		add("MPI_Group_incl(everybody, 1, &first, &origins);")
	}
	if g.plan.threads != nil {
		add("pthread_t second;")
		add("void *(*const start[])(void *) = {%s};", strings.Join(names("thread", g.plan.ranks), ", "))
		add("pthread_create(&second, NULL, start[%s], NULL);", rank)
	}
	args := "()"
	if g.locals {
		args = "(rank, size)"
	}
	if chance(g, 2) {
		add("switch (%s) {", rank)
		for i := range g.plan.ranks {
			add("case %d: rank_%d%s; break;", i, i, args)
		}
		add("}")
	} else {
		for i := range g.plan.ranks {
			add("if (%s == %d)", rank, i)
			add("    rank_%d%s;", i, args)
		}
	}
	if g.plan.threads != nil {
		add("pthread_join(second, NULL);")
	}
	add("MPI_Finalize();")
	if !g.locals {
		add("return world_size < 0;")
	} else {
		add("return 0;")
	}
	return append(text, "}")
}

func names(word string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s_%d", word, i))
	}
	return list
}
