package supervise

import (
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/observe/launch"
	"unknot/internal/root/link"
	"unknot/internal/vocab/finding"
)

// A launcher may hang when its ranks have died. Nobody is left whom it could wait for then, so it is ended.

const (
	lingerLook = 5 * time.Second // how often is looked for launchers that linger
	// how long they may: they remove files, and wait for what ranks have written to be read
	lingerGrace = 30 * time.Second
	lingerTime  = time.Second // the processor time from which on they may be doing something
)

// lingering is what is known of launchers that have not ended though their ranks have.
type lingering struct {
	launchers []int
	since     time.Time
	busy      time.Duration // the processor time that they had had then
	said      bool          // of these launchers
	ended     bool          // some of them were
}

// linger looks for launchers that linger, and ends those that have nothing left to do.
func (r *run) linger(now time.Time) {
	if r.end.ended || r.end.stopping || r.end.interrupted || r.end.left || r.key != (link.Key{}) {
		return
	}
	at := &r.lingering
	found := launch.FindLingering(r.session.Dir)
	if !slices.Equal(found.Launchers, at.launchers) {
		at.launchers, at.since, at.busy, at.said = found.Launchers, now, found.Time, false
	}
	if len(found.Launchers) == 0 || at.said || now.Sub(at.since) < lingerGrace {
		return
	}
	at.said = true
	who := fmt.Sprintf("%s (process %d)", found.Name, found.Launchers[0])
	if !found.Alone || found.Time-at.busy >= lingerTime || unread(r.streams.Out) || unread(r.streams.Err) {
		r.screen.say("all ranks have ended, but %s has not; end it with Ctrl-C if that does not change", who)
		return
	}
	at.ended = true
	r.account.note(fmt.Sprintf("all ranks had ended, but %s had not %s later: unknot ended it", who,
		finding.Lasting(lingerGrace.Seconds())))
	r.end.tasks.Go(func() { found.End(endGrace) })
}

// unread says whether somebody has still to read from a pipe what was written to it: the launcher may wait for that.
func unread(f *os.File) bool {
	if f == nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return false
	}
	waiting, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	return err == nil && waiting > 0
}
