package proto

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
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
		{Type: Found, Finding: &finding.Finding{Code: finding.Deadlock, Sentence: "a <-> b\nnext",
			Ranks: []int{0, 1}, Count: 1}},
		{Type: Found, Finding: named(1, 2), Instead: named(3)},
		{Type: Leave, Processes: []Process{{Rank: 0, PID: 17, Host: "node1"}}, Why: "deadlock"},
		{Type: Done, Calls: 12, Complete: true},
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
