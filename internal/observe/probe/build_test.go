//go:build !quick

package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"unknot/internal/kit/scratch"
)

// of is the probe made of other sources.
func of(print string, sources maker) *kind {
	k := theProbe()
	k.print, k.sources = print, sources
	return k
}

// few are the sources of a probe that does nothing, for the tests of keeping and choosing.
func few(*mpiHeader) (map[string][]byte, error) {
	files, err := runtimeFiles()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return strings.HasSuffix(name, ".c") })
	maps.Copy(files, layoutHeaders())
	files["few.c"] = []byte("#include \"process/process.h\"\nint few;\n")
	return files, nil
}

// buildFew is Build with these.
func buildFew(t *testing.T, o Options) (*Probe, error) {
	return build(t.Context(), o, of("few", few))
}

func TestASecondBuildRunsNoCompiler(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		cache, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
		mpicc := filepath.Join(t.TempDir(), "mpicc")
		write(t, mpicc, "#!/bin/sh\necho \"$@\" >>"+calls+"\nexec "+f.mpicc+" \"$@\"\n")
		first, err := buildFew(t, Options{MPICC: mpicc, CacheDir: cache})
		if err != nil || !first.Built {
			t.Fatalf("%+v, %v", first, err)
		}
		before, _ := os.ReadFile(calls)
		second, err := buildFew(t, Options{MPICC: mpicc, CacheDir: cache})
		if err != nil || second.Built || second.Path != first.Path || second.MPI != first.MPI {
			t.Fatalf("%+v after %+v, %v", second, first, err)
		}
		if after, _ := os.ReadFile(calls); len(before) == 0 || string(after) != string(before) {
			t.Errorf("the compiler was called again: %s", after[len(before):])
		}
		left, _ := filepath.Glob(filepath.Join(cache, ".*"))
		if len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

func TestAProbeIsBuiltAgainWhenTheWrapperChanges(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	mpicc := filepath.Join(dir, "mpicc")
	write(t, mpicc, "#!/bin/sh\nexec mpicc.mpich \"$@\"\n")
	for _, built := range []bool{true, false} {
		p, err := buildFew(t, Options{MPICC: mpicc, CacheDir: cache})
		if err != nil || p.Built != built {
			t.Fatalf("%+v, %v; want built %v", p, err, built)
		}
	}
	write(t, mpicc, "#!/bin/sh\nexec mpicc.openmpi \"$@\"\n")
	p, err := buildFew(t, Options{MPICC: mpicc, CacheDir: cache})
	if err != nil || !p.Built || !strings.HasPrefix(p.MPI, "Open MPI 4.") || p.Soname != "libmpi.so.40" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestBuildsAtTheSameTimeAgree proves that of those that need a probe at the same time one makes it, and that each says
// what it does.
func TestBuildsAtTheSameTimeAgree(t *testing.T) {
	cache := t.TempDir()
	var wg sync.WaitGroup
	paths, said := make([]string, 3), make([]string, 3)
	var built atomic.Int32
	for i := range paths {
		wg.Go(func() {
			p, err := buildFew(t, Options{MPICC: "mpicc.mpich", CacheDir: cache,
				Say: func(sentence string) { said[i] += sentence + "\n" }})
			if err != nil {
				t.Error(err)
				return
			}
			paths[i] = p.Path
			if p.Built {
				built.Add(1)
			}
			if p.Built != strings.Contains(said[i], "compiling the probe for MPICH 4.") {
				t.Errorf("built %v, and says %q", p.Built, said[i])
			}
		})
	}
	wg.Wait()
	if paths[0] != paths[1] || paths[1] != paths[2] || built.Load() != 1 {
		t.Errorf("paths %v, built %d times", paths, built.Load())
	}
}

// TestWhoWaitsForAnotherBuildSaysSo has another process hold the turn.
func TestWhoWaitsForAnotherBuildSaysSo(t *testing.T) {
	cache := t.TempDir()
	o := Options{MPICC: "mpicc.mpich", CacheDir: cache}
	p, err := buildFew(t, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{p.Path, filepath.Join(cache, of("few", few).entryName(which(t, o.MPICC)))} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	end, err := scratch.Turn(t.Context(), filepath.Join(cache, turnPrefix+filepath.Base(p.Path)))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	o.Say = func(sentence string) {
		if said = append(said, sentence); len(said) == 1 {
			end()
		}
	}
	if p, err = buildFew(t, o); err != nil || !p.Built {
		t.Fatalf("%+v, %v", p, err)
	}
	if len(said) != 2 || !strings.HasPrefix(said[0], "another process compiles the probe for MPICH 4.") ||
		!compiling.MatchString(said[1]) {
		t.Errorf("it says %q", said)
	}
}

func which(t *testing.T, name string) string {
	t.Helper()
	path, err := findMPICC(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compiling is what a user reads who has to wait.
var compiling = regexp.MustCompile(`^compiling the probe for MPICH 4[0-9.]+, once, about [0-9]+ s$`)

// TestAnInterruptedBuildGoesOn interrupts a build when one of its compilers has just ended, and begins it again: what
// was compiled is not compiled again, and nothing stays but the probe.
func TestAnInterruptedBuildGoesOn(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	calls, stop, mpicc := filepath.Join(dir, "calls"), filepath.Join(dir, "stop"), filepath.Join(dir, "mpicc")
	write(t, stop, "")
	// Of the four files, two are compiled before the third waits for its end.
	write(t, mpicc, `#!/bin/sh
case "$*" in
*" -c "*)
	if [ -e `+stop+` ] && [ "$(wc -l <`+calls+`)" -ge 2 ]; then
		touch `+stop+`ped
		exec sleep 600
	fi
	mpicc.mpich "$@" || exit
	echo "$*" | sed 's/.* -c \([a-z0-9]*\.c\).*/\1/' >>`+calls+`
	;;
*) exec mpicc.mpich "$@" ;;
esac
`)
	write(t, calls, "")
	four := func(h *mpiHeader) (map[string][]byte, error) {
		files, err := few(h)
		for _, name := range []string{"a", "b", "c"} {
			files[name+".c"] = []byte("int " + name + ";\n")
		}
		return files, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(stop + "ped"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	o := Options{MPICC: mpicc, CacheDir: cache}
	if p, err := build(ctx, o, of("four", four)); err == nil {
		t.Fatalf("not interrupted: %+v", p)
	}
	kept, _ := filepath.Glob(filepath.Join(cache, objectPrefix+"*"))
	if len(kept) < 2 {
		t.Fatalf("kept: %q", kept)
	}
	if err := os.Remove(stop); err != nil {
		t.Fatal(err)
	}
	if p, err := build(t.Context(), o, of("four", four)); err != nil || !p.Built {
		t.Fatalf("%+v, %v", p, err)
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(text))
	slices.Sort(names)
	if want := []string{"a.c", "b.c", "c.c", "few.c", "heap.c"}; !slices.Equal(names, want) {
		t.Errorf("compiled: %v, want each once: %v", names, want)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestPartsOfAProbeThatNobodyCompletesAreRemoved: after a day.
func TestPartsOfAProbeThatNobodyCompletesAreRemoved(t *testing.T) {
	cache := t.TempDir()
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "young": 23 * time.Hour} {
		path := filepath.Join(cache, objectPrefix+name+".o")
		write(t, path, "")
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	sweep(cache)
	if left, _ := filepath.Glob(filepath.Join(cache, ".*")); len(left) != 1 || !strings.Contains(left[0], "young") {
		t.Errorf("left: %q", left)
	}
}

func TestATimeIsSaidAsOneSaysIt(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Second: "2 s", 6 * time.Second: "10 s", time.Minute: "60 s",
		95 * time.Second: "2 minutes", 10 * time.Minute: "10 minutes"} {
		if got := rounded(d); got != want {
			t.Errorf("%v is said as %q, want %q", d, got, want)
		}
	}
}

func TestErrorsOfTheBuildSayWhatToDo(t *testing.T) {
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "mpicc")
		write(t, path, "#!/bin/sh\n"+text+"\n")
		return path
	}
	blocked := filepath.Join(t.TempDir(), "file")
	write(t, blocked, "")
	cases := []struct {
		name string
		o    Options
		want []string
	}{
		{"no wrapper", Options{MPICC: "mpicc.nowhere"}, []string{"mpicc.nowhere", "hint:"}},
		{"no compiler", Options{MPICC: script("nowhere-cc")}, []string{"nowhere-cc: not found", "hint:"}},
		{"no mpi.h", Options{MPICC: script(`exec cc "$@"`)}, []string{"mpi.h: No such file", "hint:"}},
		{"wrong option", Options{MPICC: script(`exec mpicc.mpich -DMPI_Init=5 "$@"`)}, []string{"error", "hint:"}},
		{"no cache", Options{MPICC: "mpicc.mpich", CacheDir: filepath.Join(blocked, "cache")},
			[]string{"not a directory", "hint:"}},
		{"nothing prebuilt", Options{Prebuilt: t.TempDir()}, []string{"no prebuilt probe", "unknot probe build -o"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.o.CacheDir == "" {
				c.o.CacheDir = t.TempDir()
			}
			_, err := Build(t.Context(), c.o)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%q does not say %q in one line", err, want)
				}
			}
		})
	}
}

func TestACacheThatCannotBeWrittenIsGoneRound(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	write(t, blocked, "")
	fallback := t.TempDir()
	p, err := buildFew(t, Options{MPICC: "mpicc.mpich", CacheDir: filepath.Join(blocked, "cache"),
		FallbackDir: fallback})
	if err != nil || filepath.Dir(p.Path) != fallback || !strings.Contains(p.Note, "cannot cache") ||
		!strings.Contains(p.Note, "hint: set XDG_CACHE_HOME") {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestProbesArePrebuiltInARelativeDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	p, err := prebuild(t.Context(), "mpicc.mpich", "probes", of("few", few))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.Path); err != nil || !filepath.IsAbs(p.Path) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestPrebuiltProbesNeedNoCompiler(t *testing.T) {
	dir := t.TempDir()
	for _, f := range flavours {
		if _, err := prebuild(t.Context(), f.mpicc, dir, of("few", few)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "/nonexistent")
	t.Setenv("UNKNOT_PROBE_DIR", dir)
	p, err := buildFew(t, Options{Soname: "libmpich.so.12"})
	if err != nil || !strings.HasPrefix(p.MPI, "MPICH 4.") {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := os.Stat(p.Path); err != nil {
		t.Error(err)
	}
	if _, err := buildFew(t, Options{Soname: "libmpi.so.1"}); err == nil ||
		!strings.Contains(err.Error(), "libmpi.so.1,") {
		t.Errorf("an unknown library: %v", err)
	}
	if _, err := buildFew(t, Options{Family: "an unknown MPI"}); err == nil ||
		!strings.Contains(err.Error(), "2 prebuilt probes") {
		t.Errorf("no library named: %v", err)
	}
	// Of a script nothing is known but whose launcher starts it.
	for family, soname := range map[string]string{"Open MPI": "libmpi.so.40", "MPICH": "libmpich.so.12"} {
		if p, err := buildFew(t, Options{Family: family}); err != nil || p.Soname != soname {
			t.Errorf("%s: %+v, %v", family, p, err)
		}
	}
}

func TestProbesOfTwoCompilersAreAsGood(t *testing.T) {
	dir := t.TempDir()
	for _, compiler := range []string{"gcc", "clang-14"} {
		t.Setenv("MPICH_CC", compiler)
		if _, err := prebuild(t.Context(), "mpicc.mpich", dir, of("few", few)); err != nil {
			t.Fatal(err)
		}
	}
	if made, err := filepath.Glob(filepath.Join(dir, "probe-*.json")); err != nil || len(made) != 2 {
		t.Fatalf("%v, %v", made, err)
	}
	if p, err := buildFew(t, Options{Prebuilt: dir, Soname: "libmpich.so.12"}); err != nil ||
		p.Soname != "libmpich.so.12" {
		t.Errorf("%+v, %v", p, err)
	}
}

// Those of two libraries with one name are not.
func TestProbesOfTwoLibrariesAreNot(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "probe-1.so"), "")
	write(t, filepath.Join(dir, "probe-2.so"), "")
	for i, mpi := range []string{"MPICH 4.0.2", "MPICH 4.1.2"} {
		file := fmt.Sprintf("probe-%d.so", i+1)
		header := Input{Path: fmt.Sprintf("/opt/%d/mpi.h", i)}
		entryOf(t, dir, fmt.Sprintf("probe-%d.json", i), entry{Probe{MPI: mpi, Soname: "libmpich.so.12"}, file,
			fingerprint(), []Input{header}})
	}
	const want = "(libmpich.so.12 of MPICH 4.0.2, libmpich.so.12 of MPICH 4.1.2), and it is unknown which one"
	if _, err := Build(t.Context(), Options{Prebuilt: dir, Soname: "libmpich.so.12"}); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
}

// entryOf writes the entry of a prebuilt probe.
func entryOf(t *testing.T, dir, name string, e entry) {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name), string(text))
}

func TestPrebuiltProbesOfNoUseAreNotListed(t *testing.T) {
	t.Chdir(t.TempDir())
	current := fingerprint()
	write(t, "probe-1.so", "")
	openmpi := Probe{MPI: "Open MPI 4.1.4", Soname: "libmpi.so.40"}
	entryOf(t, ".", "probe-a.json", entry{Probe: openmpi, File: "probe-1.so", Print: "old"})
	entryOf(t, ".", "probe-b.json", entry{Probe: openmpi, File: "probe-2.so", Print: current})
	_, err := ListPrebuilt(".")
	for _, want := range []string{"libmpi.so.40 made by another version of unknot", "without its file probe-2.so",
		"hint:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	// Two wrappers made the same probe.
	for _, name := range []string{"probe-c.json", "probe-d.json"} {
		entryOf(t, ".", name, entry{Probe: openmpi, File: "probe-1.so", Print: current})
	}
	probes, err := ListPrebuilt(".")
	if err != nil || len(probes) != 1 || !filepath.IsAbs(probes[0].Path) {
		t.Errorf("%+v, %v", probes, err)
	}
	_, err = Build(t.Context(), Options{Prebuilt: ".", Family: "MPICH"})
	if err == nil || !strings.Contains(err.Error(), "for MPICH, only for libmpi.so.40 made by another") {
		t.Errorf("another family: %v", err)
	}
}

// TestLeftoversOfKilledBuildsAreRemoved proves that what a build has left that was killed goes when the cache is used
// next, even if nothing is built then, and that the directory of a running build stays.
func TestLeftoversOfKilledBuildsAreRemoved(t *testing.T) {
	cache := t.TempDir()
	used, err := scratch.New(cache, buildPrefix)
	if err != nil {
		t.Fatal(err)
	}
	defer used.Remove()
	for range 2 {
		left := filepath.Join(cache, ".build-1")
		if err := os.Mkdir(left, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(left, "lock"), "") // nobody holds it
		if _, err := buildFew(t, Options{MPICC: "mpicc.mpich", CacheDir: cache}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Errorf("left behind: %v", err)
		}
		if _, err := os.Stat(used.Path); err != nil {
			t.Errorf("in use: %v", err)
		}
	}
}

// A probe is loaded into whatever the user starts, so one that somebody else could have made is not used: the cache is
// gone round, probes that were chosen are refused.
func TestProbesThatOthersCouldHaveMadeAreNotUsed(t *testing.T) {
	f := flavours[0]
	for _, c := range []struct {
		say    string
		change func(dir string) error
	}{
		{"can be changed by everybody", func(dir string) error { return os.Chmod(dir, 0o777) }},
		{"belongs to user 65533", func(dir string) error { return os.Chown(dir, 65533, 65533) }},
	} {
		if strings.HasPrefix(c.say, "belongs") && os.Geteuid() != 0 {
			continue
		}
		cache, prebuilt := filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "prebuilt")
		if _, err := buildFew(t, Options{MPICC: f.mpicc, CacheDir: cache}); err != nil {
			t.Fatal(err)
		}
		if _, err := prebuild(t.Context(), f.mpicc, prebuilt, of("few", few)); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{cache, prebuilt} {
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
		}
		spare := t.TempDir()
		p, err := buildFew(t, Options{MPICC: f.mpicc, CacheDir: cache, FallbackDir: spare})
		if err != nil || filepath.Dir(p.Path) != spare || !strings.Contains(p.Note, cache+" "+c.say) {
			t.Errorf("%+v, %v; want one in %s, and why", p, err, spare)
		}
		if _, err := buildFew(t, Options{MPICC: f.mpicc, Prebuilt: prebuilt}); err == nil ||
			!strings.Contains(err.Error(), prebuilt+" "+c.say) {
			t.Errorf("of prebuilt ones it says %v", err)
		}
	}
}

// One file of another user in a directory that is not: the probe is compiled again.
func TestAProbeOfAnotherUserInTheCacheIsMadeAgain(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	o := Options{MPICC: flavours[0].mpicc, CacheDir: t.TempDir()}
	first, err := buildFew(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(first.Path, 65533, 65533); err != nil {
		t.Fatal(err)
	}
	if again, err := buildFew(t, o); err != nil || !again.Built {
		t.Errorf("%+v, %v", again, err)
	}
}
