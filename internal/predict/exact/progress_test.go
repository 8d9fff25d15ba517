package exact

import (
	"context"
	"math"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// TestTheShareOfTheSearchIsWholeAtItsEnd: the branches at each choice are parts of what they come from, so those that
// have been searched make one in the end, whatever was left out as known, proved or determined.
func TestTheShareOfTheSearchIsWholeAtItsEnd(t *testing.T) {
	testkit.TakesLong(t)
	for _, c := range cases {
		s := newScript(c.ranks)
		c.make(s)
		o := c.o
		o.Max, o.Budget.States = 1000, 1000000
		m, err := build(s.log, load(t), o)
		if err != nil {
			t.Fatal(err)
		}
		x := newSearch(context.Background(), m, time.Now().Add(time.Hour), m.rivalry(), newHarvest(m))
		x.from(m.start())
		if x.cut == "" && math.Abs(x.done-1) > 1e-9 {
			t.Errorf("%s: %v of the search is done at its end", c.name, x.done)
		}
	}
}
