package gen

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

//go:embed preamble.c.txt
var preamble string

// heat is how much the speed of a function's wrapper matters against the time that it takes to compile.
type heat int

const (
	// makes, frees or asks for something; or a collective operation, which takes far longer than its wrapper
	cold heat = iota
	warm      // moves data, starts or completes an operation, or synchronizes two
	hot       // the same, where programs do it most: everything is inlined
)

// preambles begin the files of each heat. What is not said is the compiler's setting for the whole probe.
var preambles = [...]string{cold: optimize("O0") + preamble, warm: preamble, hot: optimize("O2") + preamble}

func optimize(level string) string { return fmt.Sprintf("#pragma GCC optimize(%q)\n", level) }

func heatOf(f *mpi.Func) heat {
	switch f.Class {
	case mpi.Send, mpi.Recv, mpi.Isend, mpi.Irecv, mpi.Sendrecv, mpi.Wait, mpi.Waitall, mpi.Test, mpi.Iprobe:
		if f.Large() {
			return warm
		}
		return hot
	case mpi.Isendrecv, mpi.Start, mpi.Startall, mpi.Pready, mpi.PreadyRange, mpi.PreadyList, mpi.Parrived, mpi.Probe,
		mpi.Mprobe, mpi.Improbe,
		mpi.Mrecv, mpi.Imrecv, mpi.Waitany, mpi.Waitsome, mpi.Testall, mpi.Testany, mpi.Testsome,
		mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny, mpi.GetStatusSome, mpi.WinPost, mpi.WinStart,
		mpi.WinComplete, mpi.WinWait, mpi.WinTest, mpi.WinLock, mpi.WinUnlock, mpi.WinFlush, mpi.Rma, mpi.Rrma:
		return warm
	}
	if againOf(f) != notAgain && !f.Large() {
		return warm
	}
	return cold
}

// Wrappers writes C files, by name, with a wrapper for every function among the prototypes that returns an error code:
// with a row it records the call as the row says, without one it counts and names it. names are the functions without a
// row by the ids that they got. MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort are the run-time's own
// (specials.c).
func Wrappers(t *mpi.T, protos []Proto) (files map[string][]byte, names map[uint16]string, err error) {
	var parts [len(preambles)]bytes.Buffer
	for i := range parts {
		parts[i].WriteString(preambles[i])
	}
	all, err := Functions(t, protos)
	if err != nil {
		return nil, nil, err
	}
	names = map[uint16]string{}
	for _, fn := range all {
		if fn.Row.ID >= mpi.FirstUnknown {
			names[fn.Row.ID] = fn.Proto.Name
		}
		if !special(fn.Row) {
			wrapper(&parts[heatOf(fn.Row)], t, fn)
		}
	}
	b := &parts[hot]
	b.WriteString(Names(all))
	for _, name := range []string{"init", "init_thread", "finalize", "abort"} {
		f := t.ByName("MPI_" + strings.ToUpper(name[:1]) + name[1:])
		fmt.Fprintf(b, "const unsigned uk_id_%s = %d;\n", name, f.ID)
	}
	fmt.Fprintf(b, "const unsigned uk_id_type_commit = %d;\n", t.ByName("MPI_Type_commit").ID)
	files = map[string][]byte{"wrappers_hot.c": parts[hot].Bytes(), "wrappers_warm.c": parts[warm].Bytes(),
		"wrappers_cold.c": parts[cold].Bytes()}
	return files, names, nil
}

// wrapper writes one C wrapper.
func wrapper(b *bytes.Buffer, t *mpi.T, fn Function) {
	f, p := fn.Row, fn.Proto
	frame := fn.Frame()
	args, given, narrow, real, pass := frame.Args, frame.Given, frame.Narrow, frame.Real, frame.Pass
	fmt.Fprintf(b, "%s{\n", frame.Opening)
	instead := fmt.Sprintf("        return %s(%s);\n", pass, strings.Join(given, ", "))
	switch f.Name {
	case sessionInit:
		b.WriteString(beginSession(pass, given))
		real, instead = "UK_MADE", "        return made;\n"
	case sessionFinalize:
		instead = endSession(pass, given)
	}
	enter, site := "uk_enter", "uk_site"
	if heatOf(f) < hot {
		enter, site = "uk_enter_cold", "uk_site_cold"
	}
	fmt.Fprintf(b, "    struct uk_thread *t UK_WATCHED = %s(%d, UK_FRAME);\n", enter, f.ID)
	outside := outside(f, "__builtin_return_address(0)")
	fmt.Fprintf(b, "    if (!t) {\n%s%s%s    }\n", outside, unseen(f), instead)
	for _, line := range narrow {
		fmt.Fprintf(b, "    %s\n", line)
	}
	fmt.Fprintf(b, "    const uint64_t site = %s(t, __builtin_return_address(0));\n", site)
	if f.ID >= mpi.FirstUnknown {
		fmt.Fprintf(b, "    static int told;\n    if (!__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED)) {\n")
		fmt.Fprintf(b, "        const uint64_t k[] = {[UK_DATA_NAME_ID] = %d, [UK_DATA_NAME_NAME] = %d};\n", f.ID,
			len(p.Name))
		fmt.Fprintf(b, "        const struct uk_chunk chunks[] = {{k, UK_DATA_NAME_FIXED, UK_WORDS}, {\"%s\", %d, UK_BYTES}};\n",
			p.Name, len(p.Name))
		fmt.Fprintf(b, "        uk_long(t, UK_DATA_NAME, UK_DATA, 0, chunks, 2);\n    }\n")
		c := &call{f: f, args: args}
		if slices.ContainsFunc(p.Params, func(a Arg) bool { return a.Base() == "MPI_Request" }) {
			c.done = append(c.done, "if (uk_sending)\n        uk_sent_unseen();") // it may complete some
		}
		c.say(&c.before, "uk_again_flush(t);") // it may be given anything
		c.say(&c.before, "uk_again_ages(t);")
		body(b, c, real)
	} else {
		c := describe(f)
		c.force(t, arg)
		c.nulls(p)
		if againOf(f) != notAgain {
			var s strings.Builder
			bodyAgain(&s, c, real)
			b.WriteString(s.String())
		} else {
			body(b, c, real)
		}
	}
	b.WriteString("    uk_leave(t);\n    t = NULL;\n    return rc;\n}\n")
}

// outside is what a wrapper does in a call that is not recorded, as MPI is not initialised: ra is the return address.
func outside(f *mpi.Func, ra string) string {
	switch {
	case !f.Anytime:
		return fmt.Sprintf("        uk_outside(%d, %s);\n", f.ID, ra)
	case f.Class == mpi.InfoFree:
		return fmt.Sprintf("        uk_freed_late(%d, %s);\n", f.ID, ra)
	}
	return ""
}

// body writes what a watched call does, from the Enter record to the Exit record. It leaves the result in rc.
func body(b *bytes.Buffer, c *call, real string) {
	var s strings.Builder
	statements(&s, "    ", c.before)
	if c.starts != "" {
		fmt.Fprintf(&s, "    (void)(%s);\n", c.starts)
	}
	begin(&s, c)
	statements(&s, "    ", c.inner)
	args := strings.Join(c.args, ", ")
	switch {
	case c.exchange != "":
		fmt.Fprintf(&s, "    const int rc = UK_UNLIKELY(mode != UK_AS_CALLED) ? %s : %s(%s);\n", c.exchange, real, args)
	case c.kind != "":
		choice := c.choice(func(_ mpi.Role, i int) string { return c.args[i] })
		fmt.Fprintf(&s, "    const int rc = UK_UNLIKELY(chosen.forced) ? uk_forced_choose(&(struct uk_choice)%s, "+
			"&chosen) : %s(%s);\n", choice, real, args)
	case c.canSync:
		request := ""
		if i, has := c.f.Param(mpi.RRequest); has {
			request = arg(i)
		}
		fmt.Fprintf(&s, "    const int rc = UK_LIKELY(mode == UK_AS_CALLED) ? %s(%s) : mode == UK_BUFFERED ? %s : "+
			"((__typeof__(%s) *)uk_real(%d))(%s);\n",
			real, args, c.copying(request), c.f.Name, c.twin.ID, args)
	default:
		fmt.Fprintf(&s, "    const int rc = %s(%s);\n", real, args)
	}
	statements(&s, "    ", c.done)
	s.WriteString(finish(c))
	b.WriteString(s.String())
}

// begin writes the Enter record, and what is recorded before it.
func begin(b *strings.Builder, c *call) {
	if c.missed != "" {
		poll(b, c.f, c.tell, c.enter)
		return
	}
	statements(b, "    ", c.tell)
	record(b, "    ", c.f, "UK_ENTER", "site", c.enter)
	if !c.f.Class.Quiet() {
		b.WriteString("    if (UK_UNLIKELY(uk_process.meeting == UK_MEETS_INSIDE))\n        uk_meet_inside(t);\n")
	}
}

// finish writes what follows the real call.
func finish(c *call) string {
	var s strings.Builder
	if len(c.exit) == 0 {
		fmt.Fprintf(&s, "    uk_ended(t, %d, rc);\n", c.f.ID)
		return s.String()
	}
	if c.missed != "" {
		fmt.Fprintf(&s, "    if (rc == MPI_SUCCESS && %s) {\n        uk_poll_miss(t);\n    } else ", c.missed)
	} else {
		s.WriteString("    ")
	}
	fmt.Fprintf(&s, "if (UK_OK(rc)%s) {\n", wanted(c.f))
	if _, several := c.f.Param(mpi.RStatuses); several {
		fmt.Fprintf(&s, "        if (UK_UNLIKELY(rc != MPI_SUCCESS))\n            uk_error(t, %d, rc);\n", c.f.ID)
	}
	statements(&s, "        ", c.later)
	record(&s, "        ", c.f, "UK_EXIT", "UK_I(rc)", c.exit)
	statements(&s, "        ", c.after)
	fmt.Fprintf(&s, "    } else {\n        uk_ended(t, %d, rc);\n    }\n", c.f.ID)
	return s.String()
}

// wanted is a further condition for writing what a call gave back: a blocking receive from a definite source tells
// nothing that its arguments have not said, and is the commonest call of all.
func wanted(f *mpi.Func) string {
	role := mpi.RPeer
	switch f.Class {
	case mpi.Sendrecv:
		role = mpi.RSource
	case mpi.Recv:
	default:
		return ""
	}
	for i := range f.Params {
		if f.Params[i].Role == role {
			return fmt.Sprintf(" && %s == MPI_ANY_SOURCE", arg(i))
		}
	}
	return ""
}

func statements(b *strings.Builder, indent string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(b, "%s%s\n", indent, line)
	}
}
