package mpi

import (
	"cmp"
	"embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

//go:embed functions.tsv params.tsv buffers.tsv constants.tsv
var tables embed.FS

// T is the table. It may be shared.
type T struct {
	funcs     []Func // by id; the first is unused, so that 0 is no function
	byName    map[string]*Func
	constants []Constant
}

// Load is the table, which is read once and which nobody changes. An error means that unknot itself was built wrongly.
func Load() (*T, error) { return loaded() }

var loaded = sync.OnceValues(read)

func read() (*T, error) {
	rules, err := loadRules()
	if err != nil {
		return nil, err
	}
	rows, err := lines("functions.tsv", 4)
	if err != nil {
		return nil, err
	}
	t := &T{funcs: make([]Func, 1, 2*len(rows)), byName: make(map[string]*Func, 2*len(rows))}
	for _, row := range rows {
		f, large, err := rules.function(row)
		if err != nil {
			return nil, fmt.Errorf("functions.tsv: %s: %w", row[0], err)
		}
		t.funcs = append(t.funcs, f)
		if large {
			f.Name += "_c"
			t.funcs = append(t.funcs, f)
		}
	}
	// An id stays when the next standard brings functions, so that what was recorded before can be read.
	slices.SortFunc(t.funcs[1:],
		func(a, b Func) int { return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.Name, b.Name)) })
	if len(t.funcs) > FirstUnknown {
		return nil, fmt.Errorf("functions.tsv has %d functions, ids end at %d", len(t.funcs), FirstUnknown)
	}
	for i := range t.funcs[1:] {
		f := &t.funcs[1+i]
		f.ID = uint16(1 + i)
		if t.byName[f.Name] != nil {
			return nil, fmt.Errorf("functions.tsv: %s has two rows", f.Name)
		}
		t.byName[f.Name] = f
		if err := f.place(); err != nil {
			return nil, fmt.Errorf("functions.tsv: %s: %w", f.Name, err)
		}
	}
	t.families()
	if err := t.loadBuffers(); err != nil {
		return nil, err
	}
	t.traits()
	if t.constants, err = loadConstants(rules.classes); err != nil {
		return nil, err
	}
	return t, nil
}

// ByName is the row of a function ("MPI_Send"), nil if it has none.
func (t *T) ByName(name string) *Func { return t.byName[name] }

// Rows are those of functions by name, by their places in the list. One that has none is of class Local and has nothing
// but its name.
func (t *T) Rows(names []string) []*Func {
	rows := make([]*Func, len(names))
	for i, name := range names {
		if rows[i] = t.byName[name]; rows[i] == nil {
			rows[i] = &Func{Name: name}
		}
	}
	return rows
}

// ByID is the row with an id, nil if there is none.
func (t *T) ByID(id uint16) *Func {
	if id == 0 || int(id) >= len(t.funcs) {
		return nil
	}
	return &t.funcs[id]
}

// Funcs are all rows, by their ids: in the order of the standards that they are from, and of their names.
func (t *T) Funcs() []Func { return t.funcs[1:] }

// Each goes through all rows in that order.
func (t *T) Each() iter.Seq[*Func] {
	return func(yield func(*Func) bool) {
		for i := range t.Funcs() {
			if !yield(&t.Funcs()[i]) {
				return
			}
		}
	}
}

// Untouched says that a function of mpi.h is left alone: the tools interface, which may be used outside of
// initialisation and concerns no other rank; conversions between languages, which return no error code; and
// MPI_Pcontrol, which is there for tools.
func Untouched(name string) bool {
	return strings.HasPrefix(name, "MPI_T_") || name == "MPI_Pcontrol" ||
		strings.HasSuffix(name, "_c2f") || strings.HasSuffix(name, "_f2c") || strings.HasSuffix(name, "_toint") ||
		strings.HasSuffix(name, "_fromint") ||
		strings.HasPrefix(name, "MPI_Status_") && !strings.HasPrefix(name, "MPI_Status_set_")
}

// lines are the rows of an embedded table: cells between tabs, without comments.
func lines(name string, cells int) ([][]string, error) {
	text, err := tables.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != cells {
			return nil, fmt.Errorf("%s: %q has %d cells, not %d", name, line, len(row), cells)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
