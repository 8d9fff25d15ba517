// Package wire turns plain data into bytes and back, for links between agents: numbers as varints, strings and lists
// with their lengths first, datatypes and MPI functions as references.
//
// The two ends of a link keep a list of the datatypes that have gone over it, so that each goes over it once: a Writer
// and its Reader belong together, and take the messages of one link in order. What a Reader gets may come from
// anywhere: it is wrong or right, but never makes the Reader panic, nor take more memory than a multiple of its length.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// maxTypes bounds the datatypes that a link remembers. Beyond that both ends forget all of them.
const maxTypes = 1 << 12

// Writer makes bytes of data.
type Writer struct {
	buf   []byte
	types map[*datatype.Type]uint64
}

// NewWriter returns the writing end of a link.
func NewWriter() *Writer { return &Writer{types: make(map[*datatype.Type]uint64)} }

// Begin starts a message, which is put behind what buf has.
func (w *Writer) Begin(buf []byte) { w.buf = buf }

// End gives the message.
func (w *Writer) End() []byte { return w.buf }

// Uint writes a number that is not negative.
func (w *Writer) Uint(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

// Int writes a number.
func (w *Writer) Int(n int64) { w.buf = binary.AppendVarint(w.buf, n) }

// Bool writes a truth value.
func (w *Writer) Bool(b bool) {
	v := byte(0)
	if b {
		v = 1
	}
	w.buf = append(w.buf, v)
}

// Float writes a number with a fraction.
func (w *Writer) Float(f float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(f))
}

// Text writes a string.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

// Func writes which MPI function is meant; nil is none.
func (w *Writer) Func(f *mpi.Func) {
	if f == nil {
		w.Uint(0)
		return
	}
	w.Uint(uint64(f.ID))
}

// How a reference to a datatype begins. Greater numbers are places in the list of those that have gone over the link.
const (
	noType = iota
	newType
	firstType
)

// Type writes a datatype, which may be nil.
func (w *Writer) Type(t *datatype.Type) {
	if t == nil {
		w.Uint(noType)
		return
	}
	if n, known := w.types[t]; known {
		w.Uint(firstType + n)
		return
	}
	w.Uint(newType)
	r := t.Recipe()
	w.recipe(&r)
	if len(w.types) == maxTypes {
		clear(w.types)
	}
	w.types[t] = uint64(len(w.types))
}

// Reader makes data of the bytes of a Writer. After the first error it gives zeros.
type Reader struct {
	buf   []byte
	table *mpi.T
	types []*datatype.Type
	depth int
	err   error
}

// NewReader returns the reading end of a link.
func NewReader(table *mpi.T) *Reader { return &Reader{table: table} }

// Begin starts a message.
func (r *Reader) Begin(message []byte) { r.buf, r.err, r.depth = message, nil, 0 }

// End says whether the message was whole, and all of it has been read.
func (r *Reader) End() error {
	if r.err == nil && len(r.buf) > 0 {
		r.Fail(fmt.Errorf("%d bytes are left over", len(r.buf)))
	}
	return r.err
}

// Err is the first error.
func (r *Reader) Err() error { return r.err }

var errShort = errors.New("it ends too early")

// Fail notes that what was read cannot be right.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.buf = nil
}

// Uint reads a number that is not negative.
func (r *Reader) Uint() uint64 {
	if len(r.buf) > 0 && r.buf[0] < 0x80 {
		v := r.buf[0]
		r.buf = r.buf[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.buf)
	if n <= 0 {
		r.Fail(errShort)
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

// Int reads a number.
func (r *Reader) Int() int64 {
	u := r.Uint()
	v := int64(u >> 1)
	if u&1 != 0 {
		v = ^v
	}
	return v
}

// Within reads a number between two.
func (r *Reader) Within(from, to int64) int64 {
	v := r.Int()
	if v < from || v > to {
		r.Fail(fmt.Errorf("a number is %d, but must be between %d and %d", v, from, to))
		return max(from, min(to, 0))
	}
	return v
}

// UpTo reads a number that is not greater than most.
func (r *Reader) UpTo(most uint64) uint64 {
	v := r.Uint()
	if v > most {
		r.Fail(fmt.Errorf("a number is %d, but must be at most %d", v, most))
		return 0
	}
	return v
}

// Bool reads a truth value.
func (r *Reader) Bool() bool { return r.UpTo(1) == 1 }

// Float reads a number with a fraction.
func (r *Reader) Float() float64 {
	if len(r.buf) < 8 {
		r.Fail(errShort)
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.buf))
	r.buf = r.buf[8:]
	return v
}

// Text reads a string.
func (r *Reader) Text() string {
	n := r.Count(1)
	s := string(r.buf[:n])
	r.buf = r.buf[n:]
	return s
}

// Count reads how many things follow, each of which takes some bytes at least: as many as cannot follow are an error.
func (r *Reader) Count(least int) int {
	n := r.Uint()
	if n > uint64(len(r.buf)/max(least, 1)) {
		r.Fail(errShort)
		return 0
	}
	return int(n)
}

// Func reads which MPI function is meant.
func (r *Reader) Func() *mpi.Func {
	id := r.UpTo(math.MaxUint16)
	if id == 0 {
		return nil
	}
	f := r.table.ByID(uint16(id))
	if f == nil {
		r.Fail(fmt.Errorf("there is no MPI function with number %d", id))
	}
	return f
}

// maxDepth bounds how deep a datatype goes that comes over a link.
const maxDepth = 1000

// Type reads a datatype, which may be nil.
func (r *Reader) Type() *datatype.Type {
	switch n := r.Uint(); {
	case n == noType:
		return nil
	case n >= firstType:
		if n-firstType >= uint64(len(r.types)) {
			r.Fail(fmt.Errorf("datatype %d is meant, but %d have come", n-firstType, len(r.types)))
			return nil
		}
		return r.types[n-firstType]
	}
	if r.depth++; r.depth > maxDepth {
		r.Fail(fmt.Errorf("a datatype is more than %d levels deep", maxDepth))
		return nil
	}
	recipe := r.recipe()
	r.depth--
	if r.err != nil {
		return nil
	}
	t, err := datatype.Make(recipe)
	if err != nil {
		r.Fail(err)
		return nil
	}
	if len(r.types) == maxTypes {
		r.types = r.types[:0]
	}
	r.types = append(r.types, t)
	return t
}
