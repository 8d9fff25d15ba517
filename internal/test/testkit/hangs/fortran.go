package hangs

import (
	"fmt"
	"slices"
	"strings"
)

// fortran is the source in Fortran, by one of its interfaces.
func (g *generator) fortran() string {
	f08 := g.program.Language == FortranF08
	handle := func(name string) string {
		if f08 {
			return "type(MPI_" + name + ")"
		}
		return "integer"
	}
	var body []string
	for rank := range g.plan.ranks {
		body = append(body, g.fRole(rank, g.plan.main[rank])...)
	}
	g.printf("module shared_data")
	switch g.program.Language {
	case FortranH:
		g.printf("  implicit none")
		g.printf("  include 'mpif.h'")
	case FortranUse:
		g.printf("  use mpi")
		g.printf("  implicit none")
	default:
		g.printf("  use mpi_f08")
		g.printf("  implicit none")
	}
	g.printf("  type plan_type")
	g.printf("    integer :: peer")
	g.printf("    integer(8) :: tag")
	g.printf("  end type")
	g.printf("  type(plan_type) :: plan")
	g.printf("  integer :: given(0:15) = 0")
	g.printf("  integer, asynchronous :: buffer(%d), other(%d)", words, words)
	g.printf("  integer :: table(0:7) = (/5, 0, 17, 1, 4, 2, 9, 3/)")
	g.printf("  integer :: world_rank, world_size, finished")
	g.printf("  %s :: shared", handle("Comm"))
	g.printf("  %s :: requests(1)", handle("Request"))
	g.printf("  %s :: window", handle("Win"))
	g.printf("  %s :: everybody, origins, some", handle("Group"))
	g.printf("contains")
	g.block(`
subroutine work(n)
  integer, intent(in) :: n
  buffer(iand(n, 7) + 1) = buffer(iand(n, 7) + 1) + n
end subroutine

function later(v) result(w)
  integer, intent(in) :: v
  integer :: w
  w = v - given(15)
end function

subroutine compute()
  do while (given(15) == 0)
    call sleep(1)
  end do
end subroutine
`)
	for _, text := range slices.Concat(g.helpers, body) {
		g.marked("  " + text)
	}
	g.printf("end module")
	g.printf("")
	g.fMain()
	return g.source()
}

func (g *generator) block(text string) {
	for l := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		g.printf("  %s", l)
	}
}

// marked adds a line that may end with the number of a truth.
func (g *generator) marked(text string) {
	number := 0
	if head, mark, ok := strings.Cut(text, "!@"); ok {
		fmt.Sscan(mark, &number)
		text = head
	}
	g.out = append(g.out, line{text: strings.TrimRight(text, " "), truth: number})
}

// fRole is the subroutine of a rank.
func (g *generator) fRole(rank int, calls []call) []string {
	var declared, lines []string
	for i, c := range calls {
		d, l := g.fCall(c, g.truth(rank, 0, i == len(calls)-1), rank)
		declared, lines = append(declared, d...), append(lines, l...)
	}
	if len(calls) == 0 {
		lines = []string{"  call compute()"}
	}
	text := []string{"", fmt.Sprintf("subroutine rank_%d()", rank)}
	all := strings.Join(lines, "\n")
	for _, v := range []struct{ name, call string }{{"rank", "rank"}, {"nranks", "size"}} {
		switch {
		case !uses(all, v.name):
		case g.locals:
			text = append(text, "  integer :: "+v.name)
			lines = slices.Insert(lines, 0, fmt.Sprintf("  call MPI_Comm_%s(MPI_COMM_WORLD, %s, ierr)", v.call, v.name))
		default:
			text = append(text, "  integer :: "+v.name)
			lines = slices.Insert(lines, 0, fmt.Sprintf("  %s = world_%s", v.name, v.call))
		}
	}
	if uses(strings.Join(lines, "\n"), "ierr") {
		text = append(text, "  integer :: ierr")
	}
	text = append(append(text, declared...), lines...)
	text = append(text, g.different("  call work(%d)"))
	return append(text, "end subroutine")
}

// fCall are the declarations and the lines of a call.
func (g *generator) fCall(c call, truth, rank int) (declared, text []string) {
	args := make([]string, len(c.args))
	var after, values []string
	g.used = [16]bool{}
	for i, a := range c.args {
		if a.role != peer && a.role != tag {
			args[i] = g.fPlain(a)
			continue
		}
		d, w := g.fValue(a.v, rank, a.role == tag, after == nil)
		declared, text, after = append(declared, d...), append(text, w.before...), append(w.after, after...)
		args[i] = w.text
		values = append(values, w.text)
	}
	indent := "  "
	if after != nil {
		indent = "    "
	}
	mark := ""
	if truth > 0 {
		mark = fmt.Sprintf(" !@%d", truth)
	}
	if truth > 0 && len(values) > 0 && chance(g, 3) {
		id := len(g.helpers)
		var params []string
		for i, v := range values {
			params = append(params, fmt.Sprintf("v%d", i))
			args[slices.Index(args, v)] = params[i]
		}
		list := strings.Join(params, ", ")
		how := pick(g, "intent(in)", "value")
		g.helpers = append(g.helpers, "", fmt.Sprintf("subroutine enter_%d(%s)", id, list),
			fmt.Sprintf("  integer, %s :: %s", how, list), "  integer :: ierr",
			fmt.Sprintf("  call %s(%s)%s", c.name, strings.Join(append(args, "ierr"), ", "), mark), g.different("  call work(%d)"), "end subroutine")
		text = append(text, fmt.Sprintf("%scall enter_%d(%s)", indent, id, strings.Join(values, ", ")))
	} else {
		text = append(text, fmt.Sprintf("%scall %s(%s)%s", indent, c.name, strings.Join(append(args, "ierr"), ", "), mark))
	}
	return declared, append(text, after...)
}

func (g *generator) fPlain(a arg) string {
	switch a.role {
	case buffer:
		return []string{"buffer", "other"}[a.v]
	case large:
		return "buffer"
	case datatype:
		return "MPI_INTEGER"
	case request:
		return "requests(1)"
	case index:
		return "finished"
	case communicator, status, statuses, requests, operation, window, group:
		return g.cPlain(a)
	default:
		return fmt.Sprint(a.v)
	}
}

// fValue writes a value in one of many ways.
func (g *generator) fValue(v, rank int, tag, loop bool) (declared []string, w written) {
	if v == Any {
		if tag {
			return nil, written{text: "MPI_ANY_TAG"}
		}
		return nil, written{text: "MPI_ANY_SOURCE"}
	}
	how := g.IntN(14)
	for g.used[how] {
		how = g.IntN(14)
	}
	g.used[how] = how == 5 || how == 6
	switch how {
	case 0, 1:
		return nil, written{text: fmt.Sprint(v)}
	case 2:
		n := g.name("value")
		return []string{"  integer :: " + n}, written{before: []string{fmt.Sprintf("  %s = given(%d)", n, g.argument(v))}, text: n}
	case 3:
		return nil, written{text: fmt.Sprintf("given(%d)", g.argument(v))}
	case 4:
		return nil, written{text: fmt.Sprintf("given(%d) + 3", g.argument(v-3))}
	case 5:
		return nil, written{before: []string{fmt.Sprintf("  plan%%peer = given(%d)", g.argument(v)), "  call work(1)"}, text: "plan%peer"}
	case 6:
		return nil, written{before: []string{fmt.Sprintf("  plan%%tag = given(%d)", g.argument(v))}, text: "int(plan%tag)"}
	case 7:
		if loop && v >= 0 && v < 100 {
			i := g.name("i")
			return []string{"  integer :: " + i}, written{text: i, before: []string{
				fmt.Sprintf("  do %s = 0, 99", i), fmt.Sprintf("    call work(%s)", i),
				fmt.Sprintf("    if (%s /= given(%d)) cycle", i, g.argument(v))}, after: []string{"  end do"}}
		}
	case 8:
		n := g.name("value")
		return []string{"  integer :: " + n}, written{before: []string{fmt.Sprintf("  %s = later(%d)", n, v), "  call work(3)"}, text: n}
	case 9:
		return nil, written{text: fmt.Sprintf("merge(%d, %d, given(%d) > 3)", v, v+1, g.argument(9))}
	case 10:
		n := g.name("chosen")
		return []string{"  integer :: " + n}, written{text: n, before: []string{
			fmt.Sprintf("  select case (given(%d))", g.argument(4)),
			fmt.Sprintf("  case (0); %s = %d", n, v+3), fmt.Sprintf("  case (1); %s = %d", n, v*2+1),
			fmt.Sprintf("  case (2); %s = later(%d)", n, v+8), fmt.Sprintf("  case (3); %s = %d", n, v+77),
			fmt.Sprintf("  case (4); %s = %d", n, v), fmt.Sprintf("  case (5); %s = later(%d)", n, v-9),
			fmt.Sprintf("  case default; %s = %d", n, v+5), "  end select"}}
	case 11:
		if at := slices.Index([]int{5, 0, 17, 1, 4, 2, 9, 3}, v); at >= 0 {
			return nil, written{text: fmt.Sprintf("table(given(%d))", g.argument(at))}
		}
	}
	if e := g.ofRank(v, rank, "nranks"); e != "" && !tag {
		return nil, written{text: e}
	}
	return nil, written{text: fmt.Sprintf("given(%d)", g.argument(v))}
}

// fMain is the main program.
func (g *generator) fMain() {
	g.printf("program hang")
	g.printf("  use shared_data")
	g.printf("  implicit none")
	g.printf("  integer :: i, ierr")
	if g.plan.kind == "create" {
		g.printf("  integer :: range(3, 1)")
	}
	g.printf("  character(len=16) :: word")
	g.printf("  call MPI_Init(ierr)")
	g.printf("  call MPI_Comm_rank(MPI_COMM_WORLD, world_rank, ierr)")
	g.printf("  call MPI_Comm_size(MPI_COMM_WORLD, world_size, ierr)")
	g.printf("  do i = 1, min(command_argument_count(), 15)")
	g.printf("    call get_command_argument(i, word)")
	g.printf("    read (word, *) given(i - 1)")
	g.printf("  end do")
	switch g.plan.kind {
	case "split":
		g.printf("  call MPI_Comm_split(MPI_COMM_WORLD, mod(world_rank, %d), world_rank, shared, ierr)", g.plan.colors)
	case "dup":
		g.printf("  call MPI_Comm_dup(MPI_COMM_WORLD, shared, ierr)")
	case "create":
		g.printf("  call MPI_Comm_group(MPI_COMM_WORLD, everybody, ierr)")
		g.printf("  range(:, 1) = (/mod(world_rank, %d), world_size - 1, %d/)", g.plan.colors, g.plan.colors)
		g.printf("  call MPI_Group_range_incl(everybody, 1, range, some, ierr)")
		g.printf("  call MPI_Comm_create(MPI_COMM_WORLD, some, shared, ierr)")
	}
	if g.plan.window {
		g.printf("  call MPI_Win_create(buffer, 256_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)")
		g.printf("  call MPI_Comm_group(MPI_COMM_WORLD, everybody, ierr)")
		g.printf("  call MPI_Group_incl(everybody, 1, (/1/), origins, ierr)")
	}
	g.printf("  select case (world_rank)")
	for i := range g.plan.ranks {
		g.printf("  case (%d)", i)
		g.printf("    call rank_%d()", i)
	}
	g.printf("  end select")
	g.printf("  call MPI_Finalize(ierr)")
	g.printf("end program")
}
