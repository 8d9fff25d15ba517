package supervise

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/vocab/finding"
)

// TestAJobEndsAsItsProgramAndItsFindingsSay runs jobs from end to end: what the agent process says and what the program
// does on one side; the exit status, what is printed, and the report on the other.
func TestAJobEndsAsItsProgramAndItsFindingsSay(t *testing.T) {
	warned := func(o *Options) { o.FailOn = finding.Warning }
	watched := func(o *Options) { o.Watched = true }
	quiet := func(o *Options) { o.Quiet = true }
	const none = "ready\nawait ended\ndone 0"
	for _, c := range []struct {
		name string
		job
		status int
		said   string // a part of what is printed; "" if nothing is
		why    string // the run was not watched to its end; "" if it was
	}{
		{"nothing is found", job{agent: clean, program: "true"}, 0, "", ""},
		{"the program fails", job{agent: clean, program: "exit 7"}, 7, "", ""},
		{"the program is killed", job{agent: clean, program: "kill -9 $$"}, 137, "", ""},
		{"an error", job{agent: finds("deadlock", "error"), program: "true"}, ExitFindings,
			"unknot: error: deadlock (manifest)\n  Ranks 0 and 1 wait.\n\nunknot: 1 error, 0 warnings; 2 ranks, 7 " +
				"calls " +
				"watched; report: report.json\n", ""},
		{"an error, with another exit status", job{agent: finds("deadlock", "error"), program: "exit 3",
			change: func(o *Options) { o.ErrorExit = 9 }}, 9, "1 error", ""},
		{"an error that is not to be printed", job{agent: finds("deadlock", "error"), program: "true", change: quiet},
			ExitFindings, "", ""},
		{"a warning", job{agent: finds("unsafe-send", "warning"), program: "true"}, 0, "0 errors, 1 warning", ""},
		{"a warning that counts", job{agent: finds("unsafe-send", "warning"), program: "true", change: warned},
			ExitFindings, "0 errors, 1 warning", ""},
		{"information", job{agent: finds("unsafe-send", "info"), program: "true", change: warned}, 0, "Ranks 0 and 1",
			""},
		{"no rank calls MPI_Init", job{agent: none, program: "true"}, 0, "not watched: no rank called MPI_Init",
			"no rank called MPI_Init"},
		{"that may be an error", job{agent: none, program: "true", change: watched}, ExitTool,
			"no rank called MPI_Init",
			"no rank called MPI_Init"},
		{"it is none if the program fails", job{agent: none, program: "exit 5", change: watched}, 5,
			"the command exited with status 5", "the command exited with status 5 before any rank called MPI_Init"},
		{"a watched job has been watched", job{agent: clean, program: "true", change: watched}, 0, "", ""},
		{"the agent cannot finish", job{agent: "ready\nhello 2\nawait ended\nlost out of memory", program: "true"}, 0,
			"out of memory", "out of memory"},
		{"the agent has a remark",
			job{agent: "ready\nhello 2\nnote something odd\nnote something odd\nawait ended\ndone 7",
				program: "true"}, 0, "unknot: note: something odd\n", ""},
		{"the agent dies", job{agent: "ready\nhello 2\nexit 4 panic: no", program: "true"}, 0,
			"the agent process died (exit status 4: panic: no): ", "the agent process died (exit status 4: panic: no)"},
		{"the agent says what cannot be read", job{agent: "ready\nhello 2\nraw {", program: "true"}, 0,
			"the agent process died (", "the agent process died ("},
		{"the agent dies in silence", job{agent: "ready\nhello 2", program: "true"}, 0,
			"the agent process died (it exited before reporting a result): ", "it exited before reporting a result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := c.run(t)
			if x.status != c.status {
				t.Errorf("exit status %d, want %d", x.status, c.status)
			}
			if !strings.Contains(x.said, c.said) || c.said == "" && x.said != "" {
				t.Errorf("it says\n%s\nwant\n%s", x.said, c.said)
			}
			if x.unreported != nil {
				t.Fatal(x.unreported)
			}
			if x.report.Complete != (c.why == "") || !strings.Contains(x.report.Why, c.why) {
				t.Errorf("complete: %v, %q; want %q", x.report.Complete, x.report.Why, c.why)
			}
			if x.sessionLeft {
				t.Error("the session is left")
			}
		})
	}
}

// TestAReportSaysWhatWasRun looks at what a report has besides findings.
func TestAReportSaysWhatWasRun(t *testing.T) {
	x := job{agent: "ready\nhello 3\nraw {\"type\":\"history\",\"topologies\":[]}\nraw " +
		"{\"type\":\"status\",\"calls\":900}\n" +
		"await ended\ndone 1000", program: "echo output; echo error >&2; exit 2"}.run(t)
	run := x.report
	if run.Ranks != 3 || run.Calls != 1000 || run.MPI != "MPICH 4.0.2" || run.Exit != 2 || run.Unknot != "test" ||
		run.Schema != finding.Schema || strings.Join(run.Command, " ") != "./program" {
		t.Errorf("the report has %+v", run)
	}
	if start, err := time.Parse(time.RFC3339, run.Start); err != nil || time.Since(start) > time.Minute ||
		run.Seconds <= 0 || run.Seconds > 60 {
		t.Errorf("it began at %s, and took %v s", run.Start, run.Seconds)
	}
	if x.wrote != "output\n" || x.said != "error\n" {
		t.Errorf("the program's output is %q, and %q", x.wrote, x.said)
	}
	x = job{agent: clean, program: "true", change: func(o *Options) { o.Given = []string{"make", "test"} }}.run(t)
	if got := strings.Join(x.report.Command, " "); got != "make test" {
		t.Errorf("the command is %q, want the one that the user gave", got)
	}
}

// TestAFindingIsPrintedAndReportedWhileTheJobRuns has a program that ends only when both have happened.
func TestAFindingIsPrintedAndReportedWhileTheJobRuns(t *testing.T) {
	program := wait("grep -q 'Ranks 0 and 1 wait' report.json 2>/dev/null") + "grep -o 'the job has not ended yet' " +
		"report.json\n" + wait("grep -q 'error: deadlock' err")
	x := job{agent: finds("deadlock", "error"), program: program}.run(t)
	if x.status != ExitFindings || x.report.Exit != 0 || !x.report.Complete {
		t.Errorf("exit status %d, the program's %d, complete: %v", x.status, x.report.Exit, x.report.Complete)
	}
	if x.wrote != "the job has not ended yet\n" {
		t.Errorf("the first report says %q", x.wrote)
	}
	if n := strings.Count(x.said, "error: deadlock"); n != 1 {
		t.Errorf("it is printed %d times:\n%s", n, x.said)
	}
}

// TestAFindingThatGrowsIsReportedAsItIsInTheEnd lets an agent say more of what has been printed.
func TestAFindingThatGrowsIsReportedAsItIsInTheEnd(t *testing.T) {
	x := job{agent: "ready\nhello 2\nfinding 1 deadlock error First.\nuntil next\nfinding 1 deadlock error Second.\n" +
		"await ended\ndone 7", program: wait("grep -q First err") + "touch next\n" +
		wait("grep -q Second report.json 2>/dev/null")}.run(t)
	if len(x.report.Findings) != 1 || x.report.Findings[0].Sentence != "Second." {
		t.Errorf("the report has %+v", x.report.Findings)
	}
}

// TestADeadlockedJobIsEnded has an agent that asks for the end of a program which would sleep for a minute.
func TestADeadlockedJobIsEnded(t *testing.T) {
	const agent = "ready\nhello 2\nuntil started\nfinding 1 deadlock error Ranks 0 and 1 wait.\nstop\n" +
		"finding 2 rank-died error Rank 0 died.\nawait ended\ndone 7"
	for name, program := range map[string]string{
		"a program that ends when it is asked":  "trap 'exit 0' TERM; touch started; sleep 60 & wait",
		"a program that is ended by the signal": "touch started; sleep 60",
	} {
		began := time.Now()
		x := job{agent: agent, program: program}.run(t)
		if x.status != ExitFindings || time.Since(began) > 30*time.Second {
			t.Errorf("%s: exit status %d after %v", name, x.status, time.Since(began))
		}
		if len(x.report.Findings) != 1 || x.report.Findings[0].Code != finding.Deadlock || !x.report.Complete {
			t.Errorf("%s: the report has %+v", name, x.report.Findings)
		}
		if strings.Count(x.said, "error: deadlock") != 1 || strings.Contains(x.said, "died") {
			t.Errorf("%s: it says\n%s", name, x.said)
		}
	}
}

// TestADeadlockIsLeftToADebugger prints how to attach to the processes, and continues when the job ends all the same.
func TestADeadlockIsLeftToADebugger(t *testing.T) {
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	leave := message(proto.Message{Type: proto.Leave, Why: "deadlock", Processes: []proto.Process{
		{Rank: 0, PID: 11}, {Rank: 1, PID: 12, Host: here}, {Rank: 2, PID: 13, Host: "other"}}})
	x := job{agent: "ready\nhello 2\nfinding 1 deadlock error Ranks 0 and 1 wait.\n" + leave + "\nawait ended\ndone 7",
		program: wait("grep -q 'attach a debugger' err") + "cp report.json then.json"}.run(t)
	want := "unknot: the job is kept as it is (deadlock); attach a debugger, or end it with Ctrl-C:\n" +
		"  rank 0: gdb -p 11\n  rank 1: gdb -p 12\n  rank 2: ssh -t other gdb -p 13\n"
	if !strings.Contains(x.said, want) || strings.Count(x.said, "error: deadlock") != 1 ||
		!strings.Contains(x.said, "unknot: the job that was kept has ended; its report is above\n") {
		t.Errorf("it says\n%s", x.said)
	}
	if then := text(t, filepath.Join(x.dir, "then.json")); !strings.Contains(then, "the job was kept as it is") {
		t.Errorf("the first report has\n%s", then)
	}
	if x.status != ExitFindings || !x.report.Complete {
		t.Errorf("exit status %d, complete: %v", x.status, x.report.Complete)
	}
}

// TestARunIsEndedBySignals has programs that send signals to unknot, which is their parent.
func TestARunIsEndedBySignals(t *testing.T) {
	const hello = "ready\nhello 2\nfinding 1 unsafe-send info Hello.\n"
	const surveyed = hello + "await survey\nfinding 3 interrupted info Rank 0 waits.\nsurveyed\nawait ended\ndone 7"
	greeted := wait("grep -q Hello err")
	for _, c := range []struct {
		name string
		job
		status    int
		said, why string
	}{
		{"SIGTERM", job{agent: surveyed, program: greeted + "kill -TERM $PPID; sleep 60"}, 143, "Rank 0 waits.",
			"the run was ended by SIGTERM"},
		{"SIGINT", job{agent: surveyed, program: greeted + "kill -INT $PPID; sleep 60"}, 130, "Rank 0 waits.",
			"the run was ended by SIGINT"},
		{"SIGINT that the program takes as a wish", job{agent: surveyed,
			program: greeted + "trap 'exit 5' INT; kill -INT $PPID; while true; do sleep 0.02; done"}, 5,
			"Rank 0 waits.",
			"the run was ended by SIGINT"},
		{"SIGINT twice", job{agent: surveyed,
			program: greeted + "trap 'kill -INT $PPID; trap \"\" INT' INT; kill -INT $PPID; while true; do sleep " +
				"0.02; done"}, 137, "Rank 0 waits.",
			"the run was ended by SIGINT"},
		{"SIGTERM before any rank is there", job{agent: "ready\nawait ended\ndone 7",
			program: "kill -TERM $PPID; sleep 60"}, 143, "", "the run was ended by SIGTERM"},
		{"SIGTERM when the agent has died", job{agent: "ready\nhello 2\nexit 1 no",
			program: wait("grep -q continues err") + "kill -TERM $PPID; sleep 60"}, 143,
			"the program continues unwatched",
			"the agent process died (exit status 1: no)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := c.run(t)
			if x.status != c.status || x.report.Complete || x.report.Why != c.why {
				t.Errorf("exit status %d, %q", x.status, x.report.Why)
			}
			if !strings.Contains(x.said, c.said) {
				t.Errorf("it says\n%s", x.said)
			}
			for _, f := range x.report.Findings {
				if f.Code == finding.RankDied {
					t.Errorf("the report has %+v", f)
				}
			}
		})
	}
}

// TestDeathsByASignalToTheJobAreNotReported ends a job whose ranks then die.
func TestDeathsByASignalToTheJobAreNotReported(t *testing.T) {
	x := job{agent: "ready\nhello 2\nfinding 2 deadlock error Ranks 0 and 1 wait.\nawait survey\nsurveyed\nawait " +
		"ended\n" +
		"finding 1 rank-died error Rank 0 died.\ndone 7", program: wait("grep -q wait err") +
		"kill -TERM $PPID; sleep 60"}.run(t)
	if len(x.report.Findings) != 1 || x.report.Findings[0].Code != finding.Deadlock || x.status != ExitFindings {
		t.Errorf("exit status %d, %+v", x.status, x.report.Findings)
	}
	x = job{agent: "ready\nhello 2\nawait ended\nfinding 1 rank-died error Rank 0 died.\ndone 7",
		program: "kill -9 $$"}.
		run(t)
	if len(x.report.Findings) != 1 {
		t.Errorf("of one that dies by itself: %+v", x.report.Findings)
	}
}

func TestSignalsForTheProgramArePassedOn(t *testing.T) {
	x := job{agent: clean, program: "trap 'echo user; exit 4' USR1; kill -USR1 $PPID; sleep 60 & wait"}.run(t)
	if x.status != 4 || x.wrote != "user\n" || !x.report.Complete {
		t.Errorf("exit status %d, output %q, complete: %v", x.status, x.wrote, x.report.Complete)
	}
}

func TestAJobIsEndedWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	dir := t.TempDir()
	go func() {
		awaitFile(filepath.Join(dir, "started"))
		stop()
	}()
	if x := (job{agent: clean, program: "touch started; sleep 60"}).runIn(t, dir, ctx); x.status != 143 {
		t.Errorf("exit status %d:\n%s", x.status, x.said)
	}
}

// TestALauncherThatIsKilledLeavesARunUnfinished has a script that passes for the launcher of MPICH.
func TestALauncherThatIsKilledLeavesARunUnfinished(t *testing.T) {
	agent := "ready\nhello 2\nawait ended\nfinding 1 rank-died error Rank 0 died.\ndone 7"
	for _, c := range []struct {
		does     string
		status   int
		why      string
		findings int
	}{{"kill -9 $$", 137, "the launcher was killed by SIGKILL", 0}, {"exit 1", ExitFindings, "", 1}} {
		t.Setenv("PATH", launcher(t, c.does)+":"+os.Getenv("PATH"))
		x := job{agent: agent, launcher: []string{"mpirun", "-n", "2"}}.run(t)
		if x.status != c.status || x.report.Why != c.why || len(x.report.Findings) != c.findings {
			t.Errorf("%s: exit status %d, %q, %+v\n%s", c.does, x.status, x.report.Why, x.report.Findings, x.said)
		}
	}
}

// TestTheAgentLearnsHowTheJobEnded lets the agent write down what the supervisor says.
func TestTheAgentLearnsHowTheJobEnded(t *testing.T) {
	for _, c := range []struct{ agent, program, want string }{
		{"hello 2", "exit 3", "3 false"},
		{"hello 2\nfinding 1 deadlock error Ranks wait.\nstop", "sleep 60", "143 true"},
	} {
		x := job{agent: "ready\n" + c.agent + "\nended", program: c.program}.run(t)
		if len(x.report.Notes) != 1 || x.report.Notes[0] != c.want {
			t.Errorf("%s: the agent hears %q, want %q", c.program, x.report.Notes, c.want)
		}
	}
}

// TestTheAgentIsAskedWhereRanksAreBeforeASignalEndsThem says which runs have an agent to ask, and ranks.
func TestTheAgentIsAskedWhereRanksAreBeforeASignalEndsThem(t *testing.T) {
	const greeting = "finding 1 unsafe-send info Hello.\n"
	leave := message(proto.Message{Type: proto.Leave, Why: "deadlock"}) + "\n"
	for _, c := range []struct {
		name, agent string
		change      func(o *Options)
		want        string
	}{
		{"ranks are there", "hello 2\n", nil, "survey ended"},
		{"no ranks are there", "", nil, "ended"},
		{"the job is kept for a debugger", "hello 2\n" + leave, nil, "ended"},
		{"an exploration asks of all its runs together", "hello 2\n", func(o *Options) { o.Whole = true }, "ended"},
	} {
		x := job{agent: "ready\n" + c.agent + greeting + "heard\ndone 7",
			program: wait("grep -q Hello err report.json 2>/dev/null") + "kill -TERM $PPID; sleep 60",
			change:  c.change}.run(t)
		if !strings.Contains(x.said, "unknot: note: "+c.want+"\n") || x.status != 143 {
			t.Errorf("%s: exit status %d; the agent is to hear %q\n%s", c.name, x.status, c.want, x.said)
		}
	}
}

// TestTheAgentHasTheOptionsOfTheRun lets the agent write down the options that it reads in its session.
func TestTheAgentHasTheOptionsOfTheRun(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		change func(o *Options)
		want   string
	}{
		{"usual ones", func(o *Options) { o.Stall = time.Minute }, "trace  of [], stall 1m0s, history true, key of 0"},
		{"a trace", func(o *Options) { o.Trace = "trace" },
			"trace trace of [./program], stall 0s, history true, key of 0"},
		{"a trace of several hosts", func(o *Options) { o.Trace, o.Listen = "trace", []string{"127.0.0.1"} },
			"trace " + filepath.Join(dir, "trace") + " of [./program], stall 0s, history true, key of 43"},
		{"no report that may show a time line", func(o *Options) { o.JSON = "" },
			"trace  of [], stall 0s, history false, key of 0"},
		{"an HTML report", func(o *Options) { o.JSON, o.Reports = "", []string{"report.html"} },
			"trace  of [], stall 0s, history true, key of 0"},
		{"an exploration", func(o *Options) {
			o.Whole, o.Stall, o.Reports = true, time.Minute,
				[]string{"report.html"}
		},
			"trace  of [], stall 0s, history false, key of 0"},
	} {
		x := job{agent: "ready\nhello 2\noptions\nawait ended\ndone 7", program: "true", change: c.change}.
			runIn(t, dir, t.Context())
		if want := "unknot: note: " + c.want + "\n"; !strings.Contains(x.said, want) {
			t.Errorf("%s:\n%swant\n%s", c.name, x.said, want)
		}
	}
}
