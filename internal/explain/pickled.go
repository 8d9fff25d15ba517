package explain

import (
	"regexp"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/symbol"
)

// Calls of mpi4py that pickle an object, and those that receive into a buffer as they get it.
var (
	pickles = regexp.MustCompile(`\.(send|isend|ssend|issend|bsend|ibsend)\(`)
	buffers = regexp.MustCompile(`\.(Recv|Irecv|Recv_init)\(`)
)

// mixed says whether lines of a script send a pickled object to a receive that takes bytes for the data of its buffer.
func mixed(send, recv string) bool {
	return pickles.MatchString(send) && !strings.Contains(send, ".Send(") && buffers.MatchString(recv) && !strings.Contains(recv, ".recv(")
}

// pickled makes of bytes that a receive takes for data the mistake that they are in a script that mixes both kinds of mpi4py's calls.
func pickled(f *finding.Finding, giver, taker int) {
	var send, recv string
	for _, p := range f.Places {
		if !strings.HasSuffix(p.File, ".py") {
			return
		}
		lines, err := symbol.Excerpt(p.File, p.Line, 0)
		if err != nil || len(lines) != 1 {
			return
		}
		switch p.Rank {
		case giver:
			send = lines[0].Text
		case taker:
			recv = lines[0].Text
		}
	}
	if mixed(send, recv) {
		f.Severity = finding.Error
		f.Hint = "mpi4py's send pickles the object, Recv does not unpickle it: use both in lower case, or both in upper case"
	}
}
