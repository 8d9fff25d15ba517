package explain

import (
	"fmt"
	"syscall"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// What keeps a run from being watched whole, and from being a replay.

// Unfollowed says why a rank could not be followed to its end.
func Unfollowed(b *message.Broken) string {
	return fmt.Sprintf("what rank %d did could not be followed to the end, because its records were overwritten "+
		"(%s); hint: look for a write through a stray pointer",
		b.Rank, b.Why)
}

// Unwatched says how many of a job's ranks were watched.
func Unwatched(watched, size int, died bool) string {
	if died {
		return fmt.Sprintf("%d of %d ranks were watched: the others had not returned from MPI_Init when a rank died, "+
			"or run elsewhere", watched, size)
	}
	return fmt.Sprintf("%d of %d ranks were watched: the others run elsewhere or could not be watched", watched, size)
}

// EndedByLauncher says that the launcher has ended all ranks, by the signal that the first one has got.
func EndedByLauncher(d *message.Death) string {
	return "the launcher ended all ranks" + bySignal(d) + ", as launchers do when they are ended themselves"
}

// EndedFromOutside says that another process has ended all ranks.
func EndedFromOutside(d *message.Death) string {
	return "all ranks were ended from outside" + bySignal(d)
}

func bySignal(d *message.Death) string {
	if name := EndedBy(d); name != "" {
		return " by " + name
	}
	return ""
}

// EndedBy names the signal by which a rank ended, "" if that is not known.
func EndedBy(d *message.Death) string {
	switch {
	case d.Signal != 0:
		return finding.SignalName(syscall.Signal(d.Signal))
	case d.Kind == ring.DeathSignal:
		return finding.SignalName(syscall.Signal(d.Code))
	}
	return ""
}

// NoRoom says that there was no space in a directory for the records of some ranks or threads, and what the system
// said.
func NoRoom(n int, dir string, err error) string {
	return fmt.Sprintf("%d ranks or threads could not be watched: no space for their records in %s (%v); hint: free "+
		"some space there", n, dir, err)
}

// Outlived says that ranks of a host were still there after the launcher, and were ended.
func Outlived(n int) string {
	if n == 1 {
		return "1 rank was still running after the launcher had exited, and was ended too"
	}
	return fmt.Sprintf("%d ranks were still running after the launcher had exited, and were ended too", n)
}

// Unforced says why a run with a plan is no replay.
func Unforced(u *message.Unforced) string {
	return u.Why + ": nothing was forced, so this run was not a replay"
}
