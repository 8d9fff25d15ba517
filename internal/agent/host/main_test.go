package host

import (
	"io"
	"strings"
	"testing"

	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit/ringfile"
	"unknot/internal/vocab/op"
)

// A process whose first record is not what a probe begins with will never say who it is, so nobody would read its
// rings.
func TestAProcessThatDoesNotSayWhoItIsIsRefused(t *testing.T) {
	var out strings.Builder
	p := &process{out: proto.NewWriter(io.Writer(&out)), census: census{main: make(map[int]op.Rank),
		waiting: make(map[int][]*ring.Ring), refused: make(map[int]bool)}}
	first, header, words := ringfile.New(t, 512)
	p.introduce(7, []*ring.Ring{first})
	if p.refused[7] || header.Reader != ring.ReaderThere {
		t.Fatalf("refused before it has said anything")
	}
	words[0], words[1] = 3|uint64(ring.Enter)<<16|1<<24|1<<32, 0x1000
	header.Head = 1
	p.introduce(7, []*ring.Ring{first})
	if !p.refused[7] || header.Reader != ring.ReaderUnread {
		t.Errorf("refused: %v, reader %d, want %d", p.refused[7], header.Reader, ring.ReaderUnread)
	}
	if !strings.Contains(out.String(), "its first record has kind 1 and function 3, expected 4 and 1") {
		t.Errorf("the supervisor hears %q", out.String())
	}
	later, header, _ := ringfile.New(t, 512) // of another thread
	header.Thread = 1
	p.introduce(7, []*ring.Ring{later})
	if header.Reader != ring.ReaderUnread {
		t.Errorf("reader of a later ring is %d, want %d", header.Reader, ring.ReaderUnread)
	}
}
