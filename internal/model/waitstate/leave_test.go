package waitstate

import (
	"testing"

	"unknot/internal/vocab/op"
)

func TestFreedCommunicatorsAreForgotten(t *testing.T) {
	n := NewNode(0, func(op.Rank) int { return 0 })
	threads := []*Thread{n.NewThread(0, 0), n.NewThread(1, 0)}
	for ctx := op.CommID(10); ctx < 20; ctx++ {
		var members []*Member
		for r := range op.Rank(2) {
			members = append(members, n.Join(r, ctx, op.FirstRanks(2)))
		}
		send := &Part{Kind: op.Send, Src: 0, Dst: 1, Tag: 1, Ctx: ctx}
		recv := &Part{Kind: op.Recv, Src: 0, Dst: 1, Tag: 1, Ctx: ctx}
		n.Enter(threads[0], &Op{Blocking: true, Posts: []*Part{send}, Waits: []*Part{send}})
		n.Enter(threads[1], &Op{Blocking: true, Posts: []*Part{recv}, Waits: []*Part{recv}})
		for r, th := range threads {
			p := &Part{Kind: op.Coll, Collective: &Collective{Member: members[r]}, Origin: &Origin{Rank: op.Rank(r)}}
			n.Enter(th, &Op{Blocking: true, Posts: []*Part{p}, Waits: []*Part{p}})
		}
		for _, m := range members {
			n.Leave(m)
		}
	}
	if len(n.groups) != 0 || len(n.byKey) != 0 {
		t.Errorf("%d groups and %d queues are left, want none", len(n.groups), len(n.byKey))
	}
}

// A window or a file is freed by a collective, which the others may not have reached yet.
func TestFreedWindowsAreForgottenWhenAllHaveFreedThem(t *testing.T) {
	n := NewNode(0, func(op.Rank) int { return 0 })
	threads := []*Thread{n.NewThread(0, 0), n.NewThread(1, 0)}
	for ctx := op.CommID(10); ctx < 20; ctx++ {
		members := []*Member{n.Join(0, ctx, op.FirstRanks(2)), n.Join(1, ctx, op.FirstRanks(2))}
		for r, th := range threads {
			members[r].FreedByNext()
			p := &Part{Kind: op.Coll, Collective: &Collective{Member: members[r]}, Origin: &Origin{Rank: op.Rank(r)}}
			n.Enter(th, &Op{Blocking: true, Posts: []*Part{p}, Waits: []*Part{p}})
			if left := len(n.groups); left != 1-r {
				t.Errorf("when rank %d is in the call, %d groups are left, want %d", r, left, 1-r)
			}
		}
	}
}

func TestACommunicatorFreedWithAMessageUnderWayIsKept(t *testing.T) {
	n := NewNode(0, func(op.Rank) int { return 0 })
	m := n.Join(1, 10, op.FirstRanks(2))
	send := &Part{Kind: op.Send, Src: 0, Dst: 1, Tag: 1, Ctx: 10, Origin: &Origin{}}
	n.Enter(n.NewThread(0, 0), &Op{Blocking: true, Posts: []*Part{send}, Waits: []*Part{send}})
	n.Leave(m)
	if misses := n.Near(1, 10); len(misses) != 1 {
		t.Errorf("the messages under way are %v, want the one that was sent", misses)
	}
}
