package syntax

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// preprocess runs a compiler's preprocessor over a text; ok is false if it refuses to.
func preprocess(t *testing.T, compiler, source string) (text []byte, ok bool) {
	t.Helper()
	cmd := exec.Command(compiler, "-E", "-x", "c", "-")
	cmd.Stdin = strings.NewReader(source)
	text, err := cmd.Output()
	return text, err == nil
}

// compiles says whether the compiler takes a preprocessed text.
func compiles(text []byte) bool {
	cmd := exec.Command("gcc", "-fsyntax-only", "-w", "-x", "cpp-output", "-")
	cmd.Stdin = bytes.NewReader(text)
	return cmd.Run() == nil
}

// silent fails the test if the text has errors.
func silent(t *testing.T, what string, text []byte) *File {
	t.Helper()
	f, diags := Parse("t.c", text)
	if len(diags) > 0 {
		var b bytes.Buffer
		Print(&b, f, diags[:min(len(diags), 5)])
		t.Errorf("%s: %d diagnostics:\n%s", what, len(diags), b.String())
	}
	return f
}

// TestHeaders reads every header of the C library and of Linux that gcc compiles alone.
func TestHeaders(t *testing.T) {
	testkit.TakesLong(t)
	for _, dir := range []string{"/usr/include", "/usr/include/linux"} {
		paths, err := filepath.Glob(filepath.Join(dir, "*.h"))
		if err != nil || len(paths) < 100 {
			t.Fatalf("%d headers in %s: %v; hint: install libc6-dev and linux-libc-dev", len(paths), dir, err)
		}
		read := 0
		for _, path := range paths {
			name := strings.TrimPrefix(path, "/usr/include/")
			text, ok := preprocess(t, "gcc", include("stddef.h", "stdio.h", name))
			if !ok {
				continue
			}
			if _, diags := Parse("t.c", text); len(diags) == 0 {
				read++
			} else if compiles(text) {
				silent(t, name, text)
			}
		}
		if read < 100 {
			t.Errorf("%s: read %d headers without an error, want 100 and more", dir, read)
		}
	}
}

// TestStandardHeadersTogether reads the headers of C and POSIX in one translation unit.
func TestStandardHeadersTogether(t *testing.T) {
	testkit.TakesLong(t)
	text, ok := preprocess(t, "gcc", include(strings.Fields(standard)...))
	if !ok {
		t.Fatal("gcc -E refuses the standard headers")
	}
	silent(t, "all together", text)
}

const standard = `assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
	stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h
	uchar.h wchar.h wctype.h aio.h arpa/inet.h cpio.h dirent.h dlfcn.h fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h
	langinfo.h libgen.h monetary.h mqueue.h net/if.h netdb.h netinet/in.h netinet/tcp.h nl_types.h poll.h pthread.h pwd.h regex.h
	sched.h search.h semaphore.h spawn.h strings.h sys/ipc.h sys/mman.h sys/msg.h sys/resource.h sys/select.h sys/sem.h sys/shm.h
	sys/socket.h sys/stat.h sys/statvfs.h sys/time.h sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h
	tar.h termios.h ulimit.h unistd.h utime.h utmpx.h wordexp.h execinfo.h malloc.h obstack.h argp.h error.h getopt.h link.h elf.h
	sys/epoll.h sys/eventfd.h sys/inotify.h sys/ptrace.h sys/signalfd.h sys/syscall.h sys/sysinfo.h sys/timerfd.h immintrin.h`

// include is a program that includes headers of the GNU library.
func include(names ...string) string {
	return "#define _GNU_SOURCE\n#include <" + strings.Join(names, ">\n#include <") + ">\n"
}

// TestMPIHeaders reads mpi.h of both libraries.
func TestMPIHeaders(t *testing.T) {
	testkit.NeedsMPI(t)
	for _, mpicc := range []string{"mpicc.openmpi", "mpicc.mpich"} {
		text, ok := preprocess(t, mpicc, "#include <mpi.h>\n")
		if !ok {
			t.Fatalf("%s does not compile mpi.h", mpicc)
		}
		silent(t, mpicc, text)
	}
}
