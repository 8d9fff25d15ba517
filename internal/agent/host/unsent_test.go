package host

import (
	"errors"
	"strings"
	"testing"

	"unknot/internal/agent/proto"
	"unknot/internal/vocab/finding"
)

// deaf is a supervisor that hears so many lines.
type deaf struct{ hears int }

func (d *deaf) Write(line []byte) (int, error) {
	if d.hears--; d.hears < 0 {
		return 0, errors.New("broken pipe")
	}
	return len(line), nil
}

// TestWhatFollowsAnUnheardStatusIsKept has the supervisor die before a line that nobody needs.
func TestWhatFollowsAnUnheardStatusIsKept(t *testing.T) {
	s := &transcript{to: &deaf{hears: 1}}
	out := proto.NewWriter(s)
	_ = out.Send(proto.Message{Type: proto.Hello, Ranks: 4})
	for range 2 {
		if err := out.Send(proto.Message{Type: proto.Status, Traffic: proto.Traffic{Calls: 7}}); err == nil {
			t.Fatal("a line that nobody hears is not an error")
		}
	}
	_ = out.Send(proto.Message{Type: proto.Found, Report: proto.Report{Number: 1,
		Finding: &finding.Finding{Code: "type-mismatch"}}})
	// as the job was ended
	_ = out.Send(proto.Message{Type: proto.Found, Report: proto.Report{Number: 2,
		Finding: &finding.Finding{Code: finding.RankDied}}})
	_ = out.Send(proto.Message{Type: proto.Done, Traffic: proto.Traffic{Calls: 9}})
	var got []string
	for from := proto.NewReader(strings.NewReader(s.unsent())); ; {
		m, err := from.Receive()
		if err != nil {
			break
		}
		got = append(got, m.Type)
	}
	if text := strings.Join(got, " "); text != "hello finding done" {
		t.Errorf("kept: %s", text)
	}
}

func TestNothingIsLeftOfWhatWasHeard(t *testing.T) {
	s := &transcript{to: &deaf{hears: 1}}
	if err := proto.NewWriter(s).Send(proto.Message{Type: proto.Hello}); err != nil {
		t.Fatal(err)
	}
	if text := s.unsent(); text != "" {
		t.Errorf("left: %s", text)
	}
}
