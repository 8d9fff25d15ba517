// Package launch understands the command line by which a user starts an MPI program, without asking for it to be
// changed: which launcher it is, what it starts, and which MPI library that program needs. It starts the job with the
// probe in each rank, passes signals on, and sees to it that nothing is left of the job afterwards.
//
// It takes in an argument vector and gives out a Job; it knows nothing of what is found in the run.
package launch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Job is what Recognise found out about a command line.
type Job struct {
	Argv []string // as the user wrote it
	// Launcher is the file of the launcher, "" if the program is started without one.
	Launcher string
	Family   Family // of the launcher
	// Ranks is the number of ranks that the command line asks for; 0 if it leaves that to the launcher.
	Ranks    int
	Programs []Program
	// MPI is the library that the job needs, as far as it is known before the job runs.
	MPI Library
	// MPICC is the compiler wrapper of that library; "" if there is none on this machine.
	MPICC string
	// SHMEM says that a program of the job is linked with OpenSHMEM, or that the job is started by a launcher for such
	// programs. OSHCC is the compiler wrapper of that library; "" if there is none on this machine.
	SHMEM    bool
	OSHCC    string
	Warnings []string

	prefix   int // index in Argv of the launcher, after wrappers such as `env` or `time`
	segments []segment
	shmem    string // the file of the OpenSHMEM library that a program is linked with
}

// Program is one of the programs that a job starts; there are several of them in MPMD command lines only.
type Program struct {
	Arg  int    // its index in Job.Argv
	Path string // the file
	// Interpreter is the command that runs the file, if it is a script.
	Interpreter string
	MPI         Library
}

// Options are what Recognise takes besides the command line.
type Options struct {
	MPICC string // --mpicc: the user's choice, taken as it is
	// Environ is the environment to look things up in; nil means os.Environ.
	Environ []string
}

// Recognise understands a command line. An error says in one sentence why watching it cannot work.
func Recognise(argv []string, o Options) (*Job, error) {
	if len(argv) == 0 {
		return nil, errors.New("no command to run; hint: give the one that starts the job, such as mpirun -n 4 ./app")
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	env := environment(o.Environ)
	j := &Job{Argv: argv, prefix: findLauncher(argv)}
	if j.prefix > 0 {
		// The launcher is started by what stands before it, so that must be there as well.
		if _, err := findProgram(argv, segment{program: 0}, unknownFamily, env); err != nil {
			return nil, fmt.Errorf("%w, or start %s without it", err, argv[j.prefix])
		}
	}
	name := filepath.Base(argv[j.prefix])
	if IsLauncher(name) {
		if err := j.withLauncher(argv[j.prefix], env); err != nil {
			return nil, err
		}
	} else {
		j.prefix = 0
		j.segments = []segment{{start: 0, end: len(argv), program: 0}}
	}
	for _, s := range j.segments {
		p, err := findProgram(argv, s, j.Family, env)
		if err != nil {
			return nil, err
		}
		if err := j.add(p, env); err != nil {
			return nil, err
		}
	}
	j.chooseMPI(env)
	j.MPICC = o.MPICC
	if j.MPICC == "" {
		j.MPICC = findMPICC(j.MPI, j.Launcher, env)
	}
	j.SHMEM = j.shmem != "" || shmemLaunchers[name]
	if j.SHMEM {
		j.OSHCC = findOSHCC(j.shmem, j.Launcher, env)
	}
	return j, nil
}

func (j *Job) withLauncher(word string, env environment) error {
	path, err := env.lookPath(word, "")
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s: no such launcher in PATH; hint: install an MPI library (Debian: openmpi-bin or "+
				"mpich), or give the launcher's path", word)
		}
		return fmt.Errorf("launcher %s: %w", word, err)
	}
	j.Launcher = path
	if j.Family, err = launcherFamily(path); err != nil {
		return err
	}
	parsed, err := parseOptions(j.Argv, j.prefix+1, j.Family)
	if err != nil {
		return err
	}
	j.segments, j.Ranks = parsed.segments, parsed.ranks
	j.Warnings = append(j.Warnings, parsed.warnings...)
	return nil
}

// add takes a program into the job, if it can be watched there.
func (j *Job) add(p Program, env environment) error {
	mpi, err := programLibrary(&p, env)
	if err != nil {
		return err
	}
	p.MPI = mpi.library
	if j.shmem == "" {
		j.shmem = mpi.shmem
	}
	if mpi.warning != "" {
		j.Warnings = append(j.Warnings, mpi.warning)
	}
	j.Programs = append(j.Programs, p)
	if p.MPI.Family == unknownFamily {
		return nil
	}
	if j.Family == OpenMPI || j.Family == MPICH {
		if p.MPI.Family != j.Family && p.MPI.Family != Standard {
			return fmt.Errorf("%s needs %s (%s), but %s is the launcher of %s: each rank would run alone as rank 0 "+
				"of 1; hint: %s",
				p.Path, p.MPI.Family, p.MPI.Soname, j.Launcher, j.Family, otherLauncher(p.MPI.Family, env))
		}
	}
	if first := j.Programs[0].MPI; first.Soname != "" && first.Soname != p.MPI.Soname {
		return fmt.Errorf("%s needs %s and %s needs %s: programs of two MPI libraries cannot form one job; hint: "+
			"build both with the same mpicc",
			j.Programs[0].Path, first.Soname, p.Path, p.MPI.Soname)
	}
	return nil
}

// chooseMPI settles on the library of the first program that needs one, else on the launcher's.
func (j *Job) chooseMPI(env environment) {
	for _, p := range j.Programs {
		if p.MPI.Family != unknownFamily {
			j.MPI = p.MPI
			return
		}
	}
	j.MPI.Family = j.Family
	if j.Family == Slurm {
		j.MPI.Family = unknownFamily
	}
}
