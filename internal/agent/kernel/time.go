package kernel

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"unknot/internal/kit/procstat"
)

// threadTime is the processor time that a thread has had, and whether it sleeps now. Of a thread that is gone it is
// zero and asleep.
func threadTime(pid, tid int) (time.Duration, bool) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid)
	s, err := procstat.Of(dir)
	if err != nil {
		return 0, true
	}
	asleep := s[procstat.State] == "S"
	if exact, err := os.ReadFile(dir + "/schedstat"); err == nil {
		if f := bytes.Fields(exact); len(f) > 0 {
			if ns, err := strconv.ParseInt(string(f[0]), 10, 64); err == nil {
				return time.Duration(ns), asleep
			}
		}
	}
	return procstat.Time(s), asleep
}
