package launch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/test/testkit"
)

// aboveVariable has TestDaemonsWithoutUseAreEnded say which daemon is above it, and wait.
const aboveVariable = "UNKNOT_TEST_ABOVE"

func TestWhereALauncherListensIsRead(t *testing.T) {
	for text, want := range map[string][]string{
		"3149987840.0;tcp://10.77.0.1:43219":              {"10.77.0.1:43219"},
		"1.0;tcp://10.0.0.1,192.168.2.7:5;tcp6://[::1]:6": {"10.0.0.1:5", "192.168.2.7:5", "[::1]:6"},
		"": nil,
	} {
		words := "orted\x00-mca\x00orte_hnp_uri\x00" + text + "\x00-mca\x00plm\x00rsh\x00"
		if got := listening(words); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestDaemonsWithoutUseAreEnded has a process with the name of Open MPI's daemon that does not end by itself.
func TestDaemonsWithoutUseAreEnded(t *testing.T) {
	if os.Getenv(aboveVariable) != "" {
		fmt.Println(DaemonAbove().pid)
		_, _ = io.ReadAll(os.Stdin)
		return
	}
	shell, err := os.ReadFile("/bin/bash")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), daemonName)
	if err := os.WriteFile(path, shell, 0o700); err != nil {
		t.Fatal(err)
	}
	// A port that nobody listens at, and nobody else gets.
	mpirun, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(mpirun, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	address, err := unix.Getsockname(mpirun)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// It starts a shell that starts this test, and stays when that has ended.
	const script = `bash -c '"$0" -test.run=TestDaemonsWithoutUseAreEnded; :' "$0"; read -r for_ever <&3`
	daemon := exec.Command(path, "-c", script, self, "-mca", "orte_hnp_uri", fmt.Sprintf("1.0;tcp://127.0.0.1:%d",
		address.(*unix.SockaddrInet4).Port))
	daemon.Env = append(os.Environ(), aboveVariable+"=1")
	hold, holding, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer holding.Close()
	daemon.ExtraFiles = []*os.File{hold}
	child, out := testkit.StartPiped(t, daemon)
	line, _ := out.ReadString('\n')
	if strings.TrimSpace(line) != fmt.Sprint(daemon.Process.Pid) {
		t.Fatalf("the daemon above is %q, want %d", line, daemon.Process.Pid)
	}
	stays := func(why string) {
		t.Helper()
		if daemonOf(daemon.Process.Pid).End(0) {
			t.Fatalf("it was ended, though %s", why)
		}
	}
	stays("it has a process")
	child.Close()
	for childrenOf(daemon.Process.Pid) > 0 {
		time.Sleep(time.Millisecond)
	}
	if err := unix.Listen(mpirun, 8); err != nil {
		t.Fatal(err)
	}
	stays("its mpirun listens")
	if err := unix.Close(mpirun); err != nil {
		t.Fatal(err)
	}
	if !daemonOf(daemon.Process.Pid).End(0) {
		t.Error("it was not ended")
	}
	if err := daemon.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("its end: %v", err)
	}
}

// childrenOf is how many processes have a parent.
func childrenOf(pid int) (n int) {
	for _, other := range Processes() {
		if parentOf(other) == pid {
			n++
		}
	}
	return n
}
