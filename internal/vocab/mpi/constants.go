package mpi

import (
	"fmt"
	"slices"
	"strings"
)

// Constant is one of the values that a probe reports in a DataConst record.
type Constant struct {
	Name   string // "MPI_ANY_SOURCE"
	Type   string // comm, handle, op or datatype for an object, int, pointer or weights (a pointer too) for others
	Object Object // what kind of object it is, NoObject if none
	Null   bool   // it is the null handle of the kind; else a predefined object
	// Family is of a number the parameter that takes it, of a datatype the group for which operators are defined
	// (MPI-4.0, 6.9.2), and "rma" of an operator for one-sided communication only; "" for none.
	Family string
	groups []string // of an operator
	takers []Class  // of an assertion
}

// Defined says whether MPI defines an operator for the datatypes of a group.
func (c *Constant) Defined(group string) bool {
	return c.groups == nil || slices.Contains(c.groups, group)
}

// Constants are what a DataConst record holds, one word each in this order; all-ones stands for one that the MPI
// library lacks.
func (t *T) Constants() []Constant { return t.constants }

// Constant is the one of a name; false if there is none.
func (t *T) Constant(name string) (Constant, bool) {
	i := slices.IndexFunc(t.constants, func(c Constant) bool { return c.Name == name })
	if i < 0 {
		return Constant{}, false
	}
	return t.constants[i], true
}

// Values are the names of the constants that a parameter takes.
func (t *T) Values(parameter string) (names []string) {
	for _, c := range t.constants {
		if c.Type == "int" && c.Family == parameter {
			names = append(names, c.Name)
		}
	}
	return names
}

// Assertions are the names of those that a function takes (MPI-4.0, 12.5.5).
func (t *T) Assertions(f *Func) (names []string) {
	for _, c := range t.constants {
		if slices.Contains(c.takers, f.Class) {
			names = append(names, c.Name)
		}
	}
	return names
}

func loadConstants(classes map[string]Class) (out []Constant, err error) {
	rows, err := lines("constants.tsv", 5)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		c := Constant{Name: row[0], Type: row[1]}
		object, null := strings.CutPrefix(row[2], "null:")
		var known bool
		if c.Object, known = objectOf(object); !known {
			return nil, fmt.Errorf("constants.tsv: %s: unknown object %q", c.Name, row[2])
		}
		c.Null = null
		if row[3] != "-" {
			c.Family = row[3]
		}
		if row[4] != "-" {
			c.groups = strings.Split(row[4], ",")
		}
		if c.Type == "int" {
			for _, name := range c.groups {
				class, known := classes[name]
				if !known {
					return nil, fmt.Errorf("constants.tsv: %s: unknown class %q", c.Name, name)
				}
				c.takers = append(c.takers, class)
			}
			c.groups = nil
		}
		out = append(out, c)
	}
	return out, nil
}
