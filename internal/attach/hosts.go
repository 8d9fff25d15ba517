package attach

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"unknot/internal/attach/dump"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/stage"
	"unknot/internal/vocab/mpi"
)

// patience is how long a host may take to answer, beyond the time for which it watches.
const patience = time.Minute

//go:embed look.sh
var lookScript string

// member is one of several hosts that are looked at.
type member struct {
	name  string
	talk  *stage.Conversation
	offer offer
	seen  []look.Host
	err   error // why it could not be looked at; part of a sentence that begins with the host
}

// gathering looks at several hosts together.
type gathering struct {
	Options
	shell   stage.Shell
	members []*member
}

// together looks at ranks on several hosts, so that there is a moment at which all of them are watched.
func together(ctx context.Context, o Options) (*dump.Dump, error) {
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &gathering{Options: o, shell: stage.Shell{Remote: launch.To(o.Hosts)}}
	program, err := g.program(ctx)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	g.join(ctx, program)
	defer g.leave()
	names, err := g.choose()
	if err != nil {
		return nil, err
	}
	g.watch(names)
	g.see(table)
	d := &dump.Dump{Format: dump.Format, Unknot: o.Version, Start: start.Format(time.RFC3339)}
	round := rand.Text()
	g.dropTwins()
	for _, m := range g.members {
		if m.err != nil {
			d.Missing = append(d.Missing, dump.Missing{Host: m.name, Why: m.err.Error()})
		}
		for _, h := range m.seen {
			h.Round = round
			d.Hosts = append(d.Hosts, h)
		}
	}
	if len(d.Hosts) == 0 {
		return nil, g.nothing()
	}
	if o.Kill {
		g.each(func(m *member) {
			if err := m.talk.Say(endRanks); err != nil {
				d.Missing = append(d.Missing, dump.Missing{Host: m.name, Why: "does not end its ranks: " + err.Error()})
			}
		})
	}
	return d, nil
}

// program is the path of unknot on all hosts.
func (g *gathering) program(ctx context.Context) (string, error) {
	self, err := os.Executable()
	if err != nil || !g.Stage {
		return self, err
	}
	brought, err := g.shell.Bring(ctx, stage.DirectoriesHere(), []stage.File{{Path: self, Name: stage.Unknot}})
	if err != nil {
		return "", fmt.Errorf("--stage: %w", err)
	}
	return brought.Paths[0], nil
}

// join has each host say which jobs it has.
func (g *gathering) join(ctx context.Context, program string) {
	names := slices.Clone(g.shell.Names)
	if len(names) < len(g.Hosts) { // one of them is this one
		names = append(names, stage.Here)
	}
	g.members = make([]*member, len(names))
	stage.Each(names, func(i int, name string) {
		m := &member{name: name}
		if g.members[i] = m; name == stage.Here {
			m.name, _ = os.Hostname() // the kernel always has one
		}
		m.talk, m.err = g.shell.Talk(ctx, name, lookScript, program, "look", "--watch", g.Between.String())
		if m.err == nil {
			m.hear(hereIs, patience, func(string) error { return nil })
		}
		if m.err == nil {
			m.hear(jobsHere, patience, func(text string) error { return json.Unmarshal([]byte(text), &m.offer) })
		}
		if m.err == nil && m.offer.Format != dump.Format {
			m.err = fmt.Errorf("has an unknot that writes %s, and this one reads %s; hint: use the same unknot on all hosts",
				m.offer.Format, dump.Format)
		}
	})
}

// hear takes the line that a host says next, and what stands in it behind a word.
func (m *member) hear(word string, within time.Duration, take func(text string) error) {
	line, err := m.talk.Hear(within)
	if err != nil {
		m.err = err
		return
	}
	if why, is := strings.CutPrefix(line, failed); is {
		m.err = errors.New(why)
	} else if text, is := strings.CutPrefix(line, word); !is {
		m.err = errors.New("has an unknot that answers otherwise; hint: use the same unknot on all hosts")
	} else if err := take(text); err != nil {
		m.err = fmt.Errorf("answers what cannot be read (%w)", err)
	}
}

// each does something for each host that has not failed, for all at a time.
func (g *gathering) each(do func(m *member)) {
	done := make(chan bool)
	n := 0
	for _, m := range g.members {
		if m.err == nil {
			n++
			go func() { do(m); done <- true }()
		}
	}
	for range n {
		<-done
	}
}

// leave ends what is still said to the hosts.
func (g *gathering) leave() {
	for _, m := range g.members {
		if m.talk != nil {
			m.talk.End()
		}
	}
}

// dropTwins leaves out hosts whose ranks were seen on another one: they have two names.
func (g *gathering) dropTwins() {
	type rank struct {
		job string
		n   int
	}
	first := make(map[rank]*member)
	for _, m := range g.members {
		for i := range m.seen {
			for k := range m.seen[i].Ranks {
				r := &m.seen[i].Ranks[k]
				twin := first[rank{r.Job, r.Rank.Rank}]
				if twin == nil {
					first[rank{r.Job, r.Rank.Rank}] = m
				} else if twin != m {
					m.err = fmt.Errorf("has the ranks of %s", twin.name)
				}
			}
		}
		if m.err != nil {
			m.seen = nil
		}
	}
}

// choose is which jobs are looked at.
func (g *gathering) choose() (names []string, err error) {
	var all, shown, asked []string
	for _, m := range g.members {
		for _, o := range m.offer.Jobs {
			if !slices.Contains(all, o.Job) {
				all, shown = append(all, o.Job), append(shown, fmt.Sprintf("%s (%s)", o.Job, o.Program))
				if o.Job == g.Job || o.Batch == g.Job {
					asked = append(asked, o.Job)
				}
			}
		}
	}
	list := cmp.Or(strings.Join(shown, ", "), "none")
	switch {
	case g.PID != 0:
		names = jobs(job.Of(g.PID, job.All()))
		if len(names) == 0 {
			return nil, fmt.Errorf("no rank of an MPI job is on this host that process %d is, or is above of; hint: --job "+
				"with one of %s", g.PID, list)
		}
	case g.Job != "":
		names = asked
		if len(names) == 0 {
			return nil, fmt.Errorf("no rank of job %q is on these hosts; hint: they have %s", g.Job, list)
		}
	case len(all) == 0:
		return nil, g.nothing()
	case !g.All && len(all) > 1:
		return nil, fmt.Errorf("%d jobs are on these hosts; hint: --all, or --job with one of them: %s", len(all), list)
	default:
		names = all
	}
	return names, nil
}

// nothing says why nothing was seen.
func (g *gathering) nothing() error {
	for _, m := range g.members {
		if m.err != nil {
			return fmt.Errorf("host %s %w", m.name, m.err)
		}
	}
	return errors.New("no rank of an MPI job is on these hosts whose environment this user may read; hint: name the hosts " +
		"of the job, as the user who has started it")
}

// watch has the hosts that have ranks of jobs watch them, and returns when all do.
func (g *gathering) watch(names []string) {
	text, _ := json.Marshal(names) // strings always encode
	g.members = slices.DeleteFunc(g.members, func(m *member) bool {
		idle := m.err == nil && !slices.ContainsFunc(m.offer.Jobs, func(o offered) bool {
			return slices.Contains(names, o.Job)
		})
		if idle {
			m.talk.End()
		}
		return idle
	})
	g.each(func(m *member) {
		if m.err = m.talk.Say(lookAt + string(text)); m.err == nil {
			m.hear(watching, patience, func(string) error { return nil })
		}
	})
}

// see takes what each host has seen.
func (g *gathering) see(table *mpi.T) {
	g.each(func(m *member) { m.err = m.talk.Say(allWatch) })
	g.each(func(m *member) {
		m.hear(saw, patience+2*max(10*time.Second, g.Between), func(text string) error {
			packed, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return err
			}
			d, err := dump.Decode(packed, table)
			if err == nil {
				m.seen = d.Hosts
			}
			return err
		})
	})
}
