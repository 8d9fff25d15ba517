package record

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/observe/probe/gen"
	"unknot/internal/vocab/mpi"
)

const preamble = `// Generated from the table of MPI functions and mpi.h: wrappers, as process/process.h says.
#include "process/process.h"

#define UK_I(x) ((uint64_t)(int64_t)(x))
#define UK_P(p) ((uint64_t)(uintptr_t)(p))
#define UK_AT(p) ((p) ? UK_H(*(p)) : 0)
#define UK_GIVEN(p) ((p) ? UK_I(*(p)) : 0)
#define UK_N(n) ((size_t)((n) > 0 ? (n) : 0))
#define UK_HAS(flag) ((flag) && *(flag))
`

// cold is what the preamble of functions has that are not called often: calls instead of code.
const cold = `
#define UK_COLD static __attribute__((noinline, unused))
UK_COLD struct uk_state_thread *uk_enter_cold(void **frame, void *ra)
{
    return uk_enter(frame, ra);
}
UK_COLD void uk_entered_cold(struct uk_state_thread *s, unsigned func)
{
    uk_entered(s, func);
}
UK_COLD void uk_leave_cold(struct uk_state_thread *s, int rc)
{
    if (rc != MPI_SUCCESS)
        uk_failed(s, rc);
    uk_leave(s);
}
UK_COLD struct uk_state_comm *uk_comm_cold(uint64_t handle)
{
    return uk_comm(handle);
}
UK_COLD void uk_note_cold(struct uk_state_thread *s, unsigned func, int peer, int tag, const struct uk_state_comm *c,
                          int64_t count)
{
    uk_note(s, func, peer, tag, c, count);
}
UK_COLD void uk_collective_cold(struct uk_state_comm *c, unsigned func, int root)
{
    uk_collective(c, func, root);
}
UK_COLD void uk_sent_cold(const struct uk_state_comm *c, int peer, int tag)
{
    uk_sent(c, peer, tag);
}
UK_COLD void uk_got_cold(int rc, const struct uk_state_comm *c, int peer, int tag, const MPI_Status *status)
{
    uk_got(rc, c, peer, tag, status);
}
UK_COLD void uk_request_made_cold(const struct uk_state_thread *s, struct uk_made m)
{
    uk_request_made(s, m);
}
#define uk_enter uk_enter_cold
#define uk_entered uk_entered_cold
#define uk_comm uk_comm_cold
#define uk_note uk_note_cold
#define uk_collective uk_collective_cold
#define uk_sent uk_sent_cold
#define uk_got uk_got_cold
#define uk_request_made uk_request_made_cold
#define uk_end uk_leave_cold
`

// inlined is what it has for the others.
const inlined = `
UK_INLINE void uk_end(struct uk_state_thread *s, int rc)
{
    if (UK_UNLIKELY(rc != MPI_SUCCESS))
        uk_failed(s, rc);
    uk_leave(s);
}
`

// often says that programs call a function so often that its wrapper is to have all in it, which takes longer to
// compile.
func often(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Send, mpi.Recv, mpi.Sendrecv, mpi.Isend, mpi.Irecv, mpi.Start, mpi.Startall, mpi.Iprobe, mpi.Wait,
		mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome, mpi.Rma,
		mpi.WinFlush, mpi.WinLock, mpi.WinUnlock:
		return !f.Large()
	case mpi.Coll:
		return !f.Large() && !f.Persistent && !f.Nonblocking && !strings.HasPrefix(f.Name, "MPI_Neighbor")
	}
	return false
}

// numbers are those of the functions that the run-time itself wraps.
func numbers(t *mpi.T) []byte {
	var b strings.Builder
	for _, name := range []string{"MPI_Init", "MPI_Init_thread", "MPI_Finalize"} {
		fmt.Fprintf(&b, "#define UK_ID_%s %d\n", strings.ToUpper(strings.TrimPrefix(name, "MPI_")), t.ByName(name).ID)
	}
	return []byte(b.String())
}

// wrappers are two files in C with a wrapper for each function: of those that are called often, and of the others.
func wrappers(all []gen.Function) (hot, rest []byte) {
	var b, other strings.Builder
	b.WriteString("#pragma GCC optimize(\"O2\")\n" + preamble + inlined + gen.Names(all))
	other.WriteString("#pragma GCC optimize(\"O1\")\n" + preamble + cold)
	for _, fn := range all {
		switch f := fn.Row; {
		case f.ID < mpi.FirstUnknown && (f.Class == mpi.Init || f.Class == mpi.Finalize):
		case often(f):
			newWrapper(fn).write(&b)
		default:
			newWrapper(fn).write(&other)
		}
	}
	return []byte(b.String()), []byte(other.String())
}

// wrapper is one while it is written.
type wrapper struct {
	gen.Function
	frame gen.Frame
	// Statements: while the call is written into the slot, before the real function, and after it.
	inside, before, after []string
}

func say(to *[]string, format string, args ...any) { *to = append(*to, fmt.Sprintf(format, args...)) }

// arg is the argument with a role, or what stands for it if the function has none.
func (w *wrapper) arg(role mpi.Role, otherwise string) string {
	if i, ok := w.Row.Param(role); ok {
		return w.frame.Args[i]
	}
	return otherwise
}

// pass has the real function get something else for the argument with a role.
func (w *wrapper) pass(role mpi.Role, instead string) {
	if i, ok := w.Row.Param(role); ok {
		w.frame.Args[i] = instead
	}
}

func newWrapper(fn gen.Function) *wrapper {
	w := &wrapper{Function: fn, frame: fn.Frame()}
	w.frame.Args = slices.Clone(w.frame.Args)
	for i, a := range fn.Proto.Params {
		if i < mostArgs && !brief(fn.Row) {
			say(&w.inside, "w[%d] = %s;", i, w.word(i, a))
		}
	}
	f := fn.Row
	if f.Class.Quiet() {
		return w
	}
	w.communicator()
	w.describe()
	w.creates()
	return w
}

// brief says that a function returns soon, so that its arguments are not kept in the slot: what it starts has them.
func brief(f *mpi.Func) bool { return f.Class == mpi.Isend || f.Class == mpi.Irecv }

// word is what the slot keeps of an argument.
func (w *wrapper) word(i int, a gen.Arg) string {
	name := w.frame.Args[i]
	if i < len(w.Row.Params) {
		switch w.Row.Params[i].Kind {
		case mpi.KReqIn, mpi.KMsgIn, mpi.KHandleIn:
			return fmt.Sprintf("UK_AT(%s)", name)
		case mpi.KIntIn:
			return fmt.Sprintf("UK_GIVEN(%s)", name)
		}
	}
	switch {
	case a.Handle():
		return fmt.Sprintf("UK_H(%s)", name)
	case a.Depth() > 0 || strings.HasSuffix(a.Base(), "function"):
		return fmt.Sprintf("UK_P(%s)", name)
	}
	return fmt.Sprintf("UK_I(%s)", name)
}

// communicator finds the entry of what the call is on.
func (w *wrapper) communicator() {
	for _, role := range []mpi.Role{mpi.RComm, mpi.RWin, mpi.RFile} {
		if i, ok := w.Row.Param(role); ok && i < mostArgs {
			say(&w.before, "struct uk_state_comm *const c = uk_comm(%s);", w.word(i, w.Proto.Params[i]))
			return
		}
	}
	say(&w.before, "struct uk_state_comm *const c = NULL;")
}

// note is the statement that writes the call among the last ones.
func (w *wrapper) note() string {
	peer := w.arg(mpi.RPeer, w.arg(mpi.RRoot, "MPI_UNDEFINED"))
	count := w.arg(mpi.RCount, "0")
	for _, role := range []mpi.Role{mpi.RPeer, mpi.RRoot, mpi.RTag, mpi.RCount} {
		if i, ok := w.Row.Param(role); ok && w.Row.Params[i].Kind != mpi.KInt {
			peer, count = "MPI_UNDEFINED", "0"
		}
	}
	return fmt.Sprintf("uk_note(s, %d, %s, %s, c, %s);", w.Row.ID, peer, w.arg(mpi.RTag, "0"), count)
}

// describe writes what a call does to messages, requests and collective calls.
func (w *wrapper) describe() {
	f := w.Row
	if f.Class == mpi.Sendrecv || f.Class == mpi.Isendrecv {
		say(&w.before, "uk_note(s, %d, %s, %s, c, %s);", f.ID, w.arg(mpi.RSource, ""), w.arg(mpi.RRecvTag, ""),
			w.arg(mpi.RRecvCount, w.arg(mpi.RCount, "")))
	}
	if !f.Poll {
		say(&w.before, "%s", w.note())
	}
	peer, tag := w.arg(mpi.RPeer, ""), w.arg(mpi.RTag, "")
	switch f.Class {
	case mpi.Send, mpi.Isend:
		say(&w.before, "uk_sent(c, %s, %s);", peer, tag)
	case mpi.Sendrecv, mpi.Isendrecv:
		say(&w.before, "uk_sent(c, %s, %s);", peer, tag)
		peer, tag = w.arg(mpi.RSource, ""), w.arg(mpi.RRecvTag, "")
	}
	switch f.Class {
	case mpi.Recv, mpi.Sendrecv:
		w.receives(peer, tag, "")
	case mpi.Mprobe:
		w.receives(peer, tag, "")
	case mpi.Improbe:
		w.receives(peer, tag, fmt.Sprintf("UK_HAS(%s)", w.arg(mpi.RFlag, "")))
	case mpi.Iprobe, mpi.Parrived, mpi.GetStatusAll, mpi.GetStatusAny:
		w.polls(fmt.Sprintf("UK_HAS(%s)", w.arg(mpi.RFlag, "")), "")
	case mpi.GetStatus:
		w.polls(fmt.Sprintf("UK_HAS(%s)", w.arg(mpi.RFlag, "")),
			fmt.Sprintf("uk_request_mark(&%s, UK_STATE_COMPLETE);", w.arg(mpi.RRequest, "")))
	case mpi.GetStatusSome:
		w.polls(fmt.Sprintf("UK_HAS(%s)", w.arg(mpi.ROutcount, "")), "")
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome:
		w.completes()
	case mpi.WinPost:
		say(&w.before, "uk_win_posts(c, %s);", w.arg(mpi.RGroup, ""))
	case mpi.WinStart:
		say(&w.before, "uk_win_starts(c, %s);", w.arg(mpi.RGroup, ""))
	case mpi.WinComplete:
		say(&w.before, "uk_win_completes(c);")
		say(&w.after, "uk_win_completed(c);")
	case mpi.WinWait:
		say(&w.after, "uk_win_waited(c);")
	case mpi.WinTest:
		w.polls(fmt.Sprintf("UK_HAS(%s)", w.arg(mpi.RFlag, "")), "uk_win_waited(c);")
	case mpi.WinLock:
		say(&w.before, "uk_win_locks(c, %s, %s == MPI_LOCK_EXCLUSIVE);", w.arg(mpi.RPeer, "UK_STATE_ALL"),
			w.arg(mpi.RLockType, "MPI_LOCK_SHARED"))
	case mpi.WinUnlock:
		say(&w.after, "if (rc == MPI_SUCCESS)\n        uk_win_unlocked(c, %s);", w.arg(mpi.RPeer, "UK_STATE_ALL"))
	case mpi.Start:
		say(&w.before, "uk_requests_started(s, 1, %s);", w.arg(mpi.RRequest, ""))
	case mpi.Startall:
		say(&w.before, "uk_requests_started(s, UK_N(%s), %s);", w.arg(mpi.RCount, ""), w.arg(mpi.RRequests, ""))
	case mpi.Cancel:
		say(&w.before, "uk_request_mark(%s, UK_STATE_CANCELLED);", w.arg(mpi.RRequest, ""))
	case mpi.RequestFree:
		say(&w.before, "uk_request_freed(%s);", w.arg(mpi.RRequest, ""))
	case mpi.Coll, mpi.CommCreate, mpi.IntercommCreate, mpi.CommFree, mpi.WinCreate, mpi.WinColl, mpi.FileOpen,
		mpi.FileColl, mpi.FileIcoll:
		say(&w.before, "uk_collective(c, %d, %s);", f.ID, w.arg(mpi.RRoot, "MPI_UNDEFINED"))
	}
	if flags := w.flags(); flags != "" {
		w.makesRequest(peer, tag, flags)
	}
}

// receives writes that the call takes a message, if it has found one.
func (w *wrapper) receives(peer, tag, found string) {
	status := w.arg(mpi.RStatus, "")
	say(&w.before, "MPI_Status own;")
	say(&w.before, "MPI_Status *const seen = uk_status_for(%s, &own, %s == MPI_ANY_SOURCE || %s == MPI_ANY_TAG);", status,
		peer, tag)
	w.pass(mpi.RStatus, "seen")
	got := fmt.Sprintf("uk_got(rc, c, %s, %s, seen);", peer, tag)
	if w.Row.Poll {
		w.polls(found, got)
	} else {
		say(&w.after, "%s", got)
	}
}

// polls writes what follows a poll: it is noted if it has found something.
func (w *wrapper) polls(found, then string) {
	if !w.Row.Poll {
		panic(w.Row.Name) // the table says that it is one
	}
	say(&w.after, "if (rc != MPI_SUCCESS || %s) {\n        %s", found, w.note())
	if then != "" {
		say(&w.after, "    %s", then)
	}
	say(&w.after, "} else {\n        uk_missed(s);\n    }")
}

// completes writes what a call does that completes requests.
func (w *wrapper) completes() {
	f := w.Row
	one, many := w.arg(mpi.RRequest, ""), w.arg(mpi.RRequests, "")
	n := fmt.Sprintf("UK_N(%s)", w.arg(mpi.RCount, ""))
	if many == "" {
		say(&w.inside, "const bool needed = uk_request_before(s, %s);", one)
	} else {
		say(&w.inside, "const bool needed = uk_requests_before(s, %s, %s);", n, many)
	}
	done := ""
	if i, ok := f.Param(mpi.RStatuses); ok {
		say(&w.before, "MPI_Status *const seen = uk_statuses_for(%s, %s, needed);", w.frame.Args[i], n)
		w.pass(mpi.RStatuses, "seen")
	} else {
		say(&w.before, "MPI_Status own;")
		say(&w.before, "MPI_Status *const seen = uk_status_for(%s, &own, needed);", w.arg(mpi.RStatus, ""))
		w.pass(mpi.RStatus, "seen")
	}
	flag, index, outcount := w.arg(mpi.RFlag, ""), w.arg(mpi.RIndex, ""), w.arg(mpi.ROutcount, "")
	switch f.Class {
	case mpi.Wait, mpi.Test:
		done = "uk_request_done(s, rc, seen);"
	case mpi.Waitall, mpi.Testall:
		done = fmt.Sprintf("uk_requests_done(s, rc, %s, NULL, seen);", n)
	case mpi.Waitany, mpi.Testany:
		done = fmt.Sprintf("if (%s && *%s != MPI_UNDEFINED)\n        uk_requests_done(s, rc, 1, %s, seen);", index, index,
			index)
	case mpi.Waitsome, mpi.Testsome:
		done = fmt.Sprintf("if (%s && *%s > 0)\n        uk_requests_done(s, rc, UK_N(*%s), %s, seen);", outcount, outcount,
			outcount, w.arg(mpi.RIndices, ""))
	}
	switch {
	case !f.Poll:
		say(&w.after, "%s", done)
	case flag != "":
		w.polls(fmt.Sprintf("UK_HAS(%s)", flag), done)
	default:
		w.polls(fmt.Sprintf("UK_HAS(%s)", outcount), done)
	}
}

// flags are those of a request that the call makes, "" if it makes none.
func (w *wrapper) flags() string {
	const active, persistent = "UK_STATE_ACTIVE", "UK_STATE_PERSISTENT"
	switch f := w.Row; f.Class {
	case mpi.Isend, mpi.Imrecv, mpi.Rrma, mpi.FileReq, mpi.GreqStart, mpi.BufferIflush:
		return active
	case mpi.Irecv, mpi.Isendrecv:
		return active + " | UK_STATE_RECEIVES"
	case mpi.SendInit:
		return persistent + " | UK_STATE_SENDS"
	case mpi.RecvInit:
		return persistent + " | UK_STATE_RECEIVES"
	case mpi.PsendInit, mpi.PrecvInit:
		return persistent
	case mpi.Coll, mpi.CommCreate, mpi.FileIcoll:
		switch {
		case f.Persistent:
			return persistent + " | UK_STATE_COLLECTIVE"
		case f.Nonblocking || f.Class == mpi.FileIcoll:
			return active + " | UK_STATE_COLLECTIVE"
		}
	}
	return ""
}

// makesRequest writes the entry of a request that the call has made.
func (w *wrapper) makesRequest(peer, tag, flags string) {
	request := w.arg(mpi.RRequest, "")
	if request == "" {
		return
	}
	fields := fmt.Sprintf(".handle = UK_AT(%s), .func = %d, .flags = %s, .comm = uk_serial(c)", request, w.Row.ID, flags)
	if peer == "" {
		peer = w.arg(mpi.RRoot, "MPI_UNDEFINED")
	}
	fields += ", .peer = " + peer
	if tag != "" {
		fields += ", .tag = " + tag
	}
	i, createsComm := w.Row.Param(mpi.RNewComm)
	count, hasCount := w.Row.Param(mpi.RCount)
	datatype, hasType := w.Row.Param(mpi.RType)
	collective := strings.Contains(flags, "COLLECTIVE")
	if createsComm {
		fields += fmt.Sprintf(", .type = UK_P(%s)", w.frame.Args[i])
	}
	switch {
	case collective:
		fields += ", .count = c ? (int64_t)c->collectives : 0"
		if hasCount && w.Row.Params[count].Kind == mpi.KInt {
			fields += fmt.Sprintf(", .tag = %s > 0", w.frame.Args[count])
		}
	case hasCount && w.Row.Params[count].Kind == mpi.KInt:
		fields += ", .count = " + w.frame.Args[count]
	}
	if hasType && !collective && w.Row.Params[datatype].Kind == mpi.KHandle {
		fields += fmt.Sprintf(", .type = UK_H(%s)", w.frame.Args[datatype])
	}
	say(&w.after, "if (rc == MPI_SUCCESS)\n        uk_request_made(s, (struct uk_made){%s});", fields)
}

// creates writes the entries of communicators, windows and files that the call has created, and removes that of one
// that it has freed.
func (w *wrapper) creates() {
	f := w.Row
	group := f.Class == mpi.CommCreateGroup
	parent := group || f.Class == mpi.CommCreate || f.Class == mpi.IntercommCreate
	for i, p := range f.Params {
		made := ""
		switch {
		case f.Nonblocking:
		case p.Kind == mpi.KOutComm && parent:
			made = fmt.Sprintf("uk_comm_made(%s, uk_serial(c), c ? c->collectives : 0, %t);", w.frame.Args[i], group)
		case p.Kind == mpi.KOutComm:
			made = fmt.Sprintf("uk_comm_made(%s, 0, 0, false);", w.frame.Args[i])
		case p.Role == mpi.RNewWin && p.Kind == mpi.KOutWin:
			made = fmt.Sprintf("uk_win_made(UK_AT(%s), uk_serial(c), UK_STATE_WIN);", w.frame.Args[i])
		case p.Role == mpi.RNewFile && p.Kind == mpi.KOutHandle:
			made = fmt.Sprintf("uk_win_made(UK_AT(%s), uk_serial(c), UK_STATE_FILE_KIND);", w.frame.Args[i])
		case p.Kind == mpi.KHandleIn && (p.Role == mpi.RComm || p.Role == mpi.RWin || p.Role == mpi.RFile):
			made = fmt.Sprintf("uk_comm_freed(w[%d]);", i)
		}
		if made != "" {
			say(&w.after, "if (rc == MPI_SUCCESS)\n        %s", made)
		}
	}
}

func (w *wrapper) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s{\n", w.frame.Opening)
	b.WriteString("    struct uk_state_thread *s UK_WATCHED = uk_enter(UK_FRAME, __builtin_return_address(0));\n")
	fmt.Fprintf(b, "    if (!s)\n        return %s(%s);\n", w.frame.Pass, strings.Join(w.frame.Given, ", "))
	if len(w.inside) > 0 {
		b.WriteString("    uint64_t *const w = s->args;\n")
	}
	for _, list := range [][]string{w.frame.Narrow, w.inside, w.before, {fmt.Sprintf("uk_entered(s, %d);", w.Row.ID)},
		{fmt.Sprintf("const int rc = %s(%s);", w.frame.Real, strings.Join(w.frame.Args, ", "))}, w.after} {
		for _, line := range list {
			fmt.Fprintf(b, "    %s\n", line)
		}
	}
	b.WriteString("    uk_end(s, rc);\n    s = NULL;\n    return rc;\n}\n")
}
