package catalogue

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// name is what a row is called in the table, whatever its place there: the function that it is about, by its prefix,
// the argument, and what is reported of it.
type name struct{ prefix, argument, when string }

// ids.tsv has the ID of each name: a line each, with the ID, the argument and what is reported. IDs are in reports and
// in documents, so a row keeps its ID forever, and no ID is used again; a new row takes the next one of its function,
// wherever it stands in the table.
//
//go:embed ids.tsv
var ids string

var idOf = sync.OnceValue(func() map[name]string {
	known := map[name]string{}
	for line := range strings.Lines(ids) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		argument, when, _ := strings.Cut(rest, "\t")
		prefix, _, _ := strings.Cut(id, "-")
		known[name{prefix, argument, when}] = id
	}
	return known
})

// id is the ID of a row; of one that ids.tsv does not have it is the prefix with two question marks.
func (f *Function) id(argument, when string) string {
	if id, ok := idOf()[name{f.prefix, argument, when}]; ok {
		return id
	}
	return fmt.Sprintf("%s-??", f.prefix)
}
