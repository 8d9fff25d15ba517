package file

import "unknot/internal/trace"

// Write makes a file of a log.
func Write(path string, log *trace.Log) error {
	w, err := Create(path, log.Head)
	if err != nil {
		return err
	}
	w.log(log)
	return w.Close(log.Cut)
}

// log copies a log. Its names of communicators are complete, so that origins are not needed. Numbers are kept: what is
// in the log twice gets its own each time.
func (w *Writer) log(log *trace.Log) {
	w.mu.Lock()
	for _, name := range log.Funcs {
		w.define(putString(append(w.pending, defFunc), name))
	}
	for i := range log.Comms {
		w.define(putComm(w.pending, &Comm{Comm: log.Comms[i]}))
	}
	for _, frames := range log.Stacks[min(1, len(log.Stacks)):] {
		w.define(putStack(append(w.pending, defStack), frames))
	}
	for i, s := range log.Sites[min(1, len(log.Sites)):] {
		w.site(uint32(i+1), s)
	}
	for i := range log.Interactions {
		w.define(putInteraction(w.pending, &log.Interactions[i]))
	}
	w.mu.Unlock()
	streams := make([]*Stream, len(log.Threads))
	for i := range log.Threads {
		streams[i] = w.Stream(log.Threads[i].Rank, log.Threads[i].Index)
	}
	for i := range log.Threads {
		streams[i].copy(&log.Threads[i])
	}
}

// copy takes all calls and polls of a thread and what became of them.
func (s *Stream) copy(t *trace.Thread) {
	polls := t.Polls
	poll := func(until int) {
		for len(polls) > 0 && int(polls[0].Before) <= until {
			p := polls[0]
			s.Poll(p, t.Waits[p.WaitAt:p.WaitAt+p.Waiting])
			polls = polls[1:]
		}
	}
	for i := range t.Ops {
		o := &t.Ops[i]
		poll(i)
		waits := t.WaitsOf(o)
		part, wait := s.Op(*o, t.Posts(o), waits)
		for k, p := range t.Posts(o) {
			if p.Matched >= 0 {
				s.Matched(part+uint32(k), p.Matched, p.MatchedTag)
			}
			if p.Gone {
				s.Gone(part + uint32(k))
			}
		}
		done := 0
		for k := range waits {
			if waits[k].Done {
				done++
				if o.Any {
					s.Done(wait + uint32(k))
				}
			}
		}
		if !o.Any && o.Returned && done < len(waits) {
			s.Failed()
		}
		if o.Returned {
			s.Returned()
		}
	}
	poll(len(t.Ops))
}
