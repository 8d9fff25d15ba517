//go:build !quick

package probe

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/mpi"
)

// flavour is one of the MPI libraries that the tests run with.
type flavour struct {
	name, mpicc, fc, mpirun string
	flags                   []string
}

var flavours = []flavour{
	{"openmpi", "mpicc.openmpi", "mpif90.openmpi", "mpirun.openmpi", []string{"--oversubscribe"}},
	{"mpich", "mpicc.mpich", "mpif90.mpich", "mpirun.mpich", nil},
}

// programs is where the programs of this test process are; table is read once.
var (
	programs string
	table    *mpi.T
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "unknot-probe-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs = dir
	if table, err = mpi.Load(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	os.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// ownDirectory is an environment in which Open MPI keeps the files of a job by themselves: of jobs that begin and end
// at the same moment in one directory, one may remove what the other one has just made.
func ownDirectory(t *testing.T) []string {
	t.Helper()
	return append(os.Environ(), "OMPI_MCA_orte_tmpdir_base="+t.TempDir())
}

// onBoth runs a test with each MPI library.
func onBoth(t *testing.T, test func(t *testing.T, f flavour)) {
	for _, f := range flavours {
		if !slices.Contains(testkit.Both(), f.name) {
			continue
		}
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

// byTurns runs a test with one of them, nightly with each.
func byTurns(t *testing.T, turn int, test func(t *testing.T, f flavour)) {
	onBoth(t, func(t *testing.T, f flavour) {
		if f.hasTurn(turn) {
			test(t, f)
		}
	})
}

// hasTurn says whether a case of a test runs with the library: with one of them, nightly with each.
func (f flavour) hasTurn(turn int) bool { return slices.Contains(testkit.Libraries(turn), f.name) }

// probe is kept where users' runs keep it, as its name follows from what it is made of.
func (f flavour) probe(t *testing.T) *Probe {
	t.Helper()
	p, err := Build(context.Background(), Options{MPICC: f.mpicc})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compile makes a program of C text, once for all tests.
func (f flavour) compile(t *testing.T, text string) string {
	t.Helper()
	return compileBy(t, f.mpicc, ".c", text)
}

// compileBy makes a program of a text, by a compiler that knows its language by the ending.
func compileBy(t *testing.T, compiler, ending, text string) string {
	t.Helper()
	program := filepath.Join(programs, fmt.Sprintf("%x", sha256.Sum256([]byte(compiler+ending+text))))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	write(t, program+ending, text)
	if out, err := exec.Command(compiler, "-g", "-pthread", "-o", program,
		program+ending).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// rec is a record with words of its own, and where it came from.
type rec struct {
	ring.Record
	thread int
}

func (r rec) String() string {
	return fmt.Sprintf("%d:{func %d kind %d stamp %d site %#x %d words}", r.thread, r.Func, r.Kind, r.Stamp, r.Site,
		len(r.Words))
}

// text decodes the string at word w and gives the word after it.
func (r rec) text(w int) (string, int) {
	n := int(r.Words[w])
	var b []byte
	for i := range n {
		b = append(b, byte(r.Words[w+1+i/8]>>(8*(i%8))))
	}
	return string(b), w + 1 + (n+7)/8
}

// job is a watched run.
type job struct {
	*driver
	session *ring.Session
	rings   []*ring.Ring
	recs    map[int][]rec // by process
}

// launch starts a program watched, on n ranks.
func (f flavour) launch(t *testing.T, slots, n int, program ...string) *job {
	t.Helper()
	return f.launchIn(t, newSession(t, slots), n, program...)
}

// launchIn starts it in a session that there is.
func (f flavour) launchIn(t *testing.T, s *ring.Session, n int, program ...string) *job {
	t.Helper()
	args := append(append([]string{}, f.flags...), "-n", strconv.Itoa(n))
	args = append(args, "env", "LD_PRELOAD="+strings.TrimSuffix(f.probe(t).Path+":"+testkit.PoliteLibrary(), ":"),
		ring.EnvSession+"="+s.Dir)
	return &job{driver: start(t, f.mpirun, append(args, program...)...), session: s, recs: map[int][]rec{}}
}

// look reads what there is.
func (j *job) look(t *testing.T) {
	t.Helper()
	found, err := j.session.Discover()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		t.Cleanup(func() { r.Close() })
	}
	j.rings = append(j.rings, found...)
	for _, r := range j.rings {
		recs, err := r.Read(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range recs {
			x.Words = append([]uint64(nil), x.Words...)
			j.recs[r.PID] = append(j.recs[r.PID], rec{x, r.Thread})
		}
		r.Commit()
	}
}

// until reads until a condition holds.
func (j *job) until(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); ; time.Sleep(time.Millisecond) {
		j.look(t)
		if cond() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not come about", what)
		}
	}
}

// finish reads to the job's end and gives its exit status.
func (j *job) finish(t *testing.T) int {
	t.Helper()
	j.until(t, "the end", func() bool {
		select {
		case <-j.done:
			return true
		default:
			return false
		}
	})
	j.look(t)
	return j.cmd.ProcessState.ExitCode()
}

// first is the ring of the process with this world rank that keeps its cause of death.
func (j *job) first(t *testing.T, rank int) *ring.Ring {
	t.Helper()
	for _, r := range j.rings {
		if r.Thread != 0 {
			continue
		}
		for _, x := range j.recs[r.PID] {
			if x.Kind == ring.Data && ring.DataID(x.Func) == ring.DataHello && x.Words[0] == uint64(rank) {
				return r
			}
		}
	}
	t.Fatalf("rank %d has no ring; output:\n%s", rank, j.out.String())
	return nil
}

// of gives a rank's records of a kind with a function id.
func (j *job) of(t *testing.T, rank int, kind ring.Kind, id uint16) []rec {
	t.Helper()
	var list []rec
	for _, x := range j.recs[j.first(t, rank).PID] {
		if x.Kind == kind && x.Func == id {
			list = append(list, x)
		}
	}
	return list
}

func (j *job) data(t *testing.T, rank int, id ring.DataID) []rec {
	return j.of(t, rank, ring.Data, uint16(id))
}
