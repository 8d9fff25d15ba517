package gen

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/mpi"
)

// piece is one parameter's part of a record, in C.
type piece struct {
	words []string // single words
	array string   // then an array: the expression of its first element, "" if there is none
	n     string   // the number of its elements, a size_t
	form  form
	mark  string // of statuses: the expression of what is set in the word of each tag
}

type form int

const (
	handles form = iota
	ints
	statuses
	text
)

// size is the C expression of a record's words: the fixed ones, and those of each array.
func size(pieces []piece) (fixed int, varying []string) {
	for _, p := range pieces {
		fixed += len(p.words)
		switch {
		case p.array == "":
		case p.form == statuses:
			varying = append(varying, "3 * "+p.n)
		case p.form == text:
			varying = append(varying, "("+p.n+" + 7) / 8")
		default:
			varying = append(varying, p.n)
		}
	}
	return fixed, varying
}

// fill writes C that stores the pieces through the pointer w, moving it.
func fill(b *strings.Builder, indent string, pieces []piece) {
	for _, p := range pieces {
		for _, word := range p.words {
			fmt.Fprintf(b, "%s*w++ = %s;\n", indent, word)
		}
		if p.array == "" {
			continue
		}
		switch p.form {
		case handles:
			fmt.Fprintf(b, "%sfor (size_t i = 0; i < %s; i++)\n%s    *w++ = UK_H(%s[i]);\n", indent, p.n,
				indent, p.array)
		case ints:
			fmt.Fprintf(b, "%sfor (size_t i = 0; i < %s; i++)\n%s    *w++ = UK_I(%s[i]);\n", indent, p.n,
				indent, p.array)
		case statuses:
			fmt.Fprintf(b, "%sfor (size_t i = 0; i < %s; i++, w += 3)\n%s    uk_one_status(&%s[i], %s, w);\n", indent,
				p.n, indent, p.array, p.mark)
		case text:
			fmt.Fprintf(b, "%sw = uk_put_text(w, %s, %s);\n", indent, p.array, p.n)
		}
	}
}

// record writes C that puts a record of the pieces into the ring.
func record(b *strings.Builder, indent string, f *mpi.Func, kind, site string, pieces []piece) {
	fixed, varying := size(pieces)
	begin, commit := "uk_begin", "uk_commit"
	if heatOf(f) < hot {
		begin, commit = "uk_begin_cold", "uk_commit_cold"
	}
	commit += "(t)"
	if e := effect(f); e != "" && kind == "UK_ENTER" {
		commit = "uk_commit_as_cold(t, (struct uk_effect)" + e + ")"
	}
	if len(varying) == 0 && heatOf(f) == hot && commit == "uk_commit(t)" {
		counted(b, indent, f, kind, site, pieces, fixed)
		return
	}
	if len(varying) == 0 {
		if fixed == 0 {
			fmt.Fprintf(b, "%s%s(t, %d, %s, %s, 0);\n%s%s;\n", indent, begin, f.ID, kind, site, indent, commit)
			return
		}
		fmt.Fprintf(b, "%s{\n%s    uint64_t *w = %s(t, %d, %s, %s, %d);\n", indent, indent, begin, f.ID,
			kind, site, fixed)
		fill(b, indent+"    ", pieces)
		fmt.Fprintf(b, "%s    %s;\n%s}\n", indent, commit, indent)
		return
	}
	if heatOf(f) < hot {
		fmt.Fprintf(b, "%s{\n", indent)
		long(b, indent+"    ", f, kind, site, pieces)
		fmt.Fprintf(b, "%s}\n", indent)
		return
	}
	in := indent + "    "
	fmt.Fprintf(b, "%s{\n%ssize_t n = %d + %s;\n", indent, in, fixed, strings.Join(varying, " + "))
	fmt.Fprintf(b, "%sif (UK_LIKELY(n <= UK_WORDS_MAX)) {\n", in)
	fmt.Fprintf(b, "%s    uint64_t *w = uk_begin(t, %d, %s, %s, (unsigned)n);\n", in, f.ID, kind, site)
	fill(b, in+"    ", pieces)
	fmt.Fprintf(b, "%s    uk_commit(t);\n%s} else {\n", in, in)
	long(b, in+"    ", f, kind, site, pieces)
	fmt.Fprintf(b, "%s}\n%s}\n", in, indent)
}

// counted writes C that counts a record of so many words if it is the one that is expected, and else puts it into the
// ring.
func counted(b *strings.Builder, indent string, f *mpi.Func, kind, site string, pieces []piece, n int) {
	words, made := "NULL", ""
	in := indent + "    "
	fmt.Fprintf(b, "%s{\n", indent)
	if n > 0 {
		var all []string
		for _, p := range pieces {
			all = append(all, p.words...)
		}
		words, made = "k", "uint64_t *w = "
		fmt.Fprintf(b, "%sconst uint64_t k[] = {%s};\n", in, strings.Join(all, ", "))
	}
	fmt.Fprintf(b, "%sif (!uk_counts(t, %d, %s, %s, %d, %s)) {\n", in, f.ID, kind, site, n, words)
	fmt.Fprintf(b, "%s    %suk_begin(t, %d, %s, %s, %d);\n", in, made, f.ID, kind, site, n)
	for i := range n {
		fmt.Fprintf(b, "%s    w[%d] = k[%[2]d];\n", in, i)
	}
	fmt.Fprintf(b, "%s    uk_commit(t);\n%s}\n%s}\n", in, in, indent)
}

// long writes C for a record that may not fit into one: its pieces go to the run-time where they are.
func long(b *strings.Builder, indent string, f *mpi.Func, kind, site string, pieces []piece) {
	var words, chunks []string
	from, freed := 0, ""
	flush := func() {
		if from < len(words) {
			chunks = append(chunks, fmt.Sprintf("{k + %d, %d, UK_WORDS}", from, len(words)-from))
			from = len(words)
		}
	}
	for _, p := range pieces {
		words = append(words, p.words...)
		if p.array == "" {
			continue
		}
		flush()
		switch p.form {
		case handles:
			chunks = append(chunks, fmt.Sprintf("{%s, %s, UK_HANDLES}", p.array, p.n))
		case ints:
			chunks = append(chunks, fmt.Sprintf("{%s, %s, UK_INTS_OF(%s)}", p.array, p.n, p.array))
		case text:
			chunks = append(chunks, fmt.Sprintf("{%s, %s, UK_BYTES}", p.array, p.n))
		case statuses:
			fmt.Fprintf(b, "%suint64_t *s = uk_status_words(%s, %s, %s);\n", indent, p.array, p.n, p.mark)
			chunks = append(chunks, fmt.Sprintf("{s, s ? 3 * %s : 0, UK_WORDS}", p.n))
			freed = indent + "free(s);\n"
		}
	}
	flush()
	if len(words) > 0 {
		fmt.Fprintf(b, "%sconst uint64_t k[] = {%s};\n", indent, strings.Join(words, ", "))
	}
	fmt.Fprintf(b, "%sconst struct uk_chunk chunks[] = {%s};\n", indent, strings.Join(chunks, ", "))
	fmt.Fprintf(b, "%suk_long(t, %d, %s, %s, chunks, %d);\n%s", indent, f.ID, kind, site, len(chunks), freed)
}

// poll writes C that puts a poll's Enter record into the ring, after what is to be recorded before, unless it repeats
// an unsuccessful one.
func poll(b *strings.Builder, f *mpi.Func, tell []string, pieces []piece) {
	const in = "    "
	fixed, varying := size(pieces)
	total := fmt.Sprint(fixed)
	if len(varying) > 0 {
		fmt.Fprintf(b, "%suint64_t poll[UK_POLL_WORDS] = {0}, *w = poll;\n", in)
		fmt.Fprintf(b, "%sconst size_t npoll = %d + %s;\n%sif (npoll <= UK_POLL_WORDS) {\n", in, fixed,
			strings.Join(varying, " + "), in)
		total = "npoll"
	} else {
		fmt.Fprintf(b, "%suint64_t poll[%d], *w = poll;\n%s{\n", in, fixed, in)
	}
	fill(b, in+in, pieces)
	fmt.Fprintf(b, "%s}\n", in)
	fmt.Fprintf(b, "%sif (!uk_poll_same(t, %d, site, (unsigned)%s, poll)) {\n", in, f.ID, total)
	statements(b, in+in, tell)
	if len(varying) > 0 {
		record(b, in+in, f, "UK_ENTER", "site", pieces)
	} else {
		fmt.Fprintf(b, "%s%sw = uk_begin(t, %d, UK_ENTER, site, %d);\n%s%smemcpy(w, poll, sizeof "+
			"poll);\n%s%suk_commit(t);\n",
			in, in, f.ID, fixed, in, in, in, in)
	}
	fmt.Fprintf(b, "%s}\n", in)
}
