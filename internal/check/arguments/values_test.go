package arguments

import (
	"slices"
	"testing"

	"unknot/internal/check"
)

func TestContradictionsOfAccessModes(t *testing.T) {
	const readWrite, create, excl = "MPI_MODE_RDWR", "MPI_MODE_CREATE", "MPI_MODE_EXCL"
	for _, c := range []struct {
		bits []string
		ok   bool
	}{
		{[]string{check.ReadOnly}, true}, {[]string{check.WriteOnly, create, excl}, true},
		{[]string{readWrite, create}, true}, {[]string{check.WriteOnly, check.Sequential}, true},
		{nil, false}, {[]string{create}, false}, {[]string{check.ReadOnly, check.WriteOnly}, false},
		{[]string{check.ReadOnly, create}, false}, {[]string{check.ReadOnly, excl}, false},
		{[]string{readWrite, check.Sequential}, false},
	} {
		rule := contradiction(func(k string) bool { return slices.Contains(c.bits, k) })
		if (rule == "") != c.ok {
			t.Errorf("%v: %q", c.bits, rule)
		}
	}
}
