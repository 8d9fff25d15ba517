package supervise

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/ring"
)

// Lifeline is the agent process's input from its supervisor, by which it notices that the supervisor has vanished.
type Lifeline struct {
	from    io.Reader
	session string
	parent  int
	cut     atomic.Bool
	mu      sync.Mutex
	traces  launch.Traces // of the job, guarded by mu
}

// NewLifeline is called while the supervisor is still there, before the job starts.
func NewLifeline(from io.Reader, session string) *Lifeline {
	l := &Lifeline{from: from, session: session, parent: os.Getppid(),
		traces: launch.Traces{Bystanders: launch.Present()}}
	go l.remember()
	return l
}

// remember keeps what the job may leave: when the supervisor is gone, the ranks may be too. From the launcher's start
// it looks all the time until there are rings, as the launcher makes its files before the first rank starts; then only
// when more rings have appeared. Of many ranks a look takes long: it rests ten times as long after each.
func (l *Lifeline) remember() {
	const often, idle, seldom = 10 * time.Millisecond, 50 * time.Millisecond, 500 * time.Millisecond
	pause := often
	for have := 0; !l.cut.Load(); time.Sleep(pause) {
		rings, _ := filepath.Glob(filepath.Join(l.session, ring.RingPrefix+"*"))
		if have > 0 && len(rings) == have {
			pause = min(2*pause, seldom)
			continue
		}
		began := time.Now()
		there := l.look()
		have, pause = len(rings), max(often, 10*time.Since(began))
		if !there {
			pause = max(pause, idle)
		}
	}
}

func (l *Lifeline) look() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.traces.Look(l.session)
}

// Read reads from the supervisor.
func (l *Lifeline) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if err != nil {
		l.cut.Store(true)
	}
	return n, err
}

// CleanUp does what the supervisor would have done, if that has gone without a word (SIGKILL): the launcher has got a
// SIGTERM from the kernel; what it leaves behind is ended, and the session directory removed. ctx is done if this
// process was asked to end.
func (l *Lifeline) CleanUp(ctx context.Context) {
	if !l.gone(ctx) {
		return
	}
	l.look()
	launch.AwaitRanks(l.session, endGrace)
	launch.AwaitMembers(l.session, endGrace)
	launch.KillMembers(l.session)
	l.mu.Lock()
	l.traces.Remove()
	l.mu.Unlock()
	// A rank that was just killed may still have been making a file there.
	for range 10 {
		if os.RemoveAll(l.session) == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// gone says whether the supervisor has vanished. The kernel tells us when its first threads end, a while before it has
// another parent for us.
func (l *Lifeline) gone(ctx context.Context) bool {
	const patience = 5 * time.Second
	for deadline := time.Now().Add(patience); os.Getppid() == l.parent; time.Sleep(5 * time.Millisecond) {
		asked := l.cut.Load() || ctx.Err() != nil
		if !asked || time.Now().After(deadline) {
			return false
		}
	}
	return true
}
