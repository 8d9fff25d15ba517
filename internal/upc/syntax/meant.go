package syntax

// meant is a hint at the word that an unknown type was probably meant to be, or "".
func (p *parser) meant(name string) string {
	best, distance := "", 3
	try := func(word string) {
		if d := edits(name, word); d > 0 && d < distance && d*3 <= len(name) {
			best, distance = word, d
		}
	}
	for _, word := range plainKeywords {
		if r := roles[word]; r == wordRole || r == qualifierRole || r == storageRole {
			try(word)
		}
	}
	for s := p.scope; s != nil; s = s.outer {
		for word, typedef := range s.names {
			if typedef && (edits(name, word) < distance || word < best) {
				try(word)
			}
		}
	}
	if best == "" {
		return ""
	}
	return "; hint: did you mean '" + best + "'?"
}

// edits is how many letters must be changed, added or left out, or neighbours swapped, to make b of a; at least 3 is 3.
func edits(a, b string) int {
	const far = 3
	if len(a)-len(b) >= far || len(b)-len(a) >= far {
		return far
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	var last []int
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		last, before, row = before, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], last[j-2]+1)
			}
		}
	}
	return min(row[len(b)], far)
}
