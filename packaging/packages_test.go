//go:build !quick

// Package packaging tests the packages: what is in them, and, nightly, that they can be installed, used and removed.
package packaging

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// packages are those of this state of the repository.
type packages struct {
	dir, version string
	// arch is this machine's, as Debian and Go call it.
	arch string
}

// TestPackages makes them once for all of its parts. Only this machine's archive is made, without the site of the
// documents, and looked at, unless it is night: that and the packager of the others take long.
func TestPackages(t *testing.T) {
	p := packages{dir: t.TempDir(), version: strings.TrimSpace(run(t, "./version.sh")), arch: runtime.GOARCH}
	build := exec.Command("./build.sh", p.dir)
	if !testkit.Nightly() {
		build.Env = append(os.Environ(), "ARCHS="+p.arch, "FORMATS=tar", "WITHOUT_SITE=1")
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, out)
	}
	t.Run("TheArchiveHasWhatAUserNeedsAndNothingElse", p.archiveHasWhatAUserNeeds)
	t.Run("TheArchiveWorksWhereItIsUnpacked", func(t *testing.T) {
		root := t.TempDir()
		run(t, "tar", "-C", root, "--strip-components=1", "-xf", p.archive())
		p.worksWhereItIsUnpacked(t, root, "share/zsh/site-functions/_unknot")
	})
	if !testkit.Nightly() {
		return
	}
	t.Run("TheDebHasWhatAUserNeedsAndNothingElse", p.debHasWhatAUserNeeds)
	t.Run("TheDebSaysWhatItIs", p.debSaysWhatItIs)
	t.Run("TheDebWorksWhereItIsUnpacked", func(t *testing.T) {
		root := t.TempDir()
		run(t, "dpkg-deb", "-x", p.deb(), root)
		p.worksWhereItIsUnpacked(t, filepath.Join(root, "usr"), "share/zsh/vendor-completions/_unknot")
	})
	t.Run("ThereIsEachPackage", p.thereIsEach)
	t.Run("TheRPMIsInstalledAndRemoved", p.rpmIsInstalledAndRemoved)
	t.Run("TheArchiveIsAModule", p.archiveIsAModule)
	t.Run("TheEasyconfigFindsItsSources", p.easyconfigFindsItsSources)
	t.Run("TheSpackRecipeInstalls", p.spackRecipeInstalls)
	t.Run("ADebianInstallsIt", p.debianInstallsIt)
	t.Run("ADebianWithoutACompilerNeedsNone", p.needsNoCompiler)
	t.Run("TheDockerfileBuildsAnImage", p.dockerfileBuildsAnImage)
	t.Run("TheApptainerDefinitionIsCarriedOut", p.apptainerDefinitionIsCarriedOut)
}

// run gives what a command prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, &stderr)
	}
	return string(out)
}

// debianVersion is a version as Debian and RPM write it: one that is not yet released is older than the release.
func debianVersion(version string) string { return strings.Replace(version, "-", "~", 1) }

func (p packages) deb() string { return p.debOf(p.arch) }

func (p packages) debOf(arch string) string {
	return filepath.Join(p.dir, "unknot_"+debianVersion(p.version)+"_"+arch+".deb")
}

// archive is that for any Linux.
func (p packages) archive() string {
	return filepath.Join(p.dir, "unknot-"+p.version+"-linux-"+p.arch+".tar.gz")
}

// commands are those that unknot's help lists.
func commands(t *testing.T) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^    unknot ([a-z-]+) .* {2}`).FindAllStringSubmatch(run(t,
		testkit.Unknot(t), "help"), -1) {
		names = append(names, m[1])
	}
	if !slices.Contains(names, "run") || !slices.Contains(names, "upc-check") {
		t.Fatalf("unknot help lists only %q", names)
	}
	return names
}

func (p packages) archiveHasWhatAUserNeeds(t *testing.T) {
	hasWhatAUserNeeds(t, run(t, "tar", "-tvf", p.archive()), "unknot-"+p.version+"-linux-"+p.arch, "0/0",
		"zsh/site-functions/_unknot",
		"share/modulefiles/unknot/"+p.version+".lua")
}

func (p packages) debHasWhatAUserNeeds(t *testing.T) {
	hasWhatAUserNeeds(t, run(t, "dpkg-deb", "-c", p.deb()), "./usr", "root/root", "zsh/vendor-completions/_unknot")
}

// hasWhatAUserNeeds looks for files below a directory in a list that tar has written, and for others that are there.
// Zsh is where its completion is, below share; more is what only some packages have.
func hasWhatAUserNeeds(t *testing.T, list, root, ownedBy, zsh string, more ...string) {
	t.Helper()
	want := map[string]string{
		"bin/unknot":                 "-rwxr-xr-x",
		"bin/upc-check -> unknot":    "l---------",
		"share/man/man1/unknot.1.gz": "-rw-r--r--",
		"share/man/man1/upc-check.1.gz -> unknot-upc-check.1.gz": "l---------",
		"share/bash-completion/completions/unknot":               "-rw-r--r--",
		"share/" + zsh: "-rw-r--r--",
		"share/fish/vendor_completions.d/unknot.fish":               "-rw-r--r--",
		"share/unknot/cmake/FindUnknot.cmake":                       "-rw-r--r--",
		"share/unknot/cmake/UnknotConfig.cmake -> FindUnknot.cmake": "l---------",
		"share/unknot/pytest/unknot_pytest.py":                      "-rw-r--r--",
	}
	for _, name := range more {
		want[name] = "-rw-r--r--"
	}
	for _, c := range commands(t) {
		want["share/man/man1/unknot-"+c+".1.gz"] = "-rw-r--r--"
	}
	for _, name := range append([]string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"},
		tracked(t, "docs", "examples")...) {
		want["share/doc/unknot/"+name] = "-rw-r--r--"
	}
	site := 0
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		mode, owner, path := strings.Replace(fields[0], "lrwxrwxrwx", "l---------", 1), fields[1],
			strings.TrimPrefix(strings.Join(fields[5:], " "), root+"/")
		switch {
		case owner != ownedBy:
			t.Errorf("%s belongs to %s, want %s", path, owner, ownedBy)
		case mode == "drwxr-xr-x":
		case mode == "-rw-r--r--" && strings.HasPrefix(path, "share/doc/unknot/html/"):
			site++
		case want[path] != mode:
			t.Errorf("the package has %s with mode %s, want %q", path, mode, want[path])
		}
		delete(want, path)
	}
	for path := range want {
		t.Errorf("the package lacks %s", path)
	}
	if there := site > 100; there != testkit.Nightly() {
		t.Errorf("the package has %d files of the site, nightly: %v", site, testkit.Nightly())
	}
}

// tracked are the files of the repository in directories.
func tracked(t *testing.T, dirs ...string) []string {
	t.Helper()
	return strings.FieldsFunc(run(t, "git", append([]string{"-C", "..", "ls-files", "-z"}, dirs...)...),
		func(r rune) bool { return r == 0 })
}

func (p packages) debSaysWhatItIs(t *testing.T) {
	field := func(name string) string { return strings.TrimSpace(run(t, "dpkg-deb", "-f", p.deb(), name)) }
	for name, want := range map[string]string{
		"Package":      "unknot",
		"Version":      debianVersion(p.version),
		"Architecture": p.arch,
		"Depends":      "",
		"Recommends":   "gcc, libopenmpi-dev | libmpich-dev | mpi-default-dev",
	} {
		if got := field(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if about := field("Description"); !strings.HasPrefix(about, "finds errors in MPI, OpenSHMEM and UPC programs") {
		t.Errorf("Description is %q", about)
	}
	if control := run(t, "dpkg-deb", "--ctrl-tarfile", p.deb()); strings.Contains(control, "postinst") ||
		strings.Contains(control, "prerm") {
		t.Errorf("the package runs scripts when it is installed or removed, which it need not")
	}
	// What is tried before a release must not keep the release out.
	if released, _, early := strings.Cut(debianVersion(p.version), "~"); early {
		run(t, "dpkg", "--compare-versions", debianVersion(p.version), "lt", released)
		run(t, "dpkg", "--compare-versions", debianVersion(p.version), "gt", released+"~dev.20200101000000.gffffffff")
	}
}

// worksWhereItIsUnpacked uses what is below a directory, where the completion for zsh is at a path.
func (p packages) worksWhereItIsUnpacked(t *testing.T, root, zsh string) {
	unknot := filepath.Join(root, "bin/unknot")
	static(t, unknot, map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[p.arch])
	if got, want := run(t, unknot, "version"), "unknot "+p.version+" ("; !strings.HasPrefix(got, want) {
		t.Errorf("unknot version prints %q, want %q", got, want)
	}
	if got := run(t, filepath.Join(root, "bin/upc-check"), "-help"); !strings.HasPrefix(got, "usage: upc-check ") {
		t.Errorf("upc-check -help prints\n%s", got)
	}
	pages, err := filepath.Glob(filepath.Join(root, "share/man/man1/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if complaints, err := exec.Command("mandoc", "-T", "lint", "-W", "warning",
			page).CombinedOutput(); err != nil || len(complaints) > 0 {
			t.Errorf("mandoc -T lint %s: %v\n%s", page, err, complaints)
		}
	}
	if got := run(t, "mandoc", "-T", "ascii", filepath.Join(root, "share/man/man1/upc-check.1.gz")); !strings.Contains(
		got, "unknot "+p.version) {
		t.Errorf("upc-check(1) is not of version %s:\n%s", p.version, got)
	}
	script := "source " + filepath.Join(root, "share/bash-completion/completions/unknot") + "; complete -p unknot"
	if got := run(t, "bash", "--norc", "-c", script); !strings.Contains(got, "__start_unknot unknot") {
		t.Errorf("bash completes unknot by %q", got)
	}
	for name, want := range map[string]string{zsh: "#compdef unknot\n",
		"share/fish/vendor_completions.d/unknot.fish": "# fish completion for unknot"} {
		if text, err := os.ReadFile(filepath.Join(root, name)); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %v; it does not begin with %q", name, err, want)
		}
	}
}

// static fails the test unless a file is a program that needs no library, for a kind of machine.
func static(t *testing.T, file string, machine elf.Machine) {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Machine != machine {
		t.Errorf("%s is for %v, want %v", file, f.Machine, machine)
	}
	for _, part := range f.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			t.Errorf("%s needs libraries: it has a segment %v", file, part.Type)
		}
	}
}
