//go:build !quick

package probe

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wrapping are the sources of a probe that has nothing but functions with some names.
func wrapping(names ...string) maker {
	return func(h *mpiHeader) (map[string][]byte, error) {
		files, err := few(h)
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		for _, name := range names {
			text.WriteString("__attribute__((visibility(\"default\"))) void " + name + "(void);\nvoid " + name +
				"(void) {}\n")
		}
		files["few.c"] = []byte(text.String())
		return files, nil
	}
}

// TestTheReadyProbeOfALibraryIsTheLargestThatFits has one that wraps a function which no library has, as that of a
// later version does.
func TestTheReadyProbeOfALibraryIsTheLargestThatFits(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		root := t.TempDir()
		to := filepath.Join(root, "ready")
		if err := os.Mkdir(to, 0o755); err != nil {
			t.Fatal(err)
		}
		for i, names := range [][]string{{"MPI_Init"}, {"MPI_Init", "MPI_Send"},
			{"MPI_Init", "MPI_Send", "MPI_Of_later"}} {
			from := filepath.Join(root, string(rune('a'+i)))
			if _, err := prebuild(t.Context(), f.mpicc, from, of("few", wrapping(names...))); err != nil {
				t.Fatal(err)
			}
			// Probes of one wrapper and one header have one name: what differs here is only what they wrap.
			if err := packAll(from, to, of("few", few)); err != nil {
				t.Fatal(err)
			}
			made, err := filepath.Glob(filepath.Join(to, "probe-*"))
			if err != nil || len(made) != 3 {
				t.Fatalf("%v, %v", made, err)
			}
			for _, path := range made {
				name := strings.Replace(filepath.Base(path), "probe-", string(rune('a'+i))+"-", 1)
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(to, name), strings.ReplaceAll(string(text), `"file":"probe-`,
					`"file":"`+string(rune('a'+i))+"-"))
				os.Remove(path)
			}
		}
		files := os.DirFS(root)
		list := listPacked(files, "ready", "few")
		if len(list) != 3 || len(listPacked(files, "ready", "other sources")) != 0 {
			t.Fatalf("%d probes are ready", len(list))
		}
		if fitting := Fitting(to); len(fitting) != 0 {
			t.Errorf("of other sources, these fit: %q", fitting)
		}
		o := Options{CacheDir: t.TempDir(), Library: libraryOf(t, f), Family: map[string]string{"openmpi": openMPI,
			"mpich": mpich}[f.name]}
		for range 2 { // the second finds it unpacked
			p, err := ready(o, list, files, "ready")
			if err != nil || p == nil {
				t.Fatalf("%+v, %v", p, err)
			}
			if _, wrapped, err := wraps(p.Path); err != nil ||
				!slices.Equal(wrapped, []string{"MPI_Init", "MPI_Send"}) {
				t.Errorf("the probe wraps %v, %v", wrapped, err)
			}
			if _, err := elf.Open(p.HeapPath()); err != nil {
				t.Error(err)
			}
		}
		o.Soname = "libmpi.so.12"
		if p, err := ready(o, list, files, "ready"); err != nil || p == nil || p.Soname != o.Soname {
			t.Errorf("a library with the functions and another name: %+v, %v", p, err)
		}
		o.Family = "another"
		if p, err := ready(o, list, files, "ready"); p != nil || err != nil {
			t.Errorf("for another family: %+v, %v", p, err)
		}
		if left, _ := filepath.Glob(filepath.Join(o.CacheDir, ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

// TestTheProbeOfTheStandardABIServesIt: it names no library, and serves any that has that ABI, whichever functions of
// the header are missing there.
func TestTheProbeOfTheStandardABIServesIt(t *testing.T) {
	functions := []string{"MPI_Init", "MPI_Send"}
	var list []*readyEntry
	for _, p := range []Probe{{MPI: "Open MPI 6.0.0", Soname: "libmpi.so.40"},
		{MPI: "MPI 5.0", Soname: "libmpi_abi.so.1"}, {MPI: "MPICH 5.0.2", Soname: "libmpich.so.12"}} {
		list = append(list, &readyEntry{Probe: p, Machine: "EM_X86_64", Functions: functions})
	}
	list[1].Functions = append(slices.Clone(functions), "MPI_Psend_init_c") // which sid's libraries do not have
	for family, want := range map[string]string{openMPI: "libmpi.so.40", standard: "libmpi_abi.so.1",
		mpich: "libmpich.so.12"} {
		if e := fitting(list, family, "EM_X86_64", functions); e == nil || e.Soname != want {
			t.Errorf("for %s, the probe is %+v, want that of %s", family, e, want)
		}
	}
}

// libraryOf is the file of a library, as a program of it finds it.
func libraryOf(t *testing.T, f flavour) string {
	t.Helper()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	write(t, source, "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n")
	if _, err := run(t.Context(), dir, f.mpicc, "-o", program, source); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("ldd", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^\s*libmpi\S* => (\S+)`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("no MPI library in %s", text)
	}
	return string(m[1])
}
