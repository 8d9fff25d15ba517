package race

import "slices"

// segment is memory whose bytes have the same history. There are many, so its length has half a word, and longer memory is several segments.
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

// space is the memory of one owner: disjoint segments in order, in chunks of bounded length.
type space struct {
	chunks [][]segment
	starts []uint64 // of the chunks
	last   int      // the chunk that was used last
	out    []segment
}

const (
	mostOfChunk  = 128
	segmentBytes = 16
)

// chunkOf is the chunk that has an address, or would have it.
func (s *space) chunkOf(at uint64) int {
	if s.last < len(s.starts) && s.starts[s.last] <= at && (s.last+1 == len(s.starts) || at < s.starts[s.last+1]) {
		return s.last
	}
	n, there := slices.BinarySearch(s.starts, at)
	if !there {
		n--
	}
	s.last = max(n, 0)
	return s.last
}

// update replaces the histories of the bytes from start to end by what step makes of them, and says by how many segments the space has grown.
func (s *space) update(start, end uint64, step func(before historyID, from, to uint64) historyID) (grown int) {
	if len(s.chunks) == 0 {
		s.chunks, s.starts = append(s.chunks, make([]segment, 0, mostOfChunk)), append(s.starts, start)
	}
	for start < end {
		n := s.chunkOf(start)
		to := min(end, start+mostOfSegment)
		if n+1 < len(s.starts) {
			to = min(to, s.starts[n+1])
		}
		grown += s.updateChunk(n, start, to, step)
		start = to
	}
	return grown
}

// updateChunk is update within a chunk.
func (s *space) updateChunk(n int, start, end uint64, step func(before historyID, from, to uint64) historyID) int {
	c := s.chunks[n]
	first := firstAfter(c, start)
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
	s.chunks[n], s.starts[n] = c, c[0].start
	if len(c) > mostOfChunk {
		s.split(n)
	}
	return grown
}

// firstAfter is the index of the first segment that ends after an address.
func firstAfter(c []segment, at uint64) int {
	if n := len(c); n > 0 && c[n-1].end() <= at { // memory is often gone through in its order
		return n
	}
	low, high := 0, len(c)
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

// split makes two chunks of one. What grows at its end is likely to go on there.
func (s *space) split(n int) {
	c := s.chunks[n]
	half := len(c) / 2
	if n == len(s.chunks)-1 {
		half = len(c) - mostOfChunk/8
	}
	rest := make([]segment, len(c)-half, mostOfChunk+8)
	copy(rest, c[half:])
	s.chunks[n] = c[:half]
	s.chunks, s.starts = slices.Insert(s.chunks, n+1, rest), slices.Insert(s.starts, n+1, rest[0].start)
}

// rebuild gives each segment another history, and leaves out those whose history is empty. It gives the number of segments that are left.
func (s *space) rebuild(next func(segment) historyID) (left int) {
	var chunks [][]segment
	var starts []uint64
	var c []segment
	for _, old := range s.chunks {
		for _, x := range old {
			if x.history = next(x); x.history == 0 {
				continue
			}
			if c = join(c, x); len(c) > mostOfChunk*3/4 {
				chunks, starts = append(chunks, c[:len(c)-1:len(c)-1]), append(starts, c[0].start)
				c = append(make([]segment, 0, mostOfChunk), c[len(c)-1])
			}
		}
	}
	if len(c) > 0 {
		chunks, starts = append(chunks, c), append(starts, c[0].start)
	}
	s.chunks, s.starts, s.last = chunks, starts, 0
	for _, c := range chunks {
		left += len(c)
	}
	return left
}
