package log

import "testing"

func TestNumbersOfAPeriodGoOnFromWhereTheThreadIs(t *testing.T) {
	for _, c := range []struct{ number, start, now, grows, want uint32 }{
		{10, 10, 16, 3, 16}, // the period begins with it
		{12, 10, 16, 3, 18}, // … and ends with it
		{10, 10, 17, 3, 19}, // the thread has it behind itself
		{11, 10, 17, 3, 17}, // it comes next
		{12, 10, 1000, 3, 1002},
		{7, 7, 7, 0, 7},
	} {
		if got := ahead(c.number, c.start, c.now, c.grows); got != c.want {
			t.Errorf("number %d of a period from %d, by %d: %d at %d, want %d", c.number, c.start, c.grows, got,
				c.now, c.want)
		}
	}
}

func TestAPeriodIsTurnedToTheRecordThatComesNext(t *testing.T) {
	events := []kept{{record: 0}, {record: 1}, {record: 1}, {record: 4}}
	for next, want := range [][]int{{0, 1, 1, 4}, {1, 1, 4, 0}, {4, 0, 1, 1}, {4, 0, 1, 1}, {4, 0, 1, 1},
		{0, 1, 1, 4}} {
		for i, k := range turned(events, next) {
			if k.record != want[i] {
				t.Errorf("with record %d next, event %d is of record %d, want %d", next, i, k.record, want[i])
			}
		}
	}
}
