package host

import (
	"sync"

	"unknot/internal/vocab/message"
)

// arriving is the receiving end of what one process sends to another. Messages are numbered by their sender, so it does
// not matter which way each of them takes: what comes too early waits, and what comes twice, after the loss of a link,
// counts once.
type arriving struct {
	sync.Mutex
	from   *message.Decoder
	next   uint64
	early  map[uint64][]byte
	closed bool
}

// take takes in a message, and hands on what is in turn now.
func (a *arriving) take(number uint64, text []byte, deliver func(*message.Decoder, []byte) error) error {
	a.Lock()
	defer a.Unlock()
	if a.closed || number < a.next {
		return nil
	}
	if number > a.next {
		if a.early == nil {
			a.early = make(map[uint64][]byte)
		}
		a.early[number] = text
		return nil
	}
	for turn := true; turn; text, turn = a.early[a.next] {
		delete(a.early, a.next)
		a.next++
		if err := deliver(a.from, text); err != nil {
			return err
		}
	}
	return nil
}

// close has nothing more taken in.
func (a *arriving) close() {
	a.Lock()
	defer a.Unlock()
	a.closed, a.early = true, nil
}
