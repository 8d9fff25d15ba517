package symbol

import "debug/dwarf"

// unit is one compilation unit.
type unit struct {
	root *dwarf.Entry
	end  dwarf.Offset

	lines     lineTable
	functions functionIndex // those at file, namespace and module level
	nested    functionIndex // all, also functions within functions: Fortran's CONTAINS
}

// functionIndex finds the entry of the function that has code at an address.
type functionIndex struct {
	read    bool
	at      spans // the number is the place in entries
	entries []dwarf.Offset
}

// scopes returns the function at pc and, in it, the inlined calls that pc belongs to, outermost first.
func (u *unit) scopes(d *debugInfo, pc uint64) []*dwarf.Entry {
	u.readFunctions(d, &u.functions, false)
	i, ok := u.functions.at.find(pc)
	if ok {
		return u.inlined(d, u.functions.entries[i], pc)
	}
	// Looking into all functions takes longer, so it is done only where it must be.
	u.readFunctions(d, &u.nested, true)
	if i, ok = u.nested.at.find(pc); ok {
		return u.inlined(d, u.nested.entries[i], pc)
	}
	return nil
}

// readFunctions fills an index with the functions of the unit that have code; deep looks inside every entry.
func (u *unit) readFunctions(d *debugInfo, index *functionIndex, deep bool) {
	if index.read {
		return
	}
	index.read = true
	w := u.walk(d, u.root.Offset)
	for e := w.next(); e != nil; e = w.next() {
		if e.Tag == dwarf.TagSubprogram {
			if ranges, err := d.data.Ranges(e); err == nil && len(ranges) > 0 {
				index.at.add(ranges, len(index.entries))
				index.entries = append(index.entries, e.Offset)
			}
		}
		if !deep && e.Tag != dwarf.TagNamespace && e.Tag != dwarf.TagModule {
			w.skip()
		}
	}
}

// inlined descends from a function to the innermost inlined call at pc.
func (u *unit) inlined(d *debugInfo, function dwarf.Offset, pc uint64) []*dwarf.Entry {
	w := u.walk(d, function)
	if w.top == nil {
		return nil
	}
	chain := []*dwarf.Entry{w.top}
	for e := w.next(); e != nil; e = w.next() {
		switch e.Tag {
		case dwarf.TagLexDwarfBlock:
			// Its ranges tell nothing that those of the calls in it do not tell better.
		case dwarf.TagInlinedSubroutine:
			ranges, err := d.data.Ranges(e)
			if err != nil || !contains(ranges, pc) {
				w.skip()
				continue
			}
			chain = append(chain, e)
			w.enter()
		default:
			w.skip()
		}
	}
	return chain
}

// walker goes through the entries below one entry, in order. It does not recurse, and always moves forward, so that
// no damage to a file can keep it busy for longer than the file is long.
type walker struct {
	r     *dwarf.Reader
	top   *dwarf.Entry
	last  *dwarf.Entry
	end   dwarf.Offset
	depth int // of the entry that comes next; the walk ends when it falls below floor
	floor int
}

func (u *unit) walk(d *debugInfo, from dwarf.Offset) *walker {
	w := &walker{r: d.data.Reader(), end: u.end, floor: 1}
	w.r.Seek(from)
	if e, err := w.r.Next(); err == nil && e != nil && e.Offset < w.end {
		w.top, w.last = e, e
		if e.Children {
			w.depth = 1
		}
	}
	return w
}

// next returns the next entry below the top, going into the last one's children, or nil at the end.
func (w *walker) next() *dwarf.Entry {
	for w.depth >= w.floor {
		e, err := w.r.Next()
		if err != nil || e == nil {
			return nil
		}
		if e.Tag == 0 { // the end of a list of children; it has no offset
			w.depth--
			continue
		}
		if e.Offset >= w.end || e.Offset <= w.last.Offset {
			return nil
		}
		w.last = e
		if e.Children {
			w.depth++
		}
		return e
	}
	return nil
}

// enter limits the rest of the walk to what is below the last entry.
func (w *walker) enter() {
	if w.last.Children {
		w.floor = w.depth
	} else {
		w.floor = w.depth + 1
	}
}

// skip passes over the children of the last entry.
func (w *walker) skip() {
	if !w.last.Children {
		return
	}
	if sibling, ok := w.last.Val(dwarf.AttrSibling).(dwarf.Offset); ok && sibling > w.last.Offset && sibling < w.end {
		w.r.Seek(sibling)
		w.depth--
		return
	}
	for target := w.depth; w.depth >= target; {
		e, err := w.r.Next()
		switch {
		case err != nil || e == nil || e.Tag != 0 && (e.Offset >= w.end || e.Offset <= w.last.Offset):
			w.depth = w.floor - 1
			return
		case e.Tag == 0:
			w.depth--
			continue
		case e.Children:
			w.depth++
		}
		w.last = e
	}
}
