package launch

import (
	"slices"
	"strings"
	"testing"
)

func TestProgramsAreFoundBehindTheLaunchersOptions(t *testing.T) {
	for _, c := range []struct {
		family   Family
		line     string
		programs string // separated by spaces
		ranks    int
		dir      string // of the last segment
	}{
		{OpenMPI, "mpirun -n 4 ./app -n 7", "./app", 4, ""},
		{OpenMPI, "mpirun ./app", "./app", 0, ""},
		{OpenMPI, "mpirun --oversubscribe -np 2 --bind-to none ./app", "./app", 2, ""},
		{OpenMPI, "mpirun --mca btl self,vader -x A=1 --map-by ppr:1:node -c 3 app", "app", 3, ""},
		{OpenMPI, "mpirun --np=2 --map-by=core -wdir /tmp app", "app", 2, "/tmp"},
		{OpenMPI, "mpirun -n 1 ./a x : -wd sub -n 2 ./b y", "./a ./b", 3, "sub"},
		{OpenMPI, "mpirun -n 2 -- ./app", "./app", 2, ""},
		{OpenMPI, "mpirun --app file", "", 0, ""},
		{MPICH, "mpiexec -n 4 -ppn 2 -f hosts ./app", "./app", 4, ""},
		{MPICH, "mpiexec -genv A 1 -genv B=2 -n 2 ./app", "./app", 2, ""},
		{MPICH, "mpiexec -genvlist A,B -n=2 -wdir /tmp ./app", "./app", 2, "/tmp"},
		{MPICH, "mpiexec -l -n 1 ./a : -env X y -n 3 ./b", "./a ./b", 4, ""},
		{MPICH, "mpiexec -configfile f", "", 0, ""},
		{MPICH, "mpiexec -hostlist a,b -machines a -machinelist a -output-from 0 -g 1 -n 2 ./app", "./app", 2, ""},
		{MPICH, "mpiexec -rankmap (0,1) -gpu-subdevs-per-proc 1 -n 2 ./app", "./app", 2, ""},
		{Slurm, "srun -n4 -N 2 --mem=1G --exclusive ./app", "./app", 4, ""},
		{Slurm, "srun --ntasks 8 --time 10 --pty --label ./app", "./app", 8, ""},
		{Slurm, "srun --bcast --compress --send-libs --resv-ports --oom-kill-step ./app", "./app", 0, ""},
		{Slurm, "srun --bcast=/tmp/app --compress=lz4 --send-libs=yes --resv-ports=2 -n 2 ./app", "./app", 2, ""},
		{Slurm, "srun -lun 2 -D /tmp --mpi pmix ./app -n 9", "./app", 2, "/tmp"},
	} {
		argv := strings.Fields(c.line)
		got, err := parseOptions(argv, 1, c.family)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		var programs []string
		dir := ""
		for _, s := range got.segments {
			programs = append(programs, argv[s.program])
			dir = s.dir
		}
		if strings.Join(programs, " ") != c.programs || got.ranks != c.ranks || dir != c.dir {
			t.Errorf("%s: programs %v, %d ranks, dir %q; want %q, %d, %q", c.line, programs, got.ranks, dir, c.programs,
				c.ranks, c.dir)
		}
	}
}

func TestOptionsWithoutAProgramAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		"mpirun -n 4":            "names no program",
		"mpirun -n 4 ./a : -n 2": "names no program",
		"mpirun -n x ./a":        "not a number of ranks",
		"mpirun -n 0 ./a":        "not a number of ranks",
		"mpirun --version":       "names no program",
	} {
		if _, err := parseOptions(strings.Fields(line), 1, OpenMPI); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
}

// jobOf is the job of a launcher's command line.
func jobOf(t *testing.T, f Family, line string) *Job {
	t.Helper()
	argv := strings.Fields(line)
	parsed, err := parseOptions(argv, 1, f)
	if err != nil {
		t.Fatal(err)
	}
	return &Job{Argv: argv, Family: f, Launcher: "/bin/" + argv[0], segments: parsed.segments}
}

func TestAPlanReachesEveryRank(t *testing.T) {
	in := Injection{Probe: "/p.so", Session: "/s", Plan: "/my plan"}
	for _, c := range []struct {
		family Family
		line   string
		want   string // command line, words between |
	}{
		{OpenMPI, "mpirun -n 1 ./a : ./b",
			"mpirun|-x|UNKNOT_SESSION|-x|UNKNOT_PLAN|-x|LD_PRELOAD|-n|1|./a|:|-x|UNKNOT_SESSION|-x|UNKNOT_PLAN|-x|LD_PRELOAD|./b"},
		{OpenMPI, "mpirun --mca mca_base_env_list A ./a",
			"mpirun|--mca|mca_base_env_list|A;LD_PRELOAD;UNKNOT_SESSION;UNKNOT_PLAN|./a"},
		{MPICH, "mpiexec -n 2 ./a", "mpiexec|-n|2|./a"},
		{MPICH, "mpiexec -genvlist A -genv ASAN_OPTIONS 1 ./a",
			"mpiexec|-genv|UNKNOT_SESSION|/s|-genv|UNKNOT_PLAN|/my " +
				"plan|-genv|LD_PRELOAD|/p.so|-genvlist|A|-genv|ASAN_OPTIONS|1:verify_asan_link_order=0|./a"},
		{Slurm, "srun --export=A ./a", "srun|--export=A,LD_PRELOAD,UNKNOT_SESSION,UNKNOT_PLAN|./a"},
	} {
		carries(t, jobOf(t, c.family, c.line), in, c.want, "UNKNOT_PLAN", "/my plan")
	}
}

// carries starts a job whose command line is to be as wanted, with a value of a variable for all ranks; a run that has
// none does not get the caller's.
func carries(t *testing.T, j *Job, in Injection, want, variable, value string) {
	t.Helper()
	line := strings.Join(j.Argv, " ")
	got, env := j.inject(in, nil)
	if have := strings.Join(got, "|"); have != want {
		t.Errorf("%s: started as\n%s, want\n%s", line, have, want)
	}
	if is := environment(env).get(variable); is != value {
		t.Errorf("%s: %s=%s", line, variable, is)
	}
	if _, env = j.inject(Injection{Probe: "/p.so", Session: "/s"}, []string{variable + "=old"}); environment(env).get(
		variable) != "" {
		t.Errorf("%s: a run without %s has the caller's: %v", line, variable, env)
	}
}

func TestWhatAnExplorationWantsToKnowReachesEveryRank(t *testing.T) {
	in := Injection{Probe: "/p.so", Session: "/s", Heed: "7:2"}
	for _, c := range []struct {
		family Family
		line   string
		want   string // command line, words between |
	}{
		{OpenMPI, "mpirun -n 1 ./a", "mpirun|-x|UNKNOT_SESSION|-x|UNKNOT_HEED|-x|LD_PRELOAD|-n|1|./a"},
		{MPICH, "mpiexec -genvnone ./a",
			"mpiexec|-genv|UNKNOT_SESSION|/s|-genv|UNKNOT_HEED|7:2|-genv|LD_PRELOAD|/p.so|-genv|ASAN_OPTIONS|verify_asan_link_order=0|-genvnone|./a"},
		{Slurm, "srun --export=A ./a", "srun|--export=A,LD_PRELOAD,UNKNOT_SESSION,UNKNOT_HEED|./a"},
	} {
		carries(t, jobOf(t, c.family, c.line), in, c.want, "UNKNOT_HEED", "7:2")
	}
}

func TestInjectionReachesEveryRank(t *testing.T) {
	in := Injection{Probe: "/p.so", Session: "/s"}
	for _, c := range []struct {
		family  Family
		line    string
		environ []string
		want    string // command line
		preload string
	}{
		{OpenMPI, "mpirun -n 2 ./a", nil, "mpirun -x UNKNOT_SESSION -x LD_PRELOAD -n 2 ./a", "/p.so"},
		{OpenMPI, "mpirun -n 2 ./a", []string{"LD_PRELOAD=/mine.so"}, "mpirun -x UNKNOT_SESSION -x LD_PRELOAD -n 2 ./a",
			"/mine.so:/p.so"},
		{OpenMPI, "mpirun -n 1 ./a : -n 1 ./b", nil,
			"mpirun -x UNKNOT_SESSION -x LD_PRELOAD -n 1 ./a : -x UNKNOT_SESSION -x LD_PRELOAD -n 1 ./b", "/p.so"},
		{OpenMPI, "mpirun -x LD_PRELOAD=/mine.so ./a -x LD_PRELOAD=/no", nil,
			"mpirun -x UNKNOT_SESSION -x LD_PRELOAD=/mine.so:/p.so ./a -x LD_PRELOAD=/no", "/p.so"},
		{OpenMPI, "mpirun --mca mca_base_env_list A=1 ./a", nil,
			"mpirun --mca mca_base_env_list A=1;LD_PRELOAD;UNKNOT_SESSION ./a", "/p.so"},
		{OpenMPI, "mpirun ./a", []string{"OMPI_MCA_mca_base_env_list=A=1"}, "mpirun ./a", "/p.so"},
		{OpenMPI, "mpirun --app file", nil, "mpirun --app file", "/p.so"},
		{MPICH, "mpiexec -n 2 ./a", nil, "mpiexec -n 2 ./a", "/p.so"},
		{MPICH, "mpiexec -genvnone -n 2 ./a", nil, "mpiexec -genv UNKNOT_SESSION /s -genv LD_PRELOAD /p.so " +
			"-genv ASAN_OPTIONS verify_asan_link_order=0 -genvnone -n 2 ./a", "/p.so"},
		{MPICH, "mpiexec -genv LD_PRELOAD /mine.so -n 2 ./a", nil, "mpiexec -genv LD_PRELOAD /mine.so:/p.so -n 2 ./a",
			"/p.so"},
		{MPICH, "mpiexec -env LD_PRELOAD=/mine.so ./a", nil, "mpiexec -env LD_PRELOAD=/mine.so:/p.so ./a", "/p.so"},
		{Slurm, "srun --export=A,B ./a", nil, "srun --export=A,B,LD_PRELOAD,UNKNOT_SESSION ./a", "/p.so"},
		{Slurm, "srun --export ALL ./a --export=NONE", nil, "srun --export ALL ./a --export=NONE", "/p.so"},
	} {
		j := jobOf(t, c.family, c.line)
		before := slices.Clone(j.Argv)
		got, env := j.inject(in, c.environ)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: started as\n%s, want\n%s", c.line, strings.Join(got, " "), c.want)
		}
		e := environment(env)
		if e.get("LD_PRELOAD") != c.preload || e.get("UNKNOT_SESSION") != "/s" {
			t.Errorf("%s: LD_PRELOAD=%s UNKNOT_SESSION=%s", c.line, e.get("LD_PRELOAD"), e.get("UNKNOT_SESSION"))
		}
		if list := e.get("OMPI_MCA_mca_base_env_list"); list != "" && list != "A=1;LD_PRELOAD;UNKNOT_SESSION" {
			t.Errorf("%s: list %q", c.line, list)
		}
		if !slices.Equal(j.Argv, before) {
			t.Errorf("the user's command line was changed to %v", j.Argv)
		}
	}
}

// TestUCXServesNobodyUnlessAskedTo: its thread for that would count as one of the program's that may go on.
func TestUCXServesNobodyUnlessAskedTo(t *testing.T) {
	for asked, want := range map[string]string{"": "n", "y": "y"} {
		for _, f := range []Family{OpenMPI, MPICH} {
			_, env := jobOf(t, f, "mpirun -n 2 ./a").inject(Injection{Probe: "/p.so", Session: "/s"},
				[]string{"UCX_VFS_ENABLE=" + asked})
			if got := environment(env).get("UCX_VFS_ENABLE"); got != want {
				t.Errorf("%s: UCX_VFS_ENABLE=%s of one who asks for %q, want %s", f, got, asked, want)
			}
		}
	}
}
