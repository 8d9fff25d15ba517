package screen

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/klauspost/compress/zstd"

	"unknot/internal/vocab/op"
)

// coder writes a message, or reads one: what describes a message serves both. Lists of numbers are written as
// differences.
type coder struct {
	b       []byte
	reading bool
	bad     bool // what is read is no such message
}

// pack is a message as bytes, and unpack reads one.
func pack(m interface{ code(*coder) }) []byte {
	var c coder
	m.code(&c)
	if len(c.b) < worthPacking {
		return append([]byte{plain}, c.b...)
	}
	return encoder.EncodeAll(c.b, []byte{packed})
}

// The first byte of a message says whether it is compressed.
const (
	plain byte = iota
	packed
	worthPacking = 100 // bytes
)

func unpack(b []byte, m interface{ code(*coder) }) error {
	if len(b) == 0 {
		return errors.New("an empty message")
	}
	text := b[1:]
	if b[0] == packed {
		var err error
		if text, err = decoder.DecodeAll(text, nil); err != nil {
			return err
		}
	}
	c := coder{b: text, reading: true}
	if m.code(&c); c.bad || len(c.b) > 0 {
		return errors.New("a message of another version")
	}
	return nil
}

var (
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
)

func (c *coder) wide(n int64) int64 {
	if !c.reading {
		c.b = binary.AppendVarint(c.b, n)
		return n
	}
	n, size := binary.Varint(c.b)
	if size <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[size:]
	return n
}

func (c *coder) number(n *int32) {
	wide := c.wide(int64(*n))
	c.bad = c.bad || wide < math.MinInt32 || wide > math.MaxInt32
	*n = int32(wide)
}

func (c *coder) count(n *int) {
	*n = int(c.wide(int64(*n)))
	c.bad = c.bad || *n < 0
}

func (c *coder) flag(is *bool) {
	n := 0
	if *is {
		n = 1
	}
	c.count(&n)
	*is = n == 1
}

// length is that of a list, each of whose elements takes a byte at least.
func length[T any](c *coder, list *[]T) int {
	n := len(*list)
	if c.count(&n); !c.reading {
		return n
	}
	if c.bad || n > len(c.b) {
		c.bad, c.b, n = true, nil, 0
	}
	*list = make([]T, n)
	return n
}

func (c *coder) list(list *[]int32) {
	last := int64(0)
	for i := range length(c, list) {
		last += c.wide(int64((*list)[i]) - last)
		(*list)[i] = int32(last)
	}
}

func (c *coder) flags(list *[]bool) {
	for i := range length(c, list) {
		c.flag(&(*list)[i])
	}
}

func (c *coder) gates(list *[]gate) {
	var last gate
	for i := range length(c, list) {
		g := &(*list)[i]
		seq, sync := g.seq-last.seq, int32(g.sync)
		c.number(&seq)
		c.number(&sync)
		c.number(&g.root)
		g.what = last.what + uint64(c.wide(int64(g.what-last.what)))
		c.flag(&g.broken)
		g.seq, g.sync = last.seq+seq, op.Sync(sync)
		last = *g
	}
}

func (c *coder) gatherings(list *[]gathering) {
	last := int32(0)
	for i := range length(c, list) {
		g := &(*list)[i]
		wave := g.wave - last
		c.number(&wave)
		c.number(&g.members)
		g.wave = last + wave
		last = g.wave
	}
}

func (m *introduction) code(c *coder) {
	c.count(&m.ranks)
	c.count(&m.steps)
	c.count(&m.colls)
	c.flag(&m.probes)
	n := int32(m.limits)
	c.number(&n)
	m.limits = limits(n)
	c.list(&m.own)
	c.list(&m.wild)
	for i := range length(c, &m.comms) {
		n := &m.comms[i]
		n.id = op.CommID(c.wide(int64(n.id)))
		c.number(&n.size)
		c.flag(&n.whole)
	}
	c.gates(&m.gates)
}

func (m *arrangement) code(c *coder) {
	c.count(&m.host)
	c.count(&m.hosts)
	c.list(&m.owner)
	c.flags(&m.wild)
	c.list(&m.comms)
	c.list(&m.sizes)
	c.number(&m.clock)
	c.count(&m.colls)
	c.gates(&m.gates)
}

// crossings are what the ranks of a host send to those of another one, by columns, which compress better.
type crossings []crossing

func (m *crossings) code(c *coder) {
	n := length(c, (*[]crossing)(m))
	var last crossing
	for _, of := range []func(*crossing) *int32{
		func(x *crossing) *int32 { return &x.source }, func(x *crossing) *int32 { return &x.to },
		func(x *crossing) *int32 { return &x.tag }, func(x *crossing) *int32 { return &x.comm },
		func(x *crossing) *int32 { return &x.ticks },
	} {
		last = crossing{}
		for i := range n {
			x := &(*m)[i]
			d := *of(x) - *of(&last)
			c.number(&d)
			*of(x) = *of(&last) + d
			last = *x
		}
	}
	for i := range n {
		c.flag(&(*m)[i].buffered)
	}
}

// news of some hosts, of those alone that have any.
func (c *coder) news(list *[]news) {
	length := len(*list)
	c.count(&length)
	if c.reading {
		if length > most {
			c.bad, c.b, length = true, nil, 0
		}
		*list = make([]news, length)
	}
	for i := 0; i <= length; i++ {
		for !c.reading && i < length && len((*list)[i].posted)+len((*list)[i].complete) == 0 {
			i++
		}
		if c.count(&i); c.bad || i >= length {
			return
		}
		(*list)[i].code(c)
	}
}

// most is a number of hosts that no run has.
const most = 1 << 20

func (m *news) code(c *coder) {
	c.list(&m.posted)
	c.list(&m.complete)
}
