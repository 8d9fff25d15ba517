// The libraries that ranks need, found or built before the job starts.

package supervise

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
)

// prepare finds or builds the probe for the job's MPI.
func (r *run) prepare(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, heeded(ending)...)
	defer stop()
	r.screen.status("preparing the probe for " + r.job.MPI.Family.String())
	defer r.screen.erase()
	options := probe.Options{MPICC: r.job.MPICC, FallbackDir: r.session.Dir, Soname: r.job.MPI.Soname,
		Family:  r.job.MPI.Family.String(),
		Library: r.job.MPI.Path,
		Say:     func(sentence string) { r.screen.say("%s", sentence) }}
	var err error
	if r.job.MPICC == "" && os.Getenv("UNKNOT_PROBE_DIR") == "" {
		if r.probe, err = probe.Ready(options); r.probe == nil && err == nil {
			err = noCompiler(r.job)
		}
	} else {
		r.probe, err = probe.Build(ctx, options)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	if r.needed.unknot, err = os.Executable(); err != nil {
		return err
	}
	if r.needed.probe, err = r.preloadable(r.probe.Path, "probe.so"); err != nil {
		return err
	}
	if r.o.Heap {
		if r.needed.heap, err = r.preloadable(r.probe.HeapPath(), "heap.so"); err != nil {
			return err
		}
	}
	if err := r.prepareSHMEM(ctx); err != nil {
		return err
	}
	r.needed.plan = r.account.result.Plan
	if r.o.Heed != "" {
		r.needed.heed = fmt.Sprintf("%d:%s", r.start.UnixNano(), r.o.Heed)
	}
	if r.probe.Note != "" {
		r.screen.say("%s", r.probe.Note)
	}
	if need := r.job.MPI.Soname; need != "" && r.probe.Soname != "" && need != r.probe.Soname {
		return fmt.Errorf("%s compiles for %s, but the program needs %s; hint: pass the mpicc that the program was "+
			"built with by --mpicc",
			r.job.MPICC, r.probe.Soname, need)
	}
	if r.o.Stage {
		r.stage(ctx)
	}
	return ctx.Err()
}

// preloadable gives a library a path that LD_PRELOAD can hold, where spaces and colons part one library from the next.
// name is that of a link to it.
func (r *run) preloadable(path, name string) (string, error) {
	const parting = " :"
	if !strings.ContainsAny(path, parting) {
		return path, nil
	}
	link := filepath.Join(r.session.Dir, name)
	if strings.ContainsAny(link, parting) {
		return "", fmt.Errorf("the probe %s cannot be preloaded: its path contains a space or a colon; hint: set "+
			"XDG_CACHE_HOME or UNKNOT_PROBE_DIR to a path without either", path)
	}
	return link, os.Symlink(path, link)
}

func noCompiler(j *launch.Job) error {
	what := "MPI"
	if j.MPI.Family == launch.OpenMPI || j.MPI.Family == launch.MPICH || j.MPI.Family == launch.Standard {
		what = j.MPI.Family.String()
	}
	return fmt.Errorf("no mpicc of %s on this machine to build the probe with; hint: install its development "+
		"package, pass its path with --mpicc, or set UNKNOT_PROBE_DIR to probes built elsewhere by `unknot probe "+
		"build -o DIR`", what)
}
