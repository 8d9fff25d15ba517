package supervise

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"unknot/internal/observe/stage"
)

// stage brings what ranks need to the hosts of the job. What cannot be brought is no reason not to run the job: its
// ranks there are not watched.
func (r *run) stage(ctx context.Context) {
	if len(r.o.Listen) == 0 {
		return // all ranks are on this host
	}
	remote := r.job.Remote(os.Environ())
	if len(remote.Names) == 0 {
		r.screen.say("--stage: it is not known which hosts the job will have; hint: name them on the launcher's " +
			"command line, or run inside an allocation (salloc, sbatch)")
		return
	}
	r.screen.status(fmt.Sprintf("looking for unknot and the probe on %d hosts", len(remote.Names)))
	result, err := stage.Shell{Remote: remote}.Bring(ctx, stage.DirectoriesHere(), r.needed.files())
	r.screen.erase()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		r.screen.say("--stage: this host cannot stage anything: %v", err)
		return
	}
	r.needed = r.needed.moved(result.Paths)
	for _, fault := range result.Faults {
		r.screen.say("--stage: %s; ranks there are not watched", fault)
	}
	if len(result.Copied) > 0 {
		r.screen.say("--stage: copied unknot and the probe, %d MiB, to %s of %s", result.Bytes>>20, result.Where,
			strings.Join(result.Copied, ", "))
	}
}

// lookingBack is how long the hosts may take to say what they lack once the job has ended.
const lookingBack = 10 * time.Second

// explainSilentHosts notes what hosts lack that the command line names and that nothing was heard of, if ranks have not
// been watched. It says whether there is a host that nothing was heard of.
func (r *run) explainSilentHosts() bool {
	if len(r.o.Listen) == 0 || r.end.interrupted || r.account.result.Complete && r.account.result.Ranks > 0 {
		return false
	}
	remote := r.job.Remote(os.Environ())
	remote.Names = slices.DeleteFunc(remote.Names, func(name string) bool {
		return slices.ContainsFunc(r.account.result.Hosts, sameHost(name))
	})
	if len(remote.Names) == 0 {
		return false
	}
	ctx, stop := context.WithTimeout(context.Background(), lookingBack)
	defer stop()
	files, err := stage.Sum(r.needed.files())
	if err != nil {
		return false
	}
	var order []string
	hosts := make(map[string][]string)
	for _, seen := range (stage.Shell{Remote: remote}).Look(ctx, remote.Names, stage.DirectoriesHere(), files) {
		why := r.lacks(&seen, files)
		if why == "" {
			continue
		}
		if hosts[why] == nil {
			order = append(order, why)
		}
		hosts[why] = append(hosts[why], seen.Host)
	}
	for _, why := range order {
		r.account.note(fmt.Sprintf("ranks on %s were not watched: %s", strings.Join(hosts[why], ", "), why))
	}
	return true
}

// sameHost says whether a name is that of a host; one of them may have its domain.
func sameHost(name string) func(string) bool {
	short, _, _ := strings.Cut(name, ".")
	return func(other string) bool {
		s, _, _ := strings.Cut(other, ".")
		return other == name || s == short
	}
}

// lacks says why ranks of a host could not be watched, "" if it has all.
func (r *run) lacks(seen *stage.Seen, files []stage.File) string {
	if seen.Err != nil {
		return "the host " + seen.Err.Error()
	}
	const unknot, probe = 0, 1
	hint := "hint: use --stage, which copies them there, or install unknot at the same path on all hosts and set " +
		"XDG_CACHE_HOME to a directory that they share"
	if r.o.Stage {
		hint = "hint: see above why --stage could not copy them"
	}
	switch {
	case seen.HasOther(unknot) && seen.Other != "":
		return fmt.Sprintf("%s there is unknot %s, this is unknot %s; hint: install the same unknot on all hosts, or "+
			"use --stage",
			files[unknot].Path, stage.Version(seen.Other), r.o.Version)
	case !seen.Has(unknot) && !seen.Has(probe):
		return fmt.Sprintf("the host has neither %s nor the probe %s; %s", files[unknot].Path, files[probe].Path, hint)
	case !seen.Has(unknot):
		return fmt.Sprintf("the host has the probe, but not %s; %s", files[unknot].Path, hint)
	case !seen.Has(probe):
		return fmt.Sprintf("the host has unknot, but not the probe %s; %s", files[probe].Path, hint)
	}
	return ""
}
