package written

import (
	"os"
	"path/filepath"
	"testing"

	"unknot/internal/vocab/mpi"
)

func TestTheTextOfAnArray(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		text, function, param, want string
		line                        int
	}{
		{"comm.Send([a, a.size, MPI.INT], dest=1)\n", "MPI_Send", "buf", "a", 1},
		{"comm.Send(self.field[1:, 0], 1)\n", "MPI_Send", "buf", "self.field[1:, 0]", 1},
		{"comm.Send(dest=1, buf=(a, MPI.INT))\n", "MPI_Send", "buf", "a", 1},
		{"comm.Send(  # to the next one (in line)\n    [np.ascontiguousarray(a[:, 1]), MPI.INT],\n    dest=1)\n",
			"MPI_Send", "buf", "np.ascontiguousarray(a[:, 1])", 1},
		{"if a == 1: comm.Sendrecv(a, 1, 0, b, 1)\n", "MPI_Sendrecv", "recvbuf", "b", 1},
		{"comm.Sendrecv(a, dest=1, recvbuf=[b, MPI.INT])\n", "MPI_Sendrecv", "recvbuf", "b", 1},
		{"comm.Allreduce(MPI.IN_PLACE, a)\n", "MPI_Allreduce", "recvbuf", "a", 1},
		{"comm.Allreduce(MPI.IN_PLACE, a)\n", "MPI_Allreduce", "sendbuf", "", 1},
		{"comm.Gather(a == b, b)\n", "MPI_Gather", "sendbuf", "a == b", 1},
		{"win = MPI.Win.Create(memory, 8, comm=comm)\n", "MPI_Win_create", "base", "memory", 1},
		{"fh.Write_at(0, a)\n", "MPI_File_write_at", "offset", "", 1},
		{"comm.send(a, dest=1)\n", "MPI_Send", "buf", "", 1},
		{"comm.Send(*args)\n", "MPI_Send", "buf", "", 1},
		{"comm.Send(a, 1); comm.Send(b, 1)\n", "MPI_Send", "buf", "", 1},
		{"comm.Send([a, 1] + rest, dest=1)\n", "MPI_Send", "buf", "", 1},
		{"comm.Send(a,\n", "MPI_Send", "buf", "", 1},
		{"comm.Send(a, 1)\n", "MPI_Send", "buf", "", 2},
	} {
		file := filepath.Join(t.TempDir(), "a.py")
		if err := os.WriteFile(file, []byte(x.text), 0o644); err != nil {
			t.Fatal(err)
		}
		f := table.ByName(x.function)
		if got := Array(file, x.line, f, f.Named(x.param)); got != x.want {
			t.Errorf("%q: %s is %q, want %q", x.text, x.param, got, x.want)
		}
	}
}

func TestTheMethodOfALine(t *testing.T) {
	for _, x := range []struct{ text, function, want string }{
		{"total = comm.allreduce(1)\n", "MPI_Comm_dup", "allreduce"},
		{"x = comm.bcast(f(x), root=0)\n", "MPI_Bcast", ""},
		{"x = comm.recv(source=0)\n", "MPI_Mprobe", "recv"},
		{"comm.Bcast(x.gather(1))\n", "MPI_Bcast", ""},
		{"x = comm.gather(comm.allreduce(1))\n", "MPI_Gather", ""},
		{"half = comm.Dup()\n", "MPI_Comm_dup", ""},
		{"# nothing\n", "MPI_Gatherv", ""},
	} {
		file := filepath.Join(t.TempDir(), "a.py")
		if err := os.WriteFile(file, []byte(x.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Method(file, 1, x.function); got != x.want {
			t.Errorf("%q: %s is made by %q, want %q", x.text, x.function, got, x.want)
		}
	}
}
