package waitstate

import (
	"testing"

	"unknot/internal/vocab/op"
)

// TestAMessageBetweenNodesTakesTwo: a send that is active when it goes says so, and the word that its receive is active
// comes back.
func TestAMessageBetweenNodesTakesTwo(t *testing.T) {
	var nodes [2]*Node
	var threads [2]*Thread
	for i := range nodes {
		nodes[i] = NewNode(i, func(r op.Rank) int { return int(r) })
		threads[i] = nodes[i].NewThread(op.Rank(i), 0)
	}
	enter := func(i int, kind op.PartKind) {
		o := NewOp()
		o.Blocking = true
		o.Post(&Part{Kind: kind, Origin: o.Origin, Src: 0, Dst: 1})
		o.Wait(o.Posts[0])
		nodes[i].Enter(threads[i], o)
	}
	pass := func(from int, want MsgKind) {
		t.Helper()
		out := nodes[from].Out
		if len(out) != 1 || out[0].Kind != want {
			t.Fatalf("node %d sends %+v, want one of kind %d", from, out, want)
		}
		nodes[from].Out = nil
		nodes[1-from].Handle(out[0])
	}
	waits := func(i int) bool {
		_, waits := nodes[i].StrictWait(threads[i])
		return waits
	}
	enter(0, op.Send)
	enter(1, op.Recv)
	if !waits(0) || !waits(1) {
		t.Error("somebody goes on before anything has arrived")
	}
	pass(0, PassSend)
	if waits(1) || !waits(0) {
		t.Errorf("with the send, the receiver waits: %v, the sender: %v; want the sender alone", waits(1), waits(0))
	}
	pass(1, RecvActive)
	if waits(0) || len(nodes[0].Out)+len(nodes[1].Out) > 0 {
		t.Errorf("with the answer, the sender waits: %v; more is sent: %v %v", waits(0), nodes[0].Out, nodes[1].Out)
	}
	if len(nodes[0].parts)+len(nodes[1].remotes) > 0 {
		t.Error("what is over is kept")
	}
}
