package agent

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
)

// data takes in a Data record that says nothing of a call, nor of memory: where the program's calls are, and what
// reports and the trace say besides.
func (a *describer) data(t *thread, id ring.DataID, v []uint64) {
	r := t.rank
	switch id {
	case ring.DataSite:
		s := decode.ReadStack(v)
		objects.Set(&r.Python, s.Site, s.Frames)
	case ring.DataCallers:
		c := decode.ReadCallers(v)
		objects.Set(&r.Callers, c.Number, c.PCs)
	case ring.DataMaps:
		r.Maps = symbol.ParseMaps(r.PID, decode.Text(v))
		a.resolve.Hold(r.Maps)
	case ring.DataPlan:
		if why := decode.Text(v); why != "" {
			a.net.SendUp(message.Unforced{Why: why})
		}
	case ring.DataUnused:
		u := decode.ReadUnused(v)
		a.net.SendUp(message.Unused{Rank: r.World, Thread: t.WS.Index, Receives: u.Receives, Decide: u.Decided,
			Sends: u.Sends, Named: u.Named, Choices: u.Choices, Unmet: u.Unmet})
	case ring.DataInteraction:
		a.log.Interacted(r.log, decode.ReadInteraction(v))
	case ring.DataCaught:
		t.caught.add(decode.ReadCaught(v), r.except, &a.opts.Owners)
	case ring.DataExcept:
		e := decode.ReadException(v)
		r.except = &message.Exception{Kind: e.Kind, Text: e.Text, Line: e.Line, File: e.File}
	}
}
