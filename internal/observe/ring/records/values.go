package records

import (
	"fmt"
	"strconv"
	"strings"
)

// Values is an enumeration: the type of fields in records that hold one of a few constants.
type Values struct {
	Name, Prefix string // of the type in Go; of its constants
	Means        string
	InC          bool // the C header has the constants
	List         []Value
}

// Value is a constant of an enumeration.
type Value struct {
	Name   string // after the prefix
	Number uint64
	Means  string
}

// values reads the first line of an enumeration.
func values(columns []string) Values {
	return Values{Name: columns[0], Prefix: columns[2], Means: columns[3], InC: columns[1] == "values"}
}

// add puts a constant behind those that there are.
func (v *Values) add(columns []string) error {
	n, err := strconv.ParseUint(columns[2], 0, 64)
	if err != nil {
		return fmt.Errorf("constant %s of %s: %q is no number", columns[1], v.Name, columns[2])
	}
	v.List = append(v.List, Value{v.Prefix + columns[1], n, columns[3]})
	return nil
}

// constants is the type in Go.
func (v *Values) constants() string {
	var b strings.Builder
	b.WriteString(comment("", fmt.Sprintf("%s says %s.", v.Name, v.Means)))
	fmt.Fprintf(&b, "type %s uint64\n\n// Values of %[1]s.\nconst (\n", v.Name)
	for _, c := range v.List {
		fmt.Fprintf(&b, "%s\t%s %s = %d\n", comment("\t", c.Means), c.Name, v.Name, c.Number)
	}
	b.WriteString(")\n\n")
	return b.String()
}

// header is the same in C.
func (v *Values) header() string {
	var b strings.Builder
	for _, c := range v.List {
		if v.InC {
			fmt.Fprintf(&b, "#define UK_%s %#xu\n", upper(strings.ReplaceAll(c.Name, "NumPy", "Numpy")), c.Number)
		}
	}
	return b.String()
}

// section is its part of docs/records.md.
func (v *Values) section() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\nIt says %s.\n\n| value | constant | meaning |\n|--:|---|---|\n", v.Name, v.Means)
	for _, c := range v.List {
		fmt.Fprintf(&b, "| %d | `ring.%s` | %s |\n", c.Number, c.Name, c.Means)
	}
	return b.String()
}
