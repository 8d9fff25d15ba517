// Package attach is `unknot attach`: it looks at the ranks of jobs that were not started under unknot, and says where
// they are, who waits for whom, and whether that can end.
package attach

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"unknot/internal/attach/dump"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/kit/priority"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/launch"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Options say which jobs are looked at, and how.
type Options struct {
	PID     int      // of a rank, or of a process above ranks; 0 for none
	Job     string   // as its launcher or the batch system knows it; "" for none
	All     bool     // of this user on the hosts
	Hosts   []string // to look at; none for this one
	Stage   bool     // copies unknot to those that do not have it
	Between time.Duration
	Still   time.Duration // for which no rank has completed a call by its record; 0 if that is not known
	Kill    bool          // ends the job afterwards
	Version string
}

// Urgent has this process run before others until undo is called: ranks that spin would leave it the share of one of
// them, at best, also while it judges and writes. It does nothing where other hosts are asked, for which processes are
// started (priority.Urgent).
func (o *Options) Urgent() (undo func()) {
	if len(o.Hosts) > 0 {
		return func() {}
	}
	return priority.Urgent()
}

// Look looks at jobs, and gives the result of each. An error says what to do.
func Look(ctx context.Context, o Options) ([]*finding.Run, error) {
	d, err := Gather(ctx, o)
	if err != nil {
		return nil, err
	}
	return Judge(d, o.Version), nil
}

// Gather looks at jobs, and gives what was seen. An error says what to do.
func Gather(ctx context.Context, o Options) (*dump.Dump, error) {
	if len(o.Hosts) > 0 {
		return together(ctx, o)
	}
	ranks, err := chosen(o)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	seen, err := watch(ctx, ranks, o, nil)
	if err != nil {
		return nil, err
	}
	return &dump.Dump{Format: dump.Format, Unknot: o.Version, Start: start.Format(time.RFC3339),
		Hosts: []look.Host{*seen}}, nil
}

// watch looks at ranks of this host. meet is that of look.Options.
func watch(ctx context.Context, ranks []job.Rank, o Options, meet func() error) (*look.Host, error) {
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	resolver := symbol.New()
	defer resolver.Close()
	resolver.Own(owners(ranks))
	looker := &look.Looker{Resolver: resolver, Table: table}
	seen, err := looker.Look(ctx, ranks,
		look.Options{Between: o.Between, Patient: max(10*time.Second, o.Between), Meet: meet})
	if err != nil {
		return nil, err
	}
	seen.Still = max(o.Still.Seconds(), seen.Seconds)
	if err := refused(seen.Ranks); err != nil {
		return nil, err
	}
	if o.Kill {
		end(ranks)
	}
	return seen, nil
}

// chosen are the ranks of the jobs that are meant.
func chosen(o Options) ([]job.Rank, error) {
	all := job.All()
	switch {
	case o.PID != 0:
		list := job.Of(o.PID, all)
		if len(list) == 0 {
			return nil, fmt.Errorf("process %d is neither a rank of an MPI job nor above one; hint: name the launcher, or "+
				"a rank, of a job on this host", o.PID)
		}
		return list, nil
	case o.Job != "":
		list := slices.DeleteFunc(all, func(r job.Rank) bool { return !r.Is(o.Job) })
		if len(list) == 0 {
			return nil, fmt.Errorf("no rank of job %q is on this host; hint: %s", o.Job, named(job.All()))
		}
		return list, nil
	case len(all) == 0:
		return nil, errors.New("no rank of an MPI job is on this host whose environment this user may read; hint: run " +
			"it on the job's host, as the user who has started the job")
	case !o.All && len(jobs(all)) > 1:
		return nil, fmt.Errorf("%d jobs are on this host; hint: --all, or --job with one of them: %s", len(jobs(all)),
			named(all))
	}
	return all, nil
}

// jobs are the names of the jobs of ranks.
func jobs(ranks []job.Rank) (names []string) {
	for _, r := range ranks {
		if !slices.Contains(names, r.Job) {
			names = append(names, r.Job)
		}
	}
	return names
}

// named lists jobs with their programs.
func named(ranks []job.Rank) string {
	var list []string
	for _, name := range jobs(ranks) {
		i := slices.IndexFunc(ranks, func(r job.Rank) bool { return r.Job == name })
		list = append(list, fmt.Sprintf("%s (%s)", name, filepath.Base(ranks[i].Program)))
	}
	if len(list) == 0 {
		return "no job is here"
	}
	return strings.Join(list, ", ")
}

// owners are the libraries' and unknot's files in ranks.
func owners(ranks []job.Rank) symbol.Owners {
	var modules []string
	for _, r := range ranks {
		if m, err := symbol.ReadMaps(r.PID); err == nil {
			modules = append(modules, m.Modules()...)
		}
	}
	return ownersOf(modules)
}

// ownersOf counts what lies beside an MPI library as that library's, and a probe or recorder as unknot's.
func ownersOf(modules []string) (o symbol.Owners) {
	for _, file := range modules {
		if _, is := launch.FamilyOf(file); is {
			file = filepath.Dir(file)
		} else if !ours(filepath.Base(file)) {
			continue
		}
		if !slices.Contains(o.Library, file) {
			o.Library = append(o.Library, file)
		}
	}
	return o
}

// ours says whether a file has the name of a probe or recorder.
func ours(name string) bool {
	library, _ := strings.CutSuffix(name, ".so")
	return library != name && (strings.HasPrefix(name, "probe-") || strings.HasPrefix(name, "recorder-"))
}

// refused says what keeps unknot from looking at any rank; nil if it could look at one.
func refused(seen []look.Rank) error {
	for _, r := range seen {
		if !r.Denied {
			return nil
		}
	}
	return fmt.Errorf("the kernel does not let this user look at process %d (%s); hint: be the user who has started the "+
		"job, or root, and in a container allow ptrace (docker run --cap-add SYS_PTRACE); where "+
		"/proc/sys/kernel/yama/ptrace_scope is not 0, only root may", seen[0].PID, seen[0].Failed)
}

// end ends ranks, as a launcher does.
func end(ranks []job.Rank) {
	for _, r := range ranks {
		_ = syscall.Kill(r.PID, syscall.SIGTERM) // one that has ended is what is wanted
	}
}
