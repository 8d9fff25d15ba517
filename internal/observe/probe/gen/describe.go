package gen

import (
	"fmt"
	"slices"

	"unknot/internal/vocab/mpi"
)

// call describes, in C, how the records of one call are made from the C variables a0, a1, … that hold the arguments:
// the parameters of a C wrapper, or what a Fortran wrapper made of its own.
type call struct {
	f      *mpi.Func
	before []string // statements that prepare what the pieces refer to
	enter  []piece
	inner  []string // statements that prepare what the real function gets
	args   []string // which is this
	done   []string // statements right after the call
	later  []string // statements after a successful call that prepare the Exit record
	exit   []piece
	after  []string // statements after the Exit record
	missed string   // of a poll: the condition of having been unsuccessful

	// What a plan may change, see force.
	tell    []string // statements right before the Enter record
	source  int      // the parameters that args replaces by the variables source and tag, -1 if it does not
	tag     int      //
	canSync bool     // the variable mode says what the send shall be
	// the expression of the call if it shall be buffered, with %s for the request; "" if exchange makes it
	copied   string
	twin     *mpi.Func // the function that is called then
	exchange string    // or else the expression of the call
	// of a call of which MPI may choose what it reports: enum uk_choice_kind; the variable chosen says what it shall
	kind string
	// of a start of requests: the expression that makes them anew and says whether a handle has changed
	starts string
}

func arg(i int) string { return fmt.Sprintf("a%d", i) }

func one(words ...string) piece { return piece{words: words} }

// array is a length and so many elements.
func array(n, first string, form form) piece {
	return piece{words: []string{n}, array: first, n: n, form: form}
}

// describe follows the kinds of the row's parameters.
func describe(f *mpi.Func) *call {
	c := &call{f: f, source: -1, tag: -1}
	for i := range f.Params {
		c.args = append(c.args, arg(i))
	}
	for i := range f.Params {
		p, a := &f.Params[i], arg(i)
		n := fmt.Sprintf("n%d", i)
		if p.Kind.AtEntry() && p.Array() {
			c.before = append(c.before, fmt.Sprintf("const size_t %s = uk_length(%s, %s);", n, c.elements(i), a))
		}
		switch p.Kind {
		case mpi.KInt:
			c.enter = append(c.enter, one("UK_I("+a+")"))
		case mpi.KPtr:
			c.enter = append(c.enter, one("UK_P("+a+")"))
		case mpi.KHandle:
			c.enter = append(c.enter, one("UK_H("+a+")"))
		case mpi.KIntIn:
			c.enter = append(c.enter, one("UK_GIVEN("+a+")"))
		case mpi.KReqIn, mpi.KMsgIn, mpi.KHandleIn:
			c.enter = append(c.enter, one("UK_AT("+a+")"))
			if f.Class == mpi.CommFree {
				c.before = append(c.before, fmt.Sprintf("uk_comm_dies(%s);", a))
			}
		case mpi.KReqs, mpi.KHandles:
			c.enter = append(c.enter, array(n, a, handles))
		case mpi.KInts:
			c.enter = append(c.enter, array(n, a, ints))
		case mpi.KWeights:
			c.before = append(c.before, fmt.Sprintf("const size_t w%d = uk_has_weights(%s) ? %s : 0;", i, a, n))
			c.enter = append(c.enter, array(fmt.Sprintf("w%d", i), a, ints))
		case mpi.KRanges:
			c.enter = append(c.enter, piece{words: []string{n}, array: "((const int *)" + a + ")",
				n: "3 * " + n, form: ints})
		case mpi.KGroup:
			c.before = append(c.before, fmt.Sprintf("size_t %s;", n),
				fmt.Sprintf("const int *g%d = uk_members(t, %s, &%s);", i, a, n))
			c.enter = append(c.enter, piece{words: []string{"UK_H(" + a + ")", n}, array: fmt.Sprintf("g%d", i),
				n: n, form: ints})
		case mpi.KStr:
			there := a
			if p.AtRoot {
				there += " && " + c.atRoot()
			}
			c.before = append(c.before, fmt.Sprintf("const size_t %s = %s ? strlen(%s) : 0;", n, there, a))
			c.enter = append(c.enter, array(n, a, text))
		default:
			c.output(i)
		}
	}
	c.enter, c.exit = fixedFirst(c.enter), fixedFirst(c.exit)
	c.buffers()
	c.sent()
	c.usesAgain()
	c.ages()
	c.session()
	return c
}

// fixedFirst puts what varies in length after the rest, as mpi reads it.
func fixedFirst(pieces []piece) []piece {
	var fixed, varying []piece
	for _, p := range pieces {
		if p.array == "" {
			fixed = append(fixed, p)
		} else {
			varying = append(varying, p)
		}
	}
	return slices.Concat(fixed, varying)
}

// allocated is the memory that a call has given to a window, NULL if it does not.
func (c *call) allocated() string {
	for i := range c.f.Params {
		if c.f.Params[i].Kind == mpi.KOutPtr {
			return fmt.Sprintf("*(void *const *)%s", arg(i))
		}
	}
	return "NULL"
}

// output adds parameter i if its kind is recorded at exit.
func (c *call) output(i int) {
	f := c.f
	p, a := &f.Params[i], arg(i)
	n := fmt.Sprintf("n%d", i)
	switch p.Kind {
	case mpi.KOutInt:
		c.exit = append(c.exit, one("UK_GIVEN("+a+")"))
		if f.Poll && (p.Role == mpi.RFlag || p.Role == mpi.ROutcount) {
			c.missed = "(!" + a + " || !*" + a + ")"
		}
	case mpi.KOutHandle:
		c.exit = append(c.exit, one("UK_AT("+a+")"))
	case mpi.KOutPtr:
		c.exit = append(c.exit, one("UK_AT((void *const *)"+a+")"))
	case mpi.KOutComm:
		c.exit = append(c.exit, one("UK_AT("+a+")"))
		// What MPI_Comm_idup makes may be asked only once its request is complete.
		if f.Nonblocking {
			c.after = append(c.after, fmt.Sprintf("uk_comm_born(%s);", a))
		} else {
			c.after = append(c.after, fmt.Sprintf("uk_new_comm(t, %s);", a))
		}
	case mpi.KOutType:
		c.exit = append(c.exit, one("UK_AT("+a+")", "uk_type_size("+a+")"))
	case mpi.KOutWin:
		c.exit = append(c.exit, one("UK_AT("+a+")"))
		if comm, ok := f.Param(mpi.RComm); ok {
			c.after = append(c.after, fmt.Sprintf("uk_new_win(t, %s, %s, %s);", a, arg(comm), c.allocated()))
		}
	case mpi.KOutInts:
		c.later = append(c.later, c.given(i, a))
		c.exit = append(c.exit, array(n, a, ints))
	case mpi.KOutHandles:
		c.later = append(c.later, c.given(i, a))
		c.exit = append(c.exit, array(n, a, handles))
	case mpi.KOutStatus:
		s := fmt.Sprintf("s%d", i)
		c.inner = append(c.inner, fmt.Sprintf("MPI_Status *%s = %s == MPI_STATUS_IGNORE ? uk_scratch(t, 1) : %s;", s, a,
			a))
		c.args[i] = s
		c.later = append(c.later, fmt.Sprintf("uint64_t w%d[3];", i), fmt.Sprintf("uk_one_status(%s, %s, w%d);", s,
			ignored(a, "MPI_STATUS_IGNORE"), i))
		c.exit = append(c.exit, one(fmt.Sprintf("w%d[0]", i), fmt.Sprintf("w%d[1]", i), fmt.Sprintf("w%d[2]", i)))
	case mpi.KOutStatuses:
		s, room := fmt.Sprintf("s%d", i), p.Len
		if f.Params[p.Len].Kind.AtExit() {
			room = count(f)
		}
		c.inner = append(c.inner,
			fmt.Sprintf("MPI_Status *%s = %s == MPI_STATUSES_IGNORE ? uk_scratch(t, uk_room_for(%s)) : %s;", s, a,
				arg(room), a))
		c.args[i] = s
		c.later = append(c.later, c.given(i, "UK_THERE("+s+")"))
		c.exit = append(c.exit, piece{words: []string{n}, array: s, n: n, form: statuses,
			mark: ignored(a, "MPI_STATUSES_IGNORE")})
	}
}

// given declares the number of elements that the call put into array i: its length parameter, or what the call left in
// it, but never more than there was room for. There is the C expression of whether the array is there.
func (c *call) given(i int, there string) string {
	l := c.f.Params[i].Len
	if c.f.Params[i].By == mpi.ByContents {
		return fmt.Sprintf("const size_t n%d = uk_length(uk_contents(%s, %s), %s);", i, c.of(mpi.RType), arg(l), there)
	}
	if c.f.Params[l].Kind.AtExit() {
		return fmt.Sprintf("const size_t n%d = uk_length(uk_less(%s, %s), %s);", i, arg(l), arg(count(c.f)), there)
	}
	return fmt.Sprintf("const size_t n%d = uk_length(%s, %s);", i, arg(l), there)
}

// ignored is the C expression of what marks a status that the program does not want to have.
func ignored(a, constant string) string {
	return fmt.Sprintf("(%s == %s ? UINT64_C(%#x) : 0)", a, constant, mpi.StatusIgnored)
}

// count is the parameter that bounds a function's arrays.
func count(f *mpi.Func) int {
	for i := range f.Params {
		if f.Params[i].Role == mpi.RCount {
			return i
		}
	}
	return 0
}
