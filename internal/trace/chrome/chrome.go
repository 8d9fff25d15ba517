// Package chrome writes a log in the trace-event format of Chrome, which Perfetto and others draw: a row a rank, a bar
// a call, an arrow a message. Times are logical: see clock.
package chrome

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// event is one entry of the format.
type event struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Cat   string         `json:"cat,omitempty"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Time  int64          `json:"ts"`
	Dur   int64          `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Args  map[string]any `json:"args,omitempty"`
}

// Write writes a log.
func Write(w io.Writer, log *trace.Log) error {
	out := &writer{to: bufio.NewWriter(w), log: log, clock: newClock(log)}
	out.text(`{"displayTimeUnit":"ns","traceEvents":[`)
	for r := range log.Head.Ranks {
		out.event(event{Name: "process_name", Phase: "M", PID: r,
			Args: map[string]any{"name": fmt.Sprintf("rank %d", r)}})
		out.event(event{Name: "process_sort_index", Phase: "M", PID: r, Args: map[string]any{"sort_index": r}})
	}
	for i := range log.Threads {
		for k := range log.Threads[i].Ops {
			out.call(i, k)
		}
	}
	out.text("\n]}\n")
	if out.err != nil {
		return out.err
	}
	return out.to.Flush()
}

type writer struct {
	to     *bufio.Writer
	log    *trace.Log
	clock  *clock
	events int
	arrows int
	err    error
}

func (w *writer) text(s string) {
	if _, err := w.to.WriteString(s); err != nil && w.err == nil {
		w.err = err
	}
}

func (w *writer) event(e event) {
	b, err := json.Marshal(e)
	if err != nil && w.err == nil {
		w.err = err
	}
	if w.events > 0 {
		w.text(",")
	}
	w.events++
	w.text("\n" + string(b))
}

// call writes a call and the arrows of the messages for which it waited.
func (w *writer) call(i, k int) {
	t := &w.log.Threads[i]
	o := &t.Ops[k]
	begin, end := w.clock.begin[i][k], w.clock.end[i][k]
	args := map[string]any{"call": k + 1}
	if s := w.log.Sites[o.Site]; s.File != "" {
		args["at"] = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	if end == 0 {
		end = w.clock.last()
		args["returned"] = false
	}
	for n, p := range t.Posts(o) {
		name := ""
		if n > 0 {
			name = fmt.Sprintf(" %d", n+1)
		}
		switch p.Kind {
		case op.Send, op.Recv, op.Probe:
			args["peer"+name], args["tag"+name], args["communicator"+name] = p.Peer, p.Tag, w.log.Comms[p.Comm].Name
			if p.Matched >= 0 {
				args["met"+name] = p.Matched
			}
		case op.Coll:
			args["communicator"+name] = w.log.Comms[p.Comm].Name
		}
	}
	w.event(event{Name: w.log.Funcs[o.Fn], Phase: "X", Cat: "mpi", Time: begin, Dur: max(1, end-begin),
		PID: int(t.Rank), TID: int(t.Index), Args: args})
	if !o.Returned {
		return
	}
	for _, wait := range t.WaitsOf(o) {
		s, ok := w.clock.sender[pairing.Ref{Thread: wait.Thread, Part: wait.Part}]
		if !ok || o.Any && !wait.Done {
			continue
		}
		u := &w.log.Threads[s.Thread]
		w.arrows++
		w.event(event{Name: "message", Phase: "s", Cat: "mpi", ID: w.arrows,
			Time: w.clock.begin[s.Thread][w.clock.owner[s.Thread][s.Part]],
			PID:  int(u.Rank), TID: int(u.Index)})
		w.event(event{Name: "message", Phase: "f", Bind: "e", Cat: "mpi", ID: w.arrows, Time: end - 1, PID: int(t.Rank),
			TID: int(t.Index)})
	}
}
