// Package stage brings unknot and its probe to the hosts of a job that do not have them, and asks hosts for what they
// have.
//
// It takes in how the job's launcher reaches other hosts (launch.Remote) and files of this host, and gives out the
// paths at which all hosts have them. The way there is the launcher's own, ssh or Slurm: a link between agents cannot
// exist before unknot is there to make it. A file is written under another name, compared with its hash and renamed, in
// directories that nobody else can write to: a rank loads it.
package stage

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Result is where files are now.
type Result struct {
	Paths  []string // of the files in their order, on all hosts
	Copied []string // hosts that have got something
	Where  string   // the directory, "" if all hosts have the files where this one has them
	Bytes  int64    // what a host without any has got
	Faults []string // a sentence for each host that could not get all
}

// Bring sees to it that all hosts have the files.
func (s Shell) Bring(ctx context.Context, d Directories, files []File) (*Result, error) {
	files, err := Sum(files)
	if err != nil {
		return nil, err
	}
	b := bringing{Shell: s, d: d, files: files}
	hosts := append([]string{Here}, s.Names...)
	seen := s.Look(ctx, hosts, d, files)
	if seen[0].Err != nil {
		return nil, seen[0].Err
	}
	seen = b.sift(seen)
	at := b.choose(seen)
	b.result.Paths = b.paths(at)
	if at == asHere {
		return &b.result, nil
	}
	levels := d.levels(at, files[0])
	b.result.Where = levels[len(levels)-2]
	if lacks := b.missing(at, &seen[0]); len(lacks) > 0 {
		if err := b.put(ctx, at, Here, lacks, nil); err != nil {
			return nil, err
		}
		// Hosts that share the directory with this one have them now.
		seen = append(seen[:1:1], b.sift(s.Look(ctx, hostsOf(seen[1:]), d, files))...)
	}
	b.putAll(ctx, at, seen[1:])
	return &b.result, nil
}

// bringing is one call of Bring.
type bringing struct {
	Shell
	d      Directories
	files  []File
	result Result
}

// sift takes out the hosts that could not be asked.
func (b *bringing) sift(seen []Seen) []Seen {
	return slices.DeleteFunc(seen, func(s Seen) bool {
		if s.Err != nil {
			b.result.Faults = append(b.result.Faults, fmt.Sprintf("%s %v", s.Host, s.Err))
		}
		return s.Err != nil
	})
}

func hostsOf(seen []Seen) (hosts []string) {
	for _, s := range seen {
		hosts = append(hosts, s.Host)
	}
	return hosts
}

// choose is where all hosts can have the files: where this one has them if all do, else in the cache directory if all
// can use it.
func (b *bringing) choose(seen []Seen) place {
	at := asHere
	for i := range seen {
		if len(b.missing(asHere, &seen[i])) > 0 {
			at = max(at, inCache)
		}
	}
	if at == inCache && slices.ContainsFunc(seen, func(s Seen) bool { return !s.can }) {
		at = inTmp
	}
	return at
}

func (b *bringing) paths(at place) (paths []string) {
	for _, f := range b.files {
		paths = append(paths, b.d.path(at, f))
	}
	return paths
}

func (b *bringing) missing(at place, s *Seen) (files []int) {
	for i := range b.files {
		if !s.have[at][i] {
			files = append(files, i)
		}
	}
	return files
}

// putAll copies to each host what it lacks.
func (b *bringing) putAll(ctx context.Context, at place, seen []Seen) {
	lacking := slices.DeleteFunc(slices.Clone(seen), func(s Seen) bool { return len(b.missing(at, &s)) == 0 })
	if len(lacking) == 0 {
		return
	}
	spread := b.broadcast(ctx, lacking, at)
	defer b.removeSpread(ctx, spread)
	faults := make([]error, len(lacking))
	Each(hostsOf(lacking), func(i int, host string) {
		faults[i] = b.put(ctx, at, host, b.missing(at, &lacking[i]), spread)
	})
	for i, s := range lacking {
		if faults[i] != nil {
			b.result.Faults = append(b.result.Faults, fmt.Sprintf("%s %v", s.Host, faults[i]))
			continue
		}
		b.result.Copied = append(b.result.Copied, s.Host)
	}
	for _, f := range b.files {
		b.result.Bytes += f.size
	}
}

//go:embed put.sh
var putScript string

// slowly is how long a file may take to arrive.
const slowly = 5 * time.Minute

// put copies files to a host; spread are those that are there already, under other names.
func (b *bringing) put(ctx context.Context, at place, host string, files []int, spread map[int]string) error {
	ctx, stop := context.WithTimeout(ctx, slowly)
	defer stop()
	for _, i := range files {
		f := b.files[i]
		from, err := os.Open(f.Path)
		if err != nil {
			return err
		}
		lines, err := b.run(ctx, host, mineScript+putScript, from, append([]string{f.Name, f.sum, spread[i]},
			b.d.levels(at, f)...)...)
		from.Close()
		switch {
		case err != nil:
			return err
		case len(lines) == 0 || lines[len(lines)-1] != "done":
			return fmt.Errorf("does not get %s: %s", f.Name, strings.TrimPrefix(strings.Join(lines, " "), "failed "))
		}
	}
	return nil
}

// broadcast has Slurm copy to all hosts what several lack, as it does that faster than a copy for each. If it cannot,
// each gets its copy.
func (b *bringing) broadcast(ctx context.Context, lacking []Seen, at place) map[int]string {
	spread := make(map[int]string)
	if len(lacking) < 2 || b.Broadcast("", "") == nil {
		return spread
	}
	for i, f := range b.files {
		if !slices.ContainsFunc(lacking, func(s Seen) bool { return slices.Contains(b.missing(at, &s), i) }) {
			continue
		}
		to := "/tmp/unknot-" + rand.Text()
		argv := b.Broadcast(f.Path, to)
		if exec.CommandContext(ctx, argv[0], argv[1:]...).Run() == nil {
			spread[i] = to
		}
	}
	return spread
}

// removeSpread removes what hosts that lacked nothing have got of it.
func (b *bringing) removeSpread(ctx context.Context, spread map[int]string) {
	if len(spread) == 0 {
		return
	}
	argv := b.Everywhere(append([]string{"rm", "-f"}, slices.Collect(maps.Values(spread))...)...)
	_ = exec.CommandContext(ctx, argv[0], argv[1:]...).Run() // nothing depends on it
}
