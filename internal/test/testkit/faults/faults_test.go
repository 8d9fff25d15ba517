package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"unknot/internal/attach/job"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// watched runs a case until it is reported who is at fault, ends it, and returns the report.
func watched(t *testing.T, unknot, dir string, c Case) (Grade, string) {
	t.Helper()
	at := t.TempDir()
	report := filepath.Join(at, "report.json")
	cmd := exec.Command(unknot, "run", "--stall=1s", "--json", report, "mpirun."+c.MPI, "-n", fmt.Sprint(c.Ranks),
		filepath.Join(dir, "program."+c.MPI), c.Pattern, fmt.Sprint(c.Bytes))
	cmd.Env = append(testkit.Gently(), "FAULT="+c.Fault, c.Transport)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	read := func() Grade {
		var run finding.Run
		if text, err := os.ReadFile(report); err != nil || json.Unmarshal(text, &run) != nil {
			return Nothing // it is being written
		}
		return Of(&run)
	}
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	patience := 2 * time.Minute
	if c.Want == Nothing {
		patience = time.Minute // longer than the library would be blamed after
	}
	late := time.After(patience)
	for grade := Nothing; ; {
		select {
		case <-over:
			return read(), said.String()
		case <-look.C:
			if grade = read(); grade == Nothing {
				continue
			}
		case <-late:
		}
		_ = syscall.Kill(cmd.Process.Pid, syscall.SIGINT) // it may have ended
		select {
		case <-over:
		case <-time.After(20 * time.Second):
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-over
		}
		return grade, said.String()
	}
}

// over is the grade of a job that has ended by itself.
const over Grade = "over"

// attached has a case recorded and looks at it from outside, for longer than the library is given, until it can be said
// who is at fault. Before it ends the job, it calls what is given with its launcher.
func attached(t *testing.T, unknot, dir string, c Case, then ...func(pid int)) (Grade, string) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(unknot, "record", "--stall=0s", "mpirun."+c.MPI, "-n", fmt.Sprint(c.Ranks),
		filepath.Join(dir, "program."+c.MPI), c.Pattern, fmt.Sprint(c.Bytes))
	cmd.Env = append(testkit.Gently(), "FAULT="+c.Fault, c.Transport)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() {
		for _, r := range job.Of(cmd.Process.Pid, job.All()) {
			_ = syscall.Kill(r.PID, syscall.SIGKILL) // it may have ended
		}
		for _, signal := range []syscall.Signal{0, syscall.SIGTERM, syscall.SIGKILL} { // the launcher ends by itself
			_ = syscall.Kill(cmd.Process.Pid, signal)
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Second):
			}
		}
	}()
	grade, said := Nothing, ""
	for end := time.Now().Add(2 * time.Minute); grade == Nothing && time.Now().Before(end); {
		select {
		case err := <-ended:
			ended <- err
			return over, fmt.Sprintf("the job has ended (%v)", err)
		default:
		}
		os.Remove(report)
		out, err := exec.Command(unknot, "attach", "--watch=11s", "--json", report, fmt.Sprint(cmd.Process.Pid)).CombinedOutput()
		var run finding.Run
		text, unread := os.ReadFile(report)
		if unread != nil || json.Unmarshal(text, &run) != nil {
			said = fmt.Sprint(err, string(out)) // no rank has started, or all have ended
			time.Sleep(100 * time.Millisecond)
			continue
		}
		grade, said = Of(&run), string(out)
	}
	for _, f := range then {
		f(cmd.Process.Pid)
	}
	return grade, said
}

// TestTheProgramOfAFaultEndsWithoutIt has a program made of a dump of a job that its library holds up.
func TestTheProgramOfAFaultEndsWithoutIt(t *testing.T) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	for _, mpi := range testkit.Libraries(0) {
		c := Case{MPI: mpi, Pattern: "wild", Ranks: 3, Bytes: 100000, Fault: "Send:3:0:lose", Want: Library}
		at := t.TempDir()
		do := func(name string, args ...string) {
			cmd := exec.Command(name, args...)
			cmd.Dir, cmd.Env = at, testkit.Gently()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", c, err, out)
			}
		}
		grade, said := attached(t, unknot, built(t, []Case{c}), c, func(pid int) {
			do(unknot, "dump", fmt.Sprint(pid), "hang.dump")
		})
		if grade != Library {
			t.Errorf("%v: reported %s:\n%s", c, grade, said)
		}
		do(unknot, "reduce", "-o", "reduced.c", "hang.dump")
		do("mpicc."+mpi, "-Wall", "-Wextra", "-Werror", "-o", "reduced", "reduced.c")
		do(unknot, "run", "--stall=5s", "mpirun."+mpi, "-n", fmt.Sprint(c.Ranks), "./reduced")
	}
}

// build compiles the program and the faults for a library.
func build(t *testing.T, dir, mpi string) {
	t.Helper()
	for _, args := range [][]string{
		{"-fPIC", "-shared", "-o", "fault." + mpi + ".so", "csrc/fault.c", "-ldl", "-lpthread"},
		{"-o", "program." + mpi, "csrc/program.c", "-Wl,--no-as-needed", "fault." + mpi + ".so", "-Wl,-rpath," + dir},
	} {
		cmd := exec.Command("mpicc."+mpi, append([]string{"-g", "-O1", "-Wall", "-Wextra", "-Werror"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
}

func built(t *testing.T, list []Case) string {
	t.Helper()
	dir := t.TempDir()
	here, err := filepath.Abs("csrc")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here, filepath.Join(dir, "csrc")); err != nil {
		t.Fatal(err)
	}
	done := make(map[string]bool)
	for _, c := range list {
		if !done[c.MPI] {
			done[c.MPI] = true
			build(t, dir, c.MPI)
		}
	}
	return dir
}

// ranks are the processes of a program.
func ranks(program string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is right
	for _, f := range files {
		if exe, err := os.Readlink(f); err != nil || exe != program {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestASuspendedJobIsNotHeldUp suspends all ranks of a job in the middle of their calls, as a batch system does.
func TestASuspendedJobIsNotHeldUp(t *testing.T) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	for _, mpi := range testkit.Libraries(1) {
		dir := built(t, []Case{{MPI: mpi}})
		program, report := filepath.Join(dir, "program."+mpi), filepath.Join(dir, "report.json")
		cmd := exec.Command(unknot, "run", "--stall=1s", "--json", report, "mpirun."+mpi, "-n", "2", program, "rings")
		cmd.Env = testkit.Gently()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- cmd.Wait() }()
		var stopped []int
		for end := time.Now().Add(time.Minute); len(stopped) < 2 && time.Now().Before(end); {
			time.Sleep(time.Second / 4)
			stopped = ranks(program)
		}
		for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
			for _, pid := range stopped {
				if err := syscall.Kill(pid, signal); err != nil {
					t.Error(err)
				}
			}
			if signal == syscall.SIGSTOP {
				time.Sleep(4 * time.Second)
			}
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
		var run finding.Run
		if text, err := os.ReadFile(report); err != nil || json.Unmarshal(text, &run) != nil {
			t.Fatal(err)
		}
		if g := Of(&run); g == Library || g == Program {
			t.Errorf("%s: graded %s: %+v", mpi, g, run.Findings)
		}
	}
}

// some are one in n of the cases, or nightly all of them.
func some(list []Case, n int) (out []Case) {
	for i, c := range list {
		if testkit.Nightly() || i%n == 0 {
			out = append(out, c)
		}
	}
	return out
}

// TestWhoIsAtFault has unknot say of jobs that stand still whether the library, the system or the program is at fault,
// or whether a rank is merely slow. Of programs that are at fault or slow it never says that the library is.
func TestWhoIsAtFault(t *testing.T) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	faulty, sound := some(Faulty(), 41), some(Sound(), 9)
	dir := built(t, append(faulty, sound...))
	var score score
	t.Run("jobs", func(t *testing.T) {
		for _, c := range append(faulty, sound...) {
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				grade, said := watched(t, unknot, dir, c)
				score.add(c, grade)
				if !c.Right(grade) {
					t.Errorf("graded %s, want %s:\n%s", grade, c.Want, said)
				}
			})
		}
	})
	if testkit.Nightly() && *update {
		score.write(t, filepath.Join("..", "..", "..", "..", "bench", "FAULTS.md"))
	}
}

// TestWhoIsAtFaultIsSeenFromOutside has the same said of jobs that were recorded and are looked at when they stand still.
func TestWhoIsAtFaultIsSeenFromOutside(t *testing.T) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	faulty, sound := some(Faulty(), 83), some(Sound(), 17)
	dir := built(t, append(faulty, sound...))
	for _, c := range append(faulty, sound...) {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			grade, said := attached(t, unknot, dir, c)
			for tries := 0; grade == over && c.Kind() == "drop" && tries < 5; tries++ {
				grade, said = attached(t, unknot, dir, c) // what was lost in the network was not of a message
			}
			if !c.Right(grade) {
				t.Errorf("graded %s, want %s:\n%s", grade, c.Want, said)
			}
		})
	}
}
