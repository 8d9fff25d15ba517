// Package records owns the table of what the records of a ring hold, records.tsv beside package ring, and what is
// generated from it: the constants of package ring, the C header, the readers of package decode and docs/records.md.
// The words of a record thus have one order, on both sides of a ring.
package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table is what records.tsv has.
type Table struct {
	Values  []Values
	Records []Record
}

// Record is a kind of record, or what a Data record holds.
type Record struct {
	Name   string
	Data   bool // its number is a ring.DataID, not a ring.Kind
	Number int
	Struct string // of package decode, which it is read as; "" if there is none
	Rows   bool   // its fields repeat until its end
	Means  string
	Fields []Field
}

// Field is one or several words of a record.
type Field struct {
	Name, Type string
	Means      string
	// At is the index of its first word, which may be the number of those that follow; -1 if fields of no fixed length
	// come before it.
	At   int
	kind kind
}

// Parse reads the table.
func Parse(text string) (*Table, error) {
	t := &Table{}
	n, inValues := 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) != 4 {
			return nil, fmt.Errorf("records.tsv:%d: %d columns, expected 4", n, len(columns))
		}
		var err error
		switch {
		case strings.HasPrefix(columns[1], "values") && columns[0] != "":
			inValues = true
			t.Values = append(t.Values, values(columns))
		case columns[0] != "":
			inValues = false
			var r Record
			if r, err = record(columns); err == nil {
				t.Records = append(t.Records, r)
			}
		case inValues:
			err = t.Values[len(t.Values)-1].add(columns)
		case len(t.Records) == 0:
			err = fmt.Errorf("field %s stands before any record", columns[1])
		default:
			k, ok := t.kind(columns[2])
			err = t.Records[len(t.Records)-1].add(Field{Name: columns[1], Type: columns[2], Means: columns[3], kind: k}, ok)
		}
		if err != nil {
			return nil, fmt.Errorf("records.tsv:%d: %w", n, err)
		}
	}
	return t, distinct(t.Records)
}

func record(columns []string) (Record, error) {
	r := Record{Name: columns[0], Means: columns[3]}
	sort, number, _ := strings.Cut(columns[1], " ")
	n, err := strconv.Atoi(number)
	if err != nil || sort != "kind" && sort != "data" {
		return r, fmt.Errorf("record %s: number %q, expected kind or data and a number", r.Name, columns[1])
	}
	r.Data, r.Number = sort == "data", n
	switch columns[2] {
	case "-":
	case "rows":
		r.Rows = true
	default:
		r.Struct = columns[2]
	}
	return r, nil
}

// add puts a field behind those that a record has.
func (r *Record) add(f Field, known bool) error {
	if !known {
		return fmt.Errorf("field %s of %s: type %q is not in types.go", f.Name, r.Name, f.Type)
	}
	if r.Rows && f.kind.words == 0 {
		return fmt.Errorf("field %s of %s: type %q has no fixed length, but the fields repeat", f.Name, r.Name, f.Type)
	}
	f.At = r.words()
	r.Fields = append(r.Fields, f)
	return nil
}

// words is where the next field begins, -1 if that depends on the record.
func (r *Record) words() int {
	if len(r.Fields) == 0 {
		return 0
	}
	last := r.Fields[len(r.Fields)-1]
	if last.At < 0 || last.kind.words == 0 {
		return -1
	}
	return last.At + last.kind.words
}

// Fixed is how many words at the start of the record have a fixed place.
func (r *Record) Fixed() int { return len(r.places()) }

// place is a word of a record with a fixed index: what it is called in Go, after the record's own name.
type place struct {
	name  string
	index int
}

// places are the words of a record with a fixed index.
func (r *Record) places() (list []place) {
	for _, f := range r.Fields {
		if f.At < 0 {
			break
		}
		for i, part := range f.kind.parts {
			list = append(list, place{camel(f.Name) + camel(part), f.At + i})
		}
	}
	return list
}

// GoName is the name of the constant in package ring with the record's number.
func (r *Record) GoName() string {
	if r.Data {
		return "Data" + r.Name
	}
	return r.Name
}

// CName is that of the C header's.
func (r *Record) CName() string { return "UK_" + upper(r.GoName()) }

// distinct says whether two constants have one name or two records one number.
func distinct(list []Record) error {
	names, numbers := map[string]string{}, map[string]string{}
	for _, r := range list {
		number := fmt.Sprint(r.Data, r.Number)
		if other, twice := numbers[number]; twice {
			return fmt.Errorf("records.tsv: records %s and %s have one number", other, r.Name)
		}
		numbers[number] = r.Name
		all := []string{r.CName(), r.CName() + "_FIXED"}
		for _, p := range r.places() {
			all = append(all, r.CName()+"_"+upper(p.name))
		}
		for _, name := range all {
			if other, twice := names[name]; twice {
				return fmt.Errorf("records.tsv: %s of record %s is one of record %s too", name, r.Name, other)
			}
			names[name] = r.Name
		}
	}
	return nil
}

// camel turns tag_ub into TagUB.
func camel(name string) string {
	if name == "" {
		return ""
	}
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		switch {
		case slices.Contains([]string{"id", "tid", "ub"}, part):
			b.WriteString(strings.ToUpper(part))
		case part == "pcs":
			b.WriteString("PCs")
		default:
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// upper turns TagUB and DataThreadEnd into TAG_UB and DATA_THREAD_END.
func upper(name string) string {
	var b strings.Builder
	lower := false
	for _, c := range name {
		is := c >= 'a' && c <= 'z'
		if lower && !is {
			b.WriteByte('_')
		}
		lower = is
		b.WriteRune(c)
	}
	return strings.ToUpper(b.String())
}
