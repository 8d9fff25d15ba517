package supervise

import (
	"testing"

	"unknot/internal/agent/proto"
	"unknot/internal/vocab/finding"
)

func TestAnAccountHasEachFindingAsItWasToldLast(t *testing.T) {
	deadlock := finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Sentence: "first", Count: 1}
	grown := deadlock
	grown.Sentence = "second"
	died := finding.Finding{Code: finding.RankDied, Severity: finding.Error, Count: 1}
	said := []proto.Message{
		{Type: proto.Hello, MPI: "MPICH 4.0.2", Ranks: 2, Hosts: []string{"here"}},
		{Type: proto.Found, Report: proto.Report{Number: 1, Finding: &deadlock}},
		{Type: proto.Found, Report: proto.Report{Number: 1, Finding: &grown}},
		{Type: proto.Stop},
		{Type: proto.Found, Report: proto.Report{Number: 2, Finding: &died}}, // it was ended
		{Type: proto.Done, Traffic: proto.Traffic{Calls: 7}, Complete: true},
	}
	run, exit, err := Account(said, 143)
	if err != nil {
		t.Fatal(err)
	}
	if exit != ExitFindings || run.Exit != 143 || run.Ranks != 2 || run.Calls != 7 || !run.Complete ||
		len(run.Findings) != 1 || run.Findings[0].Sentence != "second" {
		t.Errorf("exit status %d of %+v", exit, run)
	}
	if run, exit, _ = Account(nil, 3); exit != 3 || run.Complete || run.Why == "" {
		t.Errorf("of a job that is not seen: exit status %d of %+v", exit, run)
	}
}
