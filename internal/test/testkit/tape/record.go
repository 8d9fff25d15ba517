package tape

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/host"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
)

// recorder is an agent process that writes a tape.
type recorder struct {
	session string
	witness *witness
	begin   time.Time // zero until the first ring is there

	mu     sync.Mutex
	tape   Tape
	looked time.Time     // when the sampler looked last
	held   time.Duration // how long it could not, of which the tape has nothing
	at     time.Duration // of the last event
}

// looks is called before the sampler looks at the rings. While a busy machine keeps it from that, the clock of the tape
// stands still: what the rings get in such a time looks on the tape as if it had come late, and the agent does not wait
// forever for a record that is missing.
func (r *recorder) looks() {
	const most = 10 * time.Millisecond
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if gap := now.Sub(r.looked) - most; gap > 0 && !r.looked.IsZero() && !r.begin.IsZero() {
		r.held += gap
	}
	r.looked = now
}

// note puts events of one moment on the tape.
func (r *recorder) note(events ...Event) {
	if len(events) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begin.IsZero() {
		r.begin = time.Now()
		r.tape.Head.Clock = r.witness.Clock()
	}
	r.at = max(r.at, time.Since(r.begin)-r.held)
	for _, e := range events {
		e.At = r.at.Microseconds()
		r.tape.Events = append(r.tape.Events, e)
	}
}

// How often rings are looked at, and processes.
const (
	ringsEvery     = 250 * time.Microsecond
	processesEvery = 5 * time.Millisecond
)

// Record is host.Main that writes what the agent takes in to a tape.
func Record(ctx context.Context, o agent.Options, in io.Reader, out io.Writer, path string) error {
	r := &recorder{session: o.Session}
	world := agent.Living()
	r.witness = newWitness(world, r.note)
	r.tape.Head = Head{Tape: Version, Ring: ring.Records, Options: o}
	if err := writeAll(o.Session); err != nil {
		return err
	}
	s, err := newSampler(r)
	if err != nil {
		return err
	}
	read, write := io.Pipe()
	over, sampled := make(chan struct{}), make(chan error, 1)
	ended := make(chan *int)
	go pass(in, write, ended)
	go func() { sampled <- s.run(over, ended) }()
	watched := host.Watch(ctx, o, agent.World{Processes: r.witness, Symbols: symbolWitness{r.witness},
		Await: (*ring.Session).AwaitBell}, read, &teller{to: out, r: r})
	close(over)
	if err := errors.Join(watched, <-sampled); err != nil {
		return err
	}
	for _, a := range r.witness.answers {
		r.tape.Symbols = append(r.tape.Symbols, a)
	}
	sortAnswers(r.tape.Symbols)
	return r.tape.Write(path)
}

// writeAll has the probes of a session write records that repeat, too: they are taken from the rings as they stand
// there.
func writeAll(dir string) error {
	s, err := ring.OpenSession(dir)
	if err != nil {
		return err
	}
	s.WriteAll()
	return s.Close()
}

// pass hands on what the supervisor says, once what came before is on the tape: the exit status goes through ended.
func pass(in io.Reader, to *io.PipeWriter, ended chan<- *int) {
	from, on := proto.NewReader(in), proto.NewWriter(to)
	for {
		m, err := from.Receive()
		if err != nil {
			to.CloseWithError(err)
			return
		}
		if m.Type == proto.Ended {
			ended <- &m.Exit
			ended <- nil // it is on the tape
		}
		if on.Send(m) != nil {
			return
		}
	}
}

// teller notes when the agent asks for the end of the job.
type teller struct {
	to io.Writer
	r  *recorder
}

func (t *teller) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte(`{"type":"`+proto.Stop+`"`)) {
		t.r.note(Event{Stop: true})
	}
	return t.to.Write(line)
}
