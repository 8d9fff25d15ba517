package link

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// protocol is the version of what is in this file. It changes with each change of frames, or of what they mean.
const protocol = 1

const (
	magic      = "unknot link\n"
	maxVersion = 256
	maxHello   = 32 << 10
	maxFrame   = maxPayload + 1<<10 // with the head of a frame of data
)

// frameKind is the first byte of a frame.
type frameKind byte

const (
	kindJoin    frameKind = iota + 1 // the first frame of the dialling end
	kindWelcome                      // the first frame of the listening end: the link is up
	kindRefusal                      // instead of it: another version, or an unknown link
	kindData                         // bytes of a lane
	kindConfirm                      // nothing but what has arrived
	kindEnd                          // nothing follows after these positions: the sender closes the link
)

// linkID names a link: the dialling end chose it at random.
type linkID [16]byte

// refusal says why the listening end does not take a link.
type refusal byte

const (
	otherVersion refusal = iota + 1
	unknownLink
)

// frame is one message of the stream of a connection. Which fields it has depends on its kind.
type frame struct {
	kind     frameKind
	received [lanes]uint64 // all but refusals: what the sender has received of each lane
	ended    bool          // the same: the sender knows that the other end closes, and has everything

	protocol uint64 // joins and refusals, with the version of unknot
	version  string

	id      linkID // joins; if protocol is another one, this and what follows is not there
	resumes bool   // the link was up before
	hello   []byte

	refusal refusal

	lane     Lane // data: the payload begins at position
	position uint64
	payload  []byte

	ends [lanes]uint64
}

// head appends a frame except for its payload.
func (f *frame) head(buf []byte) []byte {
	buf = append(buf, byte(f.kind))
	switch f.kind {
	case kindJoin:
		buf = append(buf, magic...)
		buf = f.appendVersions(buf)
		buf = append(buf, f.id[:]...)
		buf = appendFlag(buf, f.resumes)
		buf = appendText(buf, f.hello)
	case kindRefusal:
		buf = append(buf, byte(f.refusal))
		return f.appendVersions(buf)
	}
	buf = appendFlag(buf, f.ended)
	buf = appendPositions(buf, f.received)
	switch f.kind {
	case kindData:
		buf = append(buf, byte(f.lane))
		buf = binary.AppendUvarint(buf, f.position)
	case kindEnd:
		buf = appendPositions(buf, f.ends)
	}
	return buf
}

func (f *frame) appendVersions(buf []byte) []byte {
	return appendText(binary.AppendUvarint(buf, f.protocol), []byte(f.version))
}

func appendPositions(buf []byte, positions [lanes]uint64) []byte {
	for _, p := range positions {
		buf = binary.AppendUvarint(buf, p)
	}
	return buf
}

func appendText(buf, text []byte) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}

func appendFlag(buf []byte, flag bool) []byte {
	if flag {
		return append(buf, 1)
	}
	return append(buf, 0)
}

// encode returns the bytes of a frame.
func (f *frame) encode() []byte { return append(f.head(nil), f.payload...) }

// decodeFrame reads a frame, whose texts and payload share the memory of data. It takes anything, and has an error for
// what is no frame.
func decodeFrame(data []byte) (frame, error) {
	r := frameReader{rest: data}
	f := frame{kind: frameKind(r.byte())}
	switch f.kind {
	case kindJoin:
		if string(r.bytes(len(magic))) != magic {
			return frame{}, errors.New("it does not begin as a link does")
		}
		r.versions(&f)
		if f.protocol != protocol && r.err == nil {
			return f, nil
		}
		copy(f.id[:], r.bytes(len(f.id)))
		f.resumes = r.flag()
		f.hello = r.text(maxHello)
	case kindRefusal:
		f.refusal = refusal(r.byte())
		r.versions(&f)
		return f, r.err
	case kindWelcome, kindData, kindConfirm, kindEnd:
	default:
		return frame{}, fmt.Errorf("it has frames of kind %d", f.kind)
	}
	f.ended = r.flag()
	r.positions(&f.received)
	switch f.kind {
	case kindData:
		f.lane = Lane(r.byte())
		f.position = r.uint()
		f.payload, r.rest = r.rest, nil
		if f.lane >= lanes || len(f.payload) > maxPayload {
			r.fail()
		}
	case kindEnd:
		r.positions(&f.ends)
	}
	if len(r.rest) > 0 {
		r.fail()
	}
	if r.err != nil {
		return frame{}, r.err
	}
	return f, nil
}

// frameReader reads from the front of rest. After an error it gives zeros.
type frameReader struct {
	rest []byte
	err  error
}

var errFrame = errors.New("one of its frames has a wrong length or value")

func (r *frameReader) fail() { r.err, r.rest = errFrame, nil }

func (r *frameReader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *frameReader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *frameReader) flag() bool {
	b := r.byte()
	if b > 1 {
		r.fail()
	}
	return b == 1
}

func (r *frameReader) uint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *frameReader) text(most int) []byte {
	n := r.uint()
	if n > uint64(most) {
		r.fail()
		return nil
	}
	return r.bytes(int(n))
}

func (r *frameReader) positions(positions *[lanes]uint64) {
	for i := range positions {
		positions[i] = r.uint()
	}
}

func (r *frameReader) versions(f *frame) {
	f.protocol = r.uint()
	f.version = string(r.text(maxVersion))
}
