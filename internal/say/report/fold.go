package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// A group is a set of threads that do the same: same thread number, call, call site, state and stack, and arguments and
// reason that are equal, or differ only by a peer at a fixed distance from the rank.
type group struct {
	first  finding.Place // of the lowest rank; details that may differ inside a group are shown for this one
	ranks  []int
	args   string // as of first, or with peers written relative to the rank: "from rank r+1"
	reason string
	waits  []int // all ranks that a member waits for
	in     finding.Terms
	// Which calls of their place the members are in, at least and at most; 0 if it is not known of some.
	leastNth, mostNth int
	// For how long the members have been there, in seconds; negative if that is unknown.
	leastStay, mostStay float64
	atLeast             bool // they may have been there for longer
}

// stayed takes in for how long a member has been there.
func (g *group) stayed(p *finding.Place) {
	if p.Stay == nil || p.Stay.Least && p.Stay.Seconds == 0 {
		return
	}
	g.atLeast = g.atLeast || p.Stay.Least
	if g.leastStay < 0 {
		g.leastStay = p.Stay.Seconds
	}
	g.leastStay, g.mostStay = min(g.leastStay, p.Stay.Seconds), max(g.mostStay, p.Stay.Seconds)
}

// stay says for how long: "for 60 s", "for 2 to 60 s"; "" if that is unknown.
func (g *group) stay() string {
	least, most := finding.Lasting(g.leastStay), finding.Lasting(g.mostStay)
	switch {
	case g.leastStay < 0:
		return ""
	case g.atLeast:
		return "for at least " + least.Text
	case least.Text == most.Text:
		return "for " + most.Text
	}
	return "for " + least.Text + " to " + most.Text
}

// counted takes in which call of its place a member is in.
func (g *group) counted(p *finding.Place) {
	if len(p.Alike) > 0 {
		g.leastNth = 0 // of those it is not known
	}
	g.leastNth, g.mostNth = min(g.leastNth, p.Nth), max(g.mostNth, p.Nth)
}

// time says, behind a place, which of its calls the members are in: ", the 12th time". It is empty for the first, and
// if it is not known.
func (g *group) time() string {
	switch {
	case g.leastNth == 0 || g.mostNth < 2:
		return ""
	case g.leastNth == g.mostNth:
		return ", the " + ordinal(g.mostNth) + " time"
	}
	return ", the " + ordinal(g.leastNth) + " to " + ordinal(g.mostNth) + " time"
}

// relativeAbove is the number of alike threads from which on peers may be written relative to the rank. Below it, the
// plain numbers are easier to read.
const relativeAbove = 8

// fold groups places, which must be in order, as must be what they wait for; world is the number of ranks, for
// distances that wrap around, and the language says what they are called.
//
// Each place has several readings: its exact words and waits, the same words and "all the others" as waits, and peers
// relative to its rank. It joins the largest cluster, and the more exact one of clusters that are equally large. Which
// ranks are peers is data of a place (finding.Meaning), which its words only show. A document that was read has no such
// data: there only places with the same words are one group, as a number in a text may be anything.
func fold(places []finding.Place, world int, in finding.Terms) []group {
	shapes := make([]shape, len(places))
	classes := make(map[string][]int)
	for i := range places {
		shapes[i] = shapeOf(&places[i])
		classes[shapes[i].key] = append(classes[shapes[i].key], i)
	}
	type cluster struct {
		group
		waits map[int]bool
	}
	byKey := make(map[string]*cluster)
	var groups []*cluster
	for _, members := range classes {
		for i, r := range readings(places, shapes, members, world) {
			p := places[members[i]]
			key := shapes[members[i]].key + "\x00" + r.key
			g := byKey[key]
			if g == nil {
				g = &cluster{group{first: p, args: r.args, reason: r.reason, in: in, leastNth: p.Nth, leastStay: -1},
					make(map[int]bool)}
				byKey[key] = g
				groups = append(groups, g)
			}
			g.counted(&p)
			g.stayed(&p)
			g.ranks = append(append(g.ranks, p.Rank), p.Alike...)
			for _, w := range p.WaitsFor {
				g.waits[w] = true
			}
		}
	}
	out := make([]group, len(groups))
	for i, g := range groups {
		g.ranks, g.group.waits = set(g.ranks), slices.Sorted(maps.Keys(g.waits))
		if len(g.ranks) == 1 {
			g.args, g.reason = g.first.Args, g.first.Reason
		}
		out[i] = g.group
	}
	slices.SortFunc(out, func(a, b group) int {
		return cmp.Or(comparePlaces(a.first, b.first), cmp.Compare(len(b.ranks), len(a.ranks)),
			strings.Compare(a.reason, b.reason))
	})
	return out
}

// A shape is a place with the peers taken out of its words.
type shape struct {
	key          string // all that must be equal in a group
	args, reason []string
	peers        []int // the peers of args, then those of reason, in the order of the text
}

func shapeOf(p *finding.Place) shape {
	var s shape
	var inArgs, inReason []int
	s.args, inArgs = p.ArgWords().Cut()
	s.reason, inReason = p.ReasonWords().Cut()
	s.peers = append(inArgs, inReason...)
	s.key = fmt.Sprintf("%q|%d|%q|%v|%q|%q|%+v|%v|%q|%q|%+v", argumentWords(p.Argument), p.Thread, p.State, p.After,
		p.Call, p.File, p.Frame, p.Any, s.args, s.reason, p.Stack)
	return s
}

// A reading is one way to say what a place does; places with equal keys say the same.
type reading struct{ key, args, reason string }

// readings chooses one for each of the members, which share a shape.
func readings(places []finding.Place, shapes []shape, members []int, world int) []reading {
	exact, rest := make([]reading, len(members)), make([]string, len(members))
	count := make(map[string]int)
	for i, m := range members {
		p := &places[m]
		exact[i] = reading{fmt.Sprint("=", shapes[m].peers, exactRanges(p.WaitsFor)), p.Args, p.Reason}
		rest[i] = fmt.Sprint("others", shapes[m].peers, withSelf(p))
		count[exact[i].key]++
		count[rest[i]]++
	}
	for i := range exact {
		if count[rest[i]] > count[exact[i].key] {
			exact[i].key = rest[i]
		}
	}
	fixed := fixedPeers(shapes, members)
	if len(members) <= relativeAbove || world < 1 || !slices.Contains(fixed, false) {
		return exact
	}
	relative := make([]reading, len(members))
	cluster := make(map[string]*wrapping)
	for i, m := range members {
		p := &places[m]
		relative[i].key = relativeKey(p, shapes[m].peers, fixed, world)
		count[relative[i].key]++
		c := cluster[relative[i].key]
		if c == nil {
			c = &wrapping{}
			cluster[relative[i].key] = c
		}
		for j, q := range shapes[m].peers {
			c.around = c.around || !fixed[j] && q-p.Rank != distance(p.Rank, q, world)
		}
	}
	for i, m := range members {
		key := relative[i].key
		if count[key] <= relativeAbove || count[key] <= count[exact[i].key] {
			relative[i] = exact[i]
			continue
		}
		relative[i] = relativeWords(key, &places[m], shapes[m], fixed, world, cluster[key].around)
	}
	return relative
}

// wrapping says whether some member of a cluster reaches its peer around the end of the ranks.
type wrapping struct{ around bool }

// fixedPeers tells which peers are the same absolute rank for all members; those stay as they are.
func fixedPeers(shapes []shape, members []int) []bool {
	first := shapes[members[0]].peers
	fixed := make([]bool, len(first))
	for i := range first {
		fixed[i] = true
		for _, m := range members {
			fixed[i] = fixed[i] && shapes[m].peers[i] == first[i]
		}
	}
	return fixed
}

func relativeKey(p *finding.Place, peers []int, fixed []bool, world int) string {
	var b strings.Builder
	b.WriteString("~")
	for i, q := range peers {
		if fixed[i] {
			fmt.Fprintf(&b, " %d", q)
		} else {
			fmt.Fprintf(&b, " r%+d", distance(p.Rank, q, world))
		}
	}
	// Whoever waits for a peer with the same words needs no further key; other waits must agree as they are.
	rest := make([]int, 0, len(p.WaitsFor))
	for _, w := range p.WaitsFor {
		if !slices.Contains(peers, w) {
			rest = append(rest, w)
		}
	}
	b.WriteString(" " + exactRanges(rest))
	return b.String()
}

// distance is the way from rank a to rank b, at most half around.
func distance(a, b, world int) int {
	d := ((b-a)%world + world) % world
	if d > world/2 {
		d -= world
	}
	return d
}

func relativeWords(key string, p *finding.Place, s shape, fixed []bool, world int, wraps bool) reading {
	say := func(pieces []string, peers []int, fixed []bool) string {
		var b strings.Builder
		for i, q := range peers {
			b.WriteString(pieces[i])
			switch {
			case fixed[i]:
				b.WriteString(strconv.Itoa(q))
			case wraps:
				fmt.Fprintf(&b, "r%+d (modulo %d)", distance(p.Rank, q, world), world)
			default:
				fmt.Fprintf(&b, "r%+d", distance(p.Rank, q, world))
			}
		}
		b.WriteString(pieces[len(pieces)-1])
		return b.String()
	}
	inArgs := len(s.args) - 1
	return reading{key, say(s.args, s.peers[:inArgs], fixed[:inArgs]), say(s.reason, s.peers[inArgs:], fixed[inArgs:])}
}

// withSelf is equal for places that each wait for all the others of one set.
func withSelf(p *finding.Place) string {
	i, found := slices.BinarySearch(p.WaitsFor, p.Rank)
	if found {
		return exactRanges(p.WaitsFor)
	}
	return exactRanges(slices.Insert(slices.Clone(p.WaitsFor), i, p.Rank))
}

// exactRanges writes ascending ranks as ranges without leaving any out.
func exactRanges(ranks []int) string {
	var b strings.Builder
	for i := 0; i < len(ranks); {
		j := i
		for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
			j++
		}
		fmt.Fprintf(&b, "%d-%d,", ranks[i], ranks[j])
		i = j + 1
	}
	return b.String()
}
