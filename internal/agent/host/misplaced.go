package host

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/check/lifecycle"
	"unknot/internal/check/registry"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/ring"
	"unknot/internal/root/detect"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// outside is what the root is to know of the calls that processes of this host made outside of MPI's life.
func (p *process) outside() (last detect.Ended) {
	calls := outside(p.session.Dir)
	last.Orphan, last.Exit = p.orphan, p.exit
	last.Outside = p.misplaced(calls)
	for i := range calls {
		if calls[i].when == "freed" {
			last.Freed = append(last.Freed, p.rankOf(&calls[i]))
		}
	}
	return last
}

// tellNobodys tells of those calls that no rank is known of, and leaves the others to the root.
func (p *process) tellNobodys(last *detect.Ended) {
	last.Outside = slices.DeleteFunc(last.Outside, func(o message.Outside) bool {
		if p.net != nil && o.Places[len(o.Places)-1].Rank != finding.NoRank {
			return false
		}
		f := explain.Outside(&o)
		_ = p.out.Send(proto.Message{Type: proto.Found, Report: proto.Report{Finding: &f}})
		return true
	})
}

// rankOf is the rank that a call is of, -1 if that is not known.
func (p *process) rankOf(c *outsideCall) op.Rank {
	if rank, known := p.main[c.pid]; known {
		return rank
	}
	return c.rank
}

// misplaced sums up such calls by function and call site.
func (p *process) misplaced(calls []outsideCall) []message.Outside {
	var out []message.Outside
	at, on := make(map[string]int), registry.Chosen(p.opts.Checks)
	for i := range calls {
		c := &calls[i]
		code := lifecycle.OutsideMPI
		if c.when == "again" || strings.HasPrefix(c.function, "MPI_Init") {
			code = lifecycle.InitTwice
		}
		if !on[code] || c.when == "freed" {
			continue
		}
		c.rank = p.rankOf(c)
		stack := p.callStack(c)
		frame := symbol.Written(stack)
		id := fmt.Sprint(code, c.when, c.function, frame)
		k, told := at[id]
		if !told {
			k = len(out)
			at[id] = k
			o := message.Outside{Code: code, When: c.when, Function: c.function}
			if f := p.table.ByName(c.function); f != nil {
				o.Frees = f.Freed
			}
			if c.when == "after" && c.ended != 0 {
				o.Finalized = p.frame(c, c.ended)
			}
			out = append(out, o)
		}
		o := &out[k]
		o.Count++
		if int(c.rank) >= p.size {
			c.rank = finding.NoRank
		}
		if n, known := slices.BinarySearchFunc(o.Places, int(c.rank), byRank); !known &&
			len(o.Places) < detect.MaxAlikePlaces {
			o.Places = slices.Insert(o.Places, n, finding.Place{Rank: int(c.rank), PID: c.pid, Host: kernel.Hostname(),
				State: "called", Call: c.function,
				Frame: frame, Stack: stack, WaitsFor: []int{}})
		}
	}
	return out
}

// callStack is the call stack of such a call, as far as it is known. That of an interpreter says nothing of the script
// that it runs.
func (p *process) callStack(c *outsideCall) []finding.Frame {
	for i := range c.script {
		c.script[i].Library = p.opts.Owners.LibraryOf(c.script[i].File)
	}
	if len(c.script) > 0 {
		return c.script
	}
	if c.maps == nil {
		return nil
	}
	frames := p.world.Symbols.Frames(c.maps, ring.Address(c.site), true)
	for _, pc := range c.callers {
		if module, _ := c.maps.Locate(pc); symbol.OfPython(module) {
			return frames
		}
	}
	for _, pc := range c.callers {
		frames = append(frames, p.world.Symbols.Frames(c.maps, pc, true)...)
	}
	return trimEnd(symbol.UpToMain(frames))
}

// trimEnd drops what runs constructors before main, and what is left to do after it.
func trimEnd(frames []finding.Frame) []finding.Frame {
	n := len(frames)
	for n > 1 && ofStartup(frames[n-1]) {
		n--
	}
	return frames[:n]
}

func ofStartup(f finding.Frame) bool {
	return f.Library == symbol.CLibrary || strings.HasPrefix(f.Library, "ld-linux") || f.Function == "_start" ||
		strings.HasPrefix(f.Function, "_GLOBAL__sub_I_")
}

// frame is what a site of such a call's process is in; empty if that is not known.
func (p *process) frame(c *outsideCall, site uint64) (frame finding.Frame) {
	if c.maps != nil {
		if list := p.world.Symbols.Frames(c.maps, ring.Address(site), true); len(list) > 0 {
			frame = list[0]
		}
	}
	return frame
}

func byRank(p finding.Place, rank int) int { return cmp.Compare(p.Rank, rank) }
