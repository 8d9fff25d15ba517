package objects

import "testing"

func TestTheClassOfAnErrorCodeIsKnown(t *testing.T) {
	r := &Rank{Constants: map[string]int64{"MPI_ERR_BUFFER": 1, "MPI_ERR_TRUNCATE": 14, "MPI_ERR_OTHER": 15,
		"MPI_ERR_NO_MEM": -1, "MPI_MAX": 14}}
	for code, want := range map[int32]string{
		// MPICH has the class in the lowest seven bits
		14: "MPI_ERR_TRUNCATE", 537010190: "MPI_ERR_TRUNCATE", 537010177: "MPI_ERR_BUFFER",
		15: "MPI_ERR_OTHER",
		1:  "", // any reason
		0:  "", -1: "", 99: "",
	} {
		if got := r.ErrorClass(code); got != want {
			t.Errorf("%d: %q, want %q", code, got, want)
		}
	}
}
