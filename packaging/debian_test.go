//go:build !quick

package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// debian is a fresh system in a directory. It is entered by scripts/inside.sh, so that nothing is left of what runs
// there.
type debian struct{ root, archives string }

// kept is the directory that tests keep what they have downloaded in: a minimal system, and packages.
func kept(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "unknot-test", "minimal")
	if err := os.MkdirAll(filepath.Join(dir, "archives", "partial"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// minimal gives the directory of a minimal Debian 12, which is made once.
func minimal(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(kept(t), "bookworm")
	run(t, "../scripts/chroot.sh", "bookworm", dir)
	return dir
}

func freshDebian(t *testing.T) debian {
	t.Helper()
	return copied(t, minimal(t))
}

// copied is a copy of a system, with a user.
func copied(t *testing.T, from string) debian {
	t.Helper()
	d := debian{filepath.Join(t.TempDir(), "debian"), filepath.Join(kept(t), "archives")}
	run(t, "cp", "-a", from, d.root)
	// Packages that were downloaded are kept for the next time. Nothing asks a question.
	d.write(t, "/etc/apt/apt.conf.d/keep",
		"Binary::apt::APT::Keep-Downloaded-Packages \"true\";\nAPT::Get::Assume-Yes \"true\";\n")
	d.write(t, "/etc/resolv.conf", read(t, "/etc/resolv.conf"))
	d.must(t, "root", "useradd --create-home --shell /bin/sh ada")
	return d
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (d debian) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(d.root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// as runs a shell's command line in a user's home directory and gives what it prints and its exit status.
func (d debian) as(t *testing.T, user, command string) (out string, status int) {
	t.Helper()
	home := map[string]string{"root": "/root"}[user]
	if home == "" {
		home = "/home/" + user
	}
	cmd := exec.Command("../scripts/inside.sh", "-w", d.archives, "/var/cache/apt/archives", d.root,
		"timeout", "--kill-after=10s", "30m", "chroot", "--userspec="+user+":"+user, "/", "env", "-i",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME="+home, "USER="+user,
		"LC_ALL=C.UTF-8",
		"DEBIAN_FRONTEND=noninteractive", "OMPI_MCA_rmaps_base_oversubscribe=1", "sh", "-c", `cd && eval "$1"`,
		"sh", command)
	if user == "root" {
		cmd = alone(d.archives, cmd)
	}
	// It ends with this test, also if that is killed. The kernel takes the thread that has started it for its parent.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	text, err := cmd.CombinedOutput()
	if exit, failed := err.(*exec.ExitError); failed {
		return string(text), exit.ExitCode()
	}
	if err != nil {
		t.Fatalf("%s: %v; hint: this test runs as root, where new namespaces are allowed", command, err)
	}
	return string(text), 0
}

// alone has a command wait for others that install packages: apt locks the directory where they are kept, and gives up
// if it cannot.
func alone(archives string, cmd *exec.Cmd) *exec.Cmd {
	return exec.Command("flock", append([]string{"--no-fork", filepath.Join(filepath.Dir(archives), "lock")},
		cmd.Args...)...)
}

func (d debian) must(t *testing.T, user, command string) string {
	t.Helper()
	out, status := d.as(t, user, command)
	if status != 0 {
		t.Fatalf("%s (by %s): exit status %d\n%s", command, user, status, out)
	}
	return out
}

// files are all of the system, except for what apt and dpkg note down and keep.
func (d debian) files(t *testing.T) []string {
	t.Helper()
	out := run(t, "find", d.root, "-xdev", "(", "-path", d.root+"/var/lib/apt", "-o", "-path", d.root+"/var/lib/dpkg",
		"-o", "-path", d.root+"/var/log",
		"-o", "-path", d.root+"/var/cache", "-o", "-path", d.root+"/home", "-o", "-path", d.root+"/root", ")", "-prune",
		"-o", "-printf", "/%P\n")
	list := strings.Fields(out)
	slices.Sort(list)
	return list
}

// debianInstallsIt does what the README says, in a fresh system, which gets the MPI library that the package
// recommends. Where MPICH is there, it is used.
func (p packages) debianInstallsIt(t *testing.T) {
	for name, with := range map[string]string{"recommended": "",
		"mpich": "gcc libc6-dev libmpich-dev bash-completion fish zsh man-db"} {
		t.Run(name, func(t *testing.T) {
			d := freshDebian(t)
			run(t, "cp", p.deb(), "../examples/recv-recv/broken.c", filepath.Join(d.root, "home/ada"))
			d.must(t, "ada", "mv broken.c app.c")
			d.must(t, "root", "apt update")
			if with != "" {
				d.must(t, "root", "apt install --no-install-recommends "+with)
			}
			before := d.files(t)
			steps := readmeSteps(t, p.arch)
			for _, step := range steps[:len(steps)-1] {
				user := "ada"
				if command, root := strings.CutPrefix(step, "sudo "); root {
					user, step = "root", "cd /home/ada && "+command
				}
				d.must(t, user, step)
			}
			d.findsTheDeadlock(t, p, steps[len(steps)-1])
			if openmpi := strings.Contains(d.must(t, "ada", "mpirun --version"), "Open MPI"); openmpi != (with == "") {
				t.Errorf("the job was started by Open MPI: %v, want %v", openmpi, with == "")
			}
			if with != "" {
				d.helpsWhoTypes(t)
			}
			d.must(t, "root", "apt remove unknot")
			d.nothingIsLeft(t, before, with != "")
		})
	}
}

// helpsWhoTypes asks the shells and man what the package gives them, none of which is set up for it.
func (d debian) helpsWhoTypes(t *testing.T) {
	t.Helper()
	for command, want := range map[string]string{
		`fish --command 'complete -C "unknot expl"'`:                                                            "explain\twhat a finding means, why it happens, how to fix it\n",
		`zsh -c 'autoload -U compinit; compinit -D; print $_comps[unknot]'`:                                     "_unknot\n",
		`bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader unknot; complete -p unknot'`: "complete -o default -F __start_unknot unknot\n",
		`MANPAGER=cat man unknot-run`:                                                                           "run an MPI command line and report its errors\n",
		`man -w upc-check`:                                                                                      "/usr/share/man/man1/unknot-upc-check.1.gz\n",
	} {
		if got := d.must(t, "ada", command); !strings.Contains(got, want) {
			t.Errorf("%s prints\n%s\nwant %q", command, got, want)
		}
	}
}

// readmeSteps are the commands by which the README installs the package and runs a program: two at least.
func readmeSteps(t *testing.T, arch string) (steps []string) {
	t.Helper()
	const mark = "<!-- these steps are carried out in a fresh system by make test-packages -->\n\n"
	_, text, found := strings.Cut(read(t, "../README.md"), mark)
	text, _, _ = strings.Cut(text, "\n\n")
	for line := range strings.Lines(text) {
		step, _, _ := strings.Cut(line, " #")
		steps = append(steps, strings.ReplaceAll(strings.TrimSpace(step), "amd64", arch))
	}
	if !found || len(steps) < 2 || !strings.HasPrefix(steps[0], "sudo apt install ./unknot_") ||
		!strings.HasPrefix(steps[len(steps)-1], "unknot run ") {
		t.Fatalf("README.md does not install the package and run a program behind %q: %q", mark, steps)
	}
	return steps
}

// findsTheDeadlock runs the first example as an ordinary user, by a command line, and reads the report.
func (d debian) findsTheDeadlock(t *testing.T, p packages, command string) {
	t.Helper()
	if got := d.must(t, "ada", "unknot version"); !strings.HasPrefix(got, "unknot "+p.version+" (") {
		t.Errorf("unknot version prints %q", got)
	}
	got, status := d.as(t, "ada",
		command+"; status=$?; find /tmp /dev/shm -mindepth 1 | sed 's/^/left: /'; exit $status")
	for _, want := range []string{
		"unknot: error: deadlock (manifest)\n  Ranks 0 and 1 wait for each other: each receives before it sends.\n",
		"\n  rank 0   MPI_Recv  from rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT\n           at main (app.c:13)\n     " +
			"      waits for a message from rank 1\n",
		"\n  hint: let one side send first,",
		"\nunknot: 1 error, 0 warnings; 2 ranks,",
	} {
		if status != 66 || !strings.Contains(got, want) {
			t.Fatalf("%s: exit status %d, want 66, and a report with %q:\n%s", command, status, want, got)
		}
	}
	if strings.Contains(got, "left: ") {
		t.Errorf("%s leaves files behind:\n%s", command, got)
	}
}

// nothingIsLeft looks for what was not there before the package was installed. With the packages that it recommends,
// that is only what bears its name.
func (d debian) nothingIsLeft(t *testing.T, before []string, all bool) {
	t.Helper()
	var left []string
	for _, name := range d.files(t) {
		if _, known := slices.BinarySearch(before, name); !known && (all || strings.Contains(name, "unknot") ||
			strings.Contains(name, "upc-check")) {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		t.Errorf("apt remove unknot leaves %q", left)
	}
	if state, status := d.as(t, "root", "dpkg-query -W -f '${db:Status-Status}' unknot"); status == 0 &&
		state != "not-installed" {
		t.Errorf("apt remove unknot leaves the package as %q", state)
	}
	if out := d.must(t, "ada", "ls .cache"); out != "unknot\n" {
		t.Errorf("a user's cache has %q, want unknot", out)
	}
}
