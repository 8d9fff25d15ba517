package tape

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// Kept are the tapes of the programs of a test, in its testdata: an archive for each MPI library.
type Kept struct {
	dir            string // that testdata is in
	renew, missing bool   // keep fresh tapes; only those of programs that have none

	mu       sync.Mutex
	archives map[string]Archive
	written  time.Time
}

// Open reads the tapes of a directory with testdata.
func Open(t *testing.T, dir string) *Kept {
	t.Helper()
	k := &Kept{dir: dir, archives: make(map[string]Archive)}
	for _, mpi := range testkit.Both() {
		a, err := ReadArchive(k.file(mpi))
		if err != nil {
			t.Fatal(err)
		}
		k.archives[mpi] = a
	}
	return k
}

func (k *Kept) file(mpi string) string { return filepath.Join(k.dir, "testdata", mpi+".tapes") }

// Renew is Open for a test that takes tapes anew: to keep them, which `make record` asks for with UNKNOT_RECORD=1, or
// with UNKNOT_RECORD=new for programs that have none; or to compare them with those that are kept, at night. Else the
// test is skipped.
func Renew(t *testing.T, dir string) *Kept {
	t.Helper()
	NeedsRecording(t)
	k := Open(t, dir)
	k.renew, k.missing, k.written = renews(), os.Getenv("UNKNOT_RECORD") == "new", time.Now()
	if k.renew {
		t.Cleanup(func() { k.write(t) })
	}
	return k
}

func renews() bool { return os.Getenv("UNKNOT_RECORD") != "" }

// NeedsRecording skips a test that takes tapes anew, unless it is asked for, or at night.
func NeedsRecording(t *testing.T) {
	t.Helper()
	if !renews() && !testkit.Nightly() {
		t.Skip("takes tapes anew: make record keeps them, make nightly compares them")
	}
}

// Wants says whether a tape is to be taken.
func (k *Kept) Wants(mpi, name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.missing || k.archives[mpi][name] == nil
}

func (k *Kept) write(t *testing.T) {
	for mpi, a := range k.archives {
		if len(a) == 0 {
			continue
		}
		if err := a.Write(k.file(mpi)); err != nil {
			t.Error(err)
		}
	}
	k.written = time.Now()
}

// writeEvery is how often tapes are written on the way: a recording that is stopped is not lost.
const writeEvery = 20 * time.Second

// Get gives a tape.
func (k *Kept) Get(t *testing.T, mpi, name string) *Tape {
	t.Helper()
	k.mu.Lock()
	tape, err := k.archives[mpi].Get(name)
	k.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

// Put keeps a tape if tapes are to be kept.
func (k *Kept) Put(t *testing.T, mpi, name string, tape *Tape) bool {
	t.Helper()
	if !k.renew {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.archives[mpi].Put(name, tape); err != nil {
		t.Fatal(err)
	}
	if time.Since(k.written) > writeEvery {
		k.write(t)
	}
	return true
}
