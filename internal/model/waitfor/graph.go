package waitfor

import "fmt"

// Node is a process (0 to processes-1) or an auxiliary node that a Graph has given out.
type Node int32

// Graph is an AND/OR wait-for graph. It is not safe for concurrent use; the questions (Dead, Core, Cores, Arcs) may be
// asked at any time and in between changes.
//
// Every node is an AND or an OR over its children. A running process is the AND of nothing, which always holds; what
// never comes is the OR of nothing. Auxiliary nodes have only children that are older than themselves, so every cycle
// leads through a process.
type Graph struct {
	processes int
	any       []bool
	span      []span
	arcs      []Node
	solved    *solution
}

// span is where a node's children are in Graph.arcs.
type span struct{ from, to int }

// New gives a graph of processes 0 to processes-1, all of them running.
func New(processes int) *Graph {
	return &Graph{processes: processes, any: make([]bool, processes), span: make([]span, processes)}
}

// Set gives an auxiliary node for "any of these". Make one for all that wait for the same set: each waiter then costs
// one arc. A waiter may be a member of the set it waits for; that changes nothing, for nobody is freed by itself.
func (g *Graph) Set(members []Node) Node { return g.auxiliary(members, true) }

// All gives an auxiliary node that is live when all children are; at once if there are none.
func (g *Graph) All(children []Node) Node { return g.auxiliary(children, false) }

// Any gives an auxiliary node that is live when one of the children is; never if there are none.
func (g *Graph) Any(children []Node) Node { return g.auxiliary(children, true) }

// Never gives an auxiliary node that is never live: what can no longer come, as a message from a finished process.
func (g *Graph) Never() Node { return g.auxiliary(nil, true) }

// Running gives an auxiliary node that is always live: what may still come, or is not known.
func (g *Graph) Running() Node { return g.auxiliary(nil, false) }

// Block says that process p stands still until all of these nodes are live. It replaces what was said of p before.
func (g *Graph) Block(p Node, all []Node) { g.block(p, all, false) }

// BlockAny says that process p stands still until one of these nodes is live. It replaces what was said of p before.
func (g *Graph) BlockAny(p Node, any []Node) { g.block(p, any, true) }

func (g *Graph) auxiliary(children []Node, any bool) Node {
	n := Node(len(g.span))
	g.span = append(g.span, g.store(children))
	g.any = append(g.any, any)
	return n
}

func (g *Graph) block(p Node, children []Node, any bool) {
	if p < 0 || int(p) >= g.processes {
		panic(fmt.Sprintf("waitfor: node %d is not one of the %d processes", p, g.processes))
	}
	g.span[p], g.any[p] = g.store(children), any
}

// store keeps children and forgets what was worked out before.
func (g *Graph) store(children []Node) span {
	for _, c := range children {
		if c < 0 || int(c) >= len(g.span) {
			panic(fmt.Sprintf("waitfor: child %d is not one of the %d nodes made so far", c, len(g.span)))
		}
	}
	g.solved = nil
	s := span{from: len(g.arcs)}
	g.arcs = append(g.arcs, children...)
	s.to = len(g.arcs)
	return s
}

func (g *Graph) children(n Node) []Node { return g.arcs[g.span[n].from:g.span[n].to] }

func (g *Graph) process(n Node) bool { return int(n) < g.processes }
