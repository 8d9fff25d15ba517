package agent

import (
	"time"

	"unknot/internal/observe/ring"
)

// Source is where the records of a thread come from, and what its process says beside them: a ring, or what stands in
// for one where ranks are simulated. Its methods are those of ring.Ring.
type Source interface {
	Of() *ring.Owner
	Read(dst []ring.Record, limit int) ([]ring.Record, error)
	Skim(match func(*ring.Record) bool, limit int) (n int, other bool)
	SkimRepeated(period, limit int) int
	Commit()
	Refuse()
	Left() bool
	Pending() uint64
	Taken() uint64
	Capacity() uint64
	Returned() uint32
	Polls() uint64
	Echoes() (seen, left uint64)
	Untold() uint64
	Death() (ring.Death, bool)
	Fault() (ring.Fault, bool)
	End() (stack []uint64, how uint32, said []byte)
	Final() bool
	Between() bool
	Users() (tids []int, all bool)
	Alarmed() bool
	RequestStack(tid int) error
	Stack(end time.Time) ([]uint64, error)
}
