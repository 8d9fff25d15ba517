package symbol

// lineOf is the line of an instruction, by its number, in the table of a function that has so many of them; 0 if it has
// none.
func lineOf(form lineForm, table []byte, first int, unit, units uint64) (line int, ok bool) {
	if form == locationTable {
		return located(table, first, unit, units)
	}
	if len(table)%2 != 0 {
		return 0, false
	}
	const none = -128
	at, now := uint64(0), first // the byte that an entry of the table begins at, and the line before it
	for ; len(table) > 0; table = table[2:] {
		step := int(int8(table[1]))
		at += uint64(table[0])
		switch {
		case form == stepTable && at > 2*unit:
			return now, true
		case step == none && form == rangeTable:
			if at > 2*unit {
				return 0, true
			}
			continue
		}
		if now += step; form == rangeTable && at > 2*unit {
			return now, true
		}
	}
	return now, form == stepTable
}

// located is lineOf in a table of locations.
func located(table []byte, first int, unit, units uint64) (line int, ok bool) {
	const begins, more = 0x80, 0x40
	i, failed := 0, false
	take := func() byte {
		if i == len(table) || table[i]&begins != 0 {
			failed = true
			return 0
		}
		i++
		return table[i-1]
	}
	number := func() (v int) {
		for shift := 0; ; shift += 6 {
			b := take()
			v |= int(b&(more-1)) << shift
			if b&more == 0 || shift > 30 {
				failed = failed || shift > 30
				return v
			}
		}
	}
	signed := func() int {
		if v := number(); v&1 != 0 {
			return -(v >> 1)
		} else {
			return v >> 1
		}
	}
	at, now := uint64(0), first
	for i < len(table) {
		if table[i]&begins == 0 {
			return 0, false
		}
		form, length := table[i]>>3&0xf, uint64(table[i]&7)+1
		i++
		has := true
		switch {
		case form < 10: // columns in one byte
			take()
		case form < 13: // this line, or one of the next two
			now += int(form) - 10
			take()
			take()
		case form == 13: // without columns
			now += signed()
		case form == 14: // several lines
			now += signed()
			number()
			number()
			number()
		default:
			has = false
		}
		if has && unit >= at && unit < at+length {
			line = now
		}
		at += length
	}
	return line, !failed && at == units
}
