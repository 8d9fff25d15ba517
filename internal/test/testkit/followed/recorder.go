package followed

import (
	"unknot/internal/agent/calls"
	"unknot/internal/agent/log"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Recorder is an observer that hands on to a log what happens in a thread, as an agent does.
type Recorder struct {
	Silent
	Of     *calls.Thread
	Stream *log.Thread

	l *log.Log
	r *log.Rank
}

// Recorded adds a thread to a rank, and has a log written of it.
func (j *Job) Recorded(r *calls.Rank, l *log.Log, of *log.Rank) *Recorder {
	o := &Recorder{l: l, r: of, Stream: l.Begin(of, op.Thread(len(r.Threads)))}
	j.Thread(r, func(t *calls.Thread) calls.Observer {
		o.Of = t
		return o
	})
	return o
}

// Started has the operation entered in the log as the program has called it.
func (o *Recorder) Started(p *waitstate.Op) { o.l.Enter(o.Stream, p, o.Of.Func, o.Of.Choice()) }

// Returned has the last call return.
func (o *Recorder) Returned(failed bool) {
	if failed {
		o.l.Failed(o.Stream)
	}
	o.l.Returned(o.Stream)
}

// Asks hands on what a poll asks for.
func (o *Recorder) Asks(f *mpi.Func, p *waitstate.Op, requests []*objects.Request) {
	o.l.Asks(o.Stream, f, p, requests)
}

// Matched hands on a match.
func (o *Recorder) Matched(p *waitstate.Part, from op.Rank, tag int32) { o.l.Matched(p, from, tag) }

// ThreadEnded hands on the end of the thread.
func (o *Recorder) ThreadEnded(uint32) { o.l.End(o.Stream) }

// Joining hands on that it waits for another one.
func (o *Recorder) Joining(p *waitstate.Op) { o.l.Join(o.Stream, p) }

// AsksFor hands on the message that a poll asks for.
func (o *Recorder) AsksFor(p *waitstate.Part) { o.l.AsksFor(o.Stream, p) }

// Missed hands on polls that have found nothing.
func (o *Recorder) Missed(nth, n uint32) { o.l.Missed(o.Stream, nth, n) }

// Found hands on one that has.
func (o *Recorder) Found(p *waitstate.Op) { o.l.Found(o.Stream, p, o.Of.Func, o.Of.Choice()) }

// Gone hands on what was cancelled.
func (o *Recorder) Gone(p *waitstate.Part) { o.l.Gone(p) }

// Done hands on which request is complete.
func (o *Recorder) Done(index int32) { o.l.Done(o.Stream, index) }

// Named hands on the name of a communicator.
func (o *Recorder) Named(c *objects.Comm) { o.l.Named(o.r, c) }
