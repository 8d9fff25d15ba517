package look

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// What a thread must have had of the processor before it counts that it has not gone on: a message that lies there is
// taken then.
const (
	enough = 2 * time.Millisecond
	turns  = 2
)

// account is what the kernel has counted of a thread (proc(5): schedstat and status).
type account struct {
	ran      time.Duration
	turns    uint64 // on a processor
	switches uint64 // to another thread, whether it asked for that or not
	known    bool
}

func accountOf(dir string) (a account) {
	text, err := os.ReadFile(dir + "/schedstat")
	f := strings.Fields(string(text))
	if err != nil || len(f) < 3 {
		return a
	}
	ran, _ := strconv.ParseInt(f[0], 10, 64) // the kernel writes them
	a.ran = time.Duration(ran)
	a.turns, _ = strconv.ParseUint(f[2], 10, 64)
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		return a
	}
	for line := range strings.Lines(string(status)) {
		if name, value, _ := strings.Cut(line, ":"); strings.HasSuffix(name, "_ctxt_switches") {
			n, _ := strconv.ParseUint(strings.TrimSpace(value), 10, 64)
			a.switches += n
			a.known = true
		}
	}
	return a
}
