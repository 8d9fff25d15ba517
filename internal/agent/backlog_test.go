package agent

import (
	"testing"
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/repeat"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// countedReads is a ring that counts how often it is read.
type countedReads struct {
	Source
	reads *int
}

func (c countedReads) Read(buf []ring.Record, _ int) ([]ring.Record, error) {
	*c.reads++
	return buf, nil
}
func (c countedReads) Of() *ring.Owner { return new(ring.Owner) }
func (c countedReads) Left() bool      { return false }
func (c countedReads) Commit()         {}

// TestAnAgentDoesNotReadWhileAnotherIsBehind: it continues to answer meanwhile.
func TestAnAgentDoesNotReadWhileAnotherIsBehind(t *testing.T) {
	net := encoded(t, 2)
	a := firstAgent(t, net)
	a.toldAt = a.now.Add(time.Hour)
	reads := 0
	a.order = []*rank{
		{Rank: calls.NewRank(0),
			reading: reading{sources: []*source{{ring: countedReads{reads: &reads}, repeats: new(repeat.Source)}}}}}
	for range tree.Much + 1 {
		a.net.Send(1, message.Ping{From: 0})
	}
	a.net.Put(message.Ping{From: 1, Round: 1, Phase: 1})
	a.turn()
	answered := net.Member(1).Take(nil)
	if _, is := answered[len(answered)-1].(message.Pong); reads > 0 || !is {
		t.Errorf("agent 1 is behind: the ring was read %d times, and the last that agent 1 gets is %T", reads,
			answered[len(answered)-1])
	}
	if a.turn(); reads != 1 {
		t.Errorf("agent 1 has taken everything, and the ring was read %d times", reads)
	}
}
