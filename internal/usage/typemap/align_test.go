package typemap

import (
	"testing"

	"pgregory.net/rapid"
)

func TestMisalignedFindsTheFirstElementThatTheTwinFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leaves := predefined(t, Standard)
		g := generator{t: t, leaves: leaves, most: 300}
		d := g.draw(3)
		u := d.build(t, leaves)
		a := NewAlignment(u)
		count, at := g.number(0, 20, "count"), 64+g.number(0, 15, "address")
		elements := d.expand().copies(count).elements
		want, first := false, 0
		for i, e := range elements {
			if (at+e.at)%e.align != 0 {
				want, first = true, i
				break
			}
		}
		n, got := a.Misaligned(count, at)
		if got != want || want && n != int64(first) {
			t.Fatalf("%s, %d at %d: element %d, %v, want %d, %v", d, count, at, n, got, first, want)
		}
	})
}
