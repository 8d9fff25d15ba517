package types

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/front/syntax"
)

// checkHeaders wants no diagnostics of a program that includes headers, and says whether the compiler takes it at all.
func checkHeaders(t *testing.T, compiler string, names ...string) bool {
	t.Helper()
	source := "#define _GNU_SOURCE\n#include <" + strings.Join(names, ">\n#include <") + ">\n"
	cmd := exec.Command(compiler, "-E", "-x", "c", "-")
	cmd.Stdin = strings.NewReader(source)
	text, err := cmd.Output()
	if err != nil {
		return false
	}
	f, diags := syntax.Parse("t.c", text)
	for _, target := range []Target{X8664, AArch64} {
		info := Check(f, Config{Target: target})
		told := append(diags[:len(diags):len(diags)], info.Diagnostics...)
		if len(told) == 0 {
			continue
		}
		compile := exec.Command(compiler, "-fsyntax-only", "-w", "-x", "c", "-")
		compile.Stdin = strings.NewReader(source)
		if compile.Run() != nil {
			return false
		}
		var b strings.Builder
		for _, d := range told[:min(len(told), 5)] {
			fmt.Fprintf(&b, "\n%v: %s", f.Position(d.Pos), d.Message)
		}
		t.Errorf("%s: %d diagnostics:%s", strings.Join(names, " "), len(told), b.String())
	}
	return true
}

const standardHeaders = `assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdalign.h
	stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h
	aio.h arpa/inet.h dirent.h dlfcn.h fcntl.h ftw.h glob.h grp.h iconv.h langinfo.h mqueue.h net/if.h netdb.h netinet/in.h netinet/tcp.h
	poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h spawn.h sys/ipc.h sys/mman.h sys/resource.h sys/select.h sys/shm.h sys/socket.h
	sys/stat.h sys/time.h sys/types.h sys/uio.h sys/un.h sys/wait.h termios.h unistd.h utmpx.h execinfo.h malloc.h obstack.h argp.h getopt.h
	link.h elf.h sys/epoll.h sys/ptrace.h sys/syscall.h sys/sysinfo.h`

// TestStandardHeaders checks the headers of C and POSIX in one translation unit, and those of the processor's builtins.
func TestStandardHeaders(t *testing.T) {
	testkit.TakesLong(t)
	if !checkHeaders(t, "gcc", strings.Fields(standardHeaders)...) {
		t.Error("gcc does not take the standard headers")
	}
	if !checkHeaders(t, "gcc", "immintrin.h") {
		t.Error("gcc does not take immintrin.h")
	}
}

// TestLinuxHeaders checks headers of Linux, many at a time.
func TestLinuxHeaders(t *testing.T) {
	testkit.TakesLong(t)
	paths, err := filepath.Glob("/usr/include/linux/*.h")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d headers of Linux: %v; hint: install linux-libc-dev", len(paths), err)
	}
	checked := 0
	for i := 0; i < len(paths); i += 8 {
		names := []string{"stddef.h", "stdint.h"}
		for _, path := range paths[i:min(i+8, len(paths))] {
			names = append(names, strings.TrimPrefix(path, "/usr/include/"))
		}
		if checkHeaders(t, "gcc", names...) {
			checked++
		}
	}
	if checked < 20 {
		t.Errorf("only %d groups of headers were checked", checked)
	}
}

// TestMPIHeaders checks mpi.h of both libraries.
func TestMPIHeaders(t *testing.T) {
	testkit.NeedsMPI(t)
	for _, mpicc := range []string{"mpicc.openmpi", "mpicc.mpich"} {
		if !checkHeaders(t, mpicc, "mpi.h") {
			t.Errorf("%s does not take mpi.h", mpicc)
		}
	}
}
