package file

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/klauspost/compress/zstd"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
)

// Info is what is known of a file when it has been read.
type Info struct {
	Defs  Defs
	Calls uint64
	Cut   string // why the log ends before the run did, or the file before the log; empty if neither does
}

// Scan hands over the calls in a file block by block, those of a thread in its order. An error is about a file of which
// nothing can be read, or comes from visit; what cannot be read further on is given by Info.Cut.
func Scan(path string, want Columns, visit func(*Block) error) (*Info, error) {
	return scanFile(path, &scanner{want: want, visit: visit})
}

// scanBlocks hands over blocks of calls as they stand in a file: header and payload, and how often the calls were made.
func scanBlocks(path string, whole func(h *header, raw []byte, times uint32) error) (*Info, error) {
	return scanFile(path, &scanner{whole: whole})
}

func scanFile(path string, s *scanner) (*Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read trace %s: %w; hint: check the path", path, bare(err))
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot read trace %s: %w", path, bare(err))
	}
	if fi.IsDir() {
		return nil, fmt.Errorf("cannot read trace %s: it is a directory; hint: give the file written by `unknot "+
			"run --trace`", path)
	}
	return s.scan(f, fi.Size(), path)
}

// scan reads a file of a size from r.
func (s *scanner) scan(r io.ReaderAt, size int64, path string) (*Info, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxRaw),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	s.r, s.size, s.dec = r, size, dec
	s.info.Defs.Sites, s.info.Defs.Stacks = []trace.Site{{}}, [][]finding.Frame{nil}
	s.block.Defs = &s.info.Defs
	if err := s.open(path); err != nil {
		return nil, err
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	if s.heads == 0 {
		return nil, fmt.Errorf("trace %s: %s before its head; hint: record the run again", path, s.broken)
	}
	s.info.Cut = s.cut()
	s.info.Defs.name()
	return &s.info, nil
}

// scanner is one reading of a file. Calls are handed to visit, or, as they stand in the file, to whole.
type scanner struct {
	r     io.ReaderAt
	size  int64
	at    int64
	dec   *zstd.Decoder
	want  Columns
	visit func(*Block) error
	whole func(h *header, raw []byte, times uint32) error

	info   Info
	block  Block
	totals []totals
	heads  int
	stop   error  // of whom calls are handed to
	closed bool   // the index was read
	reason string // from the index
	broken string // why reading has stopped before the end
	packed []byte
	raw    []byte
}

// totals are the numbers of calls, parts and waits of a thread so far.
type totals struct{ ops, parts, waits uint32 }

// open looks at the file's header.
func (s *scanner) open(path string) error {
	if s.size == 0 {
		return fmt.Errorf("trace %s is empty; hint: the run that should have written it never started; record it again",
			path)
	}
	var b [fileHeaderSize]byte
	n, err := s.r.ReadAt(b[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("cannot read trace %s: %w", path, bare(err))
	}
	if n < len(b) || string(b[:len(magic)]) != magic {
		return fmt.Errorf("%s is not a trace of unknot: it begins with %q; hint: give a file written by `unknot "+
			"run --trace`",
			path, b[:min(n, len(magic))])
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v > Version || v < oldest {
		return fmt.Errorf("trace %s has version %d of the format, this unknot reads version %d; hint: read it with "+
			"the version of unknot that wrote it",
			path, v, Version)
	}
	s.at = fileHeaderSize
	return nil
}

// run reads blocks as long as they are whole.
func (s *scanner) run() error {
	for !s.closed && s.broken == "" && s.stop == nil {
		h, raw, ok := s.next()
		if !ok {
			break
		}
		var err error
		switch h.kind {
		case headBlock:
			err = s.head(raw)
		case defsBlock:
			err = s.info.Defs.add(raw)
		case callsBlock, repeatBlock:
			err = s.calls(h, raw)
		case indexBlock:
			err = s.index(raw)
		}
		if err != nil {
			s.broken = fmt.Sprintf("the block at byte %d holds %v", s.at, err)
			break
		}
		s.at += blockHeaderSize + int64(h.packed)
	}
	return s.stop
}

// next reads the block at the present place; false at the end of the file or of what is whole.
func (s *scanner) next() (*header, []byte, bool) {
	left := s.size - s.at
	if left == 0 {
		s.broken = "the file ends"
		return nil, nil, false
	}
	var b [blockHeaderSize]byte
	if left < blockHeaderSize {
		s.broken = "the file ends in the middle of a block"
		return nil, nil, false
	}
	if _, err := s.r.ReadAt(b[:], s.at); err != nil {
		s.broken = fmt.Sprintf("the file cannot be read at byte %d (%v)", s.at, bare(err))
		return nil, nil, false
	}
	var h header
	if !h.parse(b[:]) {
		s.broken = fmt.Sprintf("the file is damaged at byte %d", s.at)
		return nil, nil, false
	}
	if int64(h.packed) > left-blockHeaderSize {
		s.broken = "the file ends in the middle of a block"
		return nil, nil, false
	}
	s.packed = sized(s.packed, int(h.packed))
	if _, err := s.r.ReadAt(s.packed, s.at+blockHeaderSize); err != nil && !errors.Is(err, io.EOF) {
		s.broken = fmt.Sprintf("the file cannot be read at byte %d (%v)", s.at, bare(err))
		return nil, nil, false
	}
	if sum := checksum(s.packed); sum != h.sum {
		s.broken = fmt.Sprintf("the file is damaged at byte %d (checksum %08x, expected %08x)", s.at, sum, h.sum)
		return nil, nil, false
	}
	var err error
	if s.raw, err = s.dec.DecodeAll(s.packed, s.raw[:0]); err != nil || len(s.raw) != int(h.raw) {
		s.broken = fmt.Sprintf("the file is damaged at byte %d (%d bytes unpacked, expected %d)", s.at,
			len(s.raw), h.raw)
		return nil, nil, false
	}
	return &h, s.raw, true
}

func (s *scanner) head(raw []byte) error {
	var head trace.Head
	if err := json.Unmarshal(raw, &head); err != nil {
		return fmt.Errorf("a head that is not JSON")
	}
	if head.Ranks < 0 || head.Ranks > maxRanks {
		return fmt.Errorf("a head with %d ranks, more than %d", head.Ranks, maxRanks)
	}
	if len(s.info.Defs.Threads)+len(s.info.Defs.Comms) > 0 && head.Ranks != s.info.Defs.Head.Ranks {
		return fmt.Errorf("a second head with another number of ranks")
	}
	s.info.Defs.Head = head
	s.heads++
	return nil
}

// calls takes in a block of calls, and hands it over. The error is about the block.
func (s *scanner) calls(h *header, raw []byte) (err error) {
	again, columns := repetition{times: 1}, raw
	if h.kind == repeatBlock {
		if again, columns, err = readRepetition(raw); err != nil {
			return err
		}
	}
	if s.whole == nil {
		err = s.block.decode(h, columns, s.want)
	}
	if err == nil {
		err = s.count(h, again.times)
	}
	switch {
	case err != nil:
		return err
	case s.whole != nil:
		s.stop = s.whole(h, raw, again.times)
	case h.kind == callsBlock:
		s.stop = s.visit(&s.block)
	default:
		for p := newPeriod(&s.block, h, again); s.stop == nil && p.next(&s.block); {
			s.stop = s.visit(&s.block)
		}
	}
	return nil
}

// count adds a block of calls that were made so many times to the thread's totals, which it must continue.
func (s *scanner) count(h *header, times uint32) error {
	for len(s.totals) < len(s.info.Defs.Threads) {
		s.totals = append(s.totals, totals{})
	}
	if int(h.thread) >= len(s.totals) {
		return fmt.Errorf("calls of thread %d, which is not defined", h.thread)
	}
	t := &s.totals[h.thread]
	if *t != (totals{h.firstOp, h.firstPart, h.firstWait}) {
		return fmt.Errorf("call %d of a thread of which %d were read", h.firstOp, t.ops)
	}
	most := uint64(max(h.ops, h.parts, h.waits)) * uint64(times)
	if uint64(max(t.ops, t.parts, t.waits))+most > math.MaxUint32 || h.returned > t.ops+h.ops {
		return fmt.Errorf("too many calls to count")
	}
	t.ops, t.parts, t.waits = t.ops+times*h.ops, t.parts+times*h.parts, t.waits+times*h.waits
	s.info.Calls += uint64(times) * uint64(h.ops)
	return nil
}

// index compares the totals with what was read.
func (s *scanner) index(raw []byte) error {
	c := cursor{b: raw}
	s.reason = c.text()
	total, threads := c.next(), c.count()
	if c.bad || threads != len(s.info.Defs.Threads) {
		return fmt.Errorf("an index of other threads")
	}
	for i := range threads {
		var have uint32
		if i < len(s.totals) {
			have = s.totals[i].ops
		}
		if n := c.next(); n != uint64(have) {
			return fmt.Errorf("an index of %d calls of rank %d, of which %d were read", n, s.info.Defs.Threads[i].Rank,
				have)
		}
	}
	if c.bad || total != s.info.Calls {
		return fmt.Errorf("an index of %d calls, of which %d were read", total, s.info.Calls)
	}
	s.closed = true
	return nil
}

// cut says in words why the log is not the whole run.
func (s *scanner) cut() string {
	switch {
	case s.closed:
		return s.reason
	case s.size == s.at || s.broken == "the file ends in the middle of a block":
		return fmt.Sprintf("%s after %s; the run was probably killed", s.broken, trace.Count(s.info.Calls, "call"))
	}
	return fmt.Sprintf("%s, after %s; what follows was not read", s.broken, trace.Count(s.info.Calls, "call"))
}
