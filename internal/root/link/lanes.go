package link

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Lane is one of the two orders in which messages go. Order is kept within a lane only.
type Lane uint8

// The lanes: what waits in Urgent overtakes what waits in Bulk.
const (
	Urgent Lane = iota
	Bulk
	lanes
)

const (
	// maxMessage is the longest message in bytes.
	maxMessage = 1 << 30
	// maxPayload is how many bytes of a lane a frame carries: many small messages, or a piece of a large one.
	maxPayload = 64 << 10
	// maxAhead is for how much of a message memory is taken before its bytes arrive.
	maxAhead = 64 << 10
	// messageCost is what a message in memory is counted for besides its bytes, so that empty ones are bounded too.
	messageCost = 32
)

// A lane is a stream of bytes: each message with its length first, as a varint. Positions in it count bytes from the
// beginning of the link, so that what has arrived is one number, wherever frames and messages end.

// outgoing is the sending end of a lane: the messages that the other end has not confirmed.
type outgoing struct {
	messages [][]byte
	start    uint64 // where the first of messages begins
	sure     uint64 // the other end has everything before
	next     uint64 // sent up to here
	end      uint64
	index    int    // next is in messages[index] …
	at       uint64 // … which begins here
}

// extent is the number of bytes that a message takes in its lane.
func extent(message []byte) uint64 {
	var prefix [binary.MaxVarintLen64]byte
	return uint64(binary.PutUvarint(prefix[:], uint64(len(message))) + len(message))
}

func (o *outgoing) push(message []byte) {
	o.messages = append(o.messages, message)
	o.end += extent(message)
}

// waits says whether something was not sent yet.
func (o *outgoing) waits() bool { return o.next < o.end }

// pending is the length of what the next frame carries.
func (o *outgoing) pending() int { return int(min(o.end-o.next, maxPayload)) }

func (o *outgoing) backlog() uint64 { return o.end - o.sure }

// take appends the next bytes to be sent, as many as pending says.
func (o *outgoing) take(buf []byte) []byte {
	for left := o.pending(); left > 0; {
		message := o.messages[o.index]
		var prefix [binary.MaxVarintLen64]byte
		n := binary.PutUvarint(prefix[:], uint64(len(message)))
		part := prefix[:n]
		if done := int(o.next - o.at); done < n {
			part = part[done:]
		} else {
			part = message[done-n:]
		}
		part = part[:min(left, len(part))]
		buf = append(buf, part...)
		o.next += uint64(len(part))
		left -= len(part)
		if end := o.at + uint64(n+len(message)); o.next == end {
			o.index++
			o.at = end
		}
	}
	return buf
}

// confirm forgets what the other end has, which is everything before a position.
func (o *outgoing) confirm(position uint64) error {
	if position < o.sure || position > o.next {
		return fmt.Errorf("it confirmed byte %d, with %d confirmed and %d sent", position, o.sure, o.next)
	}
	o.sure = position
	for len(o.messages) > 0 {
		end := o.start + extent(o.messages[0])
		if end > position {
			break
		}
		o.messages[0] = nil
		o.messages = o.messages[1:]
		o.start = end
		o.index--
	}
	return nil
}

// rewind has everything after a position sent again, which is what the other end has when a new connection begins.
func (o *outgoing) rewind(position uint64) error {
	if err := o.confirm(position); err != nil {
		return err
	}
	o.next, o.index, o.at = position, 0, o.start
	return nil
}

// incoming is the receiving end of a lane: the message of which a part has arrived.
type incoming struct {
	position uint64 // everything before has arrived
	prefix   []byte // of the message's length, while that has not arrived completely
	length   int
	begun    bool // the length is known
	partial  []byte
}

var errLength = errors.New("it announced a message longer than 1 GiB")

// take takes in the next bytes of the lane, and appends the messages that they complete. Those that lie in data
// entirely share its memory.
func (in *incoming) take(ready [][]byte, data []byte) ([][]byte, error) {
	in.position += uint64(len(data))
	for len(data) > 0 || in.begun {
		if !in.begun {
			in.prefix = append(in.prefix, data[0])
			data = data[1:]
			if in.prefix[len(in.prefix)-1] >= 0x80 {
				if len(in.prefix) == binary.MaxVarintLen32 {
					return ready, errLength
				}
				continue
			}
			length, _ := binary.Uvarint(in.prefix)
			if length > maxMessage {
				return ready, errLength
			}
			in.length, in.begun, in.prefix = int(length), true, in.prefix[:0]
		}
		if in.partial == nil && len(data) >= in.length {
			ready = append(ready, data[:in.length:in.length])
			data = data[in.length:]
			in.begun = false
			continue
		}
		if in.partial == nil {
			in.partial = make([]byte, 0, min(in.length, maxAhead))
		}
		n := min(in.length-len(in.partial), len(data))
		in.partial = append(in.partial, data[:n]...)
		data = data[n:]
		if len(in.partial) < in.length {
			break
		}
		ready = append(ready, in.partial)
		in.partial, in.begun = nil, false
	}
	return ready, nil
}
