package file

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Writer writes a trace file. Its methods may be called from several goroutines; each Stream belongs to one.
//
// Once something could not be written, all that comes later is dropped, and Close says so: a recorder need not look at
// errors, and the run continues.
type Writer struct {
	path string
	enc  *zstd.Encoder

	dead  atomic.Bool
	count atomic.Int32 // of streams that have not ended

	mu      sync.Mutex
	out     output
	at      int64 // bytes of whole blocks
	err     error // why writing has stopped
	calls   uint64
	head    trace.Head
	pending []byte // definitions that are not written yet
	funcs   map[string]uint16
	comms   map[op.CommID]uint32
	sites   map[trace.Site]uint32
	stacks  map[string]uint32 // by their definitions
	streams []*Stream
}

// output is the file.
type output interface {
	WriteAt(b []byte, off int64) (int, error)
	Truncate(size int64) error
	Close() error
}

// Create makes or empties the file at path. The head may be given again by Head when more is known.
func Create(path string, head trace.Head) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot write trace %s: %w; hint: choose a path that you may write to", path, bare(err))
	}
	return newWriter(path, f, head), nil
}

// bare is an error without the path, which the sentence names.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func newWriter(path string, out output, head trace.Head) *Writer {
	const window = 256 << 10 // more than a block of calls
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
	w := &Writer{path: path, out: out, enc: enc, funcs: make(map[string]uint16), comms: make(map[op.CommID]uint32),
		sites: make(map[trace.Site]uint32), stacks: make(map[string]uint32)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.fail(err)
		return w
	}
	w.append(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32([]byte(magic), Version),
		0)[:fileHeaderSize])
	w.setHead(head)
	return w
}

// Head says what is run, once that is known. Ranks must be known before the first communicator or thread.
func (w *Writer) Head(head trace.Head) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setHead(head)
}

func (w *Writer) setHead(head trace.Head) {
	w.head = head
	text, err := json.Marshal(head)
	if err != nil {
		w.fail(err)
		return
	}
	w.block(header{kind: headBlock}, text)
}

// Func is the number of a function.
func (w *Writer) Func(name string) uint16 {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, known := w.funcs[name]
	if !known {
		n = uint16(len(w.funcs))
		w.funcs[name] = n
		w.define(putString(append(w.pending, defFunc), name))
	}
	return n
}

// Comm is the number of a communicator. What is first said of one holds, except for its name. The first must be
// MPI_COMM_WORLD.
func (w *Writer) Comm(c Comm) uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, known := w.comms[c.ID]
	if !known {
		n = uint32(len(w.comms))
		w.comms[c.ID] = n
		w.define(putComm(w.pending, &c))
	}
	return n
}

// Name gives a communicator another name.
func (w *Writer) Name(comm uint32, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.define(putString(put(append(w.pending, defCommName), uint64(comm)), name))
}

// Site is the number of a place in the program. The zero Site is not known and has number 0.
func (w *Writer) Site(s trace.Site) uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, known := w.sites[s]
	if !known && s != (trace.Site{}) {
		n = uint32(len(w.sites) + 1)
		w.sites[s] = n
		w.site(n, s)
	}
	return n
}

// site defines the site that has a number. The caller holds the lock.
func (w *Writer) site(n uint32, s trace.Site) {
	w.define(putPlace(append(w.pending, defSite), s))
	w.stackOf(n, s)
}

func (w *Writer) stackOf(n uint32, s trace.Site) {
	if s.Stack != 0 {
		w.define(put(put(append(w.pending, defStackOf), uint64(n)), uint64(s.Stack)))
	}
}

// Stack is the number of a call stack. That of none is 0.
func (w *Writer) Stack(frames []finding.Frame) uint32 {
	if len(frames) == 0 {
		return 0
	}
	b := putStack(nil, frames)
	w.mu.Lock()
	defer w.mu.Unlock()
	n, known := w.stacks[string(b)]
	if !known {
		n = uint32(len(w.stacks) + 1)
		w.stacks[string(b)] = n
		w.define(append(append(w.pending, defStack), b...))
	}
	return n
}

// Place says more of a site than was known when it got its number.
func (w *Writer) Place(site uint32, s trace.Site) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.define(putPlace(put(append(w.pending, defPlace), uint64(site)), s))
	w.stackOf(site, s)
}

// Note records what a rank has had to do with others by other ways than MPI's.
func (w *Writer) Note(n trace.Interaction) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.define(putInteraction(w.pending, &n))
}

// Stream begins the record of a thread. Its methods are for one goroutine.
func (w *Writer) Stream(rank op.Rank, index op.Thread) *Stream {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &Stream{w: w, Number: uint32(len(w.streams))}
	w.streams = append(w.streams, s)
	w.count.Add(1)
	w.define(put(put(append(w.pending, defThread), uint64(rank)), uint64(index)))
	return s
}

// define takes the pending definitions with one more, and writes them if there are many.
func (w *Writer) define(pending []byte) {
	const many = 256 << 10
	w.pending = pending
	if len(w.pending) > many || w.dead.Load() {
		w.flushDefs()
	}
}

func (w *Writer) flushDefs() {
	if len(w.pending) > 0 {
		w.block(header{kind: defsBlock}, w.pending)
		w.pending = w.pending[:0]
	}
}

// Bounds of the column bytes that a stream holds back, and of those of all streams together, so that thousands of
// threads need no more memory than a few.
const (
	mostHeld  = 64 << 10
	leastHeld = 2 << 10
	allHeld   = 64 << 20
)

func (w *Writer) hold() int {
	return max(leastHeld, min(mostHeld, allHeld/max(1, int(w.count.Load()))))
}

// age is how long a call may be held back, at ticks: with thousands of threads, a block a second of each would be
// mostly headers.
func (w *Writer) age() time.Duration {
	return time.Second + time.Duration(w.count.Load())*4*time.Millisecond
}

// block compresses and writes a block. The caller holds the lock.
func (w *Writer) block(h header, raw []byte) {
	w.append(w.pack(&h, raw))
}

// pack makes a whole block, and completes its header. It needs no lock.
func (w *Writer) pack(h *header, raw []byte) []byte {
	if w.dead.Load() {
		return nil
	}
	b := w.enc.EncodeAll(raw, make([]byte, blockHeaderSize, blockHeaderSize+len(raw)/4+64))
	h.raw, h.packed, h.sum = uint32(len(raw)), uint32(len(b)-blockHeaderSize), checksum(b[blockHeaderSize:])
	h.append(b[:0])
	return b
}

// add writes a stream's block, after the definitions that it needs.
func (w *Writer) add(s *Stream, h header, b []byte) { w.addRepeated(s, h, b, 1) }

// addRepeated writes one of calls that were made several times.
func (w *Writer) addRepeated(s *Stream, h header, b []byte, times uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flushDefs()
	w.append(b)
	if w.err == nil {
		s.written += times * h.ops
		w.calls += uint64(times) * uint64(h.ops)
	}
}

// stop ends the record for a reason of the recorder's own.
func (w *Writer) stop(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.fail(err)
	}
}

func (w *Writer) append(b []byte) {
	if w.err != nil || len(b) == 0 {
		return
	}
	n, err := w.out.WriteAt(b, w.at)
	if err == nil && n < len(b) {
		err = fmt.Errorf("only %d of %d bytes written", n, len(b))
	}
	if err != nil {
		w.fail(bare(err))
		return
	}
	w.at += int64(len(b))
}

// fail stops writing. What is whole stays.
func (w *Writer) fail(err error) {
	w.err = err
	w.dead.Store(true)
	if err := w.out.Truncate(w.at); err != nil {
		w.err = fmt.Errorf("%w (and %w)", w.err, bare(err))
	}
}

// Close writes what is left, the index, and why the log ends before the run did, if it does. No stream may be in use.
// The error is a sentence for the user.
func (w *Writer) Close(cut string) error {
	for _, s := range w.streams {
		s.Flush()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flushDefs()
	w.index(cut)
	err := w.err
	if err != nil {
		// What was cut off has left some room for the reason.
		w.err = nil
		w.dead.Store(false)
		w.index(fmt.Sprintf("the rest could not be written (%v)", err))
	}
	if e := w.out.Close(); e != nil && err == nil {
		err = bare(e)
	}
	_ = w.enc.Close()
	if err != nil {
		return fmt.Errorf("the trace %s is incomplete: %w; it holds %s; hint: free some space, or choose another path",
			w.path, err,
			trace.Count(w.calls, "call"))
	}
	return nil
}

// index writes the last block, and where it is: the reader of a whole file begins there.
func (w *Writer) index(cut string) {
	at := w.at
	b := putString(nil, cut)
	b = put(b, w.calls)
	b = put(b, uint64(len(w.streams)))
	for _, s := range w.streams {
		b = put(b, uint64(s.written))
	}
	w.block(header{kind: indexBlock}, b)
	w.append(binary.LittleEndian.AppendUint64([]byte(magic), uint64(at)))
}
