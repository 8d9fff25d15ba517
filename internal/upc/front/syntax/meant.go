package syntax

import "strings"

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

// oldNames are the words of UPC from before 1.1, which upc.h defines for -DUPC_OLD_NAMES.
var oldNames = map[string]string{"barrier": "upc_barrier", "barrier_notify": "upc_notify", "barrier_wait": "upc_wait",
	"forall": "upc_forall",
	"fence":  "upc_fence"}

// MeantOfUPC is a sentence on the word of UPC that an unknown name was probably meant to be, or "". others are names
// that may have been meant as well.
func MeantOfUPC(name string, others []string) string {
	if word := oldNames[name]; word != "" {
		return "'" + name + "' is '" + word + "' since UPC 1.1; -DUPC_OLD_NAMES allows the old names"
	}
	best, distance := "", 3
	try := func(word string) {
		if d := edits(name, word); d > 0 && d*3 <= len(name) && (d < distance || d == distance && word < best) {
			best, distance = word, d
		}
	}
	for word := range upcKeywords {
		if strings.Contains(word, "_") || strings.ToUpper(word) == word {
			try(word)
		}
	}
	for _, word := range others {
		try(word)
	}
	if best == "" {
		return ""
	}
	return "did you mean '" + best + "'?"
}

// statementHint is a hint at a statement of UPC whose first word is misspelt, where the statement cannot be read
// because of that, or "".
func (p *parser) statementHint() string {
	const far = 64
	at := p.next
	for n := 0; at > 0 && n < far; n++ {
		if t := p.file.Tokens[at-1]; t.Kind == Punctuator && (t.Text == ";" || t.Text == "{" || t.Text == "}" ||
			t.Text == ":") {
			break
		}
		at--
	}
	first := p.file.Tokens[at]
	if at == p.next || first.Kind != Name || p.declared(first.Text) {
		return ""
	}
	if hint := MeantOfUPC(first.Text, nil); hint != "" {
		return "; hint: " + hint
	}
	return ""
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
