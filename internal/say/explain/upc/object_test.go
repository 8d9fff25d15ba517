package upc

import (
	"testing"

	"unknot/internal/upc/layout"
)

func TestElementsAreNamedAsTheProgramNamesThem(t *testing.T) {
	for _, c := range []struct {
		object  layout.SiteText
		owner   int
		offset  uint64
		threads int
		want    string
	}{
		{layout.SiteText{Object: "flag", Size: 4, Bytes: 4, Block: 1}, 0, 0, 4, "flag"},
		{layout.SiteText{Object: "a", Size: 4, Block: 1, Shape: "."}, 3, 8, 4, "a[11]"},
		{layout.SiteText{Object: "a", Size: 8, Block: 0, Shape: "."}, 0, 40, 4, "a[5]"},
		{layout.SiteText{Object: "a", Size: 8, Block: 3, Shape: "."}, 1, 32, 2, "a[10]"},
		{layout.SiteText{Object: "m", Size: 8, Block: 4, Shape: ".[16]"}, 2, 8, 4, "m[0][9]"},
		{layout.SiteText{Object: "m", Size: 8, Block: 4, Shape: ".[4*THREADS]"}, 2, 40, 4, "m[1][9]"},
		{layout.SiteText{Object: "b", Size: 1, Block: 1, Shape: ".[2][3]"}, 1, 3, 2, "b[1][0][1]"},
	} {
		c.object.Offset = 65536
		if got := element(&c.object, c.owner, c.threads, 65536+c.offset); got != c.want {
			t.Errorf("%s: %s, want %s", c.object.Object, got, c.want)
		}
	}
}
