package written

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The text of a call counts only if it is certain that it is that of the call.
func TestTheTextOfACall(t *testing.T) {
	for _, x := range []struct {
		name, text string
		line       int
		want       []string
	}{
		{"a.c", "MPI_Send(&x, 1, MPI_INT);\n", 1, []string{"&x", "1", "MPI_INT"}},
		{"a.c", "MPI_Send(&x, /* count */ 1,\n  MPI_INT); // (y)\n", 2, []string{"&x", "1", "MPI_INT"}},
		{"a.c", "MPI_Send(&x, 1);\nSEND(y);\n", 2, nil},
		{"a.c", "// MPI_Send(&x,\nSEND(y);\n", 2, nil},
		{"a.c", "MPI_Send(&x, 1); MPI_Send(&y, 1);\n", 1, nil},
		{"a.c", "MPI_Send(&x,\n#ifdef A\n 1\n#else\n 2\n#endif\n);\n", 1, []string{"&x"}},
		{"a.c", "if (!ok) MPI_Send(&x, 1);\n", 1, []string{"&x", "1"}},
		{"a.f90", "! call MPI_Send(y, &\ncall mpi_send(x(1,2), & ! the column\n  n)\n", 2, []string{"x(1,2)", "n"}},
	} {
		file := filepath.Join(t.TempDir(), x.name)
		if err := os.WriteFile(file, []byte(x.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Call(file, x.line, "MPI_Send"); !slices.Equal(got, x.want) {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}
