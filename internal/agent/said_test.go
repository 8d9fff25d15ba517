package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"unknot/internal/decode"
	"unknot/internal/mpi"
	"unknot/internal/ring"
)

// textWords is a string as records hold it.
func textWords(s string) []uint64 {
	v := append([]uint64{uint64(len(s))}, make([]uint64, (len(s)+7)/8)...)
	for i := range len(s) {
		v[1+i/8] |= uint64(s[i]) << (8 * (i % 8))
	}
	return v
}

func TestWhatARankSaysOfItselfAndItsCallsIsKept(t *testing.T) {
	a, _ := watched(t, 1, 1<<10, (*script).exchange)
	r := a.order[0]
	if len(r.threads) == 0 {
		t.Fatal("no thread")
	}
	th := r.threads[0]
	a.data(th, ring.DataLimits, 0, []uint64{1 << 20, 0, 3, 1})
	a.data(th, ring.DataNull, 0, []uint64{7, 2})
	a.data(th, ring.DataError, 0, append([]uint64{7, 13}, textWords("MPI_ERR_ARG: invalid argument")...))
	if want := (decode.Limits{TagUB: 1 << 20, Required: 0, Provided: 3, Predefined: true}); r.limits != want {
		t.Errorf("limits %+v, want %+v", r.limits, want)
	}
	if fmt.Sprint(th.nulls) != "[{7 2}]" || th.failure == nil ||
		*th.failure != (decode.Error{Func: 7, Class: 13, Text: "MPI_ERR_ARG: invalid argument"}) {
		t.Errorf("null pointers %v, failure %+v", th.nulls, th.failure)
	}
	// They are of one call only.
	f := a.table.ByName("MPI_Comm_rank")
	a.record(&source{thread: th}, &ring.Record{Func: f.ID, Kind: ring.Enter, Words: []uint64{tapeWorld}})
	if len(th.nulls) != 0 || th.failure != nil {
		t.Errorf("after the next call: null pointers %v, failure %+v", th.nulls, th.failure)
	}
}

func TestAStatusTellsWhetherTheProgramWantedIt(t *testing.T) {
	for _, c := range []struct {
		tag  uint64
		want status
	}{
		{5, status{source: 1, tag: 5, bytes: 4}},
		{5 | mpi.StatusIgnored, status{source: 1, tag: 5, bytes: 4, ignored: true}},
		{0xffffffff, status{source: 1, tag: -1, bytes: 4}},
		{0xffffffff | mpi.StatusIgnored, status{source: 1, tag: -1, bytes: 4, ignored: true}},
	} {
		if got := newStatus([]uint64{1, c.tag, 4}); got != c.want {
			t.Errorf("tag word %#x gives %+v, want %+v", c.tag, got, c.want)
		}
	}
}

func TestCallsOutsideOfMPIsLifeAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"outside.30": "after 9 MPI_Barrier 0x1010 2\nafter 9 MPI_Barrier 0x1010 2 0x1000 0x1500 0x16",
		"outside.7": "before 12 MPI_Comm_size 0x1020 -1 0x0\nagain 4 MPI_Init 0x1030 0 0x0 0x1100 0x1200\nat 3 " +
			"<module> /home/a b.py\nat 4 ask",
		"outside.7.maps":  "1000-2000 r-xp 00000000 08:01 11 /bin/app\n",
		"outside.garbage": "before 1 x 0x1 1\n",
		"ring.7.7":        "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, c := range outside(dir) {
		module, at := c.maps.Locate(c.site)
		got = append(got, fmt.Sprint(c.pid, " ", c.rank, " ", c.when, " ", c.fn, " ", c.function, " ", module, " ", at,
			" ", c.callers, " ", c.script))
	}
	want := []string{"7 -1 before 12 MPI_Comm_size /bin/app 32 [] []",
		"7 0 again 4 MPI_Init /bin/app 48 [4352 4608] [{<module> /home/a b.py 3 false  0 }]",
		"30 2 after 9 MPI_Barrier  0 [] []",
		"30 2 after 9 MPI_Barrier  0 [] []"} // the last line is not whole
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read\n%q\nwant\n%q", got, want)
	}
	if list := outside(filepath.Join(dir, "none")); list != nil {
		t.Errorf("a directory that is not there gives %v", list)
	}
}
