package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/agent/proto"
	"unknot/internal/check/lifecycle"
	"unknot/internal/check/registry"
	"unknot/internal/detect"
	"unknot/internal/finding"
	"unknot/internal/op"
)

// outside is what the root is to know of the calls that processes made outside of MPI's life. What no rank is known of is told at once.
func (p *process) outside() (last detect.Ended) {
	calls := outside(p.session.Dir)
	for _, f := range p.misplaced(calls) {
		if p.net == nil || len(f.Ranks) == 0 { // no rank is known
			_ = p.out.Send(proto.Message{Type: proto.Found, Finding: &f})
			continue
		}
		last.Outside = append(last.Outside, f)
	}
	for i := range calls {
		if calls[i].when == "freed" {
			last.Freed = append(last.Freed, p.rankOf(&calls[i]))
		}
	}
	return last
}

// rankOf is the rank that a call is of, -1 if that is not known.
func (p *process) rankOf(c *outsideCall) op.Rank {
	if rank, known := p.main[c.pid]; known {
		return rank
	}
	return c.rank
}

// misplaced makes findings of such calls, one for each function and call site.
func (p *process) misplaced(calls []outsideCall) []finding.Finding {
	var out []finding.Finding
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
		var frame finding.Frame
		if c.maps != nil {
			if list := p.resolve.Frames(c.maps, c.site, true); len(list) > 0 {
				frame = list[0]
			}
		}
		id := fmt.Sprint(code, c.when, c.function, frame)
		k, told := at[id]
		if !told {
			k = len(out)
			at[id] = k
			out = append(out, finding.Finding{Code: code, Severity: finding.Error, Standing: finding.Manifest, Ranks: []int{}})
		}
		f := &out[k]
		f.Count++
		if int(c.rank) >= p.size {
			c.rank = finding.NoRank
		}
		if n, known := slices.BinarySearchFunc(f.Places, int(c.rank), byRank); !known && len(f.Places) < detect.MaxAlikePlaces {
			f.Places = slices.Insert(f.Places, n, finding.Place{Rank: int(c.rank), PID: c.pid, Host: hostname(), State: "called", Call: c.function,
				Frame: frame, WaitsFor: []int{}})
			if c.rank >= 0 {
				f.Ranks = append(f.Ranks, int(c.rank))
				slices.Sort(f.Ranks)
			}
			if c.rank >= 0 && f.Ranks[0] == int(c.rank) || f.Sentence == "" { // the lowest rank speaks for all
				f.Sentence = c.sentence()
			}
		}
	}
	return out
}

func byRank(p finding.Place, rank int) int { return cmp.Compare(p.Rank, rank) }

// sentence says what is wrong with the call. Before MPI is initialised nobody knows the rank.
func (c *outsideCall) sentence() string {
	who := fmt.Sprintf("Rank %d", c.rank)
	if c.rank < 0 {
		who = "A process"
	}
	switch {
	case c.when == "again":
		return fmt.Sprintf("%s calls %s again: MPI is already initialised.", who, c.function)
	case c.when == "beside":
		return fmt.Sprintf("%s calls %s while another of its threads is in it.", who, c.function)
	case c.when == "after":
		return fmt.Sprintf("%s calls %s after MPI_Finalize.", who, c.function)
	}
	return fmt.Sprintf("%s calls %s before MPI is initialised.", who, c.function)
}
