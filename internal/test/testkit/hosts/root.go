package hosts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// system are the directories of the machine that make an operating system; all hosts have them, and cannot write to
// them.
var system = []string{"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "opt", "etc"}

// private are those that each host makes for itself, and what none should have.
var private = []string{"dev", "proc", "sys", "run", "tmp", "var", "root", "lost+found"}

// makeRoot makes the root directory of the host and changes to it.
func (h hostPlan) makeRoot() error {
	root := filepath.Join(workspace, "root")
	steps := []func(string) error{h.mountRoot, h.mountMachine, mountKernel, h.mountHome, h.mountShared, h.mountSettings}
	for _, step := range steps {
		if err := step(root); err != nil {
			return err
		}
	}
	// With the same directory for both, the old root lies over the new one, from which it can be taken away.
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := syscall.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := syscall.Unmount(".", syscall.MNT_DETACH); err != nil {
		return err
	}
	return os.Chdir("/")
}

// mountRoot makes the directories that are new on each host.
func (h hostPlan) mountRoot(root string) error {
	if err := os.MkdirAll(root, 0o755); err != nil && !os.IsExist(err) {
		return err
	}
	if err := mountMemory(root, "755"); err != nil {
		return err
	}
	for _, dir := range []string{"run", "tmp", "dev"} { // each a file system of its own, as on most machines
		mode := "755"
		if dir == "tmp" {
			mode = "1777"
		}
		if err := mountMemory(filepath.Join(root, dir), mode); err != nil {
			return err
		}
	}
	for _, dir := range []string{"var/log", "var/lib", "var/cache", "var/spool/slurmctld", "var/spool/slurmd",
		"run/sshd", "run/munge", "run/lock"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(root, "var/tmp"), 0o777|os.ModeSticky); err != nil {
		return err
	}
	return os.Symlink("/run", filepath.Join(root, "var/run"))
}

// mountMachine shows the host the machine's directories: the system's, and unless its root is separate all others.
func (h hostPlan) mountMachine(root string) error {
	entries, err := os.ReadDir("/")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name, isSystem := entry.Name(), slices.Contains(system, entry.Name())
		if slices.Contains(private, name) || !isSystem && h.place().Separate {
			continue
		}
		from, to := "/"+name, filepath.Join(root, name)
		switch {
		case entry.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(from)
			if err != nil {
				return err
			}
			if err := os.Symlink(target, to); err != nil {
				return err
			}
		case entry.IsDir():
			if err := bind(from, to, isSystem); err != nil {
				return err
			}
		}
	}
	return nil
}

// mountKernel makes the file systems that show what the kernel has, which is something else in each namespace.
func mountKernel(root string) error {
	dev := filepath.Join(root, "dev")
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		if err := bindFile("/dev/"+name, filepath.Join(dev, name)); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1",
		"stderr": "fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(target, filepath.Join(dev, name)); err != nil {
			return err
		}
	}
	if err := mountMemory(filepath.Join(dev, "shm"), "1777"); err != nil {
		return err
	}
	for _, m := range []struct{ kind, dir, data string }{
		{"proc", "proc", ""},
		{"sysfs", "sys", ""},
		{"devpts", "dev/pts", "newinstance,ptmxmode=0666,mode=620"},
	} {
		to := filepath.Join(root, m.dir)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(m.kind, to, m.kind, 0, m.data); err != nil {
			return fmt.Errorf("mount %s: %w", m.kind, err)
		}
	}
	return nil
}

// mountHome gives the host the home directory that it has in common with others, or makes its own.
func (h hostPlan) mountHome(root string) error {
	to := filepath.Join(root, Home)
	if !h.place().Separate {
		return bind(home, to, false)
	}
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	// A copy that keeps the modes, without which ssh does not take a key.
	return runTool(exec.Command("cp", "-a", filepath.Join(home, ".ssh"), to))
}

func (h hostPlan) mountShared(root string) error {
	if h.place().Separate {
		return nil
	}
	for _, dir := range h.Plan.Shared {
		if err := bind(dir, filepath.Join(root, dir), false); err != nil {
			return err
		}
	}
	return nil
}

// mountSettings lays the host's own files over those of /etc.
func (h hostPlan) mountSettings(root string) error {
	const kept = "run/settings"
	files := map[string]string{"hosts": h.names(), "hostname": h.place().Name + "\n", "shadow": shadow,
		"ssh/sshd_config": h.sshd()}
	if h.Plan.Slurm {
		key, err := os.ReadFile(mungeKey)
		if err != nil {
			return err
		}
		files["munge/munge.key"], files["slurm/slurm.conf"], files["slurm/cgroup.conf"] = string(key),
			h.slurm(), cgroups
		files["slurm/mpi.conf"] = fences
	}
	for name, text := range files {
		file := filepath.Join(root, kept, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{"hosts", "hostname"} {
		if err := os.Chmod(filepath.Join(root, kept, name), 0o644); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, kept))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		from, to := filepath.Join(root, kept, entry.Name()), filepath.Join(root, "etc", entry.Name())
		if err := syscall.Mount(from, to, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount /etc/%s: %w; hint: make deps installs what has it", entry.Name(), err)
		}
	}
	return nil
}

// shadow lets root log in by a key: without PAM, sshd refuses an account whose password begins with "!".
const shadow = "root:*:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\n"

// names are the hosts' names, for /etc/hosts.
func (h hostPlan) names() string {
	var text strings.Builder
	text.WriteString("127.0.0.1 localhost\n")
	for _, p := range h.Plan.Hosts {
		fmt.Fprintf(&text, "%s %s\n", p.address(), p.Name)
	}
	return text.String()
}

// sshd lets root in by a key and nobody else. Several ranks may be started at the same moment.
// The default exchange of keys, which is safe from quantum computers too, takes ssh half of its time.
func (h hostPlan) sshd() string {
	return fmt.Sprintf(`ListenAddress %s
HostKey /etc/ssh/host_key
PidFile /run/sshd/pid
AuthorizedKeysFile .ssh/authorized_keys
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
StrictModes no
PrintMotd no
MaxStartups 1000
MaxSessions 1000
KexAlgorithms curve25519-sha256
SetEnv PATH=%s LANG=C.UTF-8
`, h.place().address(), path)
}

func mountMemory(dir, mode string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode="+mode); err != nil {
		return fmt.Errorf("mount a file system in memory: %w", err)
	}
	return nil
}

func bind(from, to string, readOnly bool) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount(from, to, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return fmt.Errorf("mount %s: %w", from, err)
	}
	if !readOnly {
		return nil
	}
	if err := syscall.Mount("", to, "", syscall.MS_REMOUNT|syscall.MS_BIND|syscall.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("mount %s so that nothing can be written: %w", from, err)
	}
	return nil
}

func bindFile(from, to string) error {
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		return err
	}
	return syscall.Mount(from, to, "", syscall.MS_BIND, "")
}
