package proto

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"

	"unknot/internal/vocab/finding"
)

// named is a finding with a place for each rank, whose words name another rank.
func named(ranks ...int) *finding.Finding {
	f := &finding.Finding{Code: finding.Deadlock, Ranks: ranks, Count: 1}
	f.Say(finding.Wordf("%v wait.", finding.Ranks(ranks)))
	for _, r := range ranks {
		p := finding.Place{Rank: r, State: "blocked", WaitsFor: []int{r + 1}}
		p.SetArgs(finding.Naming("from ", r+1, ", tag 0"))
		p.SetReason(finding.Naming("a message from ", r+1, ""))
		f.Places = append(f.Places, p)
	}
	return f
}

func TestWhatIsSentIsReceived(t *testing.T) {
	sent := []Message{
		{Type: Ready},
		{Type: Hello, MPI: "Open MPI 4.1.4", Ranks: 4, Hosts: []string{"node1"}},
		{Type: Found, Report: Report{Finding: &finding.Finding{Code: finding.Deadlock, Sentence: "a <-> b\nnext",
			Ranks: []int{0, 1}, Count: 1}}},
		{Type: Found, Report: Report{Finding: named(1, 2), Instead: named(3)}},
		{Type: Leave, Processes: []Process{{Rank: 0, PID: 17, Host: "node1"}}, Why: "deadlock"},
		{Type: Done, Traffic: Traffic{Calls: 12}, Complete: true},
	}
	var wire bytes.Buffer
	w := NewWriter(&wire)
	for _, m := range sent {
		if err := w.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(wire.String(), "\n"); n != len(sent) {
		t.Errorf("%d messages took %d lines", len(sent), n)
	}
	r := NewReader(&wire)
	for _, want := range sent {
		got, err := r.Receive()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
	if _, err := r.Receive(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestBrokenLineIsNamed(t *testing.T) {
	r := NewReader(strings.NewReader("{\"type\":\"ready\"}\n{\"type\":\n"))
	if _, err := r.Receive(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Receive(); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v does not name line 2", err)
	}
}

func TestALineThatIsTooLongIsNamed(t *testing.T) {
	r := NewReader(io.MultiReader(strings.NewReader("{\"type\":\"ready\"}\n"), endless{}))
	if _, err := r.Receive(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Receive(); !errors.Is(err, bufio.ErrTooLong) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v does not name line 2 as too long", err)
	}
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestWordsAreSentAsTheyAre, and not as those of a web page.
func TestWordsAreSentAsTheyAre(t *testing.T) {
	var wire bytes.Buffer
	if err := NewWriter(&wire).Send(Message{Type: Note, Text: "a <-> b & c"}); err != nil {
		t.Fatal(err)
	}
	if got, want := wire.String(), `{"type":"note","text":"a <-> b & c"}`+"\n"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// full is a pipe of which one write fails.
type full struct {
	bytes.Buffer
	fails int
}

func (f *full) Write(p []byte) (int, error) {
	if f.fails--; f.fails == 0 {
		return 0, io.ErrShortWrite
	}
	return f.Buffer.Write(p)
}

// TestAMessageThatCannotBeSentDoesNotKeepTheNext from being sent.
func TestAMessageThatCannotBeSentDoesNotKeepTheNext(t *testing.T) {
	wire := &full{fails: 2}
	w := NewWriter(wire)
	for i, want := range []error{nil, io.ErrShortWrite, nil} {
		if err := w.Send(Message{Type: Found, Report: Report{Number: i + 1}}); !errors.Is(err, want) {
			t.Errorf("message %d: %v, want %v", i, err, want)
		}
	}
	r := NewReader(wire)
	for _, want := range []int{1, 3} {
		if m, err := r.Receive(); err != nil || m.Number != want {
			t.Errorf("message %d, %v, want %d", m.Number, err, want)
		}
	}
}

// TestAnUnknownTypeIsPassedOn, as either side may learn new ones.
func TestAnUnknownTypeIsPassedOn(t *testing.T) {
	r := NewReader(strings.NewReader(`{"type":"new","text":"x","more":{"a":1}}`))
	if m, err := r.Receive(); err != nil || m.Type != "new" || m.Text != "x" {
		t.Errorf("received %+v, %v", m, err)
	}
}

// TestSeveralMaySendAtOnce: each message is a line.
func TestSeveralMaySendAtOnce(t *testing.T) {
	var wire bytes.Buffer
	w := NewWriter(&wire)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := w.Send(Message{Type: Found, Report: Report{Number: i + 1, Finding: named(i)}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	seen := make(map[int]bool)
	for r := NewReader(&wire); ; {
		m, err := r.Receive()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || !reflect.DeepEqual(m.Finding, named(m.Number-1)) {
			t.Fatalf("received %+v, %v", m, err)
		}
		seen[m.Number] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d messages came, want 20", len(seen))
	}
}
