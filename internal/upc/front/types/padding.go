package types

// Padded says that an object has bits that belong to none of its members, or not to every member of a union: C
// compilers may leave them behind when they copy the object member by member.
func (c Config) Padded(t Type) bool {
	switch u := t.T.(type) {
	case *Basic:
		// Ten bytes of the x87's format count.
		return c.Target == X8664 && (u.Kind == LongDouble || u.Kind == ComplexLongDouble || u.Kind == Float64x)
	case *Array:
		return c.Padded(u.Elem)
	case *Struct:
		return c.hasGap(u)
	}
	return false
}

// hasGap is Padded for a struct or union.
func (c Config) hasGap(s *Struct) bool {
	var end int64 // the first bit after the members so far
	for _, f := range s.Fields {
		bits := int64(f.Width)
		if !f.Bits {
			bits = c.Sizeof(f.Type).Int * 8
		}
		if bits == 0 || f.Bits && f.Name == "" {
			continue
		}
		begin := f.Offset*8 + int64(f.Bit)
		switch {
		case c.Padded(f.Type), s.Union && bits < s.Size*8, !s.Union && begin > end:
			return true
		}
		end = max(end, begin+bits)
	}
	return end < s.Size*8
}
