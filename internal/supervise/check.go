// What is checked before anything is started: all that can fail because of the command line.

package supervise

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"unknot/internal/check/registry"
	"unknot/internal/observe/launch"
	"unknot/internal/say/report/progress"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// check does all that can fail because of the command line, before anything is started.
func (r *run) check() error {
	if !r.o.NoDefaults {
		var err error
		if r.account.known, err = finding.KnownFindings(registry.Catalogue()); err != nil {
			return err
		}
	}
	if r.o.Suppressions != "" {
		f, err := os.Open(r.o.Suppressions)
		if err != nil {
			return fmt.Errorf("suppressions: %w; hint: check the path given to --suppressions", err)
		}
		defer f.Close()
		if r.account.rules, err = finding.ParseSuppressions(f, r.o.Suppressions, registry.Catalogue()); err != nil {
			return err
		}
	}
	if err := r.o.Files.check(r.o.Trace); err != nil {
		return err
	}
	// What explore runs has no time line: it reports of many runs.
	r.o.History = !r.o.Whole && r.o.Files.pictured()
	if r.o.TraceParts && r.o.Trace == "" {
		return errors.New("--trace-parts needs --trace; hint: --trace FILE names the part of this host")
	}
	if err := writable("trace", r.o.Trace); err != nil {
		return err
	}
	var err error
	if r.job, err = launch.Recognise(r.o.Argv, launch.Options{MPICC: r.o.MPICC}); err != nil {
		return err
	}
	for _, w := range r.job.Warnings {
		r.screen.say("%s", w)
	}
	if err := r.checkPlan(); err != nil {
		return err
	}
	if err := r.reach(); err != nil {
		return err
	}
	if r.progress, err = progress.New(r.o.Progress); err != nil {
		return err
	}
	r.progress.Start("run", r.o.Version, r.o.command())
	return nil
}

// checkPlan reads the plan, and holds it to the number of ranks if the command line says that. The ranks read the file
// again, each for itself, wherever they have gone by then.
func (r *run) checkPlan() error {
	if r.o.Plan == "" {
		return nil
	}
	p, err := plan.Read(r.o.Plan)
	if err != nil {
		return err
	}
	if r.job.Ranks != 0 && r.job.Ranks != p.Ranks {
		return fmt.Errorf("the plan %s is for %d ranks, the job has %d; hint: start the job with %d ranks, or "+
			"without the plan",
			r.o.Plan, p.Ranks, r.job.Ranks, p.Ranks)
	}
	r.account.result.Plan, err = filepath.Abs(r.o.Plan)
	return err
}

// writable says early what would keep a file from being written after a run of hours. what names it.
func writable(what, path string) error {
	if path == "" {
		return nil
	}
	if fi, err := os.Stat(path); err == nil {
		if fi.IsDir() {
			return fmt.Errorf("cannot write %s %s: it is a directory; hint: give the name of a file in it", what, path)
		}
		if err := unix.Access(path, unix.W_OK); err != nil {
			return fmt.Errorf("cannot write %s %s: %w; hint: choose a path that you may write to", what, path, err)
		}
		return nil
	}
	dir := filepath.Dir(path)
	fi, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("cannot write %s %s: the directory %s does not exist; hint: create it first", what, path, dir)
	case !fi.IsDir():
		return fmt.Errorf("cannot write %s %s: %s is not a directory; hint: choose another path", what, path, dir)
	}
	if err := unix.Access(dir, unix.W_OK); err != nil {
		return fmt.Errorf("cannot write %s %s: directory %s: %w; hint: choose a path that you may write to", what,
			path, dir, err)
	}
	return nil
}
