package explain

import (
	"regexp"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// Calls of mpi4py that pickle an object, and those that receive into a buffer as they get it.
var (
	pickles = regexp.MustCompile(`\.(send|isend|ssend|issend|bsend|ibsend)\(`)
	buffers = regexp.MustCompile(`\.(Recv|Irecv|Recv_init)\(`)
)

// mixed says whether lines of a script send a pickled object to a receive that takes bytes for the data of its buffer.
func mixed(send, recv string) bool {
	return pickles.MatchString(send) && !strings.Contains(send, ".Send(") && buffers.MatchString(recv) &&
		!strings.Contains(recv, ".recv(")
}

// pickled makes of bytes that a receive takes for data the mistake that they are in a script that mixes both kinds of
// mpi4py's calls.
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
		f.Hint = "mpi4py's send pickles the object, Recv does not unpickle it: use both in lower case, or both " +
			"in upper case"
	}
}

// irecvRoom is the room that mpi4py's irecv has for a pickled object if it is given no buffer.
const irecvRoom = 32768

var irecv = regexp.MustCompile(`\.irecv\(`)

// unpickled says of a message that is too long for mpi4py's irecv how that gets more room.
func unpickled(f *finding.Finding, taker int, room int64) {
	for _, p := range f.Places {
		if p.Rank != taker || !strings.HasSuffix(p.File, ".py") {
			continue
		}
		lines, err := symbol.Excerpt(p.File, p.Line, 0)
		if err != nil || len(lines) != 1 || !irecv.MatchString(lines[0].Text) {
			return
		}
		if f.Hint = "the buffer of irecv is smaller than the pickled object: pass a larger one"; room == irecvRoom {
			f.Hint = "mpi4py's irecv without a buffer has room for 32 KiB of a pickled object: pass a larger one " +
				"(`comm.irecv(bytearray(n), source=…)`), or use recv or mprobe, which learn the size"
		}
		return
	}
}
