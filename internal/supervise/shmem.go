package supervise

import (
	"context"
	"fmt"

	"unknot/internal/shmem/probe"
	"unknot/internal/vocab/finding"
)

// prepareSHMEM finds or builds the probe for OpenSHMEM, if a program of the job needs it. Without one, its calls of MPI
// are watched all the same.
func (r *run) prepareSHMEM(ctx context.Context) error {
	if !r.job.SHMEM {
		return nil
	}
	if r.job.OSHCC == "" {
		r.account.note("calls of OpenSHMEM are not watched, as no oshcc is on this machine to build the probe for " +
			"them with; hint: install the development package of Open MPI")
		return nil
	}
	r.screen.status("preparing the probe for OpenSHMEM")
	path, err := probe.Build(ctx, probe.Options{Compiler: r.job.OSHCC, FallbackDir: r.session.Dir,
		Say: func(sentence string) { r.screen.say("%s", sentence) }})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.account.note(fmt.Sprintf("calls of OpenSHMEM are not watched: %v", err))
		return nil
	}
	r.needed.shmem, err = r.preloadable(path, "shmem.so")
	return err
}

// takePEs takes in what was found of the PEs of a program with OpenSHMEM, now that they have ended.
func (r *run) takePEs() {
	calls := r.pes.Calls()
	if r.account.result.Ranks > 0 { // that have initialised MPI themselves
		r.pes.DoubtMPI()
	}
	findings, notes := r.pes.Finish()
	for _, f := range findings {
		if !r.notTheirs(&f) {
			r.found(f)
		}
	}
	for _, n := range notes {
		r.account.note(n)
	}
	if n := r.pes.PEs(); n > 0 {
		if r.account.result.Language == finding.MPI {
			r.account.result.Language = finding.OpenSHMEM
		}
		r.account.result.Calls += calls
		if r.account.result.Ranks == 0 {
			r.account.result.Ranks = n
		}
	}
}
