package attach

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/attach/dump"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/kit/priority"
)

// The lines between an unknot that looks at several hosts and that of each host, in their order: the host says which
// jobs it has, hears at which of them to look, says when all of their ranks are being watched, hears when those of the
// other hosts are, too, says what it has seen, and hears whether to end the ranks. What the host says begins with mark.
// It may say at any time that it has failed. So there is a moment at which the ranks of all hosts are watched, whatever
// their clocks say.
const (
	mark     = "unknot:"
	hereIs   = "here"  // said by the script that starts unknot
	jobsHere = "jobs " // offer in JSON
	lookAt   = "look " // names of jobs in JSON
	watching = "watching"
	allWatch = "all watch"
	saw      = "saw " // dump, in base 64
	endRanks = "end ranks"
	failed   = "failed " // why
)

// offer is what a host has.
type offer struct {
	Format string // of its dumps
	Jobs   []offered
}

// offered is a job of which a host has ranks.
type offered struct{ Job, Batch, Program string }

// Serve looks at ranks of this host for an unknot that looks at several hosts.
func Serve(ctx context.Context, o Options, from io.Reader, to io.Writer) error {
	defer priority.Urgent()()
	hears := bufio.NewScanner(from)
	all := job.All()
	own := offer{Format: dump.Format}
	for _, name := range jobs(all) {
		i := slices.IndexFunc(all, func(r job.Rank) bool { return r.Job == name })
		own.Jobs = append(own.Jobs, offered{name, all[i].Batch, filepath.Base(all[i].Program)})
	}
	text, err := json.Marshal(own)
	if err != nil {
		return err
	}
	say := func(line string) { fmt.Fprintf(to, "%s%s\n", mark, line) }
	say(jobsHere + string(text))
	if !hears.Scan() {
		return nil // there is nothing to look at
	}
	var names []string
	words, ok := strings.CutPrefix(hears.Text(), lookAt)
	if !ok || json.Unmarshal([]byte(words), &names) != nil {
		return errors.New("unknot of another version asks")
	}
	ranks := slices.DeleteFunc(all, func(r job.Rank) bool { return !slices.Contains(names, r.Job) })
	seen, err := watch(ctx, ranks, o, func() error {
		say(watching)
		if !hears.Scan() {
			return io.EOF
		}
		return nil
	})
	switch {
	case errors.Is(err, io.EOF): // nobody waits for it any more
		return nil
	case err != nil:
		say(failed + "cannot be looked at: " + err.Error())
		return nil
	}
	text, err = dump.Encode(&dump.Dump{Unknot: o.Version, Hosts: []look.Host{*seen}})
	if err != nil {
		return err
	}
	say(saw + base64.StdEncoding.EncodeToString(text))
	if hears.Scan() && hears.Text() == endRanks {
		end(ranks)
	}
	return nil
}
