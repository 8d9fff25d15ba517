package calls

import (
	"testing"

	"unknot/internal/vocab/mpi"
)

func TestAStatusTellsWhetherTheProgramWantedIt(t *testing.T) {
	for _, c := range []struct {
		tag  uint64
		want Status
	}{
		{5, Status{Source: 1, Tag: 5, Bytes: 4}},
		{5 | mpi.StatusIgnored, Status{Source: 1, Tag: 5, Bytes: 4, Ignored: true}},
		{0xffffffff, Status{Source: 1, Tag: -1, Bytes: 4}},
		{0xffffffff | mpi.StatusIgnored, Status{Source: 1, Tag: -1, Bytes: 4, Ignored: true}},
	} {
		if got := newStatus([]uint64{1, c.tag, 4}); got != c.want {
			t.Errorf("tag word %#x gives %+v, want %+v", c.tag, got, c.want)
		}
	}
}
