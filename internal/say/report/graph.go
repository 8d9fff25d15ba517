package report

import (
	"fmt"
	"slices"

	"unknot/internal/kit/scc"
	"unknot/internal/vocab/finding"
)

// graph is the wait-for graph of one finding, with ranks that do the same folded into one node.
type graph struct {
	nodes []node
	arcs  []arc
	// undrawn counts places that have no node because the picture would become unreadable.
	undrawn int
	coarse  bool // ranks at different call sites or with different arguments share a node
}

type node struct {
	label, call, at string
	kind            string // "core", "other", "died" or "outside": also the CSS class
	box                    // set by layout
	w, h            float64
}

// arc says that from waits for to. With any, one of the arcs that leave from is enough.
type arc struct {
	from, to int
	any      bool
	label    string
}

// maxNodes is how many nodes a picture may have; one single cycle may have twice as many.
const maxNodes = 12

// graphOf builds the graph of f, as coarse as it must be to stay readable.
func graphOf(f *finding.Finding, world int, names shortNames) *graph {
	core, others := groupsOf(f, world)
	g := build(core, others, names)
	for _, key := range []func(*group) string{
		func(g *group) string {
			return fmt.Sprintf("%s|%s|%+v|%v", g.first.Call, g.first.State, g.first.Frame, g.first.Any)
		},
		func(g *group) string { return fmt.Sprintf("%s|%s", g.first.Call, g.first.State) },
	} {
		if g.readable() {
			return g
		}
		core, others = coarsen(core, key), coarsen(others, key)
		g = build(core, others, names)
		g.coarse = true
	}
	if g.readable() {
		return g
	}
	keep := min(len(core), maxNodes-2)
	rest := min(len(others), maxNodes-1-keep)
	g = build(core[:keep], others[:rest], names)
	g.coarse, g.undrawn = true, len(core)-keep+len(others)-rest
	return g
}

// groupsOf are those of a finding that do the same: those at fault, and the others.
func groupsOf(f *finding.Finding, world int) (core, others []group) {
	in := f.Language.Terms()
	return fold(waiting(f, f.Places), world, in), fold(waiting(f, f.Others), world, in)
}

// waiting leaves out those that are at work, in languages in which nobody waits for them, as far as it is known.
func waiting(f *finding.Finding, places []finding.Place) []finding.Place {
	if !f.Language.Terms().Busy {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), func(p finding.Place) bool { return p.State == "running" })
}

func (g *graph) readable() bool {
	return len(g.nodes) <= maxNodes || len(g.nodes) <= 2*maxNodes && g.isCycle()
}

// isCycle says whether the whole graph is one cycle.
func (g *graph) isCycle() bool {
	next := make([]int, len(g.nodes))
	for i := range next {
		next[i] = -1
	}
	for _, a := range g.arcs {
		if next[a.from] >= 0 || a.from == a.to {
			return false
		}
		next[a.from] = a.to
	}
	at, steps := 0, 0
	for steps == 0 || at != 0 {
		if at = next[at]; at < 0 || steps == len(next) {
			return false
		}
		steps++
	}
	return steps == len(next)
}

// coarsen merges groups with the same key. What differs between them is left out.
func coarsen(groups []group, key func(*group) string) []group {
	at := make(map[string]int)
	var out []group
	for _, g := range groups {
		k := key(&g)
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, g)
			continue
		}
		o := &out[i]
		o.ranks = set(slices.Concat(o.ranks, g.ranks))
		o.waits = set(slices.Concat(o.waits, g.waits))
		if o.args != g.args {
			o.args = ""
		}
		if o.reason != g.reason {
			o.reason = ""
		}
		o.first.Any = o.first.Any && g.first.Any
		if o.first.Frame != g.first.Frame {
			o.first.Frame = finding.Frame{}
		}
	}
	return out
}

func build(core, others []group, names shortNames) *graph {
	g := &graph{}
	groups := slices.Concat(core, others)
	byRank := make(map[int][]int)
	for i := range groups {
		gr := &groups[i]
		n := node{label: gr.who(), call: gr.first.Call, at: names.at(gr.first.Frame), kind: "core"}
		switch {
		case gr.first.State == "died":
			n.kind, n.call = "died", spaced(diedIn(&gr.first), n.call)
		case i >= len(core):
			n.kind = "other"
		}
		if n.call == "" || gr.in.JustFinished && gr.first.State == "finished" {
			n.call = gr.stateWords()
		}
		for _, r := range gr.ranks {
			byRank[r] = append(byRank[r], i)
		}
		g.nodes = append(g.nodes, n)
	}
	var outside []int
	for i := range groups {
		for _, r := range groups[i].waits {
			if byRank[r] == nil {
				outside = append(outside, r)
			}
		}
	}
	if outside = set(outside); len(outside) > 0 {
		for _, r := range outside {
			byRank[r] = []int{len(g.nodes)}
		}
		g.nodes = append(g.nodes, node{label: label(&groups[0].in, outside), call: "not stuck itself", kind: "outside"})
	}
	for i := range groups {
		to := make([]bool, len(g.nodes))
		for _, r := range groups[i].waits {
			for _, n := range byRank[r] {
				to[n] = true
			}
		}
		for n, yes := range to {
			if yes {
				g.arcs = append(g.arcs, arc{from: i, to: n, any: groups[i].first.Any, label: arcLabel(&groups[i])})
			}
		}
	}
	return g
}

// arcLabel says what is waited for; the rank itself is where the arrow points.
func arcLabel(g *group) string {
	if g.reason != "" {
		return g.reason
	}
	if g.first.Any && len(g.waits) > 1 {
		return "any one of them"
	}
	return ""
}

// components gives for each node the number of its strongly connected component, numbered so that arcs between
// components go from a higher number to a lower one.
func (g *graph) components() (of []int, count int) {
	next, nodes := make([][]int, len(g.nodes)), make([]int, len(g.nodes))
	for _, a := range g.arcs {
		next[a.from] = append(next[a.from], a.to)
	}
	for n := range nodes {
		nodes[n] = n
	}
	f := scc.New[int](len(nodes))
	count = f.Split(nodes, func(n, place int) (int, int) {
		if place == len(next[n]) {
			return 0, -1
		}
		return next[n][place], place + 1
	})
	of = make([]int, len(nodes))
	for n := range of {
		of[n] = f.Of(n)
	}
	return of, count
}
