package race

import (
	"math"
	"slices"
	"sort"
)

// segment is memory whose bytes have the same history. There are many, so its length has half a word, and longer memory
// is several segments.
type segment struct {
	start   uint64
	length  uint32
	history historyID
}

// mostOfSegment is how long a segment may be.
const mostOfSegment = 1 << 31

func (x *segment) end() uint64 { return x.start + uint64(x.length) }

// piece is a segment from one address to another.
func piece(from, to uint64, h historyID) segment { return segment{from, uint32(to - from), h} }

// space is the memory of one owner: disjoint segments in order, in chunks of bounded length, and these in groups: what
// one more segment moves does not grow with their number.
type space struct {
	groups []*group
	starts []uint64 // of the groups
	last   int      // the group that was used last
	out    []segment
}

// group is chunks that follow each other.
type group struct {
	chunks [][]segment
	starts []uint64 // of the chunks
	last   int      // the chunk that was used last
}

const (
	mostOfChunk  = 128
	mostOfGroup  = 256
	segmentBytes = 16
)

// part is the index of the part that has an address, or would have it, where the parts begin at starts. last is the one
// that was used last.
func part(starts []uint64, last int, at uint64) int {
	if last < len(starts) && starts[last] <= at && (last+1 == len(starts) || at < starts[last+1]) {
		return last
	}
	n, there := slices.BinarySearch(starts, at)
	if !there {
		n--
	}
	return max(n, 0)
}

// update replaces the histories of the bytes from start to end by what step makes of them, and says by how many
// segments the space has grown.
func (s *space) update(start, end uint64, step func(before historyID, from, to uint64) historyID) (grown int) {
	if len(s.groups) == 0 {
		g := &group{chunks: [][]segment{make([]segment, 0, mostOfChunk)}, starts: []uint64{start}}
		s.groups, s.starts = append(s.groups, g), append(s.starts, start)
	}
	for start < end {
		s.last = part(s.starts, s.last, start)
		g := s.groups[s.last]
		g.last = part(g.starts, g.last, start)
		limit := uint64(math.MaxUint64) // where the next chunk begins
		switch {
		case g.last+1 < len(g.starts):
			limit = g.starts[g.last+1]
		case s.last+1 < len(s.starts):
			limit = s.starts[s.last+1]
		}
		to := min(end, start+mostOfSegment, limit)
		grown += s.updateChunk(g, start, to, limit, step)
		start = to
	}
	return grown
}

// updateChunk is update within the chunk that is used now, of the group that is.
func (s *space) updateChunk(g *group, start, end, limit uint64,
	step func(before historyID, from, to uint64) historyID) int {
	c := g.chunks[g.last]
	first := firstAfter(c, start, g.starts[g.last], limit)
	out, at, i := s.out[:0], start, first
	for ; i < len(c) && c[i].start < end; i++ {
		x := c[i]
		if x.start < start {
			out = join(out, piece(x.start, start, x.history))
			x = piece(start, x.end(), x.history)
		}
		if at < x.start {
			out = join(out, piece(at, x.start, step(0, at, x.start)))
		}
		to := min(x.end(), end)
		out = join(out, piece(x.start, to, step(x.history, x.start, to)))
		if x.end() > end {
			out = join(out, piece(end, x.end(), x.history))
		}
		at = to
	}
	if at < end {
		out = join(out, piece(at, end, step(0, at, end)))
	}
	s.out = out
	// Neighbours that have become equal.
	if first > 0 && c[first-1].joins(&out[0]) {
		first--
		out[0] = piece(c[first].start, out[0].end(), out[0].history)
	}
	if last := &out[len(out)-1]; i < len(c) && last.joins(&c[i]) {
		last.length += c[i].length
		i++
	}
	grown := len(out) - (i - first)
	if grown == 0 {
		copy(c[first:], out)
	} else {
		c = slices.Replace(c, first, i, out...)
	}
	g.chunks[g.last], g.starts[g.last] = c, c[0].start
	s.starts[s.last] = g.starts[0]
	if len(c) > mostOfChunk {
		s.split(g)
	}
	return grown
}

// some says whether something holds of the history of a byte from start to end that has one.
func (s *space) some(start, end uint64, is func(historyID) bool) bool {
	if len(s.groups) == 0 {
		return false
	}
	for n := part(s.starts, s.last, start); n < len(s.groups) && s.starts[n] < end; n++ {
		g := s.groups[n]
		for m := part(g.starts, g.last, start); m < len(g.chunks) && g.starts[m] < end; m++ {
			c := g.chunks[m]
			for i := sort.Search(len(c), func(i int) bool { return c[i].end() > start }); i < len(c) &&
				c[i].start < end; i++ {
				if is(c[i].history) {
					return true
				}
			}
		}
	}
	return false
}

// firstAfter is the index of the first segment of a chunk that ends after an address. The chunk has what is from one
// address to another: segments are often about as far from each other, so it looks first where the address would be
// then, and goes from there in growing steps. To look elsewhere is what takes time where there are many segments.
func firstAfter(c []segment, at, from, to uint64) int {
	n := len(c)
	switch {
	case n == 0 || at < from:
		return 0
	case to == math.MaxUint64 && c[n-1].end() <= at: // memory is often gone through in its order
		return n
	}
	guess := int(min((at-from)/max((to-from)/uint64(n), 1), uint64(n-1)))
	low, high := 0, n
	if c[guess].end() > at {
		high = guess
		for step := 1; high > low; step *= 2 {
			k := max(guess-step, 0)
			if c[k].end() <= at {
				low = k + 1
				break
			}
			high = k
		}
	} else {
		low = guess + 1
		for step := 1; low < high; step *= 2 {
			k := min(guess+step, n-1)
			if c[k].end() > at {
				high = k
				break
			}
			low = k + 1
		}
	}
	for low < high {
		mid := (low + high) / 2
		if c[mid].end() > at {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// joins says whether a segment and the next one can be one.
func (x *segment) joins(next *segment) bool {
	return x.end() == next.start && x.history == next.history && uint64(x.length)+uint64(next.length) < mostOfSegment
}

// join appends a segment, or makes the last one longer if it has the same history.
func join(list []segment, x segment) []segment {
	if n := len(list); n > 0 && list[n-1].joins(&x) {
		list[n-1].length += x.length
		return list
	}
	return append(list, x)
}

// split makes two chunks of the one that is used now, and two groups of its group if that has too many. What grows at
// its end is likely to go on there.
func (s *space) split(g *group) {
	n, c := g.last, g.chunks[g.last]
	half := len(c) / 2
	if atEnd := n == len(g.chunks)-1 && s.last == len(s.groups)-1; atEnd {
		half = len(c) - mostOfChunk/8
	}
	rest := make([]segment, len(c)-half, mostOfChunk+8)
	copy(rest, c[half:])
	g.chunks[n] = c[:half]
	g.chunks, g.starts = slices.Insert(g.chunks, n+1, rest), slices.Insert(g.starts, n+1, rest[0].start)
	if len(g.chunks) <= mostOfGroup {
		return
	}
	half = len(g.chunks) / 2
	second := &group{chunks: slices.Clone(g.chunks[half:]), starts: slices.Clone(g.starts[half:])}
	clear(g.chunks[half:])
	g.chunks, g.starts, g.last = g.chunks[:half], g.starts[:half], 0
	s.groups, s.starts = slices.Insert(s.groups, s.last+1, second), slices.Insert(s.starts, s.last+1, second.starts[0])
}

// rebuild gives each segment another history, and leaves out those whose history is empty. It gives the number of
// segments that are left.
func (s *space) rebuild(next func(segment) historyID) (left int) {
	old := *s
	*s = space{out: s.out}
	var c []segment
	for _, g := range old.groups {
		for _, chunk := range g.chunks {
			for _, x := range chunk {
				if x.history = next(x); x.history == 0 {
					continue
				}
				if c = join(c, x); len(c) > mostOfChunk*3/4 {
					left += s.append(c[: len(c)-1 : len(c)-1])
					c = append(make([]segment, 0, mostOfChunk), c[len(c)-1])
				}
			}
		}
	}
	if len(c) > 0 {
		left += s.append(c)
	}
	return left
}

// append adds a chunk behind all others, and says how many segments it has.
func (s *space) append(c []segment) int {
	n := len(s.groups)
	if n == 0 || len(s.groups[n-1].chunks) > mostOfGroup/2 {
		s.groups, s.starts = append(s.groups, &group{}), append(s.starts, c[0].start)
		n++
	}
	g := s.groups[n-1]
	g.chunks, g.starts = append(g.chunks, c), append(g.starts, c[0].start)
	return len(c)
}
