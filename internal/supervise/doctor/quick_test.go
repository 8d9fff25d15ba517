package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/stage"
	"unknot/internal/root/link"
	"unknot/internal/supervise"
)

// TestMain lets this test be the unknot of another host, which connects to the one that asks.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "agent" && os.Args[2] == "--reach" {
		os.Exit(supervise.Reach(context.Background(), "test", os.Stderr))
	}
	status := m.Run()
	os.RemoveAll(tools())
	os.Exit(status)
}

// tools is a directory with what this machine has in /bin, except MPI, Python and ssh.
var tools = sync.OnceValue(func() string {
	bin, err := os.MkdirTemp("", "unknot-doctor-test-")
	if err != nil {
		panic(err)
	}
	left := regexp.MustCompile(`^(mpi|srun|orte|prte|osh|python|ssh)`)
	for _, dir := range []string{"/usr/bin", "/bin"} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !left.MatchString(e.Name()) {
				_ = os.Symlink(filepath.Join(dir, e.Name()), filepath.Join(bin, e.Name())) // /bin may be /usr/bin
			}
		}
	}
	return bin
})

// machine makes PATH that of a machine without MPI and Python, which has some scripts besides: the text of each, by its
// name.
func machine(t *testing.T, scripts map[string]string) string {
	t.Helper()
	bin := t.TempDir()
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+tools())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("UNKNOT_PROBE_DIR", "")
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	return bin
}

// lines is what an examination prints, and whether it has failed.
func lines(examine func(e *examination)) (string, bool) {
	var out strings.Builder
	e := &examination{tell: printed(&out)}
	examine(e)
	return out.String(), e.failed
}

// TestAMachineIsExamined says what is printed of machines, by a part of the examination.
func TestAMachineIsExamined(t *testing.T) {
	hydra := map[string]string{"mpirun": "echo HYDRA build details"}
	openmpi := map[string]string{"mpirun": "echo 'mpirun (Open MPI) 4.1.4'"}
	ctx := t.Context()
	for _, c := range []struct {
		name    string
		scripts map[string]string
		env     string // an assignment
		examine func(e *examination)
		want    string // BIN stands for the directory of the scripts
		failed  bool
	}{
		{"no launcher", nil, "", (*examination).launchers,
			"fail  launcher: none in PATH; hint: install an MPI library (Debian: openmpi-bin or mpich)\n", true},
		{"a launcher", hydra, "", (*examination).launchers, "ok    launcher: BIN/mpirun, MPICH\n", false},
		{"two names of one launcher", map[string]string{"mpirun": "echo HYDRA", "mpiexec": "exit 1"}, "",
			(*examination).launchers, "ok    launcher: BIN/mpirun, MPICH\n", false},
		{"Open MPI, which root may run", openmpi, "", (*examination).launchers,
			"ok    launcher: BIN/mpirun, Open MPI\n", false},
		{"no compiler wrapper", nil, "", func(e *examination) { e.probes(ctx) },
			"fail  mpicc: none in PATH; hint: install the " +
				"development package of your MPI (Debian: libopenmpi-dev or libmpich-dev), or set UNKNOT_PROBE_DIR\n",
			true},
		{"a compiler wrapper that does not work", map[string]string{"mpicc": "echo no compiler here >&2; exit 1"}, "",
			func(e *examination) { e.probes(ctx) },
			"warn  probe: BIN/mpicc cannot compile the probe (exit status 1): no " +
				"compiler here; hint: try it on a small MPI program, or name another with --mpicc\n" +
				"fail  probe: no compiler wrapper can build it; hint: install gcc and the headers of your C library\n",
			true},
		{"a directory of probes that is not there", nil, "UNKNOT_PROBE_DIR=/gone",
			func(e *examination) { e.probes(ctx) },
			"fail  probe: UNKNOT_PROBE_DIR: no prebuilt probe in /gone; hint: build one with `unknot probe build -o " +
				"/gone`\n",
			true},
		{"no Python", nil, "", (*examination).python, "ok    python: none in PATH\n", false},
		{"Python without mpi4py", map[string]string{"python3": "exit 1"}, "", (*examination).python,
			"ok    python: BIN/python3 has no mpi4py (needed for Python programs only)\n", false},
		{"Python with mpi4py", map[string]string{"python3": "echo 3.1.4"}, "", (*examination).python,
			"ok    python: BIN/python3 with mpi4py 3.1.4\n", false},
		{"a cache", nil, "XDG_CACHE_HOME=BIN/cache", (*examination).cache, "ok    cache: BIN/cache/unknot\n", false},
		{"a cache below a file", map[string]string{"file": ""}, "XDG_CACHE_HOME=BIN/file", (*examination).cache,
			": the probe is compiled again for each run; hint: set XDG_CACHE_HOME to a writable directory\n", false},
		{"a script", map[string]string{"app": "true"}, "", func(e *examination) { e.program("app") },
			"ok    program: ./app is a script for /bin/sh\n", false},
		{"no program", nil, "", func(e *examination) { e.program("app") },
			"fail  program: app: no such program in PATH; hint: give its path\n", true},
		{"a program without MPI and line numbers", nil, "", func(e *examination) { e.program("/bin/sleep") },
			"warn  program: /bin/sleep is not linked with an MPI library; it is not watched unless it loads one\n" +
				"warn  debug information: /bin/sleep has none, so reports cannot name files and lines; hint: " +
				"compile with -g\n",
			false},
		{"memory", nil, "", (*examination).space, "/dev/shm: ", false},
		{"processors", nil, "", (*examination).cores, "cores: ", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin := machine(t, c.scripts)
			if name, value, set := strings.Cut(c.env, "="); set {
				t.Setenv(name, strings.ReplaceAll(value, "BIN", bin))
			}
			t.Chdir(bin)
			got, failed := lines(c.examine)
			got = strings.ReplaceAll(strings.ReplaceAll(got, "/private", ""), bin, "BIN")
			if !strings.Contains(got, c.want) || failed != c.failed {
				t.Errorf("failed: %v\n%swant\n%s", failed, got, c.want)
			}
		})
	}
}

// TestAnExaminationFailsIfOnePartDoes examines machines as a whole.
func TestAnExaminationFailsIfOnePartDoes(t *testing.T) {
	machine(t, map[string]string{"mpirun": "echo HYDRA"})
	var out strings.Builder
	if Examine(t.Context(), "", printed(&out)) {
		t.Errorf("a machine without mpicc can run unknot:\n%s", out.String())
	}
	for _, part := range []string{"launcher: ", "mpicc: ", "/dev/shm: ", "cache: ", "cores: ", "python: "} {
		if strings.Count(out.String(), part) == 0 {
			t.Errorf("nothing is said of %s", part)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	out.Reset()
	if Examine(ctx, "", printed(&out)) || strings.Contains(out.String(), "python: ") {
		t.Errorf("an examination that is ended goes its way:\n%s", out.String())
	}
}

// TestAHostIsExamined prints what was found out about a host: what its answers say on one side, a line on the other.
func TestAHostIsExamined(t *testing.T) {
	h := &hosts{d: stage.Directories{Cache: "/caches", Tmp: "/tmp/unknot-1"}, version: "1.0",
		files: summed(t), probes: []*probe.Probe{{Path: "/p/probe.so", MPI: "MPICH 4.0.2"}},
		launchers: []string{"mpirun"},
		program:   "/app", addresses: []string{"10.0.0.1:5", "10.0.0.2:5"}}
	h.here = facts{library: "libmpi.so.40 /usr/lib/libmpi.so.40.30", mpi: map[string]string{"mpirun": "4.1.4"}}
	unknot := h.files[0].Path
	for _, c := range []struct{ answers, want string }{
		{"path 0", "ok    unknot: " + unknot + ", version 1.0"},
		{"cache 0", "ok    unknot: staged as /caches/unknot/staged/"},
		{"tmp 0", "ok    unknot: staged as /tmp/unknot-1/"},
		{"other 0 unknot 1.0 (go1.26)", "warn  unknot: " + unknot + " is another build of version 1.0"},
		{"other 0 unknot 0.9 (go1.26)", "fail  unknot: " + unknot +
			" is unknot 0.9, this is unknot 1.0; hint: install the same"},
		{"", "fail  unknot: there is no " + unknot +
			"; hint: install unknot at the same path on all hosts, or use `unknot run"},
		{"path 1", "ok    probe: /p/probe.so for MPICH 4.0.2"},
		{"tmp 1", "ok    probe: staged as /tmp/unknot-1/"},
		{"path 0", "fail  probe: there is no /p/probe.so for MPICH 4.0.2; hint: set XDG_CACHE_HOME to a directory"},
		{"mpi mpirun /usr/bin/mpirun mpirun (Open MPI) 4.1.4", "ok    MPI: mpirun is version 4.1.4, as here"},
		{"mpi mpirun /usr/bin/mpirun mpirun (Open MPI) 5.0.0",
			"fail  MPI: mpirun is version 5.0.0, here it is 4.1.4; hint: "},
		{"mpi srun /usr/bin/srun slurm 22.05",
			"warn  MPI: no mpirun in PATH, where the launcher runs commands; hint: "},
		{"library libmpi.so.40 /usr/lib/libmpi.so.40.30", "ok    program: /app uses /usr/lib/libmpi.so.40.30, as here"},
		{"library libmpi.so.40 /opt/libmpi.so.40",
			"fail  program: /app uses /opt/libmpi.so.40, here it uses /usr/lib/libmpi"},
		{"library libmpi.so.40 ",
			"fail  program: /app uses libmpi.so.40, which is not found, here it uses /usr/lib/libmpi"},
		{"", "fail  program: /app uses no MPI library, here it uses /usr/lib/libmpi"},
		{"absent", "warn  program: there is no /app; unknot copies no programs"},
		{"reached", "ok    link: reaches this host at 10.0.0.1:5 or 10.0.0.2:5"},
		{"unreached no route", "fail  link: does not reach this host at 10.0.0.1:5 or 10.0.0.2:5: no route"},
		{"", "fail  link: does not reach this host at 10.0.0.1:5 or 10.0.0.2:5; hint: the firewall must let"},
	} {
		got, _ := lines(func(e *examination) {
			seen := answered(t, h, c.answers)
			f := readFacts([]string{c.answers}, time.Now(), time.Now())
			h.unknot(e.line, &seen)
			h.probe(e.line, &seen, 1, h.probes[0])
			h.mpi(e.line, &f)
			h.needs(e.line, &f)
			h.reach(e.line, &f)
		})
		if !strings.Contains("\n"+got, "\n"+c.want) {
			t.Errorf("%q:\n%swant\n%s", c.answers, got, c.want)
		}
	}
	h.program = ""
	if got, _ := lines(func(e *examination) { h.needs(e.line, &facts{}) }); got != "" {
		t.Errorf("without a program: %s", got)
	}
}

// summed are unknot and a probe, with their hashes.
func summed(t *testing.T) []stage.File {
	t.Helper()
	dir := t.TempDir()
	files := []stage.File{{Path: filepath.Join(dir, "unknot"), Name: stage.Unknot}, {Path: filepath.Join(dir, "p"),
		Name: "probe.so"}}
	for _, f := range files {
		if err := os.WriteFile(f.Path, []byte(f.Name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := stage.Sum(files)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// answered is what a host has that answers so.
func answered(t *testing.T, h *hosts, answers string) stage.Seen {
	t.Helper()
	remote := filepath.Join(t.TempDir(), "remote")
	script := fmt.Sprintf("#!/bin/sh\necho 'unknot:%s'\necho unknot:end\n", answers)
	if err := os.WriteFile(remote, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	seen := stage.Shell{Remote: launch.Remote{Shell: []string{remote}}}.Look(t.Context(), []string{"node"}, h.d,
		h.files)
	if seen[0].Err != nil {
		t.Fatal(seen[0].Err)
	}
	return seen[0]
}

// TestHostsAreExaminedFromEndToEnd has a script pass for ssh, which runs what it is to run on this host; or does not.
func TestHostsAreExaminedFromEndToEnd(t *testing.T) {
	const local = `while [ "$1" = -o ]; do shift 2; done; shift; exec sh -c "$*"`
	for _, c := range []struct {
		name, ssh string
		works     bool
		want      []string
	}{
		{"the host is as this one", local, true, []string{"ok    192.0.2.9: name: ",
			"ok    192.0.2.9: ssh: works without a password",
			"ok    192.0.2.9: unknot: ", ", version test\n",
			"ok    192.0.2.9: MPI: mpirun is version BIN/mpirun: HYDRA, as here",
			"ok    192.0.2.9: link: reaches this host at 127.0.0.1:", "ok    192.0.2.9: clock: as here"}},
		{"ssh wants a password", "echo 'Permission denied' >&2; exit 255", false,
			[]string{"fail  192.0.2.9: ssh: the host "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin := machine(t, map[string]string{"ssh": c.ssh, "mpirun": "echo HYDRA"})
			var out strings.Builder
			o := Hosts{Names: []string{"192.0.2.9"}, Bind: []string{"127.0.0.1"}, Version: "test"}
			works, err := ExamineHosts(t.Context(), o, printed(&out))
			if err != nil || works != c.works {
				t.Errorf("works: %v, %v", works, err)
			}
			for _, want := range c.want {
				if !strings.Contains(strings.ReplaceAll(out.String(), bin, "BIN"), want) {
					t.Errorf("it says\n%swant %s", out.String(), want)
				}
			}
		})
	}
}

func TestHostsHaveToBeNamed(t *testing.T) {
	machine(t, map[string]string{"mpirun": "echo HYDRA", "app": "true"})
	for _, o := range []Hosts{{}, {Command: []string{"mpirun", "-n", "2", "app"}}} {
		var out strings.Builder
		if _, err := ExamineHosts(t.Context(), o, printed(&out)); err == nil || !strings.Contains(err.Error(),
			"no other host is named; "+
				"hint: unknot doctor --hosts node1,node2, or") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	h := &hosts{}
	if _, err := h.recognise(Hosts{Command: []string{"mpirun", "-hosts", "node1,node2", "app"}}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(h.shell.Names, " "); got != "node1 node2" || h.launchers[0] != "mpirun" ||
		filepath.Base(h.program) != "app" {
		t.Errorf("hosts %s, launchers %s, program %s", got, h.launchers, h.program)
	}
	if _, err := h.recognise(Hosts{Command: []string{"mpirun", "-hosts", "node1", "gone"}}); err == nil {
		t.Error("a program that is not there is accepted")
	}
}

func TestListeningNeedsAnAddress(t *testing.T) {
	h := &hosts{version: "test"}
	if _, err := h.listen(Hosts{Bind: []string{"192.0.2.1:1"}}); err == nil {
		t.Error("this host has an address of documents")
	}
	hub, err := h.listen(Hosts{Bind: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	if to, err := link.ParseInvitation(h.link); err != nil || strings.Join(to.Addresses,
		" ") != strings.Join(h.addresses, " ") {
		t.Errorf("hosts are invited to %v, %v; want %s", to.Addresses, err, h.addresses)
	}
}
