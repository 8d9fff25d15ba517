package records

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const pageHead = `<!-- generated from internal/observe/ring/records.tsv by: go generate ./internal/observe/ring -->

# Records

What the records of a [ring](design/ring.md) hold. A record begins with a header of two words (` + "`RecordHeader` in\n" +
	"`internal/observe/ring/layout.go`): the number of the function or of the data, the kind of record, how many slots it\n" +
	`has, a stamp, and the site. Its words follow, then padding to whole slots.

This page, the constants of package ` + "`ring`, the C header that the probe includes, and the readers of package\n" +
	"`decode` are generated from `internal/observe/ring/records.tsv`. A writer in C and a reader in Go use the names of the words:\n" +
	"`UK_DATA_MEMORY_STATE` and `ring.DataMemoryState`. " +
	`What changes the meaning of a record raises ` + "`ring.Version`.\n" +
	`
*Word* is the index of the first word of a field; it has none where fields of variable length come before it. A reader trusts no
length, because the program may overwrite a ring: what is missing is 0 or empty.

`

// page is docs/records.md.
func page(t *Table) string {
	var b strings.Builder
	b.WriteString(pageHead + "## Types of fields\n\nOther types are [enumerations](#enumerations).\n\n| type | what it is |\n|---|---|\n")
	all := kinds()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, all[name].means)
	}
	for _, data := range []bool{false, true} {
		if data {
			b.WriteString("\n## Data records\n")
		} else {
			b.WriteString("\n## Kinds of records\n")
		}
		for _, r := range t.Records {
			if r.Data == data {
				b.WriteString(section(&r))
			}
		}
	}
	b.WriteString("\n## Enumerations\n")
	for _, v := range t.Values {
		b.WriteString(v.section())
	}
	return b.String()
}

func section(r *Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%d, `%s`, `ring.%s`: %s.", r.Name, r.Number, r.CName(), r.GoName(), r.Means)
	if r.Struct != "" {
		fmt.Fprintf(&b, " Read as `decode.%s`.", r.Struct)
	}
	if r.Rows {
		b.WriteString(" The fields repeat until the end of the record.")
	}
	b.WriteString("\n")
	if len(r.Fields) == 0 {
		return b.String()
	}
	b.WriteString("\n| word | field | type | meaning |\n|--:|---|---|---|\n")
	for _, f := range r.Fields {
		at := ""
		if f.At >= 0 {
			at = fmt.Sprint(f.At)
		}
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | %s |\n", at, f.Name, f.Type, f.Means)
	}
	return b.String()
}
