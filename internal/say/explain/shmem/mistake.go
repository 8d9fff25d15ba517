package shmem

import (
	"fmt"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// Mistake is a call that is not allowed.
type Mistake struct {
	Count  int
	By     []int          // the PEs that have made it, in order
	Record *layout.Record // the first one's
	PEs    int            // of the program
	Site   *Site
	// What is needed of these for the kind of mistake.
	Earlier *Site  // where the memory was freed, or the lock taken
	Object  Object // the memory, or the lock
	Region  Region // in which a private address is
}

// Finding is that of the mistake.
func (m *Mistake) Finding() finding.Finding {
	f := manifest(m.code())
	if m.kind() == layout.HeldAtEnd {
		f.Severity = finding.Warning
	}
	f.Count, f.Ranks = m.Count, m.By
	for _, t := range m.By {
		f.Places = append(f.Places, m.Site.place(t, "called"))
	}
	f.Sentence, f.Hint = m.sentence()
	return f
}

func (m *Mistake) kind() layout.Mistake { return layout.Mistake(m.Record.Flags) }

// code is that of the finding.
func (m *Mistake) code() finding.Code {
	switch m.kind() {
	case layout.BeforeInit, layout.AfterFinalize, layout.InitTwice, layout.WrongContext, layout.DefaultContext,
		layout.WrongThread, layout.WrongLevel, layout.ContextThread:
		return finding.SHMEMOrder
	case layout.NotHeld, layout.HeldAlready, layout.HeldAtEnd:
		return finding.SHMEMLock
	}
	return finding.SHMEMArgument
}

// sentence says what a PE has done wrong in a call, and how to do it right.
func (m *Mistake) sentence() (text, hint string) {
	s, t, r := m.Site, m.By[0], m.Record
	switch m.kind() {
	case layout.NotSymmetric, layout.FreedMemory, layout.OutOfBounds, layout.NullPointer, layout.WrongStride,
		layout.Misaligned, layout.Overlap:
		return m.ofArgument()
	case layout.WrongSet, layout.NotInSet, layout.WrongRoot, layout.WrongSync:
		return m.ofCollective()
	case layout.NotHeld, layout.HeldAlready, layout.HeldAtEnd:
		return m.ofLock()
	case layout.BeforeInit, layout.AfterFinalize, layout.InitTwice, layout.WrongContext, layout.DefaultContext,
		layout.WrongThread, layout.WrongLevel, layout.ContextThread:
		return m.ofOrder()
	case layout.NotABlock:
		return fmt.Sprintf("PE %d passes %s the address %#x as ptr, which shmem_malloc has not given.", t,
				s.where(), r.Offset),
			"pass the address that shmem_malloc, shmem_calloc, shmem_align or shmem_realloc has given"
	case layout.FreedTwice:
		return fmt.Sprintf("PE %d passes %s a block as ptr that was freed already at %s.", t, s.where(),
			m.Earlier.at()), "free each block once"
	case layout.WrongPE:
		return fmt.Sprintf("PE %d passes %s the PE %d, but there %s.", t, s.where(), int64(r.Offset),
				thereAre(r.Count, "PE", "PEs")),
			"pass the number of a PE, from 0 to shmem_n_pes() - 1"
	case layout.WrongCompare:
		return fmt.Sprintf("PE %d passes %s the comparison %d, which does not exist.", t, s.where(), int64(r.Offset)),
			"pass SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT or SHMEM_CMP_GE"
	}
	return fmt.Sprintf("PE %d passes %s a number of elements, %d, that no memory can have.", t, s.where(), r.Count),
		"look whether the number has become negative, as it has no sign in this function"
}

// thereAre says how many there are, from 0.
func thereAre(n uint64, one, many string) string {
	if n == 1 {
		return "is only 1 " + one + ", 0"
	}
	return fmt.Sprintf("are only %d %s, 0 to %d", n, many, n-1)
}

// argument is the name that the specification has for an argument.
func argument(n uint32) string {
	names := [...]string{"an address", "dest", "source", "pSync", "pWrk", "lock", "ivar", "ptr", "dst", "sst", "ctx"}
	if int(n) >= len(names) {
		return names[0]
	}
	return names[n]
}

// ofArgument is about an address or a stride.
func (m *Mistake) ofArgument() (text, hint string) {
	s, t, r := m.Site, m.By[0], m.Record
	name := argument(r.Size)
	as := "as " + name
	if name == argument(0) {
		as = "as one of its addresses"
	}
	begin := fmt.Sprintf("PE %d passes %s", t, s.where())
	switch m.kind() {
	case layout.NotSymmetric:
		return fmt.Sprintf("%s the address %#x %s, which is not symmetric%s.", begin, r.Offset, as,
				m.region()),
			"use a global or static variable of the program, or memory of shmem_malloc"
	case layout.FreedMemory:
		return fmt.Sprintf("%s memory %s that was freed at %s.", begin, as, m.Earlier.at()),
			"free it after its last use, on all PEs"
	case layout.OutOfBounds:
		if r.Value == 0 {
			return fmt.Sprintf("%s an address %s that is behind the end of %s.", begin, as, m.Object.Block),
				"look whether an index is too high"
		}
		return fmt.Sprintf("%s %s %s, of which it accesses %s, but only %s there.", begin, &m.Object, as,
			finding.Count(r.Count, "byte", "bytes"),
			areBytes(r.Value)), "look whether the number of elements is one of bytes, or the memory is too small"
	case layout.NullPointer:
		return fmt.Sprintf("%s a null pointer %s.", begin, as),
			"check what shmem_malloc has given; it gives a null pointer if there is no more memory"
	case layout.WrongStride:
		return fmt.Sprintf("%s the stride %d %s.", begin, int64(r.Offset), as),
			"a stride counts elements, and is 1 or more"
	case layout.Misaligned:
		return fmt.Sprintf("%s the address %#x %s, which is not a multiple of %d.", begin, r.Offset, as, r.Count),
			"pass the address of a variable of the type that the function has in its name"
	}
	return fmt.Sprintf("%s a dest and a source of %s each, and the two overlap.", begin,
		finding.Count(r.Count, "byte", "bytes")), "use different memory for the two"
}

func areBytes(n uint64) string {
	if n == 1 {
		return "1 byte is"
	}
	return fmt.Sprintf("%d bytes are", n)
}

// region says where a private address is, if that is known.
func (m *Mistake) region() string {
	if where := m.Region.String(); where != "" {
		return ": it is " + where
	}
	return ""
}

// ofCollective is about an active set or pSync.
func (m *Mistake) ofCollective() (text, hint string) {
	s, t, r := m.Site, m.By[0], m.Record
	start, stride, size := int64(r.Offset), int64(r.Count), int64(r.Value)
	numbers := fmt.Sprintf("PE_start %d, logPE_stride %d and PE_size %d", start, stride, size)
	switch m.kind() {
	case layout.WrongSet:
		return fmt.Sprintf("PE %d passes %s %s, which is not an active set: there %s.", t, s.where(), numbers,
				thereAre(uint64(m.PEs), "PE", "PEs")),
			"PE_start + (PE_size - 1) * 2^logPE_stride has to be the number of a PE"
	case layout.NotInSet:
		return fmt.Sprintf("PE %d calls %s, but is not in the active set with %s.", t, s.where(), numbers),
			"only members of the active set may make the call"
	case layout.WrongRoot:
		return fmt.Sprintf("PE %d passes %s the PE_root %d, but there %s in the active set.", t, s.where(), start,
				thereAre(r.Count, "PE", "PEs")),
			"PE_root counts the PEs of the active set, from 0"
	}
	return fmt.Sprintf("PE %d passes %s a pSync whose element %d is %d, not SHMEM_SYNC_VALUE.", t, s.where(), r.Offset,
			int64(r.Value)),
		"set all its elements to SHMEM_SYNC_VALUE on all PEs, and call shmem_barrier_all before its first use"
}

// ofLock is about a lock.
func (m *Mistake) ofLock() (text, hint string) {
	s, t, lock := m.Site, m.By[0], m.Object.lock()
	switch m.kind() {
	case layout.NotHeld:
		return fmt.Sprintf("PE %d gives back %s by %s, but does not hold it.", t, lock, s.where()),
			"only the PE that has taken a lock may give it back, once"
	case layout.HeldAlready:
		return fmt.Sprintf("PE %d takes %s by %s, which it has held since %s: it waits for itself forever.", t, lock,
				s.where(), m.Earlier.at()),
			"give it back before, by shmem_clear_lock"
	}
	return fmt.Sprintf("PE %d still holds %s, which it has taken at %s, when it calls %s.", t, lock, m.Earlier.at(),
			s.where()),
		"give it back before, by shmem_clear_lock"
}

// ofOrder is about a call at the wrong time, or by the wrong thread.
func (m *Mistake) ofOrder() (text, hint string) {
	s, t, r := m.Site, m.By[0], m.Record
	begin := fmt.Sprintf("PE %d calls %s", t, s.where())
	switch m.kind() {
	case layout.BeforeInit:
		return begin + " before shmem_init.", "call shmem_init first"
	case layout.AfterFinalize:
		return begin + " after shmem_finalize.", "call shmem_finalize last"
	case layout.InitTwice:
		return begin + ", though OpenSHMEM is initialised already.", "call shmem_init once"
	case layout.WrongContext:
		return begin + " with a ctx that was destroyed, or never created.",
			"use a context between shmem_ctx_create, if that gives 0, and shmem_ctx_destroy"
	case layout.DefaultContext:
		return begin + " with SHMEM_CTX_DEFAULT as ctx, which may not be destroyed.",
			"destroy only contexts of shmem_ctx_create"
	case layout.ContextThread:
		if r.Offset == 0 {
			return begin + " in another thread than the one that has made its ctx, with SHMEM_CTX_PRIVATE.",
				"let each thread make its own context, or leave out that option"
		}
		return begin + " while another thread is in a call with the same ctx, made with SHMEM_CTX_SERIALIZED.",
			"guard the calls with a lock, or leave out that option"
	case layout.WrongLevel:
		return fmt.Sprintf("PE %d passes %s the thread level %d, which does not exist.", t, s.where(), int64(r.Offset)),
			"pass SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED or SHMEM_THREAD_MULTIPLE"
	}
	return fmt.Sprintf("%s from another thread than the one that has called shmem_init, or while another thread is "+
			"in such a call, but the thread level is %s.", begin, level(r.Offset)),
		"ask shmem_init_thread for the level that the program needs, and compare it with the one that is provided"
}

// level names a thread level.
func level(n uint64) string {
	names := [...]string{"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"}
	if n < uint64(len(names)) {
		return "SHMEM_THREAD_" + names[n]
	}
	return fmt.Sprint(n)
}
