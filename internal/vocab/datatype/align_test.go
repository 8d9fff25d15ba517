package datatype

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
		want, first, align := false, 0, int64(0)
		for i, e := range elements {
			if (at+e.at)%e.align != 0 {
				want, first, align = true, i, e.align
				break
			}
		}
		n, multiple, got := a.Misaligned(count, at)
		if got != want || want && (n != int64(first) || multiple != align) {
			t.Fatalf("%s, %d at %d: element %d of alignment %d, %v; want %d of %d, %v", d, count, at, n, multiple, got,
				first, align, want)
		}
	})
}
