package reports

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// How often threads are looked at, and how often they must have been seen to be stuck. A thread says that it waits only
// after a quarter of a second, and looks four times a second.
const (
	interval = 250 * time.Millisecond
	lookings = 4
)

// Watch looks at the threads of a session until their job has to be ended from outside, or until the context ends, for
// which it returns false. If all threads of a program wait forever, that is the finding; there is none if the program
// has ended itself.
func Watch(ctx context.Context, session string) (*finding.Finding, bool) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	j := judge{}
	for {
		select {
		case <-ctx.Done():
			return nil, false
		case <-ticks.C:
		}
		if wantsEnd(session) {
			return nil, true
		}
		rounds := roundsOf(session)
		all, _ := waits(session) // Read says what cannot be read
		for job, now := range all {
			if !j.stuck(job, now, rounds) {
				continue
			}
			f := describe(now, placed(now))
			return &f, true
		}
	}
}

// wantsEnd says whether the program of a session waits for its job to be ended. It says so in the last line, or nearly;
// quotes in texts are escaped.
func wantsEnd(session string) bool {
	const tail = 64 << 10
	f, err := os.Open(filepath.Join(session, layout.FindingsName))
	if err != nil {
		return false
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && fi.Size() > tail {
		if _, err := f.Seek(-tail, io.SeekEnd); err != nil {
			return false
		}
	}
	text, err := io.ReadAll(f)
	return err == nil && bytes.Contains(text, []byte(layout.StopEnd))
}

// judge remembers when all threads of a job were seen to wait first.
type judge map[uint64]*since

type since struct {
	at     []wait
	seen   int
	rounds int
}

// stuck says whether the threads of a job wait forever, which takes several looks. All threads of the job waited at
// the moment between two looks at which the same turns were seen; nobody but they can end a wait; and each has found
// since that it has to go on waiting.
//
// What threads on other hosts say comes late. Once all hosts have answered two rounds of questions more, the second of
// which was asked after the first look, each thread is known to have waited at that look. rounds is how many they have
// answered; -1 if there are no other hosts.
func (j judge) stuck(job uint64, now []wait, rounds int) bool {
	before := j[job]
	if !allWait(now) || underWay(now) {
		delete(j, job)
		return false
	}
	if before == nil || !sameTurns(before.at, now) {
		j[job] = &since{at: now, rounds: rounds}
		return false
	}
	before.seen++
	for i := range now {
		if now[i].looks < before.at[i].looks+2 {
			return false
		}
	}
	return before.seen >= lookings && (rounds < 0 || rounds >= before.rounds+2)
}

func allWait(now []wait) bool {
	if len(now) == 0 || len(now) != now[0].threads {
		return false
	}
	for i := range now {
		if now[i].thread != i || !now[i].waiting() {
			return false
		}
	}
	return true
}

// underWay says whether all threads are in the same operation, which ends by itself.
func underWay(now []wait) bool {
	for i := range now {
		if now[i].kind == layout.AtLock || now[i].kind != now[0].kind || now[i].number != now[0].number {
			return false
		}
	}
	return true
}

func sameTurns(a, b []wait) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].pid != b[i].pid || a[i].turn != b[i].turn {
			return false
		}
	}
	return true
}
