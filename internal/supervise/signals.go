// The signals that end a run or are for the job.

package supervise

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// ending are the signals that end a run, passing those that a launcher passes on to the ranks.
var (
	ending  = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	passing = []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}
)

// heeded leaves out the signals that our caller has us ignore (nohup).
func heeded(signals []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
}

// Listen collects the signals that end a run or are for the job. SIGPIPE is caught so that a closed standard error does
// not end us before we have cleaned up; the job gets it as ever.
func Listen() (<-chan os.Signal, func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, heeded(ending)...)
	signal.Notify(signals, heeded(passing)...)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	return signals, func() { signal.Stop(signals); signal.Stop(pipe) }
}

// endedBy says whether one of the signals that end a run has come.
func endedBy(signals <-chan os.Signal) (syscall.Signal, bool) {
	for {
		select {
		case sig := <-signals:
			if slices.Contains(ending, sig) {
				return sig.(syscall.Signal), true
			}
		default:
			return 0, false
		}
	}
}
