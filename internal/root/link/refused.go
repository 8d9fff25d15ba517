package link

import (
	"fmt"
	"sync"
	"time"
)

const (
	refusalBurst = 16              // sentences at once
	refusalEvery = time.Second / 2 // and one more after each
)

// refusals are sentences on connections that were refused: an attacker may make many.
type refusals struct {
	sentences chan string

	mu      sync.Mutex
	allowed int
	since   time.Time // when allowed was right
	dropped int       // since the last sentence
}

func newRefusals() *refusals {
	return &refusals{sentences: make(chan string, refusalBurst), allowed: refusalBurst, since: time.Now()}
}

// add says a sentence, unless there are too many of them or nobody listens. The next one then says how many were left
// out.
func (r *refusals) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	more := int(time.Since(r.since) / refusalEvery)
	r.since = r.since.Add(time.Duration(more) * refusalEvery)
	r.allowed = min(r.allowed+more, refusalBurst)
	sentence := fmt.Sprintf(format, args...)
	if r.dropped > 0 {
		sentence += fmt.Sprintf(" (%d more before it)", r.dropped)
	}
	if r.allowed > 0 {
		select {
		case r.sentences <- sentence:
			r.allowed--
			r.dropped = 0
			return
		default:
		}
	}
	r.dropped++
}
