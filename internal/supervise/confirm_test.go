package supervise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/vocab/finding"
)

// unknotScript passes for unknot when a program is run again: it notes how it was called, and what it was to do.
const unknotScript = `#!/bin/sh
echo "$*" >>calls
meeting=$(sed 's/.*"meet":"\([^"]*\)".*/\1/' "$UNKNOT_INTERNAL")
word() { printf "\\$2" | dd of="$meeting" bs=1 seek=$((8*$1)) conv=notrunc 2>/dev/null; }
first=$(od -An -tu8 -j8 -N8 "$meeting" | tr -d ' ')
echo "first $first" >>calls
`

// Words of a rendezvous.Meet, and a value.
const (
	met    = "word 8 003\n"
	cameTo = "word 13 001\n"
)

// confirmation makes one whose unknot does what a script says, in a new directory.
func confirmation(t *testing.T, does string) (*Confirmation, *[]string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	path := filepath.Join(dir, "unknot")
	if err := os.WriteFile(path, []byte(unknotScript+does), 0o755); err != nil {
		t.Fatal(err)
	}
	var said []string
	return &Confirmation{Unknot: path, Command: []string{"mpirun", "./app"}, Process: "rank", Dir: dir,
		Limit: patience, Status: func(s string) { said = append(said, "status: "+s) },
		Note: func(s string) { said = append(said, s) }}, &said
}

// race is one of two ranks, which a meeting can confirm.
func race() finding.Finding {
	return finding.Finding{Code: finding.UPCRace, Severity: finding.Warning, Standing: finding.Predicted,
		Ranks:   []int{0, 1},
		Meeting: &finding.Meeting{Sites: [2]uint32{5, 6}, Ranks: []int{0, 1}, End: 4}}
}

func notes(f *finding.Finding) string {
	var all []string
	for _, n := range f.Notes {
		all = append(all, n.Text)
	}
	return strings.Join(all, "; ")
}

// TestARaceIsConfirmedByRunsInWhichRanksMeet says what a finding becomes after two runs.
func TestARaceIsConfirmedByRunsInWhichRanksMeet(t *testing.T) {
	for _, c := range []struct {
		name, does string
		standing   finding.Standing
		note       string // a part of the finding's note
		said       string // a part of what is noted of the runs
	}{
		{"they meet in both runs", met, finding.Confirmed, "at the same moment, with either of them first", ""},
		{"they meet in one", "[ $first = 1 ] && " + met, finding.Confirmed, "in 1 of 2 runs", ""},
		{"neither of them comes", "", finding.Predicted, "could not be made to meet: neither of them came", ""},
		{"one does not come", cameTo, finding.Predicted, "rank 1 did not come to its call", ""},
		{"the program fails", met + "exit 66", finding.Confirmed, "with either of them first", ""},
		{"what has come of it cannot be read", "echo >$meeting", finding.Predicted, "",
			"it is no meeting of processes"},
		{"unknot fails without a word", "exit 3", finding.Predicted, "neither of them came", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			confirm, said := confirmation(t, c.does)
			list := []finding.Finding{race()}
			if err := confirm.Conclude(t.Context(), list); err != nil {
				t.Fatal(err)
			}
			f := &list[0]
			if f.Standing != c.standing || !strings.Contains(notes(f), c.note) || c.note == "" && len(f.Notes) > 0 {
				t.Errorf("it is %s: %s", f.Standing, notes(f))
			}
			if got := strings.Join(*said, "\n"); !strings.Contains(got, c.said) ||
				!strings.HasPrefix(got, "status: running again for race 1 of 1") {
				t.Errorf("it says %s", got)
			}
			for _, left := range []string{"meeting", "meeting.options"} {
				if _, err := os.Stat(left); err == nil {
					t.Errorf("%s is left", left)
				}
			}
		})
	}
}

// TestARunForARaceIsOneOfTheSameCommand looks at how unknot is called, for each of the two first.
func TestARunForARaceIsOneOfTheSameCommand(t *testing.T) {
	confirm, _ := confirmation(t, met)
	confirm.MPICC = "mpicc.x"
	if err := confirm.Conclude(t.Context(), []finding.Finding{race()}); err != nil {
		t.Fatal(err)
	}
	call := "run --quiet --require-watched=false --race-sampling all --json " + filepath.Join(confirm.Dir, "meeting.json") +
		" --mpicc mpicc.x mpirun ./app\n"
	if got, want := text(t, "calls"), call+"first 0\n"+call+"first 1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestACommandThatCannotBeWatchedEndsTheRuns: nothing is learnt from more of them.
func TestACommandThatCannotBeWatchedEndsTheRuns(t *testing.T) {
	for _, status := range []int{ExitUsage, ExitTool} {
		confirm, _ := confirmation(t,
			fmt.Sprintf("echo of the program >&2; echo 'unknot: no such launcher' >&2; exit %d",
				status))
		err := confirm.Conclude(t.Context(), []finding.Finding{race(), race()})
		if err == nil || err.Error() != "no such launcher" || strings.Count(text(t, "calls"), "first") != 1 {
			t.Errorf("exit status %d: %v after\n%s", status, err, text(t, "calls"))
		}
	}
	confirm, _ := confirmation(t, "echo 'unknot: 1 error' >&2; exit 66") // it has been watched
	if err := confirm.Conclude(t.Context(), []finding.Finding{race()}); err != nil {
		t.Error(err)
	}
}

func TestARunForARaceEndsAfterALimit(t *testing.T) {
	confirm, said := confirmation(t, "exec sleep 60")
	confirm.Limit = 50 * time.Millisecond
	list := []finding.Finding{race(), race()}
	if err := confirm.Conclude(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(*said, "\n"); strings.Count(got,
		"a run in which ranks were to meet: it was ended after 0s") != 2 {
		t.Errorf("it says %s", got)
	}
}

// TestNoMoreRunsAreMadeOnceTheUserEndsThem cancels the context in the first run.
func TestNoMoreRunsAreMadeOnceTheUserEndsThem(t *testing.T) {
	confirm, said := confirmation(t, "touch started; exec sleep 60")
	ctx, stop := context.WithCancelCause(t.Context())
	go func() {
		awaitFile(filepath.Join(confirm.Dir, "started"))
		stop(errors.New("interrupt"))
	}()
	list := []finding.Finding{race(), race()}
	if err := confirm.Conclude(ctx, list); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(*said, "\n"); !strings.HasSuffix(got, "a run in which ranks were to meet: interrupt") {
		t.Errorf("it says %s", got)
	}
	if n := strings.Count(text(t, "calls"), "first"); n != 1 || len(list[1].Notes) != 0 {
		t.Errorf("%d runs; the other race: %s", n, notes(&list[1]))
	}
}

// TestRacesForWhichNoRunIsMadeSayWhy has more races than are looked at, races of one thread, and findings that are no
// races.
func TestRacesForWhichNoRunIsMadeSayWhy(t *testing.T) {
	confirm, said := confirmation(t, met)
	alone, elsewhere := race(), race()
	alone.Meeting, alone.Ranks = nil, []int{1}
	elsewhere.Meeting = nil
	list := []finding.Finding{{Code: finding.Deadlock}, alone, elsewhere}
	for range mostConfirmed + 1 {
		list = append(list, race())
	}
	if err := confirm.Conclude(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	last := &list[len(list)-1]
	for f, want := range map[*finding.Finding]string{&list[0]: "", &list[1]: "the two accesses are of one thread",
		&list[2]: "threads can be made to meet only if",
		last:     "not looked at in further runs, which are made for 16 races"} {
		if got := notes(f); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", f.Code, got, want)
		}
	}
	if n := strings.Count(text(t, "calls"), "first"); n != 2*mostConfirmed {
		t.Errorf("%d runs", n)
	}
	if got := (*said)[len(*said)-1]; got != "status: running again for race 16 of 16" {
		t.Errorf("it says %s", got)
	}
}

func TestTheLastLineOfALongTextIsKept(t *testing.T) {
	var end tail
	for range 1000 {
		fmt.Fprintln(&end, "a line of a program")
	}
	fmt.Fprint(&end, "unknot: the last one\n\n")
	if got, ours := end.last(); got != "the last one" || !ours || len(end.text) > 4096 {
		t.Errorf("%q, %v; %d bytes", got, ours, len(end.text))
	}
	fmt.Fprintln(&end, "more of the program")
	if got, ours := end.last(); got != "more of the program" || ours {
		t.Errorf("%q, %v", got, ours)
	}
}
