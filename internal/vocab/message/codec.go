package message

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/wire"
)

// Format knows how messages become bytes. It is made once a process.
type Format struct {
	wire  *wire.Format
	table *mpi.T
	kinds []reflect.Type // by number
	of    map[reflect.Type]uint64
}

// NewFormat returns the format of messages about calls of a table's functions.
func NewFormat(table *mpi.T) *Format {
	f := &Format{table: table, of: make(map[reflect.Type]uint64)}
	var values []any
	for i, m := range all() {
		t := reflect.TypeOf(m)
		values, f.kinds, f.of[t] = append(values, m), append(f.kinds, t), uint64(i)
	}
	var err error
	if f.wire, err = wire.NewFormat(values...); err != nil {
		panic(err) // some message is not plain data
	}
	return f
}

// greeting is how the first message of a link begins, before the version.
var greeting = []byte("unknot")

// Encoder is the sending end of a link.
type Encoder struct {
	f     *Format
	w     *wire.Writer
	begun bool
}

// Encoder returns the sending end of a new link.
func (f *Format) Encoder() *Encoder { return &Encoder{f: f, w: wire.NewWriter()} }

// Append puts a message behind what buf has.
func (e *Encoder) Append(buf []byte, m Message) []byte {
	e.w.Begin(buf)
	if !e.begun {
		e.begun = true
		e.w.Begin(append(buf, greeting...))
		e.w.Uint(Version)
	}
	v := reflect.ValueOf(m)
	number := e.f.of[v.Type()]
	e.w.Uint(number)
	if batch, hot := m.(WaitStates); hot {
		batch.put(e.w)
	} else {
		e.f.wire.Put(e.w, v)
	}
	return e.w.End()
}

// Decoder is the receiving end of a link.
type Decoder struct {
	f     *Format
	r     *wire.Reader
	begun bool
	err   error
}

// Decoder returns the receiving end of a new link.
func (f *Format) Decoder() *Decoder { return &Decoder{f: f, r: wire.NewReader(f.table)} }

var errStranger = errors.New("what came over the link of an agent is not a message of unknot; hint: something else " +
	"uses its address")

// Decode gives the message that some bytes are. After an error nothing more is taken from the link, as its ends no
// longer agree on what has gone over it.
func (d *Decoder) Decode(data []byte) (Message, error) {
	if d.err != nil {
		return nil, d.err
	}
	m, err := d.decode(data)
	if err != nil {
		d.err = err
		return nil, err
	}
	return m, nil
}

func (d *Decoder) decode(data []byte) (Message, error) {
	if !d.begun {
		rest, ok := bytes.CutPrefix(data, greeting)
		if !ok {
			return nil, errStranger
		}
		data = rest
	}
	d.r.Begin(data)
	if !d.begun {
		if v := d.r.Uint(); d.r.Err() == nil && v != Version {
			return nil, fmt.Errorf("the agent at the other end of a link speaks version %d of the messages between "+
				"agents, this one version %d; hint: install the same unknot on all hosts", v, Version)
		}
		d.begun = true
	}
	number := d.r.UpTo(uint64(len(d.f.kinds) - 1))
	if d.r.Err() != nil {
		return nil, fmt.Errorf("message between agents: %w", d.r.Err())
	}
	t := d.f.kinds[number]
	var m Message
	if number == d.f.of[reflect.TypeFor[WaitStates]()] {
		var batch WaitStates
		batch.get(d.r)
		m = batch
	} else {
		v := reflect.New(t).Elem()
		d.f.wire.Get(d.r, v)
		m = v.Interface().(Message)
	}
	if err := d.r.End(); err != nil {
		return nil, fmt.Errorf("message %s between agents: %w", t.Name(), err)
	}
	return m, nil
}

// Link returns a new link between two members of one process on which each message becomes bytes and is made again of
// them, as it is between hosts.
func (f *Format) Link() func(Message) Message {
	e, d := f.Encoder(), f.Decoder()
	return func(m Message) Message {
		got, err := d.Decode(e.Append(nil, m))
		if err != nil {
			panic(err) // both ends are of one make
		}
		return got
	}
}
