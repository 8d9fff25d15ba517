// Package access has a compiler make programs whose own loads and stores unknot can see. It is `unknot mpicc` and its
// sisters: the compiler wrapper of the MPI library with a few options more, and a small runtime that is linked into the
// program.
//
// A test is put before each access. One byte of a shadow stands for eight bytes of memory, and is not 0 where MPI owns
// some of them. What marks it is the probe (csrc/objects/marks.h there).
//
// For gcc a plugin does that (csrc/plugin.cc), which is compiled for the user's gcc. It needs the headers for plugins;
// where they are missing, and for clang, it is the compiler's own means for kernels (-fsanitize=kernel-address). gcc
// then tests no access to a variable by its name, as a kernel knows its own, and the link step says that these are not
// seen.
package access

import (
	"embed"
	"runtime"
	"strings"

	"unknot/internal/observe/probe"
)

//go:embed csrc
var sources embed.FS

// files are all sources of a kit by name: those in csrc, and the header of the probe.
func files() map[string][]byte {
	list := map[string][]byte{"access.h": probe.AccessHeader()}
	entries, err := sources.ReadDir("csrc")
	for _, e := range entries {
		if list[e.Name()], err = sources.ReadFile("csrc/" + e.Name()); err != nil {
			break
		}
	}
	if err != nil {
		panic(err) // they are embedded
	}
	return list
}

// wrapped are the functions of the C library that the runtime sees (ld, --wrap).
var wrapped = [...]string{
	"memcpy", "memmove", "memset", "memcmp", "strcpy", "strncpy", "read", "write", "recv", "send", "fread", "fwrite",
	"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_spin_lock", "pthread_rwlock_rdlock",
	"pthread_rwlock_wrlock", "pthread_barrier_wait", "sem_wait",
	"__memcpy_chk", "__memmove_chk", "__memset_chk", "__strcpy_chk", "__strncpy_chk", "__read_chk", "__recv_chk",
	"__fread_chk",
}

// offset is where the shadow of address 0 is; csrc/objects/access.h of the probe has the same number.
func offset() string {
	if runtime.GOARCH == "amd64" {
		return "0x7fff8000"
	}
	return "0x1000000000"
}

// compiling are the options that have a compiler test accesses. The tests are inline however many there are.
func (k *kit) compiling() []string {
	if k.Kind == Clang {
		options := []string{"-fsanitize=kernel-address"}
		for _, o := range []string{
			"-asan-mapping-offset=" + offset(), "-asan-mapping-scale=3",
			"-asan-instrumentation-with-call-threshold=2000000000", "-asan-stack=0", "-asan-globals=0",
			"-asan-opt-globals=0", "-asan-opt-stack=0", "-asan-opt-same-temp=0", "-asan-use-stack-safety=0",
			"-enable-interleaved-mem-accesses=false", // these load what is between two elements, too
		} {
			options = append(options, "-mllvm", o)
		}
		return options
	}
	if k.Plugin != "" {
		return []string{"-fplugin=" + k.path(k.Plugin), "-fno-hoist-adjacent-loads"}
	}
	return []string{"-fsanitize=kernel-address", "-fasan-shadow-offset=" + offset(), "--param",
		"asan-instrumentation-with-call-threshold=2000000000",
		"--param", "asan-stack=0", "--param", "asan-globals=0",
		// these make loads that the program might not make
		"-fno-hoist-adjacent-loads", "-fno-tree-loop-im", "-fno-tree-pre"}
}

// linking are the arguments that put the runtime into a program or a shared library, which then stays once it is
// loaded.
func (k *kit) linking(shared bool) []string {
	wrap := "-Wl,--wrap=" + strings.Join(wrapped[:], ",--wrap=")
	if shared {
		return []string{k.path(sharedObject), wrap, "-Wl,-z,nodelete"}
	}
	return []string{k.path(programObject), wrap}
}
