package types

// memberLayout is what the layout of a struct or union needs to know of a member besides its field.
type memberLayout struct {
	field  Field
	packed bool  // GNU's attribute packed on the member
	align  int64 // of GNU's attribute aligned or _Alignas, 0: none
}

// structLayout is what the layout of a whole struct or union depends on.
type structLayout struct {
	union  bool
	packed bool  // GNU's attribute packed on the struct
	align  int64 // of GNU's attribute aligned on the struct, 0: none
	pack   int64 // #pragma pack in force, in bytes, 0: none
}

// layout gives every member its place, and the struct its size and alignment, as the System V ABI and gcc do: a
// bit-field does not cross more boundaries of its type than an object of that type would, named ones give the struct
// the alignment of their type, and packing undoes both. Places count in bits.
func (c Config) layout(how structLayout, members []memberLayout) (fields []Field, size, align int64) {
	fields = make([]Field, len(members))
	structAlign := int64(8)
	var at, end int64 // the next free bit, and the size so far of a union
	for i, m := range members {
		if how.union {
			at = 0
		}
		m.packed = m.packed || how.packed
		at, structAlign = c.place(&m, how, at, structAlign)
		fields[i] = m.field
		end = max(end, at)
	}
	structAlign = max(structAlign, how.align*8)
	end = (end + structAlign - 1) / structAlign * structAlign
	return fields, end / 8, structAlign / 8
}

// place puts a member at the first fitting place from bit at on, and says where the next one may begin and what the
// alignment of the struct is now.
func (c Config) place(m *memberLayout, how structLayout, at, structAlign int64) (next, newAlign int64) {
	typeAlign := c.Alignof(m.field.Type) * 8
	pack := how.pack * 8
	if m.field.Bits {
		return c.placeBits(m, pack, typeAlign, at, structAlign)
	}
	want := typeAlign
	switch {
	case m.packed && m.align != 0:
		want = m.align * 8
	case m.packed:
		want = 8
	default:
		want = max(want, m.align*8)
	}
	if pack != 0 {
		want = min(want, pack)
	}
	at = (at + want - 1) / want * want
	m.field.Offset = at / 8
	return at + c.Sizeof(m.field.Type).Int*8, max(structAlign, want)
}

// placeBits is place for a bit-field.
func (c Config) placeBits(m *memberLayout, pack, typeAlign, at, structAlign int64) (next, newAlign int64) {
	width := int64(m.field.Width)
	named := m.field.Name != "" || c.Target == AArch64 // AAPCS64: unnamed ones align the struct as well
	if width == 0 {
		// It ends the unit, whatever is packed.
		want := max(typeAlign, m.align*8)
		if named {
			structAlign = max(structAlign, want)
		}
		at = (at + want - 1) / want * want
		m.field.Offset = at / 8
		return at, structAlign
	}
	want := max(m.align*8, 1)
	if pack != 0 {
		want = min(want, pack)
	}
	at = (at + want - 1) / want * want
	unit := typeAlign
	switch {
	case pack != 0:
		unit, typeAlign = 1, min(typeAlign, pack)
	case m.packed:
		unit, typeAlign = 1, 8
	}
	size := c.Sizeof(m.field.Type).Int * 8
	if unit > 1 && (at%unit+width+unit-1)/unit > size/unit {
		at = (at + unit - 1) / unit * unit
	}
	if named {
		structAlign = max(structAlign, typeAlign, want)
	}
	m.field.Offset, m.field.Bit = at/8, int(at%8)
	return at + width, structAlign
}
