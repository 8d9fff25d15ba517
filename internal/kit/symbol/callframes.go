package symbol

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"
)

// The tables of a module by which exceptions are passed up a stack (.eh_frame, DWARF 5 section 6.4). They say where a
// function has saved its caller's registers, at each of its instructions. All code of Linux distributions has them,
// without debug information, too.

// callFrames are those of one module.
type callFrames struct {
	order     binary.ByteOrder
	functions []callFrame // ascending
}

// callFrame is how to get out of one function.
type callFrame struct {
	from, to uint64
	common   *callCommon
	program  []byte
}

// callCommon is what several functions share.
type callCommon struct {
	code     uint64
	data     int64
	returns  uint64 // the column of the return address
	encoding byte   // of addresses
	extended bool   // functions have further data
	signal   bool   // a handler's return: nothing has been called there
	program  []byte
}

// reading is a table that is being read. After its end it reads zeros, and has failed.
type reading struct {
	order  binary.ByteOrder
	at     []byte
	where  uint64 // the address of what is read next
	failed bool
}

func (c *reading) take(n uint64) []byte {
	if n > uint64(len(c.at)) {
		c.failed, c.at = true, nil
		return nil
	}
	part := c.at[:n]
	c.at, c.where = c.at[n:], c.where+n
	return part
}

func (c *reading) number(n uint64) uint64 {
	part := c.take(n)
	if part == nil {
		return 0
	}
	switch n {
	case 1:
		return uint64(part[0])
	case 2:
		return uint64(c.order.Uint16(part))
	case 4:
		return uint64(c.order.Uint32(part))
	}
	return c.order.Uint64(part)
}

func (c *reading) unsigned() (v uint64) {
	for shift := 0; ; shift += 7 {
		b := c.number(1)
		v |= b & 0x7f << shift
		if b&0x80 == 0 || c.failed {
			return v
		}
	}
}

func (c *reading) signed() int64 {
	var v int64
	for shift := 0; ; shift += 7 {
		b := c.number(1)
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 || c.failed {
			if shift += 7; b&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
}

// encoded reads an address or a size (Linux Standard Base 5.0, 10.5): absolute, or relative to where it stands.
func (c *reading) encoded(how byte) (v uint64) {
	where := c.where
	switch how & 0x0f {
	case 0x00, 0x04, 0x0c:
		v = c.number(8)
	case 0x02:
		v = c.number(2)
	case 0x03:
		v = c.number(4)
	case 0x0a:
		v = uint64(int64(int16(c.number(2))))
	case 0x0b:
		v = uint64(int64(int32(c.number(4))))
	case 0x01:
		v = c.unsigned()
	case 0x09:
		v = uint64(c.signed())
	default:
		c.failed = true
	}
	switch how & 0x70 {
	case 0x00:
	case 0x10:
		v += where
	default:
		c.failed = true
	}
	return v
}

// readCallFrames reads those of a module; entries that it cannot read are left out.
func readCallFrames(f *elf.File) *callFrames {
	t := &callFrames{order: f.ByteOrder}
	s := f.Section(".eh_frame")
	if s == nil || f.Class != elf.ELFCLASS64 {
		return t
	}
	data := sectionData(s)
	commons := make(map[uint64]*callCommon)
	for at := uint64(0); at+8 <= uint64(len(data)); {
		length, head := uint64(f.ByteOrder.Uint32(data[at:])), uint64(4)
		if length == 0 {
			break
		}
		if length == 0xffffffff || length > uint64(len(data))-at-head {
			break // a table of more than 4 GB, or a damaged one
		}
		body := data[at+head : at+head+length]
		c := &reading{order: f.ByteOrder, at: body, where: s.Addr + at + head}
		back := c.number(4)
		if back == 0 {
			commons[at] = readCommon(c)
		} else if common := commons[at+head-back]; common != nil {
			if fn := readFunction(c, common); !c.failed && fn.to > fn.from {
				t.functions = append(t.functions, fn)
			}
		}
		at += head + length
	}
	slices.SortFunc(t.functions, func(a, b callFrame) int { return cmp.Compare(a.from, b.from) })
	return t
}

// readCommon reads an entry that several functions share; nil if it has parts of unknown length.
func readCommon(c *reading) *callCommon {
	common := &callCommon{}
	version := c.number(1)
	end := bytes.IndexByte(c.at, 0)
	if end < 0 || version != 1 && version != 3 {
		return nil
	}
	augmentation := c.take(uint64(end))
	c.take(1)
	common.code, common.data = c.unsigned(), c.signed()
	if version == 1 {
		common.returns = c.number(1)
	} else {
		common.returns = c.unsigned()
	}
	for i, letter := range augmentation {
		switch {
		case i == 0 && letter == 'z':
			common.extended = true
			c.unsigned()
		case letter == 'R':
			common.encoding = byte(c.number(1))
		case letter == 'L':
			c.number(1)
		case letter == 'P':
			how := byte(c.number(1))
			c.encoded(how & 0x0f)
		case letter == 'S':
			common.signal = true
		case letter == 'B': // of AArch64: return addresses are signed with the other key
		default:
			return nil
		}
	}
	common.program = c.at
	if c.failed {
		return nil
	}
	return common
}

func readFunction(c *reading, common *callCommon) callFrame {
	fn := callFrame{common: common}
	fn.from = c.encoded(common.encoding)
	fn.to = fn.from + c.encoded(common.encoding&0x0f)
	if common.extended {
		c.take(c.unsigned())
	}
	fn.program = c.at
	return fn
}

// find is the function that has an address, nil if none is known.
func (t *callFrames) find(at uint64) *callFrame {
	i, exact := slices.BinarySearchFunc(t.functions, at, func(f callFrame, at uint64) int {
		return cmp.Compare(f.from, at)
	})
	if !exact {
		i--
	}
	if i < 0 || at >= t.functions[i].to {
		return nil
	}
	return &t.functions[i]
}

// ruleKind is how a register of the caller is found.
type ruleKind uint8

const (
	ruleSame       ruleKind = iota // it has not been changed
	ruleUndefined                  // it is lost; of the return address: nobody has called
	ruleAt                         // it is saved at an offset from the frame
	ruleIs                         // it is the frame's address and an offset
	ruleCopied                     // it is in another register
	ruleComputedAt                 // it is saved where an expression says
	ruleComputed                   // it is what an expression says
)

type rule struct {
	kind       ruleKind
	offset     int64
	register   uint64
	expression []byte
}

// row is how to get out of a function at one of its instructions.
type row struct {
	frame rule // ruleIs of a register, or ruleComputed
	rules [mostRegisters]rule
}

// mostRegisters are the numbers of registers that are followed: the general ones of x86-64 and AArch64.
const mostRegisters = 33

// at runs the table's instructions up to an address.
func (t *callFrames) at(fn *callFrame, address uint64) (row, bool) {
	var now row
	ok := t.run(fn, fn.common.program, address, &now, nil)
	first := now
	return now, ok && t.run(fn, fn.program, address, &now, &first)
}

// run runs some of a table's instructions; first are the rules at the function's beginning.
func (t *callFrames) run(fn *callFrame, program []byte, address uint64, now, first *row) bool {
	c := &reading{order: t.order, at: program}
	data := fn.common.data
	var kept []row
	at := fn.from
	set := func(register uint64, to rule) {
		if register < mostRegisters {
			now.rules[register] = to
		}
	}
	restore := func(register uint64) {
		if register < mostRegisters && first != nil {
			now.rules[register] = first.rules[register]
		}
	}
	block := func() []byte { return c.take(c.unsigned()) }
	for len(c.at) > 0 && !c.failed {
		op := byte(c.number(1))
		low := uint64(op & 0x3f)
		switch op & 0xc0 {
		case 0x40:
			at += low * fn.common.code
		case 0x80:
			set(low, rule{kind: ruleAt, offset: int64(c.unsigned()) * data})
			continue
		case 0xc0:
			restore(low)
			continue
		}
		if op&0xc0 == 0 {
			switch op {
			case 0x00: // nop
			case 0x01:
				at = c.encoded(fn.common.encoding &^ 0x70)
			case 0x02:
				at += c.number(1) * fn.common.code
			case 0x03:
				at += c.number(2) * fn.common.code
			case 0x04:
				at += c.number(4) * fn.common.code
			case 0x05:
				r := c.unsigned()
				set(r, rule{kind: ruleAt, offset: int64(c.unsigned()) * data})
			case 0x06:
				restore(c.unsigned())
			case 0x07:
				set(c.unsigned(), rule{kind: ruleUndefined})
			case 0x08:
				set(c.unsigned(), rule{})
			case 0x09:
				r := c.unsigned()
				set(r, rule{kind: ruleCopied, register: c.unsigned()})
			case 0x0a:
				kept = append(kept, *now)
			case 0x0b:
				if len(kept) == 0 {
					return false
				}
				*now, kept = kept[len(kept)-1], kept[:len(kept)-1]
			case 0x0c:
				r := c.unsigned()
				now.frame = rule{kind: ruleIs, register: r, offset: int64(c.unsigned())}
			case 0x0d:
				now.frame.register = c.unsigned()
			case 0x0e:
				now.frame.offset = int64(c.unsigned())
			case 0x0f:
				now.frame = rule{kind: ruleComputed, expression: block()}
			case 0x10:
				r := c.unsigned()
				set(r, rule{kind: ruleComputedAt, expression: block()})
			case 0x11:
				r := c.unsigned()
				set(r, rule{kind: ruleAt, offset: c.signed() * data})
			case 0x12:
				r := c.unsigned()
				now.frame = rule{kind: ruleIs, register: r, offset: c.signed() * data}
			case 0x13:
				now.frame.offset = c.signed() * data
			case 0x14:
				r := c.unsigned()
				set(r, rule{kind: ruleIs, offset: int64(c.unsigned()) * data})
			case 0x15:
				r := c.unsigned()
				set(r, rule{kind: ruleIs, offset: c.signed() * data})
			case 0x16:
				r := c.unsigned()
				set(r, rule{kind: ruleComputed, expression: block()})
			case 0x2d: // AArch64: the return address is signed from here on, or no more
			case 0x2e: // the size of arguments
				c.unsigned()
			default:
				return false
			}
		}
		if at > address {
			break
		}
	}
	return !c.failed
}
