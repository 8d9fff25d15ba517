package launch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostHosts bounds what a list of hosts may stand for.
const mostHosts = 1 << 16

// HostList are the hosts of a list with commas, in which several may be written as Slurm writes its nodes:
// node[1-3,07].
func HostList(list string) (names []string, err error) {
	depth := 0
	words := strings.FieldsFunc(list, func(r rune) bool {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		}
		return depth == 0 && (r == ',' || r == ' ')
	})
	for _, word := range words {
		if strings.HasPrefix(word, "-") { // what reaches hosts would take it for an option
			return nil, fmt.Errorf("%q is not the name of a host; hint: node1,node2 or node[1-3]", word)
		}
		some, err := expanded(word)
		if err != nil {
			return nil, fmt.Errorf("%q: %w; hint: node1,node2 or node[1-3]", list, err)
		}
		for _, name := range some {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%q names no host; hint: node1,node2 or node[1-3]", list)
	}
	return names, nil
}

// expanded are the hosts that a word of a list stands for.
func expanded(word string) ([]string, error) {
	head, rest, has := strings.Cut(word, "[")
	if !has {
		if strings.Contains(word, "]") {
			return nil, fmt.Errorf("%q is not the name of a host", word)
		}
		return []string{word}, nil
	}
	inside, tail, closed := strings.Cut(rest, "]")
	if !closed {
		return nil, fmt.Errorf("%q has no ] to its [", word)
	}
	tails := []string{""}
	if tail != "" {
		var err error
		if tails, err = expanded(tail); err != nil {
			return nil, err
		}
	}
	var names []string
	for part := range strings.SplitSeq(inside, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 32)
		to, err2 := strconv.ParseUint(last, 10, 32)
		if err != nil || err2 != nil || to < from || to-from >= mostHosts {
			return nil, fmt.Errorf("%q is not a range of numbers", part)
		}
		for n := from; n <= to; n++ {
			for _, t := range tails {
				names = append(names, fmt.Sprintf("%s%0*d%s", head, len(first), n, t))
			}
		}
		if len(names) > mostHosts {
			return nil, fmt.Errorf("%q stands for more than %d hosts", word, mostHosts)
		}
	}
	return names, nil
}
