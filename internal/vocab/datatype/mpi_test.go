package datatype

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/test/testkit"
)

// libraries are the two MPI libraries, and how to compile for them.
var libraries = []struct {
	name  string
	mpicc string
	rules Rules
}{
	{"Open MPI", "mpicc.openmpi", OpenMPI},
	{"MPICH", "mpicc.mpich", MPICH},
}

// TestTypesAreWhatMPIMakesOfThem has each library make random types, in one process, and compares size, bounds and the
// place of each byte in packed order. Left out are, because a library does not do there what the standard says:
//
//   - old types without data, vectors and blocks of length 0. Their typemaps have no entry (MPI-4.0, 5.1.1 and 5.1.2),
//     so they change nothing but, if they were resized, bounds. Both libraries let empty old types stretch the bounds
//     to where the block is; MPICH does so for a vector or an indexed_block of blocklength 0, too. In Open MPI an array
//     without data has true bounds of 2^63-1;
//   - vectors with a stride of -1 byte: Open MPI takes that for the extent of the old type;
//   - the padding in a long double, which MPICH does not pack;
//   - what MPICH packs where it packs too little. After some 200 types it packs duplicates of MPI_INT as 3 bytes;
//   - the layout of copies of copies of a pair or struct with a negative extent, where MPICH packs memory outside of
//     the type.
func TestTypesAreWhatMPIMakesOfThem(t *testing.T) {
	testkit.NeedsMPI(t)
	for _, lib := range libraries {
		t.Run(lib.name, func(t *testing.T) {
			leaves := predefined(t, lib.rules)
			descriptions := examples(leaves, 600)
			answers := ask(t, lib.mpicc, descriptions)
			whole := 0
			for i, d := range descriptions {
				u := d.build(t, leaves)
				got, want := tell(u), withoutPadding(u, answers[i])
				if lib.rules == MPICH && (strings.Contains(want, "MPI_Pack gives") || d.backwards(t, leaves)) {
					got, want = beforeLayout(got), beforeLayout(want)
				} else {
					whole++
				}
				if got != want {
					t.Errorf("%s:\n  the model: %s\n  MPI:       %s", d, got, want)
				}
			}
			if whole < 300 {
				t.Errorf("the layouts of only %d types were compared, want 300", whole)
			}
		})
	}
}

// backwards says whether some type in it has elements of several kinds and a negative extent.
func (d *description) backwards(t *testing.T, leaves map[string]*Type) bool {
	for _, o := range d.olds {
		if o.backwards(t, leaves) {
			return true
		}
	}
	u := d.build(t, leaves)
	return u.uniform == None && u.Extent() < 0
}

func beforeLayout(answer string) string {
	bounds, _, _ := strings.Cut(answer, ":")
	return bounds
}

// examples gives random descriptions, the same every time.
func examples(leaves map[string]*Type, n int) []*description {
	drawn := rapid.Custom(func(t *rapid.T) *description {
		return generator{t: t, leaves: leaves, most: 400, plain: true}.draw(3)
	})
	list := make([]*description, n)
	for i := range list {
		list[i] = drawn.Example(i)
	}
	return list
}

// tell writes a type as testdata/types.c does.
func tell(u *Type) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d %d %d %d %d :", u.Size(), u.LB(), u.Extent(), u.TrueLB(), u.TrueUB()-u.TrueLB())
	for i := range u.Elements() {
		b, at, _ := u.At(1, i)
		for k := range sizeOf(b) {
			if padding(b, k) {
				s.WriteString(" -")
			} else {
				fmt.Fprint(&s, " ", at+k)
			}
		}
	}
	return s.String()
}

// padding says whether byte k of a basic element is padding, which MPICH does not pack: those behind the tenth of an
// x86's long double.
func padding(b Basic, k int64) bool { return b.String() == "MPI_LONG_DOUBLE" && k >= 10 }

// withoutPadding replaces the offsets of padding in an answer about u.
func withoutPadding(u *Type, answer string) string {
	words := strings.Split(answer, " ")
	next := 6
	for i := range u.Elements() {
		b, _, _ := u.At(1, i)
		for k := range sizeOf(b) {
			if padding(b, k) && next < len(words) {
				words[next] = "-"
			}
			next++
		}
	}
	return strings.Join(words, " ")
}

func sizeOf(b Basic) int64 { return layouts[b.String()].size }

// ask has a library make types, in one process, and gives its answers.
func ask(t *testing.T, mpicc string, descriptions []*description) []string {
	program := filepath.Join(t.TempDir(), "types")
	build := exec.Command(mpicc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", program, "testdata/types.c")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", mpicc, err, out)
	}
	var in, complaints bytes.Buffer
	for _, d := range descriptions {
		fmt.Fprintln(&in, d)
	}
	run := exec.Command(program)
	run.Env = append(os.Environ(), "OMPI_MCA_orte_tmpdir_base="+t.TempDir())
	run.Stdin, run.Stderr = &in, &complaints
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &complaints)
	}
	var answers []string
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && lines.Text() != "ready" {
		var name string
		var l layout
		if _, err := fmt.Sscanf(lines.Text(), "basic %s %d %d %d", &name, &l.size, &l.extent, &l.align); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if l != layouts[name] {
			t.Errorf("%s is %v here, but %v in the tests", name, l, layouts[name])
		}
	}
	for lines.Scan() {
		answers = append(answers, lines.Text())
	}
	if len(answers) != len(descriptions) {
		t.Fatalf("%d answers to %d descriptions\n%s", len(answers), len(descriptions), &complaints)
	}
	return answers
}
