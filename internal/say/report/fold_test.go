package report

import (
	"fmt"
	"slices"
	"testing"

	"unknot/internal/vocab/finding"
)

// said writes groups as "ranks: args -> waits".
func said(groups []group) []string {
	var out []string
	for i := range groups {
		out = append(out, groups[i].who()+": "+groups[i].args+" -> "+groups[i].waitWords())
	}
	return out
}

func receive(rank, peer int) finding.Place {
	return named(finding.Place{Rank: rank, State: "blocked", Call: "MPI_Recv", WaitsFor: []int{peer}},
		finding.Naming("from ", peer, ", tag 1"), finding.Naming("a message from ", peer, ""))
}

func TestFold(t *testing.T) {
	row := func(n int, peer func(int) int) []finding.Place {
		var out []finding.Place
		for r := range n {
			out = append(out, receive(r, peer(r)))
		}
		return out
	}
	few := row(3, func(r int) int { return (r + 1) % 3 })
	var barrier []finding.Place
	for r := 4; r < 8; r++ {
		barrier = append(barrier, finding.Place{Rank: r, State: "blocked", Call: "MPI_Barrier", Args: "rows",
			WaitsFor: []int{0, 1, 2, 3}})
	}
	threads := []finding.Place{receive(0, 5), receive(0, 5)}
	threads[1].Thread = 2
	for name, c := range map[string]struct {
		places []finding.Place
		world  int
		want   []string
	}{
		"few stay apart": {few, 3, []string{"rank 0: from rank 1, tag 1 -> a message from rank 1",
			"rank 1: from rank 2, tag 1 -> a message from rank 2",
			"rank 2: from rank 0, tag 1 -> a message from rank 0"}},
		"same peer": {row(5, func(int) int { return 7 }), 8,
			[]string{"ranks 0-4: from rank 7, tag 1 -> a message from rank 7"}},
		"ring": {row(9, func(r int) int { return (r + 8) % 9 }), 9,
			[]string{"ranks 0-8: from rank r-1 (modulo 9), tag 1 -> a message from rank r-1 (modulo 9)"}},
		"open chain": {row(12, func(r int) int { return r + 1 }), 40,
			[]string{"ranks 0-11: from rank r+1, tag 1 -> a message from rank r+1"}},
		"master": {row(20, func(r int) int { return max(1-r, 0) }), 20, []string{
			"rank 0: from rank 1, tag 1 -> a message from rank 1",
			"ranks 1-19: from rank 0, tag 1 -> a message from rank 0"}},
		"barrier": {barrier, 8, []string{"ranks 4-7: rows -> ranks 0-3"}},
		"knot": {wildcardKnot(5).Findings[0].Places, 5,
			[]string{"ranks 0-4: from any source, any tag, MPI_COMM_WORLD, 1 × MPI_INT -> a message from any rank"}},
		"threads": {threads, 6, []string{"rank 0: from rank 5, tag 1 -> a message from rank 5",
			"rank 0 thread 2: from rank 5, tag 1 -> a message from rank 5"}},
	} {
		if got := said(fold(c.places, c.world, (&finding.Finding{}).Language.Terms())); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// TestFoldReadsNoText: what a text happens to have in it is no peer, be it the name of a communicator that ends in the
// rank's own number or words that came without data.
func TestFoldReadsNoText(t *testing.T) {
	const n = 12
	var split, read []finding.Place
	for r := range n {
		split = append(split, named(finding.Place{Rank: r, State: "blocked", Call: "MPI_Recv", WaitsFor: []int{n}},
			finding.Naming("from ", n, fmt.Sprintf(", row of rank %d", r)), finding.Naming("a message from ", n, "")))
		read = append(read, receive(r, (r+1)%n))
		read[r].Meaning = finding.Meaning{}
	}
	for name, places := range map[string][]finding.Place{"a name with a rank in it": split,
		"places of a document": read} {
		groups := fold(places, n+1, (&finding.Finding{}).Language.Terms())
		if len(groups) != n {
			t.Errorf("%s: %q", name, said(groups))
		}
	}
	for i := range split { // one name, with a rank in it that is nobody's peer
		split[i] = named(split[i], finding.Naming("from ", i+1, ", rank 3 and rank 4"),
			finding.Naming("a message from ", i+1, ""))
		split[i].WaitsFor = []int{i + 1}
	}
	if got, want := said(fold(split, 40, (&finding.Finding{}).Language.Terms())),
		[]string{"ranks 0-11: from rank r+1, rank 3 and rank 4 -> a message from rank r+1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFoldLosesNoRank(t *testing.T) {
	for name, run := range fixtures() {
		for _, f := range run.Findings {
			var in, out []int
			for _, p := range f.Places {
				in = append(in, p.Rank)
			}
			for _, g := range fold(f.Places, run.Ranks, (&finding.Finding{}).Language.Terms()) {
				out = append(out, g.ranks...)
			}
			slices.Sort(out)
			if !slices.Equal(in, out) {
				t.Errorf("%s: ranks %v became %v", name, in, out)
			}
		}
	}
}

func TestRanges(t *testing.T) {
	for want, ranks := range map[string][]int{
		"":                             nil,
		"3":                            {3},
		"3, 4":                         {3, 4},
		"0-2, 5, 7, 8":                 {0, 1, 2, 5, 7, 8},
		"0, 2, 4, 6, 8, 10 and 3 more": {0, 2, 4, 6, 8, 10, 12, 13, 14},
		"1000-4095": func() (r []int) {
			for i := 1000; i < 4096; i++ {
				r = append(r, i)
			}
			return
		}(),
	} {
		if got := ranges(ranks); got != want {
			t.Errorf("%v: %q, want %q", ranks, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if got := number(^uint64(0)); got != "18,446,744,073,709,551,615" {
		t.Error(got)
	}
}

func TestTheIterationOfAPlaceIsSaid(t *testing.T) {
	for _, c := range []struct {
		want string
		nths []int
		more bool // further ranks that have no place of their own
	}{
		{"", []int{0}, false}, {"", []int{1}, false}, {"", []int{1, 1}, false}, {"", []int{3, 0}, false},
		{"", []int{3}, true},
		{", the 2nd time", []int{2, 2}, false}, {", the 1,013th time", []int{1013}, false},
		{", the 1st to 3rd time", []int{3, 1, 2}, false},
	} {
		var places []finding.Place
		for rank, nth := range c.nths {
			places = append(places, finding.Place{Rank: rank, State: "blocked", Call: "MPI_Barrier", Nth: nth})
		}
		if c.more {
			places[0].Alike = []int{8, 9}
		}
		groups := fold(places, 16, finding.Terms{})
		if len(groups) != 1 || groups[0].time() != c.want {
			t.Errorf("%v: %d groups, %q, want one, %q", c.nths, len(groups), groups[0].time(), c.want)
		}
	}
}

func TestShortNamesTellFilesApart(t *testing.T) {
	run := runOf(1, finding.Finding{Places: []finding.Place{{Frame: finding.Frame{File: "/a/x/main.c"}},
		{Frame: finding.Frame{File: "/a/y/main.c"}},
		{Frame: finding.Frame{File: "/a/y/other.c"}}, {Frame: finding.Frame{File: "main.c"}}}})
	n := namesOf(run)
	for file, want := range map[string]string{"/a/x/main.c": "x/main.c", "/a/y/main.c": "y/main.c",
		"/a/y/other.c": "other.c", "main.c": "main.c"} {
		if n.file(file) != want {
			t.Errorf("%s: %s, want %s", file, n.file(file), want)
		}
	}
}
