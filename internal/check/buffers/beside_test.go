package buffers

import (
	"testing"

	"unknot/internal/vocab/mpi"
)

func TestWhatACallDoesWithItsBuffer(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, writes, reads string }{
		{"MPI_Sendrecv", "receives into", "sends from"},
		{"MPI_Allreduce", "receives into", "sends from"},
		{"MPI_File_read", "reads into", "writes from"},
		{"MPI_File_read_all", "reads into", "writes from"},
		{"MPI_File_iread", "reads into", "writes from"},
		{"MPI_Pack", "writes to", "reads from"},
	} {
		f := table.ByName(c.name)
		if writes, reads := does(f, true), does(f, false); writes != c.writes || reads != c.reads {
			t.Errorf("%s %s, %s", c.name, writes, reads)
		}
	}
}
