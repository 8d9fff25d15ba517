package requests

import (
	"testing"

	"unknot/internal/model/objects"
)

func TestAPartitionIsHandedOverOnce(t *testing.T) {
	p := &objects.Partitions{Count: 200}
	for _, n := range []int64{0, 63, 64, 199} {
		if p.Give(n) {
			t.Errorf("partition %d was handed over before", n)
		}
	}
	if !p.Give(64) {
		t.Error("partition 64 may be handed over twice")
	}
}
