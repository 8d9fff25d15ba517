package scratch

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// maker tells the test binary to make a directory in a cache, to say so, and to keep it.
const maker = "SCRATCH_TEST_CACHE"

func TestMain(m *testing.M) {
	cache := os.Getenv(maker)
	if cache == "" {
		os.Exit(m.Run())
	}
	d, err := New(cache, ".made-")
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(d.outer + "\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// begin starts a process that makes a directory, and returns it and the directory.
func begin(t *testing.T, cache string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), maker+"="+cache)
	in, out := testkit.StartPiped(t, cmd)
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, line[:len(line)-1]
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// TestWhatAKilledMakerLeftIsRemoved proves that Sweep removes the directory of a process that was killed, and no other
// one's, however old that is.
func TestWhatAKilledMakerLeftIsRemoved(t *testing.T) {
	cache := t.TempDir()
	killed, left := begin(t, cache)
	_, used := begin(t, cache)
	mine, err := New(cache, ".made-")
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Remove()
	long := time.Now().Add(-1000 * time.Hour)
	for _, path := range []string{used, mine.outer} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(cache, ".made-")
	if !exists(left) || !exists(used) || !exists(mine.Path) {
		t.Fatal("a directory in use was removed")
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	Sweep(cache, ".made-")
	if exists(left) || !exists(used) || !exists(mine.Path) {
		t.Errorf("left behind: %v; in use: %v and %v", exists(left), exists(used), exists(mine.Path))
	}
}

// TestWhatHasNoLockIsRemovedWhenItIsOld proves that what nobody has locked goes after a day, if its name says that it
// is scratch.
func TestWhatHasNoLockIsRemovedWhenItIsOld(t *testing.T) {
	cache := t.TempDir()
	for _, c := range []struct {
		name string
		dir  bool
		age  time.Duration
		stay bool
	}{
		{".made-1", true, 25 * time.Hour, false},
		{".made-2", true, 23 * time.Hour, true},
		{".file-1", false, 25 * time.Hour, false},
		{".file-2", false, 23 * time.Hour, true},
		{"made", true, 25 * time.Hour, true},
	} {
		path := filepath.Join(cache, c.name)
		var err error
		if c.dir {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-c.age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
		Sweep(cache, ".made-", ".file-")
		if exists(path) != c.stay {
			t.Errorf("%s after %v: there %v, want %v", c.name, c.age, exists(path), c.stay)
		}
	}
}

// TestTurnsComeOneAfterTheOther proves that nobody has a turn at a path at which another one has one, that nothing is
// left of turns, and that who waits can be interrupted.
func TestTurnsComeOneAfterTheOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".made-turn")
	var turns atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			end, err := Turn(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if turns.Add(1) != 1 {
				t.Error("two have their turn")
			}
			turns.Add(-1)
			end()
		})
	}
	wg.Wait()
	if exists(path) {
		t.Error("the file is left")
	}
	end, err := Turn(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() {
		_, err := Turn(ctx, path)
		waiting <- err
	}()
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	end()
}

// TestWhatIsMadeCanBeRenamed proves that nothing of the scratch directory goes with what was made in it.
func TestWhatIsMadeCanBeRenamed(t *testing.T) {
	cache := t.TempDir()
	d, err := New(cache, ".made-")
	if err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(cache, "place")
	if err := os.Rename(d.Path, place); err != nil {
		t.Fatal(err)
	}
	d.Remove()
	inside, err := os.ReadDir(place)
	all, _ := os.ReadDir(cache)
	if err != nil || len(inside) > 0 || len(all) != 1 {
		t.Errorf("in it: %v (%v), beside it: %v", inside, err, all)
	}
}

// TestWhoWaitsForATurnIsTold proves that only who has to wait learns it, and before that.
func TestWhoWaitsForATurnIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".made-turn")
	end, err := TurnTelling(t.Context(), path, func() { t.Error("the first one waits") })
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	second, err := TurnTelling(t.Context(), path, func() {
		told++
		end()
	})
	if err != nil || told != 1 {
		t.Fatalf("told %d times, %v", told, err)
	}
	second()
}
