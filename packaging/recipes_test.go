//go:build !quick

package packaging

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// archiveIsAModule unpacks the archive somewhere and loads the module that is in it with Lmod.
func (p packages) archiveIsAModule(t *testing.T) {
	dir := t.TempDir()
	name := "unknot-" + p.version + "-linux-" + p.arch
	run(t, "tar", "-C", dir, "-xf", filepath.Join(p.dir, name+".tar.gz"))
	root := filepath.Join(dir, name)
	const script = `
. /etc/profile.d/lmod.sh
module use "$1/share/modulefiles"
module load unknot || exit 1
echo "path: ${PATH%%:*}"
echo "manpath: ${MANPATH%%:*}"
echo "unknot: $(command -v unknot)"
echo "version: $(unknot version)"
echo "page: $(man -w unknot-run)"
module list 2>&1
module whatis unknot 2>&1
module unload unknot
case "$PATH:$MANPATH" in *"$1"*) echo "left: $PATH:$MANPATH" ;; esac
`
	load := exec.Command("bash", "--noprofile", "--norc", "-c", script, "load", root)
	load.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8"}
	text, err := load.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got := string(text)
	for _, want := range []string{
		"path: " + root + "/bin\n", "manpath: " + root + "/share/man\n", "unknot: " + root + "/bin/unknot\n",
		"version: unknot " + p.version + " (",
		"page: " + root + "/share/man/man1/unknot-run.1.gz\n", "1) unknot/" + p.version, "Version: " + p.version,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("loading the module prints no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "left: ") {
		t.Errorf("unloading the module leaves something:\n%s", got)
	}
}

// easyconfigFindsItsSources reads the file as EasyBuild does, which runs it as Python with its constants, on both kinds
// of machines.
func (p packages) easyconfigFindsItsSources(t *testing.T) {
	const script = `
import sys
for machine in "x86_64", "aarch64":
    config = {"SYSTEM": {"name": "system", "version": "system"}, "ARCH": machine}
    exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), config)
    for name in "homepage", "description", "toolchain", "moduleclass":
        assert config[name], name
    template = {"version": config["version"]}
    [source] = config["sources"]
    sums = {name % template: sum for name, sum in config["checksums"][0].items()}
    print(config["easyblock"], config["name"], config["version"], source % template, sums[source % template], sep="\t")
    print(*config["sanity_check_paths"]["files"], *config["sanity_check_paths"]["dirs"], sep="\t")
`
	lines := strings.Split(strings.TrimSpace(run(t, "python3", "-c", script,
		filepath.Join(p.dir, "unknot-"+p.version+".eb"))), "\n")
	for i, arch := range []string{"amd64", "arm64"} {
		archive := "unknot-" + p.version + "-linux-" + arch
		want := strings.Join([]string{"Tarball", "unknot", p.version, archive + ".tar.gz",
			sum(t, filepath.Join(p.dir, archive+".tar.gz"))}, "\t")
		if lines[2*i] != want {
			t.Errorf("the easyconfig is of\n%q, want\n%q", lines[2*i], want)
		}
		dir := t.TempDir()
		run(t, "tar", "-C", dir, "-xf", filepath.Join(p.dir, archive+".tar.gz"))
		for name := range strings.FieldsSeq(lines[2*i+1]) {
			if _, err := os.Stat(filepath.Join(dir, archive, name)); err != nil {
				t.Errorf("what the easyconfig checks after installing: %v", err)
			}
		}
	}
}

func sum(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// spackRecipeInstalls carries out the recipe's install on the sources, in a Python in which a few lines stand for
// Spack: the directives note what they are given, and make is make.
func (p packages) spackRecipeInstalls(t *testing.T) {
	const script = `
import os, subprocess, sys, types
noted = []
stand = types.ModuleType("spack.package")
stand.Package = object
stand.version = lambda number, **more: noted.append(("version", number, more))
stand.depends_on = lambda spec, **more: noted.append(("depends_on", spec, more))
stand.join_path = os.path.join
stand.make = lambda *words: subprocess.run(["make", *words], check=True, stdout=sys.stderr)
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), stand
recipe, stage, prefix = sys.argv[1:]
scope = {}
exec(compile(open(recipe).read(), recipe, "exec"), scope)
package = scope["Unknot"]()
[version] = [what for what in noted if what[0] == "version"]
package.version, package.stage = version[1], types.SimpleNamespace(path=stage)
class Env:
    def set(self, name, value): os.environ[name] = value
package.setup_build_environment(Env())
assert set(os.environ["GOPATH"].split(":")) == {stage + "/go"}
# What Go has of modules and compiled code serves here, too.
del os.environ["GOPATH"], os.environ["GOCACHE"]
print(version[1], version[2]["sha256"], os.path.basename(package.url_for_version(version[1])), package.manual_download, sep="\t")
package.install(None, prefix)
`
	stage, prefix := t.TempDir(), t.TempDir()
	source := "unknot-" + p.version + ".tar.gz"
	run(t, "tar", "-C", stage, "--strip-components=1", "-xf", filepath.Join(p.dir, source))
	install := exec.Command("python3", "-c", script, filepath.Join(p.dir, "spack/packages/unknot/package.py"),
		stage, prefix)
	install.Dir = stage
	var stderr strings.Builder
	install.Stderr = &stderr
	out, err := install.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	if want := strings.Join([]string{p.version, sum(t, filepath.Join(p.dir, source)), source, "True"},
		"\t"); strings.TrimSpace(string(out)) != want {
		t.Errorf("the recipe is of %q, want %q", out, want)
	}
	if got, want := run(t, filepath.Join(prefix, "bin/unknot"), "version"),
		"unknot "+p.version+" ("; !strings.HasPrefix(got, want) {
		t.Errorf("unknot version prints %q, want %q", got, want)
	}
	if _, err := os.Stat(filepath.Join(prefix, "share/man/man1/unknot-run.1.gz")); err != nil {
		t.Error(err)
	}
}
