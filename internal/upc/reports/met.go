package reports

import (
	"bufio"
	"encoding/json"
	"os"

	"unknot/internal/kit/symbol"
	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// Met is a thread that has met another one at a race (layout.Meet).
type Met struct {
	Thread int
	Side   int // 1 if it was at the second site
	Stack  []finding.Frame
}

// metLine is what such a thread tells.
type metLine struct {
	line
	Side int `json:"side"`
}

// ReadMet reads the call stacks of threads that have met, in the order in which they reported them.
func ReadMet(path string) (all []Met, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	resolve := symbol.New()
	defer resolve.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l metLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			continue // the thread was killed while it wrote
		}
		if err := layout.CheckVersion(l.Layout); err != nil {
			return all, err
		}
		all = append(all, Met{l.Thread, l.Side, where(resolve, symbol.ParseMaps(l.PID, l.Maps), l.Stack).stack})
	}
	return all, lines.Err()
}
