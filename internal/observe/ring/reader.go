package ring

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Record is one record as the reader sees it. Words are valid until the next Commit: they stand in the ring itself
// unless the record crosses the ring's end or was written in parts. They include the padding at the record's end.
type Record struct {
	Func  uint16
	Kind  Kind
	Stamp uint32
	Site  uint64
	Words []uint64
}

// Owner says whose ring it is, and where.
type Owner struct {
	Path string
	PID  int
	// TID is the id of the thread that the ring was made for, Thread its index in its process. Once it has ended, the
	// ring may be another's, as a DataThreadBegin record then says.
	TID    int
	Thread int
}

// Of is whose ring it is.
func (o *Owner) Of() *Owner { return o }

// Ring is the consumer's side of one ring. It is used by one goroutine.
type Ring struct {
	Owner
	mapping []byte
	header  *RingHeader
	words   []uint64 // the slots, 8 words each
	mask    uint64
	pos     uint64   // next slot to read
	done    uint64   // published Tail
	part    []uint64 // words of Part records that wait for their final record
	parts   bool
	joined  []uint64 // copies of records that are not contiguous, reused after Commit
	folded  folded
}

// Open maps a ring file, checks its header and tells the producer that somebody reads it.
func Open(path string) (*Ring, error) {
	r, err := Visit(path)
	if err == nil {
		atomic.StoreUint32(&r.header.Reader, ReaderThere)
	}
	return r, err
}

// Visit is Open for one who reads no records: the producer learns nothing.
func Visit(path string) (*Ring, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("ring: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("ring: %w", err)
	}
	size := fi.Size()
	if size < HeaderSize || size > HeaderSize+maxCapacity*SlotSize {
		return nil, fmt.Errorf("ring %s: %d bytes, expected %d to %d", path, size, HeaderSize,
			HeaderSize+maxCapacity*SlotSize)
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("ring %s: %w", path, err)
	}
	h := (*RingHeader)(unsafe.Pointer(&m[0]))
	slots := uint64(h.Slots)
	switch {
	case h.Magic != Magic || h.Version != Version:
		err = fmt.Errorf("ring %s: magic %#x version %d, expected %#x version %d; hint: rebuild the probe", path,
			h.Magic, h.Version, Magic, Version)
	case slots < MinSlots || slots&(slots-1) != 0:
		err = fmt.Errorf("ring %s: capacity %d is not a power of two of at least %d", path, slots, MinSlots)
	case size != int64(RingBytes(int(slots))):
		err = fmt.Errorf("ring %s: %d bytes, expected %d for %d slots", path, size, RingBytes(int(slots)), slots)
	}
	if err != nil {
		syscall.Munmap(m)
		return nil, err
	}
	tail := atomic.LoadUint64(&h.Tail)
	return &Ring{
		Owner:   Owner{Path: path, PID: int(h.PID), TID: int(h.TID), Thread: int(h.Thread)},
		mapping: m, header: h, mask: slots - 1, pos: tail, done: tail,
		words: unsafe.Slice((*uint64)(unsafe.Pointer(&m[HeaderSize])), slots*WordsNext),
	}, nil
}

// maxCapacity bounds a ring's slots, here and in the probe.
const maxCapacity = 1 << 24

// maxPartWords bounds the memory that a record in parts can make the reader keep: a Waitall of 16 million requests.
const maxPartWords = 1 << 24

// Close unmaps the ring. Words of its records must not be used any more.
func (r *Ring) Close() error {
	if r.mapping == nil {
		return nil
	}
	m := r.mapping
	r.mapping, r.header, r.words = nil, nil, nil
	return syscall.Munmap(m)
}

// Read appends to dst the records that have been published and not been read, at most limit of them (0: all), and
// returns it. Parts are joined to the record that they belong to, and records that were counted and not written are
// restored. The producer's position is read once. The records' words are valid until Commit gives their slots back. An
// error means that the ring's content cannot be trusted.
func (r *Ring) Read(dst []Record, limit int) ([]Record, error) {
	head, err := r.head()
	if err != nil {
		return dst, err
	}
	r.folded.alike = 0
	most := len(dst) + limit
	if limit <= 0 {
		most = math.MaxInt
	}
	for {
		if !r.folded.on && !r.parts {
			dst = r.whole(dst, head, most)
		}
		if len(dst) == most {
			return dst, nil
		}
		rec, ok, err := r.look(head)
		if err != nil || !ok {
			return dst, err
		}
		r.pass()
		switch {
		case rec.Kind == Part:
			if len(r.part) > maxPartWords {
				return dst, fmt.Errorf("ring %s: record at slot %d goes on for more than %d words", r.Path, r.pos,
					maxPartWords)
			}
			r.part = append(r.part, rec.Words...)
			r.parts = true
			continue
		case r.parts:
			rec.Words = r.keep(r.part, rec.Words)
			r.part, r.parts = r.part[:0], false
		}
		dst = append(dst, rec)
	}
}

// whole appends to dst, until that has most, records as Read does, for as long as they are what nearly all are: in one
// piece and as they were written.
func (r *Ring) whole(dst []Record, head uint64, most int) []Record {
	for r.pos != head && len(dst) != most {
		at := (r.pos & r.mask) * WordsNext
		rec, slots := record(r.words[at], r.words[at+1])
		end := at + slots*WordsNext
		if rec.Kind != Enter && rec.Kind != Exit && rec.Kind != Data || slots == 0 || slots > head-r.pos ||
			end > uint64(len(r.words)) {
			break
		}
		rec.Words = r.words[at+2 : end : end]
		r.pos += slots
		dst = append(dst, rec)
	}
	return dst
}

// head is the producer's position.
func (r *Ring) head() (uint64, error) {
	head := atomic.LoadUint64(&r.header.Head)
	if head-r.done > r.mask+1 || head-r.pos > r.mask+1 {
		return 0, fmt.Errorf("ring %s: head %d is not within %d slots of tail %d", r.Path, head, r.mask+1, r.done)
	}
	return head, nil
}

// next is what stands at the reader's position, below the producer's, and how many slots it has.
func (r *Ring) next(head uint64) (rec Record, slots uint64, err error) {
	at := (r.pos & r.mask) * WordsNext
	rec, slots = record(r.words[at], r.words[at+1])
	switch {
	case slots == 0 || rec.Kind > Unfold:
		return rec, 0, fmt.Errorf("ring %s: record at slot %d has kind %d and %d slots, expected kind up to %d and 1 "+
			"to %d slots",
			r.Path, r.pos, rec.Kind, slots, Unfold, MaxSlots)
	case slots > head-r.pos:
		return rec, 0, fmt.Errorf("ring %s: record at slot %d has %d slots, but only %d are published", r.Path, r.pos,
			slots, head-r.pos)
	}
	rec.Words = r.span(at+2, slots*WordsNext-2)
	return rec, slots, nil
}

// record is what the first two words of a record say, and how many slots it has.
func record(first, site uint64) (rec Record, slots uint64) {
	return Record{Func: uint16(first), Kind: Kind(first >> 16), Stamp: uint32(first >> 32), Site: site},
		uint64(uint8(first >> 24))
}

// span is n words of the ring from index at, copied if they cross its end.
func (r *Ring) span(at, n uint64) []uint64 {
	end := uint64(len(r.words))
	if at+n <= end {
		return r.words[at : at+n : at+n]
	}
	return r.keep(r.words[at:], r.words[:at+n-end])
}

// keep returns a copy of two pieces in a row, which lives until Commit.
func (r *Ring) keep(a, b []uint64) []uint64 {
	from := len(r.joined)
	r.joined = append(append(r.joined, a...), b...)
	return r.joined[from:len(r.joined):len(r.joined)]
}

// Commit gives the slots of all records read so far back to the producer, and wakes it if it waits for room. To one
// that waits although everything is read the position is published once more: something has overwritten it.
func (r *Ring) Commit() {
	waits := atomic.LoadUint32(&r.header.Waiting) != 0
	if r.pos == r.done && r.folded.taken == r.folded.done && !waits {
		return
	}
	r.done, r.folded.done = r.pos, r.folded.taken
	r.joined = r.joined[:0]
	atomic.StoreUint64(&r.header.Tail, r.pos)
	atomic.StoreUint64(&r.header.Unfolded, r.folded.taken)
	if atomic.LoadUint32(&r.header.Waiting) != 0 && r.Pending() <= uint64(r.header.Slots)/2 &&
		atomic.SwapUint32(&r.header.Waiting, 0) != 0 {
		wake(&r.header.Waiting)
	}
}

// Refuse tells the producer that nobody reads this ring any more: it writes nothing from then on, and wakes if it
// sleeps for room. What the header says can still be asked.
func (r *Ring) Refuse() {
	atomic.StoreUint32(&r.header.Reader, ReaderUnread)
	if atomic.SwapUint32(&r.header.Waiting, 0) != 0 {
		wake(&r.header.Waiting)
	}
}

// Left says whether the producer writes no more although its thread continues: it was asked to, or the words by which
// the two sides understand each other are damaged.
func (r *Ring) Left() bool { return atomic.LoadUint32(&r.header.Left) != 0 }

// wake wakes the producer that sleeps on a word that both processes map (so not FUTEX_PRIVATE).
func wake(word *uint32) {
	const futexWake = 1
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1, 0, 0, 0)
}

// Pending is the number of slots published and not yet read. Records that were counted and not written fill a ring as
// FoldAhead of them do.
func (r *Ring) Pending() uint64 {
	return atomic.LoadUint64(&r.header.Head) - r.pos + r.inSlots(r.uncounted())
}

// Taken is the number of slots given back to the producer so far, and those that records which were counted count for.
func (r *Ring) Taken() uint64 { return r.done + r.restored() }

// Slots is the number of slots given back to the producer so far.
func (r *Ring) Slots() uint64 { return r.done }

// Capacity is the number of slots.
func (r *Ring) Capacity() uint64 { return r.mask + 1 }

// Returned is the stamp of the Enter record whose call returned last without an Exit record.
func (r *Ring) Returned() uint32 { return atomic.LoadUint32(&r.header.Returned) }

// Polls counts the repetitions of the last Enter record's unsuccessful poll that were not recorded.
func (r *Ring) Polls() uint64 { return atomic.LoadUint64(&r.header.Polls) }

// Echoes counts the records that were left out, as they were those of a block of calls that equalled the one right
// before it, and those seen that could become so.
func (r *Ring) Echoes() (seen, left uint64) {
	return atomic.LoadUint64(&r.header.EchoesSeen), atomic.LoadUint64(&r.header.EchoesLeft)
}

// Untold counts the calls of which no record was written, as they tell nothing that is not known, or not yet. It may
// fall.
func (r *Ring) Untold() uint64 { return atomic.LoadUint64(&r.header.Untold) }

// Death is how the process ended; ok is false while it is unknown.
func (r *Ring) Death() (d Death, ok bool) {
	h := &r.header.Death
	if atomic.LoadUint32(&h.Cause) == DeathNone {
		return Death{}, false
	}
	return *h, true
}

// Fault is the last signal that could have ended the process and that the program handles, or did; ok is false if there
// was none.
func (r *Ring) Fault() (f Fault, ok bool) {
	h := &r.header.Fault
	state := atomic.LoadUint32(&h.State)
	if state == FaultNone {
		return Fault{}, false
	}
	f = *h
	f.State = state
	return f, true
}

// End is the call stack with which the process ended, or may have, innermost first, and what was said of that. It is
// for a process that has ended.
func (r *Ring) End() (stack []uint64, how uint32, said []byte) {
	h := r.header
	return slices.Clone(h.End[:min(int(h.EndN), len(h.End))]), h.SaidHow, slices.Clone(h.Said[:])
}

// Users are the thread ids of the threads that the program started and that run; all is false if there may be more,
// such as one that is being started.
func (r *Ring) Users() (tids []int, all bool) {
	all = atomic.LoadUint32(&r.header.UsersLost) == 0
	for i := range r.header.Users {
		switch tid := atomic.LoadUint32(&r.header.Users[i]); tid {
		case 0:
		case Starting:
			all = false
		default:
			tids = append(tids, int(tid))
		}
	}
	return tids, all
}

// Alarmed says whether the program has ever handled SIGALRM: the probe catches that signal too, so the kernel does not
// tell.
func (r *Ring) Alarmed() bool { return atomic.LoadUint32(&r.header.Alarmed) != 0 }

// Final says whether MPI_Finalize has returned, or the process has ended after its last session.
func (r *Ring) Final() bool { return atomic.LoadUint32(&r.header.Death.Final) == 1 }

// Between says whether MPI was initialised by sessions alone and none is open: the process may begin another one, or
// end.
func (r *Ring) Between() bool { return atomic.LoadUint32(&r.header.Death.Final) == BetweenSessions }

// Skim takes the records that come next as long as match says so, at most limit of them, and returns how many it has
// taken. It ends before one that is in parts, or not what a probe writes, of which Read says more; other says that what
// comes next is not to be taken so. What match is given is valid during the call.
func (r *Ring) Skim(match func(*Record) bool, limit int) (n int, other bool) {
	head, err := r.head()
	if err != nil || r.parts {
		return 0, true
	}
	var rec Record // one for all that match is given
	for n < limit {
		var ok bool
		if rec, ok, err = r.look(head); err != nil || ok && (rec.Kind == Part || !match(&rec)) {
			return n, true
		}
		if !ok {
			break
		}
		r.pass()
		if r.folded.on {
			r.folded.alike++
		}
		n++
	}
	return n, false
}

// Peek returns the next record without taking it; false if there is none, or if it is not one piece. Its words are
// valid until the next Commit. An error means that the ring's content cannot be trusted.
func (r *Ring) Peek() (Record, bool, error) {
	pos, folded, joined, part, parts := r.pos, r.folded, len(r.joined), len(r.part), r.parts
	list, err := r.Read(nil, 1)
	r.pos, r.folded, r.joined = pos, folded, r.joined[:joined]
	r.part, r.parts = r.part[:part], parts
	if err != nil || len(list) == 0 {
		return Record{}, false, err
	}
	return list[0], true, nil
}
