package finding

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// buffered is a finding as a run may have it: in a file of a directory, at a line, of some ranks, with an address and a
// size in its words.
func buffered(dir string, line, rank, bytes int, address uint64) Finding {
	f := Finding{Code: "buffer-outside", Severity: Error, Standing: Manifest, Count: rank + 1, Ranks: []int{rank},
		Places: []Place{{Rank: rank, State: "called", Call: "MPI_Send", Args: "to rank 1",
			Frame: Frame{Function: "exchange", File: dir + "/halo.c", Line: line}}}}
	f.Say(Wordf("Rank %d calls MPI_Send with {buf} at %#x, which extends %s beyond its end.", rank, address,
		Counted(bytes, "byte", "bytes")))
	return f
}

func TestFingerprintIsTheSameInAnotherRun(t *testing.T) {
	first := buffered("/home/ada/app", 12, 0, 1, 0x7ffe0010)
	rapid.Check(t, func(t *rapid.T) {
		again := buffered(rapid.SampledFrom([]string{"/builds/17/app", "/tmp", "src"}).Draw(t, "dir"),
			rapid.IntRange(1, 9999).Draw(t, "line"),
			rapid.IntRange(0, 4096).Draw(t, "rank"), rapid.IntRange(1, 1<<20).Draw(t, "bytes"),
			rapid.Uint64().Draw(t, "address"))
		if Fingerprint(&again) != Fingerprint(&first) {
			t.Errorf("%q has another fingerprint than %q", again.Sentence, first.Sentence)
		}
	})
}

func TestFingerprintDiffers(t *testing.T) {
	first := buffered("/home/ada/app", 12, 0, 1, 0x7ffe0010)
	for name, change := range map[string]func(*Finding){
		"code":     func(f *Finding) { f.Code = "buffer-freed" },
		"check":    func(f *Finding) { f.Check = "BARR-02" },
		"function": func(f *Finding) { f.Places[0].Function = "gather" },
		"file":     func(f *Finding) { f.Places[0].File = "/home/ada/app/rim.c" },
		"call":     func(f *Finding) { f.Say(Wordf("Rank %d calls MPI_Recv with {buf} at %#x.", 0, 16)) },
		"place": func(f *Finding) {
			f.Places = append(f.Places, Place{Rank: 1, State: "called", Frame: Frame{Function: "other", File: "a.c"}})
		},
	} {
		other := first
		other.Places = slices.Clone(first.Places)
		change(&other)
		if Fingerprint(&other) == Fingerprint(&first) {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
}

// TestFingerprintOfWordsWithoutForm proves that sentences that came as text alone are the same when only their numbers
// differ, and that digits in names count.
func TestFingerprintOfWordsWithoutForm(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Ranks 0, 1 and 4-7 wait for each other.", "Ranks 2 and 3 wait for each other.", true},
		{"Rank 4's 1st receive matches.", "Rank 11's 22nd receive matches.", true},
		{"Data race on `grid[8]`, which thread 2 owns.", "Data race on `grid[1,024]`, which thread 0 owns.", true},
		{"It ran for 12.7s on rows (split of MPI_COMM_WORLD at a.c:5).",
			"It ran for 3s on rows (split of MPI_COMM_WORLD at a.c:17).", true},
		{"PEs 0-3 must pass 0x7ffe.", "PE 1 must pass 0x10.", true},
		{"Rank 0 passes MPI_2INT.", "Rank 0 passes MPI_INT.", false},
		{"Rank 0 passes buf1.", "Rank 0 passes buf2.", false},
		{"Rank 0 sends.", "Rank 0 receives.", false},
	} {
		a, b := Finding{Code: Deadlock, Sentence: c.a}, Finding{Code: Deadlock, Sentence: c.b}
		if same := Fingerprint(&a) == Fingerprint(&b); same != c.same {
			t.Errorf("%q and %q: the same is %v, want %v: %q, %q", c.a, c.b, same, c.same, withoutNumbers(c.a),
				withoutNumbers(c.b))
		}
	}
}

func TestFingerprintOfADocumentStays(t *testing.T) {
	f := buffered("/home/ada/app", 12, 0, 1, 16)
	f.Fingerprint = "of another version"
	if Fingerprint(&f) != f.Fingerprint {
		t.Error("it was made anew")
	}
}

// TestSamePairsMistakesOfOneKind proves that of several mistakes with one fingerprint those at the same lines are the
// same, and then those left over.
func TestSamePairsMistakesOfOneKind(t *testing.T) {
	at := func(lines ...int) (list []Finding) {
		for _, line := range lines {
			list = append(list, buffered("/a", line, line, line, uint64(line)))
		}
		return list
	}
	other := at(50)
	other[0].Code = "buffer-freed"
	for _, c := range []struct {
		list, before []Finding
		want         []int
	}{
		{at(10, 20, 30), at(20), []int{-1, 0, -1}},
		{at(10, 21, 30), at(20, 30), []int{0, -1, 1}},
		{at(11, 21), at(10, 20), []int{0, 1}},
		{append(other, at(10)...), at(50), []int{-1, 0}},
		{nil, at(50), []int{}},
		{at(50), nil, []int{-1}},
	} {
		if got := Same(c.list, c.before); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	list := at(10, 20)
	Against(at(20), list)
	if list[0].Baseline != New || list[1].Baseline != Unchanged {
		t.Errorf("%s, %s", list[0].Baseline, list[1].Baseline)
	}
}
