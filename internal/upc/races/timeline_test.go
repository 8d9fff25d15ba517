package races

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// texts are the places of the programs below, by their numbers.
var texts = []string{"", "upc_barrier", "x", "y", "upc_lock(l)", "upc_unlock(l)", "upc_notify", "upc_wait", "flag",
	"upc_memput_nb(&x, p, 4)", "upc_sync(h)"}

const (
	barrierAt = 1 + iota
	xAt
	yAt
	lockAt
	unlockAt
	notifyAt
	waitAt
	flagAt
	putAt
	syncAt
)

func atBarrier(n uint64) []layout.Record {
	return []layout.Record{{Kind: layout.RecordNotify, Site: barrierAt, Offset: n},
		{Kind: layout.RecordWait, Site: barrierAt, Offset: n}}
}

func access4(kind uint8, site uint32) layout.Record {
	return layout.Record{Kind: kind, Site: site, Size: 4, Count: 1}
}

// follow has threads do what their records say, as if each had recorded all of it before the next began, and gives the
// first race.
func follow(t *testing.T, threads ...[]layout.Record) (timelineText, epoch string) {
	t.Helper()
	j := newJob(len(threads), 0)
	for i, records := range threads {
		j.threads[i].next = records
	}
	j.advance(true)
	for i := range j.threads {
		if n := len(j.threads[i].next); n > 0 {
			t.Fatalf("thread %d has %d records that were not followed", i, n)
		}
	}
	p := &program{sites: make(map[uint32]layout.SiteText)}
	for i, text := range texts {
		p.sites[uint32(i)] = layout.SiteText{Site: uint32(i), File: "a.upc", Line: i, Column: 1,
			Function: "main", Text: text}
	}
	races := j.detector.Races()
	if len(races) == 0 {
		t.Fatal("no race")
	}
	race := j.race(p, &races[0])
	f := race.Finding()
	var lines []string
	for _, m := range f.Timeline {
		line := fmt.Sprintf("%v %s", m.Ranks, m.Did)
		if m.Racing {
			line += " *"
		}
		lines = append(lines, line)
	}
	for _, note := range f.Notes {
		if note.Label == finding.Epoch {
			epoch = note.String()
		}
	}
	return strings.Join(lines, "\n"), epoch
}

func TestTimelines(t *testing.T) {
	lock := func(ticket uint64) layout.Record {
		return layout.Record{Kind: layout.RecordLock, Site: lockAt, Ticket: ticket, Offset: 64}
	}
	unlock := func(ticket uint64) layout.Record {
		return layout.Record{Kind: layout.RecordUnlock, Site: unlockAt, Ticket: ticket, Offset: 64}
	}
	for _, test := range []struct {
		name    string
		threads [][]layout.Record
		want    []string
		epoch   string
	}{
		{"between two barriers", [][]layout.Record{
			slices.Concat(atBarrier(0), atBarrier(1), []layout.Record{access4(layout.RecordWrite, xAt)}, atBarrier(2)),
			slices.Concat(atBarrier(0), atBarrier(1), []layout.Record{access4(layout.RecordRead, yAt)}, atBarrier(2)),
		}, []string{"[0 1] upc_barrier, barrier 1", "[0 1] upc_barrier, barrier 2", "[0] writes x *", "[1] reads y *",
			"[0 1] upc_barrier, barrier 3"},
			"epoch: both accesses are after barrier 2 (upc_barrier, a.upc:1) and before barrier 3 " +
				"(upc_barrier, a.upc:1)"},
		{"no barrier at all", [][]layout.Record{{access4(layout.RecordWrite, xAt)}, {access4(layout.RecordRead, yAt)}},
			[]string{"[0] writes x *", "[1] reads y *"}, ""},
		{"locks in the order in which they were taken", [][]layout.Record{
			{access4(layout.RecordWrite, xAt), lock(1), unlock(2)},
			{lock(0), unlock(1), access4(layout.RecordWrite, yAt)},
		}, []string{"[0] writes x *", "[1] upc_lock(l)", "[1] upc_unlock(l)", "[1] writes y *", "[0] upc_lock(l)",
			"[0] upc_unlock(l)"}, ""},
		{"the halves of a barrier", [][]layout.Record{
			{{Kind: layout.RecordNotify, Site: notifyAt}, access4(layout.RecordWrite, xAt),
				{Kind: layout.RecordWait, Site: waitAt}},
			{{Kind: layout.RecordNotify, Site: notifyAt}, {Kind: layout.RecordWait, Site: waitAt},
				access4(layout.RecordRead, yAt)},
		}, []string{"[0] upc_notify, barrier 1", "[0] writes x *", "[1] upc_notify, barrier 1",
			"[1] upc_wait, barrier 1", "[1] reads y *", "[0] upc_wait, barrier 1"},
			"epoch: the access of thread 0 is after barrier 1 (upc_notify, a.upc:6) and before barrier 1 " +
				"(upc_wait, a.upc:7), " +
				"that of thread 1 after barrier 1 (upc_wait, a.upc:7)"},
		{"a flag that is read again and again", [][]layout.Record{
			{access4(layout.RecordWrite, xAt)},
			{{Kind: layout.RecordStrictRead, Site: flagAt, Offset: 8, Size: 4, Count: 1},
				{Kind: layout.RecordStrictRead, Site: flagAt, Offset: 8, Size: 4, Count: 1},
				access4(layout.RecordRead, yAt)},
		}, []string{"[0] writes x *", "[1] reads flag, strictly, 2 times", "[1] reads y *"}, ""},
		{"a strict access that races", [][]layout.Record{
			{access4(layout.RecordWrite, xAt), access4(layout.RecordStrictRead, flagAt)},
			{access4(layout.RecordStrictRead, flagAt), {Kind: layout.RecordStrictWrite, Site: flagAt, Offset: 8,
				Size: 4, Count: 1, Ticket: 1}},
		}, []string{"[0] writes x *", "[1] reads flag *", "[0] reads flag, strictly", "[1] writes flag, strictly"}, ""},
		{"a transfer of its own", [][]layout.Record{
			{{Kind: layout.RecordBegin, Site: putAt, Value: 1}, {Kind: layout.RecordWrite, Site: putAt, Size: 4,
				Count: 1, Value: 1}, access4(layout.RecordWrite, xAt),
				{Kind: layout.RecordJoin, Site: syncAt, Value: 1}},
		}, []string{"[0] upc_memput_nb(&x, p, 4) writes it *", "[0] writes x *", "[0] upc_sync(h)"}, ""},
		{"a transfer that is over, and another one after it", [][]layout.Record{
			slices.Concat(atBarrier(0), []layout.Record{
				{Kind: layout.RecordBegin, Site: putAt, Value: 1}, {Kind: layout.RecordWrite, Site: putAt, Size: 4,
					Count: 1, Value: 1},
				{Kind: layout.RecordJoin, Site: syncAt, Value: 1}, {Kind: layout.RecordBegin, Site: putAt, Value: 2},
				{Kind: layout.RecordStrictWrite, Site: flagAt, Offset: 8, Size: 4, Count: 1, Ticket: 1},
			}),
			slices.Concat(atBarrier(0), []layout.Record{{Kind: layout.RecordAlloc, Ticket: 1},
				access4(layout.RecordRead, yAt)}),
		}, []string{"[0] upc_memput_nb(&x, p, 4) writes it *", "[1] upc_barrier, barrier 1", "[1] reads y *"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, epoch := follow(t, test.threads...)
			if want := strings.Join(test.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if epoch != test.epoch {
				t.Errorf("got %q, want %q", epoch, test.epoch)
			}
		})
	}
}

// TestStepsAreForgottenWithoutHarm has a thread race with an access of which only newer steps are remembered.
func TestStepsAreForgottenWithoutHarm(t *testing.T) {
	first := slices.Concat(atBarrier(0), []layout.Record{access4(layout.RecordWrite, xAt)})
	for i := range uint64(3 * pastSteps) {
		first = append(first, layout.Record{Kind: layout.RecordStrictWrite, Site: flagAt, Offset: 8, Size: 4, Count: 1,
			Ticket: i + 1})
	}
	late := layout.Record{Kind: layout.RecordAlloc, Ticket: 3 * pastSteps} // comes after them
	got, epoch := follow(t, first, slices.Concat(atBarrier(0), []layout.Record{late, access4(layout.RecordRead, yAt)}))
	if want := "[0] writes x *"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin with %q", got, want)
	}
	if epoch != "" {
		t.Errorf("got %q, though it is not known", epoch)
	}
}
