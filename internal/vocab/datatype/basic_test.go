package datatype

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestSynonymsAreOneBasic(t *testing.T) {
	for _, names := range [][2]string{
		{"MPI_LONG_LONG", "MPI_LONG_LONG_INT"},
		{"MPI_C_FLOAT_COMPLEX", "MPI_C_COMPLEX"},
		{"MPI_CXX_COMPLEX", "MPI_CXX_FLOAT_COMPLEX"},
	} {
		a, ok1 := BasicOf(names[0])
		b, ok2 := BasicOf(names[1])
		if !ok1 || !ok2 || a != b || a.String() != names[1] {
			t.Errorf("%v: %v, %v", names, a, b)
		}
	}
	for _, names := range [][2]string{
		{"MPI_CHAR", "MPI_SIGNED_CHAR"}, {"MPI_CHAR", "MPI_CHARACTER"}, {"MPI_INT", "MPI_INT32_T"},
		{"MPI_INT", "MPI_INTEGER"}, {"MPI_DOUBLE", "MPI_DOUBLE_PRECISION"}, {"MPI_BYTE", "MPI_UNSIGNED_CHAR"},
	} {
		a, _ := BasicOf(names[0])
		b, _ := BasicOf(names[1])
		if a == b || a == None || b == None {
			t.Errorf("%v: %v, %v", names, a, b)
		}
	}
}

func TestBasicsAreInOrderAndNamed(t *testing.T) {
	if !slices.IsSorted(basics[:]) {
		t.Error("basics are not in alphabetical order, in which BasicOf looks")
	}
	for i, name := range basics {
		if b, ok := BasicOf(name); !ok || int(b) != i+1 || b.String() != name {
			t.Errorf("%s is %d, %v", name, b, ok)
		}
	}
	if got := None.String() + " " + Basic(9999).String(); got != "none none" {
		t.Error(got)
	}
}

// TestEveryDatatypeOfTheProbeIsKnown reads the list of the constants that the probe reports.
func TestEveryDatatypeOfTheProbeIsKnown(t *testing.T) {
	text, err := os.ReadFile("../mpi/constants.tsv")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "\t")
		name := cells[0]
		// markers, which MPI-3.0 has removed
		if len(cells) < 2 || cells[1] != "datatype" || name == "MPI_LB" || name == "MPI_UB" {
			continue
		}
		known++
		if _, err := Predefined(name, 16, 16, 4); err != nil {
			t.Error(err)
		}
	}
	if known < 60 {
		t.Errorf("only %d datatypes in the probe's list", known)
	}
}

func TestPairsHaveTwoElements(t *testing.T) {
	for _, c := range []struct {
		name                string
		size, extent, align int64
		first, second       string
		at                  int64
	}{
		{"MPI_FLOAT_INT", 8, 8, 4, "MPI_FLOAT", "MPI_INT", 4},
		{"MPI_DOUBLE_INT", 12, 16, 8, "MPI_DOUBLE", "MPI_INT", 8},
		{"MPI_LONG_INT", 12, 16, 8, "MPI_LONG", "MPI_INT", 8},
		{"MPI_SHORT_INT", 6, 8, 4, "MPI_SHORT", "MPI_INT", 4},
		{"MPI_LONG_DOUBLE_INT", 20, 32, 16, "MPI_LONG_DOUBLE", "MPI_INT", 16},
		{"MPI_2INT", 8, 8, 4, "MPI_INT", "MPI_INT", 4},
		{"MPI_2REAL", 8, 8, 4, "MPI_REAL", "MPI_REAL", 4},
		{"MPI_2DOUBLE_PRECISION", 16, 16, 8, "MPI_DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION", 8},
		{"MPI_2INTEGER", 8, 8, 4, "MPI_INTEGER", "MPI_INTEGER", 4},
		{"MPI_2COMPLEX", 16, 16, 4, "MPI_COMPLEX", "MPI_COMPLEX", 8},
		{"MPI_2DOUBLE_COMPLEX", 32, 32, 8, "MPI_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", 16},
	} {
		u, err := Predefined(c.name, c.size, c.extent, c.align)
		if err != nil {
			t.Error(err)
			continue
		}
		a, _, p := u.At(1, 0)
		b, at, q := u.At(1, 1)
		if a.String() != c.first || b.String() != c.second || at != c.at || u.Elements() != 2 ||
			u.Extent() != c.extent ||
			u.Size() != c.size || u.Align() != c.align {
			t.Errorf("%s: %v, %v at %d; size %d, extent %d, alignment %d", c.name, a, b, at, u.Size(),
				u.Extent(), u.Align())
		}
		if p.String() != "part 1" || q.String() != "part 2" {
			t.Errorf("%s: the places are %q and %q", c.name, p, q)
		}
	}
}

func TestBasicsOfOneSizeAreAlike(t *testing.T) {
	of := func(name string) Basic {
		b, ok := BasicOf(name)
		if !ok {
			t.Fatalf("%s is no basic", name)
		}
		return b
	}
	if of("MPI_BYTE") != Byte {
		t.Errorf("Byte is %v", Byte)
	}
	for pair, want := range map[[2]string]bool{
		{"MPI_INT", "MPI_INTEGER"}: true, {"MPI_LONG", "MPI_AINT"}: true, {"MPI_DOUBLE", "MPI_REAL8"}: true,
		{"MPI_CHAR", "MPI_INT8_T"}:  true,
		{"MPI_INT", "MPI_UNSIGNED"}: false, {"MPI_INT", "MPI_FLOAT"}: false, {"MPI_BYTE", "MPI_CHAR"}: false,
		{"MPI_BYTE", "MPI_BYTE"}: false,
	} {
		if got := of(pair[0]).Like(of(pair[1])); got != want {
			t.Errorf("%v are alike: %v", pair, got)
		}
	}
}
