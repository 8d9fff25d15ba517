package supervise

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/ring"
	"unknot/internal/observe/stage"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// TestWrongOptionsAreErrorsBeforeAnythingStarts gives options that cannot work, alone and with a program that would
// leave a file.
func TestWrongOptionsAreErrorsBeforeAnythingStarts(t *testing.T) {
	t.Setenv("PATH", launcher(t, "true")+":"+os.Getenv("PATH"))
	for _, c := range []struct {
		name   string
		change func(o *Options)
		said   string
	}{
		{"no rules", func(o *Options) { o.Suppressions = "rules" },
			"suppressions: open rules: no such file or directory; hint: check the path given to --suppressions"},
		{"wrong rules", func(o *Options) { o.Suppressions = "program" }, "program:2: "},
		{"a report in a directory that is not there", func(o *Options) { o.JSON = "gone/report.json" },
			"cannot write report gone/report.json: the directory gone does not exist; hint: create it first"},
		{"a report in the place of a directory", func(o *Options) { o.JSON = "." },
			"cannot write report .: it is a directory; hint: give the name of a file in it"},
		{"a report below a file", func(o *Options) { o.JSON = "program/report.json" },
			"cannot write report program/report.json: program is not a directory; hint: choose another path"},
		{"a trace in a directory that is not there", func(o *Options) { o.Trace = "gone/trace" },
			"cannot write trace gone/trace: the directory gone does not exist; hint: create it first"},
		{"one file for a trace and a report", func(o *Options) { o.Trace = "./report.json" },
			"--trace ./report.json: a report would be written to this file, too; hint: give each a name of its own"},
		{"parts of no trace", func(o *Options) { o.TraceParts = true },
			"--trace-parts needs --trace; hint: --trace FILE names the part of this host"},
		{"no baseline", func(o *Options) { o.Baseline = "gone.json" },
			"--baseline: cannot read report gone.json: there is no such file"},
		{"two faults", func(o *Options) { o.Baseline, o.JSON = "gone.json", "." },
			"it is a directory; hint: give the name of a file in it\nunknot: --baseline: "},
		{"a report of an unknown format", func(o *Options) { o.Reports = []string{"report.odd"} }, "report.odd"},
		{"no such program", func(o *Options) { o.Argv = []string{"./gone"} },
			"./gone: no such program; hint: check the path"},
		{"no command", func(o *Options) { o.Argv = nil }, "no command to run; hint: give the one that starts the job"},
		{"no plan", func(o *Options) { o.Plan = "plan" }, "plan"},
		{"a plan for another number of ranks", func(o *Options) {
			o.Plan = "three"
			o.Argv = []string{"mpirun", "-n",
				"2", "./program"}
		},
			"the plan three is for 3 ranks, the job has 2; hint: start the job with 3 ranks, or without the plan"},
		{"a place for progress that is not there", func(o *Options) { o.Progress = "gone/progress" }, "gone/progress"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := plan.Write(filepath.Join(dir, "three"), plan.Plan{Ranks: 3}); err != nil {
				t.Fatal(err)
			}
			x := job{agent: clean, program: "touch started", change: c.change}.runIn(t, dir, t.Context())
			if x.status != ExitUsage || !strings.HasPrefix(x.said, "unknot: ") || !strings.Contains(x.said, c.said) {
				t.Errorf("exit status %d: %s", x.status, x.said)
			}
			if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
				t.Error("the program has run")
			}
		})
	}
}

// launcher makes a script that passes for the launcher of MPICH, and gives its directory.
func launcher(t *testing.T, does string) string {
	t.Helper()
	const script = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'HYDRA build details' && exit\n"
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "mpirun"), []byte(script+head+does+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return bin
}

// TestAFileThatCannotBeWrittenIsNamedEarly asks of paths whether a file can be written there.
func TestAFileThatCannotBeWrittenIsNamedEarly(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("there", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"": "", "new": "", "there": "", "./new": "", "/dev/null": "",
		"there/new": "is not a directory", "/": "is a directory", "/gone/new": "/gone does not exist",
		"/proc/new": "directory /proc: "} {
		err := writable("report", path)
		if path == "/proc/new" && os.Geteuid() == 0 { // root may
			continue
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
}

// TestAPlanIsForTheRun: a report names it, unless it is not in force.
func TestAPlanIsForTheRun(t *testing.T) {
	for agent, want := range map[string]string{
		clean: "plan",
		"ready\nhello 2\nraw {\"type\":\"unforced\",\"text\":\"it is not in force\"}\nawait ended\ndone 7": "",
	} {
		dir := t.TempDir()
		if err := plan.Write(filepath.Join(dir, "plan"), plan.Plan{Ranks: 2}); err != nil {
			t.Fatal(err)
		}
		x := job{agent: agent, program: "[ -f \"$UNKNOT_PLAN\" ] && echo planned",
			change: func(o *Options) { o.Plan = "plan" }}.runIn(t, dir, t.Context())
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if x.report.Plan != want || x.wrote != "planned\n" || want == "" && !strings.Contains(x.said, "not in force") {
			t.Errorf("the report has the plan %q, want %q; output %q\n%s", x.report.Plan, want, x.wrote, x.said)
		}
	}
}

// TestFindingsThatRulesLeaveOutAreCounted has a rule for deadlocks.
func TestFindingsThatRulesLeaveOutAreCounted(t *testing.T) {
	for _, c := range []struct {
		name, agent, program, said string
		status, findings           int
	}{
		{"a finding", finds("deadlock", "error"), "true", "", 0, 0},
		{"one that the rule is not for", finds("type-mismatch", "error"), "true", "1 error", ExitFindings, 1},
		{"a deadlock that has to be ended",
			"ready\nhello 2\nfinding 1 deadlock error Ranks wait.\nstop\nawait ended\ndone 7",
			"sleep 60", "note: the job was deadlocked and has been ended; the finding is suppressed by rules", 143, 0},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "rules"), []byte("deadlock\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		x := job{agent: c.agent, program: c.program, change: func(o *Options) { o.Suppressions = "rules" }}.
			runIn(t, dir, t.Context())
		if x.status != c.status || len(x.report.Findings) != c.findings || !strings.Contains(x.said, c.said) {
			t.Errorf("%s: exit status %d, %+v\n%s", c.name, x.status, x.report.Findings, x.said)
		}
	}
}

// TestFindingsOfABaselineDoNotCount compares a run with the report of the one before.
func TestFindingsOfABaselineDoNotCount(t *testing.T) {
	first := job{agent: finds("deadlock", "error"), program: "true"}.run(t)
	dir := t.TempDir()
	if err := os.Rename(filepath.Join(first.dir, "report.json"), filepath.Join(dir, "base.json")); err != nil {
		t.Fatal(err)
	}
	x := job{agent: strings.Replace(finds("deadlock", "error"), "await", "finding 2 type-mismatch error Other.\nawait",
		1),
		program: "true", change: func(o *Options) { o.Baseline = "base.json" }}.runIn(t, dir, t.Context())
	if x.status != ExitFindings || x.report.Findings[0].Baseline != finding.Unchanged ||
		x.report.Findings[1].Baseline == finding.Unchanged {
		t.Errorf("exit status %d: %q, %q", x.status, x.report.Findings[0].Baseline, x.report.Findings[1].Baseline)
	}
	x = job{agent: finds("deadlock", "error"), program: "true",
		change: func(o *Options) { o.Baseline = "base.json" }}.runIn(t, dir, t.Context())
	if x.status != 0 {
		t.Errorf("with nothing new: exit status %d", x.status)
	}
}

// TestFindingsThatTurnTheExitStatus says which do, by what the user asks for.
func TestFindingsThatTurnTheExitStatus(t *testing.T) {
	for _, c := range []struct {
		f                         finding.Finding
		error, warning, predicted bool
	}{
		{finding.Finding{Severity: finding.Error}, true, true, true},
		{finding.Finding{Severity: finding.Error, Baseline: finding.Unchanged}, false, false, false},
		{finding.Finding{Severity: finding.Error, Baseline: finding.New}, true, true, true},
		{finding.Finding{Severity: finding.Warning}, false, true, false},
		{finding.Finding{Severity: finding.Warning, Standing: finding.Predicted}, false, true, true},
		{finding.Finding{Severity: finding.Info, Standing: finding.Predicted}, false, false, true},
		{finding.Finding{Severity: finding.Info, Standing: finding.Predicted, Baseline: finding.Unchanged}, false,
			false, false},
		{finding.Finding{Severity: finding.Info, Standing: finding.Manifest}, false, false, false},
	} {
		for on, want := range map[finding.Severity]bool{finding.Error: c.error, finding.Warning: c.warning,
			FailOnPredicted: c.predicted} {
			run := &finding.Run{Findings: []finding.Finding{{Severity: finding.Info}, c.f}}
			if got := Fails(run, on); got != want {
				t.Errorf("%+v with --fail-on %s: %v", c.f, on, got)
			}
		}
	}
}

// TestTheProbeLooksAtWhatChecksNeed says what a probe is to look at of sends and accesses.
func TestTheProbeLooksAtWhatChecksNeed(t *testing.T) {
	const usual = ring.SentMarks | ring.SentWindows | ring.SentLent
	for _, c := range []struct {
		checks, accesses string
		want             uint32
	}{
		{"", "", usual | ring.SentSome},
		{"", AccessesSampled, usual | ring.SentSome},
		{"", AccessesAll, usual | ring.SentAll | ring.SentSome},
		{"", AccessesBuffers, ring.SentMarks | ring.SentLent | ring.SentSome},
		{"", AccessesOff, ring.SentLent | ring.SentSome},
		{"+sent-buffer-modified", "", usual | ring.SentMore},
		{"+sent-buffers", "", usual | ring.SentMore},
		{"-sent-buffer-modified", "", usual},
		{"-buffer-freed", "", ring.SentMarks | ring.SentWindows | ring.SentSome},
		{"-rma-conflict", "", ring.SentMarks | ring.SentLent | ring.SentSome},
		{"-pending-buffer-accessed", "", usual | ring.SentSome},
		{"-pending-buffer-accessed,-rma-conflict", "", ring.SentLent | ring.SentSome},
		{"-all", "", 0},
	} {
		selection, err := check.ParseSelection(c.checks)
		if err != nil {
			t.Fatal(err)
		}
		if got := sent(selection, c.accesses); got != c.want {
			t.Errorf("--check %s --accesses %s: %#b, want %#b", c.checks, c.accesses, got, c.want)
		}
	}
}

func TestASlowdownIsGivenInThousandths(t *testing.T) {
	for slowdown, want := range map[float64]uint32{0: 0, 1: 1, 1.2: 200, 2: 1000, 1.00001: 1} {
		if got := thousandths(slowdown); got != want {
			t.Errorf("%v: %d, want %d", slowdown, got, want)
		}
	}
}

// TestRaceSamplingChoosesAccesses says which accesses are looked at, and whether the choice is noted as one for UPC.
func TestRaceSamplingChoosesAccesses(t *testing.T) {
	for _, c := range []struct {
		asked, accesses, want string
		noted                 bool
	}{
		{"", "", "", false}, {"all", "", AccessesAll, false}, {"none", "", AccessesBuffers, false},
		{"all", AccessesSampled, AccessesAll, false}, {"all", AccessesBuffers, AccessesBuffers, false},
		{"none", AccessesOff, AccessesOff, false}, {"burst", "", "", true}, {"none", AccessesAll, AccessesAll, false},
	} {
		var r run
		r.o.Races.Asked, r.o.Accesses = c.asked, c.accesses
		r.sampleWindows()
		r.noteSampling()
		if r.o.Accesses != c.want || (len(r.account.notes) > 0) != c.noted {
			t.Errorf("--race-sampling=%s --accesses=%s: %q, %q", c.asked, c.accesses, r.o.Accesses, r.account.notes)
		}
	}
}

// TestWhatRanksNeedIsFoundAtOtherPaths moves the files that a job needs.
func TestWhatRanksNeedIsFoundAtOtherPaths(t *testing.T) {
	for _, c := range []struct {
		needed
		files, moved string
		inject       launch.Injection
	}{
		{needed{unknot: "/u", probe: "/p"}, "/u=unknot /p=probe.so", "0 1   ", launch.Injection{Probe: "/p"}},
		{needed{unknot: "/u", probe: "/p", heap: "/h", shmem: "/s", plan: "/l", heed: "1:2"},
			"/u=unknot /p=probe.so /h=heap.so /s=shmem.so /l=plan", "0 1 2 3 4",
			launch.Injection{Probe: "/p:/h:/s", Plan: "/l", Heed: "1:2"}},
		{needed{unknot: "/u", probe: "/p", plan: "/l"}, "/u=unknot /p=probe.so /l=plan", "0 1   2",
			launch.Injection{Probe: "/p", Plan: "/l"}},
		{needed{unknot: "/u", probe: "/p", shmem: "/s"}, "/u=unknot /p=probe.so /s=shmem.so", "0 1  2 ",
			launch.Injection{Probe: "/p:/s"}},
	} {
		var files []string
		for _, f := range c.needed.files() {
			files = append(files, f.Path+"="+f.Name)
		}
		if got := strings.Join(files, " "); got != c.files {
			t.Errorf("files %s, want %s", got, c.files)
		}
		m := c.needed.moved([]string{"0", "1", "2", "3", "4"}[:len(files)])
		if got := strings.Join([]string{m.unknot, m.probe, m.heap, m.shmem, m.plan}, " "); got != c.moved ||
			m.heed != c.heed {
			t.Errorf("moved to %s, want %s", got, c.moved)
		}
		c.inject.Session = "/d"
		if got := c.injection("/d", ""); !reflect.DeepEqual(got, c.inject) {
			t.Errorf("%+v, want %+v", got, c.inject)
		}
		c.inject.Link, c.inject.Agent = "link", "/u"
		if got := c.injection("/d", "link"); !reflect.DeepEqual(got, c.inject) {
			t.Errorf("over hosts: %+v, want %+v", got, c.inject)
		}
	}
}

func TestALibraryWithASpaceInItsPathIsLinkedTo(t *testing.T) {
	dir := t.TempDir()
	r := run{session: &ring.Session{Dir: dir}}
	for path, want := range map[string]string{"/a/probe.so": "/a/probe.so", "/a b/probe.so": dir + "/linked",
		"/a:b/probe.so": dir + "/linked"} {
		os.Remove(dir + "/linked")
		got, err := r.preloadable(path, "linked")
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", path, got, err, want)
		}
		if to, err := os.Readlink(got); want != path && (err != nil || to != path) {
			t.Errorf("%s leads to %s, %v", got, to, err)
		}
	}
	r.session.Dir = "/c d"
	if _, err := r.preloadable("/a b/probe.so", "linked"); err == nil ||
		!strings.Contains(err.Error(), "its path contains a space or a colon; hint: set XDG_CACHE_HOME") {
		t.Errorf("of two such paths: %v", err)
	}
}

// TestAgentsListenWhereHostsReachThem gives the addresses that the user has chosen their ports.
func TestAgentsListenWhereHostsReachThem(t *testing.T) {
	for bind, want := range map[string]string{"10.0.0.1": "10.0.0.1:0", "10.0.0.1:70": "10.0.0.1:70", "ib0": "ib0:0",
		"fe80::1": "[fe80::1]:0", "[fe80::1]:70": "[fe80::1]:70"} {
		if got, err := Listening([]string{bind, "b"}, nil); err != nil || strings.Join(got, " ") != want+" b:0" {
			t.Errorf("%s: %v, %v", bind, got, err)
		}
	}
	if got, err := Listening(nil, []string{"127.0.0.1"}); err == nil && len(got) == 0 {
		t.Error("there is neither an address nor an error")
	}
}

// TestReportsThatCanBeWrittenAgain leaves out what is no file.
func TestReportsThatCanBeWrittenAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	f := Files{Reports: []string{"a.html", "md:/dev/stderr"}, JSON: "/dev/null"}
	if err := f.check(""); err != nil {
		t.Fatal(err)
	}
	var again []string
	for _, r := range f.again() {
		again = append(again, r.Path)
	}
	if got := strings.Join(again, " "); got != "a.html" {
		t.Errorf("written again: %s", got)
	}
	if got := f.beside(); got != "a.html" {
		t.Errorf("other files are left beside %q", got)
	}
	if f.JSON = "b.json"; f.beside() != "b.json" {
		t.Errorf("other files are left beside %q", f.beside())
	}
	if none := (&Files{JSON: "/dev/null"}); none.beside() != "" {
		t.Errorf("of no file: %q", none.beside())
	}
	if !f.pictured() || (&Files{}).pictured() {
		t.Error("an HTML report has a time line, and no report has none")
	}
}

// TestPartsAreLeftBesideReports says where agents of other hosts leave what they know.
func TestPartsAreLeftBesideReports(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	o := Options{Argv: []string{"./app"}, Files: Files{JSON: "out/report.json"}}
	o.tellParts("/dev/shm/unknot-77-x")
	if o.Parts != "" || o.Job != "" {
		t.Errorf("of a job on one host: %q, %q", o.Parts, o.Job)
	}
	o.Listen = []string{"here:0"}
	o.tellParts("/dev/shm/unknot-77-x")
	if o.Parts != filepath.Join(dir, "out", "unknot-parts-77-x") || o.Job != "77-x" || o.Options.Start == "" ||
		strings.Join(o.Options.Command, " ") != "./app" {
		t.Errorf("%q, %q, %q of %q", o.Parts, o.Job, o.Options.Start, o.Options.Command)
	}
	o.Files = Files{}
	if o.tellParts("/dev/shm/unknot-77-x"); o.Parts != filepath.Join(dir, "unknot-parts-77-x") {
		t.Errorf("without reports: %q", o.Parts)
	}
	here, _ := os.Hostname()
	r := run{o: o, session: &ring.Session{Dir: "/dev/shm/unknot-77-x"}}
	for hosts, want := range map[string]string{"": "", here: "", here + " other": o.Parts, "other": o.Parts} {
		r.account.result.Hosts = strings.Fields(hosts)
		if got := r.partsAt(); got != want {
			t.Errorf("hosts %q: %q, want %q", hosts, got, want)
		}
	}
	if _, _, err := Parts(dir, ""); err == nil {
		t.Error("a directory without parts is read")
	}
}

// TestHostsHaveNamesWithAndWithoutDomains compares names of hosts.
func TestHostsHaveNamesWithAndWithoutDomains(t *testing.T) {
	for _, c := range []struct {
		name, other string
		want        bool
	}{{"a", "a", true}, {"a", "a.example", true}, {"a.example", "a", true}, {"a", "b", false}, {"a", "ab.example",
		false},
		{"a.example", "b.example", false}} {
		if sameHost(c.name)(c.other) != c.want {
			t.Errorf("%s and %s are the same: %v", c.name, c.other, !c.want)
		}
	}
}

func TestAHostThatCannotBeAskedIsNoReasonOfFiles(t *testing.T) {
	var r run
	files := []stage.File{{Path: "/u/unknot"}, {Path: "/p/probe.so"}}
	if got := r.lacks(&stage.Seen{Err: errors.New("does not answer")}, files); got != "the host does not answer" {
		t.Errorf("%q", got)
	}
	const neither = "the host has neither /u/unknot nor the probe /p/probe.so; hint: "
	if got := r.lacks(&stage.Seen{}, files); !strings.HasPrefix(got, neither+"use --stage") {
		t.Errorf("%q", got)
	}
	r.o.Stage = true
	if got := r.lacks(&stage.Seen{}, files); got != neither+"see above why --stage could not copy them" {
		t.Errorf("%q", got)
	}
}
