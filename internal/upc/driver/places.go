package driver

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// places finds what the C compiler speaks of in the source. Line markers tell it the lines; its columns are those of
// the text that it reads, in which other words stand.
type places struct {
	levels  []level
	locator *syntax.Locator
	// lines are the lines of the C text by the file and line that they count to. A line of the source may be in several
	// pieces.
	lines map[string]map[int][]span
	// temp is the directory of the C text.
	temp string
}

// span is a line of the C text.
type span struct{ begin, end int }

func newPlaces(levels []level, temp string) *places {
	text := levels[len(levels)-1].made.Bytes
	p := &places{levels: levels, locator: syntax.NewLocator(levels[0].from), lines: map[string]map[int][]span{},
		temp: temp}
	name, line := "", 0
	for at := 0; at < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		if m := marker.FindSubmatch(text[at:end]); m != nil {
			line, _ = strconv.Atoi(string(m[1]))
			if n, err := strconv.Unquote(string(m[2])); err == nil {
				name = n
			}
		} else {
			if p.lines[name] == nil {
				p.lines[name] = map[int][]span{}
			}
			p.lines[name][line] = append(p.lines[name][line], span{at, end})
			line++
		}
		at = end + 1
	}
	return p
}

var (
	marker = regexp.MustCompile(`^# (\d+) ("(?:[^"\\]|\\.)*")`)
	// message is the first line of what gcc and clang say, picture a line of the source that they show below it.
	message = regexp.MustCompile(`^(.+?):(\d+):(\d+): ((?:fatal error|error|warning|note): .*)`)
	// implicit is what they say of a function without a declaration.
	implicit = regexp.MustCompile(
		`^(.+?:\d+:\d+): (?:warning|error): (?:implicit declaration of|call to undeclared) function ['‘](\w+)['’]`)
	picture = regexp.MustCompile(`^ *(?:\d+|\+\+\+)? \|`)
	// insertion is a line that they would insert.
	insertion = regexp.MustCompile(`^ *\+\+\+ \|`)
)

// rewrite gives what the compiler has said the places of the source. A message whose place is in text that is not the
// source's has no column. What is said twice of a text that stands in the C twice, such as the body of a upc_forall, is
// said once.
func (p *places) rewrite(said string) string {
	lines := strings.SplitAfter(strings.ReplaceAll(said, instrument.UserMain, "main"), "\n")
	var list []spoken
	for len(lines) > 0 {
		first := lines[0]
		n := 1
		for n < len(lines) && picture.MatchString(lines[n]) {
			n++
		}
		shown := lines[1:n]
		lines = lines[n:]
		if strings.HasPrefix(first, "In file included from "+p.temp) {
			continue // upcr.h, in whose macros the text of the source stands
		}
		list = append(list, p.placed(first, shown))
	}
	var b strings.Builder
	for i := range list {
		if text, again := list[i].settled(list, i); !again {
			b.WriteString(text + headerNote(text))
		}
	}
	return b.String()
}

// headerNote names the header that is missing where gcc tells of a function without a declaration and does not know the
// function.
func headerNote(text string) string {
	m := implicit.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	header := types.LibraryHeader(m[2])
	if header == "" || types.GCCKnows(m[2]) {
		return ""
	}
	return fmt.Sprintf("%s: note: is #include <%s> missing?\n", m[1], header)
}

// spoken is what the compiler has said once. Where its column is one of several pieces of C text, it has several
// readings.
type spoken struct {
	words    string    // with file and line; "" of what is no message
	readings []reading // the likeliest first
}

// reading is a message at one of the places that it may mean; column 0 stands for none, or for the one that the
// compiler has given.
type reading struct {
	text   string
	column int
}

// settled is the reading of the list's i-th that another with the same words has too, as both are about one text that
// stands in the C more than once; else the likeliest. again says that it has been said before. Of several the last in
// the line is meant: what the compiler adds counts to the begin of the statement.
func (s *spoken) settled(list []spoken, i int) (text string, again bool) {
	best := s.readings[0]
	shared := false
	for k := range list {
		if k == i || s.words == "" || list[k].words != s.words {
			continue
		}
		for _, r := range s.readings {
			if slices.Contains(list[k].readings, r) && (!shared || r.column > best.column) {
				best, shared, again = r, true, again || k < i
			}
		}
	}
	return best.text, again
}

// placed is a message of the compiler, and what it has shown of the source below, at its place in the source.
func (p *places) placed(first string, shown []string) spoken {
	as := first + strings.Join(shown, "")
	m := message.FindStringSubmatch(strings.TrimSuffix(first, "\n"))
	if m == nil {
		return spoken{readings: []reading{{as, 0}}}
	}
	said := spoken{words: fmt.Sprint(m[1], ":", m[2], ": ", m[4]), readings: []reading{{as, 0}}}
	pos := syntax.Position{File: m[1]}
	pos.Line, _ = strconv.Atoi(m[2])
	if p.lines[pos.File][pos.Line] == nil {
		return said
	}
	shownAs, _ := strconv.Atoi(m[3])
	column := p.column(pos, shownAs)
	spans := p.spansAt(pos, column)
	if len(spans) > 0 && p.same(spans[0], pos) {
		return said
	}
	var added string
	for _, line := range shown {
		if insertion.MatchString(line) {
			added += line
		}
	}
	said.readings = nil
	for _, at := range spans {
		text, column := p.message(pos, at.begin+column-1, m[4], len(shown) > 0)
		if r := (reading{text + added, column}); column > 0 && !slices.Contains(said.readings, r) {
			said.readings = append(said.readings, r)
		}
	}
	if said.readings == nil {
		text, _ := p.message(pos, -1, m[4], len(shown) > 0)
		said.readings = []reading{{text + added, 0}}
	}
	return said
}

// message is what is said of the text at an offset of the C text, which counts to a line of the source. Its column is 0
// if no token of that line is found there.
func (p *places) message(pos syntax.Position, offset int, text string, shown bool) (said string, column int) {
	token, ok := p.source(offset)
	found, length := p.locator.Place(token) // nowhere for no token
	var b strings.Builder
	if !ok || found.File != pos.File || found.Line != pos.Line {
		fmt.Fprintf(&b, "%s:%d: %s\n", pos.File, pos.Line, text)
		if line, ok := p.locator.Line(pos); ok && shown {
			fmt.Fprintf(&b, "%5d | %s\n", pos.Line, line)
		}
		return b.String(), 0
	}
	fmt.Fprintf(&b, "%s: %s\n", found, text)
	if line, ok := p.locator.Line(found); ok && shown {
		syntax.Show(&b, line, found, length)
	}
	return b.String(), found.Column
}

// spansAt are the pieces of a line that have a column, first those in which a token begins there.
func (p *places) spansAt(pos syntax.Position, column int) []span {
	var tokens, others []span
	origins := p.levels[len(p.levels)-1].made.Origins
	for _, s := range p.lines[pos.File][pos.Line] {
		at := s.begin + column - 1
		i := sort.Search(len(origins), func(i int) bool { return origins[i].Offset >= at })
		switch {
		case at > s.end:
		case i < len(origins) && origins[i].Offset == at:
			tokens = append(tokens, s)
		default:
			others = append(others, s)
		}
	}
	return append(tokens, others...)
}

// column is the column in bytes, for one on a screen: gcc, from version 11 on, counts as if the line of the user's file
// were that of the C text.
func (p *places) column(pos syntax.Position, shown int) int {
	const tab = 8
	line, _ := p.locator.Line(pos)
	width := 0
	for i, r := range line {
		if r == '\t' {
			width += tab - width%tab
		} else {
			width++
		}
		if width >= shown {
			return i + 1
		}
	}
	return len(line) + shown - width
}

// same says that a line of the C text is a line of the source as it is.
func (p *places) same(s span, pos syntax.Position) bool {
	line, ok := p.locator.Line(pos)
	return ok && line == string(p.levels[len(p.levels)-1].made.Bytes[s.begin:s.end])
}

// source is the token of the source that stands at an offset of the C text, or else the last one before it in the line,
// or the first one after it.
func (p *places) source(offset int) (syntax.Pos, bool) {
	at := syntax.NoPos
	for i := len(p.levels) - 1; i >= 0; i-- {
		origins, text := p.levels[i].made.Origins, p.levels[i].made.Bytes
		if offset < 0 || offset > len(text) {
			return syntax.NoPos, false
		}
		after := sort.Search(len(origins), func(k int) bool { return origins[k].Offset > offset })
		switch {
		case after > 0 && bytes.IndexByte(text[origins[after-1].Offset:offset], '\n') < 0:
			at = origins[after-1].Pos
		case after < len(origins) && bytes.IndexByte(text[offset:origins[after].Offset], '\n') < 0:
			at = origins[after].Pos
		default:
			return syntax.NoPos, false
		}
		offset = int(p.levels[i].from.Tokens[at].Offset)
	}
	return at, true
}
