package records

// kind is a type of fields: how many words it has and what they are called, how Go reads it, and what it means.
type kind struct {
	words int // 0: their number depends on the record
	// what the words with a fixed place are called, after the field: "" for the only one, or for the number of others
	parts []string
	goes  string // type in Go
	read  string // expression in Go that reads it from w, the rest of the words
	means string
}

// kind is the type of a field of a record, which may be an enumeration.
func (t *Table) kind(name string) (kind, bool) {
	for _, v := range t.Values {
		if v.Name == name {
			return kind{1, []string{""}, "ring." + name, "ring." + name + "(w.next())", ""}, true
		}
	}
	k, ok := kinds()[name]
	return k, ok
}

// kinds are the types of fields that are no enumerations.
func kinds() map[string]kind {
	one := func(goes, read, means string) kind {
		return kind{words: 1, parts: []string{""}, goes: goes, read: read, means: means}
	}
	many := func(goes, read, means string) kind {
		return kind{parts: []string{""}, goes: goes, read: read, means: means}
	}
	return map[string]kind{
		"word":      one("uint64", "w.next()", "an unsigned number, an address"),
		"number":    one("int64", "w.number()", "a signed number"),
		"bool":      one("bool", "w.next() != 0", "0 or 1"),
		"int":       one("int", "int(int32(w.next()))", "a C `int`"),
		"index":     one("int", "int(w.next())", "an index or number, not negative"),
		"tag":       one("int32", "int32(w.next())", "a message tag"),
		"rank":      one("op.Rank", "op.Rank(int32(w.next()))", "a rank in MPI_COMM_WORLD"),
		"thread":    one("op.Thread", "op.Thread(w.next())", "the index of a thread in its process"),
		"func":      one("uint16", "uint16(w.next())", "the number of an MPI function: its row in `functions.tsv`"),
		"handle":    one("uint64", "w.next()", "an MPI handle, as a number"),
		"site":      one("uint64", "w.next()", "a place in the program: a return address, or the number of a Python stack"),
		"range":     {2, []string{"from", "to"}, "Range", "w.span()", "two words: first address, that after the last"},
		"call":      {2, []string{"func", "site"}, "Site", "w.site()", "two words: a function and a site"},
		"string":    many("string", "w.text()", "the length in bytes, then the bytes, padded to whole words"),
		"words":     many("[]uint64", "w.counted()", "their number, then each"),
		"ints":      many("[]int64", "w.list()", "their number, then each, a C `int`"),
		"ranks":     many("op.Ranks", "w.ranks()", "their number, then each"),
		"frames":    many("[]Frame", "w.frames()", "their number, then of each: line, string file, string function"),
		"lines":     many("[]Frame", "w.lines()", "their number, then of each: line, string file"),
		"rest":      {goes: "[]uint64", read: "w.rest()", means: "all words to the end of the record"},
		"addresses": many("[]uint64", "w.addresses()", "their number, then each"),
	}
}
