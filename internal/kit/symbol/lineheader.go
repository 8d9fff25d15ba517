package symbol

import "encoding/binary"

// saneLineHeader reports whether the counts in the header of a line program can be true. The reader of debug/dwarf
// makes tables of the size that the header of version 5 claims before it looks whether there are that many entries,
// and an allocation that fails cannot be recovered from. See DWARF 5, section 6.2.4.
func saneLineHeader(line []byte, order binary.ByteOrder) bool {
	c := cursor{data: line}
	length, width := uint64(c.fixed(4, order)), 4
	if length == 0xffffffff {
		length, width = c.fixed(8, order), 8
	}
	if c.bad || length > uint64(len(c.data)) {
		return false
	}
	c.data = c.data[:length]
	if c.fixed(2, order) < 5 {
		return !c.bad
	}
	c.skip(uint64(2 + width + 5)) // address and segment sizes, header length, five parameters of the state machine
	if base := c.fixed(1, order); base > 0 {
		c.skip(base - 1)
	}
	for range 2 { // directories, then files
		var forms []uint64
		for n := c.fixed(1, order); n > 0; n-- {
			c.uleb() // what it is
			forms = append(forms, c.uleb())
		}
		count := c.uleb()
		// An entry without a format or with an empty one takes no space, so that any count could be claimed.
		if c.bad || count > uint64(len(c.data)) {
			return false
		}
		for ; count > 0 && !c.bad; count-- {
			for _, form := range forms {
				c.form(form, width, order)
			}
		}
	}
	return !c.bad
}

// cursor reads from the front of data; bad is set when there was not enough, or something unknown.
type cursor struct {
	data []byte
	bad  bool
}

func (c *cursor) skip(n uint64) {
	if n > uint64(len(c.data)) {
		c.bad, c.data = true, nil
		return
	}
	c.data = c.data[n:]
}

func (c *cursor) fixed(n int, order binary.ByteOrder) uint64 {
	b := c.data
	c.skip(uint64(n))
	if c.bad {
		return 0
	}
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

func (c *cursor) uleb() uint64 {
	v, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.data = c.data[n:]
	return v
}

// form passes over a value of one of the forms that a line header may use (DWARF 5, section 7.5.6).
func (c *cursor) form(form uint64, width int, order binary.ByteOrder) {
	switch form {
	case 0x0b, 0x25: // data1, strx1
		c.skip(1)
	case 0x05, 0x26: // data2, strx2
		c.skip(2)
	case 0x27: // strx3
		c.skip(3)
	case 0x06, 0x28: // data4, strx4
		c.skip(4)
	case 0x07: // data8
		c.skip(8)
	case 0x1e: // data16
		c.skip(16)
	case 0x0f, 0x1a: // udata, strx
		c.uleb()
	case 0x0e, 0x1f, 0x1d: // strp, line_strp, strp_sup
		c.skip(uint64(width))
	case 0x09: // block
		c.skip(c.uleb())
	case 0x08: // string
		for !c.bad && c.fixed(1, order) != 0 {
		}
	default:
		c.bad = true
	}
}
