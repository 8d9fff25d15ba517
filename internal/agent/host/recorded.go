package host

import (
	"context"
	"time"

	"unknot/internal/root/link"
	"unknot/internal/say/explain"
	"unknot/internal/upc/streams"
)

// Threads of UPC programs with --check=race record what they do with shared memory in files of the session (package
// streams), which the supervisor reads. What those of other hosts record is copied to its session: the process there
// sends what has come, and continues when that has been taken in, so that threads which are faster than the reader wait
// for it as on its own host.

func newCopying(session string) *copying {
	return &copying{session: session, copier: streams.NewCopier(session), taken: make(chan struct{}, 1),
		end: make(chan struct{}), done: make(chan struct{})}
}

// cutFor is how long threads may have to wait because the supervisor's host is out of reach. From then on they record
// no more.
const cutFor = 10 * time.Second

// copyTo sends what comes until the end, or until the context ends. If the link is cut for long, it says so and ends
// too: no program waits for unknot that unknot does not watch.
func (r *copying) copyTo(ctx context.Context, l *link.Link, note func(string)) {
	const idle = 10 * time.Millisecond
	defer close(r.done)
	defer r.copier.Close()
	defer streams.Unmark(r.session)
	ending := false
	for ctx.Err() == nil {
		c := r.copier.Take(ending)
		switch {
		case c != nil:
			l.Send(link.Bulk, (&control{Recorded: c}).bytes())
			if !r.await(ctx, l) {
				note(explain.RecordsNoMore(cutFor))
				return
			}
			continue
		case ending:
			return
		}
		select {
		case <-r.end:
			ending = true
		case <-time.After(idle):
		case <-ctx.Done():
			return
		}
	}
}

// await waits until what was sent has been taken in, or the context ends; false if the link is cut for too long.
func (r *copying) await(ctx context.Context, l *link.Link) bool {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-r.taken:
			return true
		case <-ctx.Done():
			return true
		case <-look.C:
			if since, down := l.Down(); down && time.Since(since) > cutFor {
				return false
			}
		}
	}
}

// finish has the rest sent, and over says whether it has been taken in.
func (r *copying) finish() { close(r.end) }

func (r *copying) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// takeRecorded takes in what the threads of a host have recorded, one copy after another, until nothing more comes.
func (h *hosts) takeRecorded(r *remote) {
	p := streams.NewPaster(h.p.session.Dir, r.number)
	defer p.Close()
	note := func(text string) { h.p.events.Put(func() { h.p.note(explain.OnHost(r.host, text)) }) }
	for c := range r.recorded {
		for _, bad := range c.Bad {
			note(bad)
		}
		if err := p.Paste(h.open, c); err != nil {
			note(err.Error())
		}
		(&control{Taken: true}).send(r.link)
	}
}
