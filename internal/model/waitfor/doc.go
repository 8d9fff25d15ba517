// Package waitfor answers who can never get on, and gives a smallest reason, from an AND/OR wait-for graph.
//
// It takes processes, the conditions under which each gets on, and nothing of what the conditions are about. The
// criterion is the graph-based one of Hilbrich, de Supinski, Schulz and Müller (ICS 2009), as it is used in section 5
// of their distributed wait-state tracking (SC 2013): a set of processes is deadlocked if none of them would get on
// even if all others did whatever they can.
//
//  1. A process that is not blocked is live. A blocked one becomes live when all (or any) of what it waits for is live.
//     The least fixpoint is computed by counting down along reversed arcs, once per arc; the rest is dead.
//  2. A set of dead processes is closed if none of its members gets on while only the set stands still: each AND has a
//     member among its children, each OR has only members. A core is a closed set without a smaller one inside.
//  3. A core lies in one strongly connected component of the dead graph, or is one process that waits for what never
//     comes. Components are pruned to their closed part and split again until both hold (a region).
//  4. A region in which no AND has a choice is a core. In the others a search by branch and bound, with bounds that
//     double, finds the smallest core. The problem is NP-hard, so the search has a budget of steps in proportion to the
//     region; when it is used up, a nearest closed set is taken and thinned out until it is minimal.
//
// Waits of many for the same set share one auxiliary node, so p wildcard receives cost 2p arcs and not p².
package waitfor
