package records

import (
	"fmt"
	"go/format"
	"strings"
)

// Files are the generated files, by their paths in the repository.
func Files(t *Table) (map[string]string, error) {
	files := map[string]string{"internal/observe/ring/records.h": header(t), "docs/records.md": page(t)}
	for path, text := range map[string]string{
		"internal/observe/ring/records.go":   constants(t),
		"internal/observe/decode/records.go": readers(t.Records),
	} {
		source, err := format.Source([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files[path] = string(source)
	}
	return files, nil
}

const generated = "// Code generated from internal/observe/ring/records.tsv; DO NOT EDIT.\n\n"

// constants is the Go source of the numbers of records and the indexes of their words.
func constants(t *Table) string {
	list := t.Records
	var b strings.Builder
	b.WriteString(generated + "package ring\n\n")
	for _, data := range []bool{false, true} {
		if data {
			b.WriteString("// Data records.\nconst (\n")
		} else {
			b.WriteString("// Kinds of records.\nconst (\n")
		}
		for _, r := range list {
			if r.Data != data {
				continue
			}
			b.WriteString(comment("\t", r.Means))
			of := "Kind"
			if r.Data {
				of = "DataID"
			}
			fmt.Fprintf(&b, "\t%s %s = %d\n", r.GoName(), of, r.Number)
		}
		b.WriteString(")\n\n")
	}
	for _, v := range t.Values {
		b.WriteString(v.constants())
	}
	b.WriteString("// Indexes of words in records; Fixed is how many have one.\nconst (\n")
	for _, r := range list {
		for _, p := range r.places() {
			fmt.Fprintf(&b, "\t%s%s = %d\n", r.GoName(), p.name, p.index)
		}
		if n := r.Fixed(); n > 0 {
			fmt.Fprintf(&b, "\t%sFixed = %d\n", r.GoName(), n)
		}
	}
	b.WriteString(")\n")
	return b.String()
}

// header is the same in C.
func header(t *Table) string {
	var b strings.Builder
	b.WriteString("// Generated from internal/observe/ring/records.tsv: the numbers of records, and the indexes " +
		"of their words. FIXED is how many have one.\n")
	for _, v := range t.Values {
		b.WriteString(v.header())
	}
	for _, r := range t.Records {
		fmt.Fprintf(&b, "#define %s %#xu\n", r.CName(), r.Number)
		if len(r.Fields) == 0 {
			continue
		}
		for _, p := range r.places() {
			fmt.Fprintf(&b, "#define %s_%s %du\n", r.CName(), upper(p.name), p.index)
		}
		if n := r.Fixed(); n > 0 {
			fmt.Fprintf(&b, "#define %s_FIXED %du\n", r.CName(), n)
		}
	}
	return b.String()
}

// readers is the Go source of what reads records.
func readers(list []Record) string {
	var b strings.Builder
	b.WriteString(generated + "package decode\n\nimport (\n\t\"unknot/internal/observe/ring\"\n" +
		"\t\"unknot/internal/vocab/op\"\n)\n")
	for _, r := range list {
		if r.Struct == "" {
			continue
		}
		b.WriteString("\n" + comment("", fmt.Sprintf("%s is a %s record: %s.", r.Struct, r.GoName(), r.Means)))
		fmt.Fprintf(&b, "type %s struct {\n", r.Struct)
		var reads strings.Builder
		for _, f := range r.Fields {
			k, name := f.kind, camel(f.Name)
			b.WriteString(comment("\t", f.Means))
			if name == k.goes {
				fmt.Fprintf(&b, "\t%s\n", name)
			} else {
				fmt.Fprintf(&b, "\t%s %s\n", name, k.goes)
			}
			fmt.Fprintf(&reads, "\t\t%s: %s,\n", name, k.read)
		}
		fmt.Fprintf(&b, "}\n\n// Read%s reads a %s record.\nfunc Read%[1]s(v []uint64) %[1]s {\n\tw := words(v)\n"+
			"\treturn %[1]s{\n%[3]s\t}\n}\n", r.Struct, r.GoName(), reads.String())
	}
	return b.String()
}

// comment is text as a comment, in lines that are not too long.
func comment(indent, text string) string {
	const most = 112
	var b strings.Builder
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > most && line != "//" {
			b.WriteString(indent + line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return b.String() + indent + line + "\n"
}
