package parts

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func table(t testing.TB) *mpi.T {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// receiver is the share of a rank that has been in a receive from another one, as long as that may take.
func receiver(rank, from op.Rank, tag int32) *Share {
	var threads message.Folder
	w := message.Wait{Rank: rank, State: message.Blocked, Evidence: true, Real: waitstate.Wait{Rank: rank, TS: 3,
		Fn: 1, Site: 77,
		Needs: []waitstate.Need{{Kind: waitstate.NeedMessage, Rank: from, Ctx: 1, Tag: tag, Bytes: 4, Index: -1}}}}
	threads.Add(w)
	at := finding.Place{Rank: int(rank), State: "blocked", Call: "MPI_Recv", Frame: finding.Frame{Function: "main",
		File: "a.c", Line: 10 + int(rank)}, WaitsFor: []int{}}
	return &Share{
		State:  message.Report{Threads: threads.Folds, Groups: map[op.CommID]op.Ranks{1: op.Between(0, 1)}},
		Places: message.Places{Places: []message.Described{{Key: w.Key(false), Still: true, Place: at}}},
		Ledger: message.Ledger{Spans: []message.Span{{Rank: rank, For: time.Minute}},
			Counted: waitstate.Ledger{Posted: []waitstate.Posting{{Src: from, Dst: rank, Ctx: 1, Tag: tag}}}},
		Kept: []message.Message{message.Idle{}, message.Progress{Calls: 5}},
	}
}

// partOf is the part of a host with one rank of two.
func partOf(process int, s *Share) *Part {
	watch := []Watch{{1, "node1", op.Between(0, 0)}, {2, "node2", op.Between(1, 1)}}
	return &Part{Head: Head{Job: "17", Unknot: "1", Command: []string{"mpirun", "./a"}, MPI: "MPICH 4.0", Size: 2,
		Host: fmt.Sprintf("node%d", process), Process: process,
		Watch: watch, Lost: time.Unix(1e9, 0).UTC(), Until: time.Unix(1e9+60, 0).UTC(), Whole: true},
		Shares: []Share{*s}}
}

func TestAPartIsReadAsItWasWritten(t *testing.T) {
	p := partOf(1, receiver(0, 1, 7))
	text, err := Encode(p, message.NewFormat(table(t)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(text, table(t))
	if err != nil || !reflect.DeepEqual(got.Head, p.Head) || len(got.Shares) != 1 ||
		!reflect.DeepEqual(got.Shares[0].Ledger, p.Shares[0].Ledger) ||
		!reflect.DeepEqual(got.Shares[0].Places, p.Shares[0].Places) || len(got.Shares[0].Kept) != 2 {
		t.Errorf("%v\n%+v\n%+v", err, got, p)
	}
}

// TestADamagedPartIsRefused changes, and cuts off, each byte.
func TestADamagedPartIsRefused(t *testing.T) {
	text, err := Encode(partOf(1, receiver(0, 1, 7)), message.NewFormat(table(t)))
	if err != nil {
		t.Fatal(err)
	}
	mpi := table(t)
	for i := range text {
		for _, wrong := range [][]byte{append(append([]byte{}, text[:i]...),
			append([]byte{text[i] ^ 1}, text[i+1:]...)...), text[:i]} {
			if _, err := Decode(wrong, mpi); err == nil {
				t.Fatalf("byte %d of %d: read", i, len(text))
			}
		}
	}
}

func TestAPartOfAnotherVersionIsRefused(t *testing.T) {
	text, err := Encode(partOf(1, receiver(0, 1, 7)), message.NewFormat(table(t)))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	_, err = Decode([]byte(fmt.Sprintf("unknot part %d %d\n%s", Version+1, message.Version, rest)), table(t))
	want := fmt.Sprintf("is of version %d.%d, this unknot reads version %d.%d; hint: use the unknot that has "+
		"watched the job", Version+1, message.Version, Version, message.Version)
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestWhatCannotBeUsedIsNamed reads a directory with a part, a damaged one, one of another job and a file that is not a
// part.
func TestWhatCannotBeUsedIsNamed(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, table(t)); err == nil ||
		!strings.Contains(err.Error(), "holds no part that an agent has left") {
		t.Errorf("of an empty directory: %v", err)
	}
	name, err := Write(dir, partOf(1, receiver(0, 1, 7)), table(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	other := partOf(2, receiver(1, 0, 7))
	other.Job = "18"
	if _, err := Write(dir, other, table(t)); err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{"cut.part": string(text[:len(text)-1]), "none.part": "hello\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := Read(dir, table(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/cut.part is damaged: its content does not match its checksum; hint: copy it again, or leave it out",
		"/node2-2.part is of another job, 18, and not of 17",
		"/none.part is not a part that an agent of unknot has left",
	}
	if len(set.Troubles) != len(want) || len(set.Parts) != 1 {
		t.Fatalf("%d parts, %q", len(set.Parts), set.Troubles)
	}
	for i := range want {
		if !strings.HasSuffix(set.Troubles[i], want[i]) {
			t.Errorf("%q, want …%q", set.Troubles[i], want[i])
		}
	}
	if missing := set.missing(); len(missing) != 1 ||
		missing[0] != "rank 1 not observed: the part of host node2 is missing" {
		t.Errorf("missing: %q", missing)
	}
}
