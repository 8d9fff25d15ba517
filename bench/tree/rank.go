package main

import (
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

// rank is a simulated rank: it makes the records that a probe would write, when the agent reads them. It is the
// agent.Source of the rank's only thread.
type rank struct {
	job      *job
	owner    ring.Owner
	world    int
	stamp    uint32 // of the last record
	returned uint32 // of the last call that gave nothing back and has returned
	intro    int    // records of its introduction that were read
	allowed  int    // iterations that it may begin
	iter     int    // iteration, and record in it
	step     int
	end      bool // it goes into the last call after its iterations
	ended    bool
	taken    uint64
}

// Handles of the simulated MPI library.
const (
	world     = 0x44000000
	integer   = 0x4c000405
	request   = 0x98000000
	sent      = 0x7f0000001000 // buffers
	got       = 0x7f0000002000
	anyRank   = 0xfffffffffffffffe
	firstSite = 0x1000
)

// callAtEnd makes the record of a rank's last call.
type callAtEnd = func(*rank) ring.Record

func (r *rank) Of() *ring.Owner { return &r.owner }

// Read makes the next records.
func (r *rank) Read(dst []ring.Record, limit int) ([]ring.Record, error) {
	for n := 0; n < limit; n++ {
		rec, ok := r.next()
		if !ok {
			break
		}
		r.stamp++
		r.taken++
		rec.Stamp = r.stamp
		dst = append(dst, rec)
	}
	return dst, nil
}

// Skim takes nothing: what is measured is following records one by one.
func (r *rank) Skim(func(*ring.Record) bool, int) (int, bool) { return 0, true }

// SkimRepeated takes nothing either.
func (r *rank) SkimRepeated(int, int) int { return 0 }

// next makes one record; false if the rank has nothing to do at present.
func (r *rank) next() (ring.Record, bool) {
	if r.intro < len(r.job.intro) {
		rec := r.job.intro[r.intro]
		r.intro++
		return rec, true
	}
	if r.iter < r.allowed {
		return r.exchange(), true
	}
	if r.end && !r.ended {
		r.ended = true
		return r.job.last(r), true
	}
	return ring.Record{}, false
}

// exchange is the ring exchange of the SC 2013 paper, section 6: to the right, from the left, and a barrier after each
// tenth time.
func (r *rank) exchange() ring.Record {
	j := r.job
	left, right := uint64((r.world+j.size-1)%j.size), uint64((r.world+1)%j.size)
	step := r.step
	r.step++
	switch step {
	case 0:
		return j.enter(j.isend, sent, 1, integer, right, 0, world)
	case 1:
		return j.exit(j.isend, request)
	case 2:
		return j.enter(j.recv, got, 1, integer, left, 0, world)
	case 3:
		return j.exit(j.recv, left, 0, 4)
	case 4:
		return j.enter(j.wait, request)
	case 5:
		if r.iter%10 != 9 {
			r.iter, r.step = r.iter+1, 0
		}
		return j.exit(j.wait, right, 0, 0)
	}
	r.iter, r.step = r.iter+1, 0
	r.returned = r.stamp + 1 // the barrier's
	return j.enter(j.barrier, world)
}

// wildcards is the deadlock of the paper's section 6: every rank receives from any other.
func wildcards(r *rank) ring.Record {
	return r.job.enter(r.job.recv, got, 1, integer, anyRank, 0, world)
}

// circle is a deadlock in which every rank receives from its left.
func circle(r *rank) ring.Record {
	return r.job.enter(r.job.recv, got, 1, integer, uint64((r.world+r.job.size-1)%r.job.size), 1, world)
}

func (j *job) enter(f *mpi.Func, words ...uint64) ring.Record {
	return ring.Record{Func: f.ID, Kind: ring.Enter, Site: firstSite + uint64(f.ID), Words: j.hold(words)}
}

func (j *job) exit(f *mpi.Func, words ...uint64) ring.Record {
	return ring.Record{Func: f.ID, Kind: ring.Exit, Words: j.hold(words)}
}

// hold keeps the words of a record until they have been read, with the padding that they have in a ring.
func (j *job) hold(words []uint64) []uint64 {
	if len(j.words)+ring.WordsFirst+ring.WordsNext > cap(j.words) {
		j.words = make([]uint64, 0, 1<<12)
	}
	from := len(j.words)
	j.words = j.words[:from+ring.WordsFirst]
	if len(words) > ring.WordsFirst {
		j.words = j.words[:from+ring.WordsFirst+ring.WordsNext]
	}
	clear(j.words[from:])
	copy(j.words[from:], words)
	return j.words[from:len(j.words):len(j.words)]
}

// Commit gives the words of what was read back: an agent reads one rank at a time.
func (r *rank) Commit() { r.job.words = r.job.words[:0] }

func (r *rank) Refuse()                                      {}
func (r *rank) Left() bool                                   { return false }
func (r *rank) Taken() uint64                                { return r.taken }
func (r *rank) Capacity() uint64                             { return ring.DefaultSlots }
func (r *rank) Returned() uint32                             { return r.returned }
func (r *rank) Polls() uint64                                { return 0 }
func (r *rank) Echoes() (seen, left uint64)                  { return 0, 0 }
func (r *rank) Untold() uint64                               { return 0 }
func (r *rank) Death() (ring.Death, bool)                    { return ring.Death{}, false }
func (*rank) Fault() (ring.Fault, bool)                      { return ring.Fault{}, false }
func (*rank) End() (stack []uint64, how uint32, said []byte) { return nil, 0, nil }
func (r *rank) Final() bool                                  { return false }
func (r *rank) Between() bool                                { return false }
func (r *rank) Users() ([]int, bool)                         { return nil, true }
func (r *rank) Alarmed() bool                                { return false }
func (r *rank) RequestStack(int) error                       { return errNoProcess }
func (r *rank) Stack(time.Time) ([]uint64, error)            { return nil, errNoProcess }

// Pending is how many slots are left to read, or at least one if there are any.
func (r *rank) Pending() uint64 {
	if r.intro < len(r.job.intro) || r.iter < r.allowed || r.end && !r.ended {
		return 1
	}
	return 0
}
