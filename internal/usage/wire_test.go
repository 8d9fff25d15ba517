package usage

import (
	"reflect"
	"testing"

	"unknot/internal/datatype"
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/wire"
)

// TestNotesAreTheSameBehindALink: what the checks of a rank tell those of another arrives whole on another host.
func TestNotesAreTheSameBehindALink(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	integer, err := datatype.Predefined("MPI_INT", 4, 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	put, open := table.ByName("MPI_Put"), table.ByName("MPI_File_open")
	call := past{fn: put, site: 0x401000, thread: 2, words: [12]uint64{1, 1 << 60, 3}, n: 3}
	a := act{call: call, manner: mpi.Updates, disp: -5, layout: covering{from: 0, to: 12, datatype: integer, count: 3}, known: true, op: "MPI_SUM",
		basis: integer, param: 4, under: hold{from: 7, to: 9, fresh: true, private: true}}
	other := act{call: past{fn: put}, param: -1}
	w, r := wire.NewWriter(), wire.NewReader(table)
	for _, n := range []Note{
		{To: 3, Body: &batch{win: 1 << 50, from: 1, to: 3, key: epochKey{byPost, 12}, acts: []act{a, other}}},
		{To: 0, Body: &opinion{key: opinionKey{5, 6}, from: 2, to: 0, call: past{fn: open}, n: 2,
			values: [maxValues]value{{param: 1, name: "amode", v: -9}, {param: 2, name: "datarep", text: "native"}}}},
		{To: 1, Body: &found{code: "rma-race", call: call, param: 2, words: Words{Sentence: "a", Notes: []string{"b", "c"}, Hint: "d",
			Related: []Related{{Text: "e"}, {Text: "f", Func: put, Site: 1}}, Elsewhere: []Elsewhere{{Related{Text: "g", Func: open, Site: 2}, 4}},
			Severity: finding.Warning}}},
	} {
		w.Begin(nil)
		n.Put(w)
		data := w.End()
		var got Note
		r.Begin(data)
		got.Get(r, bodies())
		if err := r.End(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, n) {
			t.Errorf("got  %+v\nwant %+v", got, n)
		}
		for short := range data { // and never does half of one
			r := wire.NewReader(table)
			r.Begin(data[:short])
			got.Get(r, bodies())
			if r.End() == nil {
				t.Errorf("%d of %d bytes are a note", short, len(data))
			}
		}
	}
}
