//go:build !quick

package symbol

import (
	"testing"

	"unknot/internal/vocab/finding"
)

func TestLibraryOf(t *testing.T) {
	o := Owners{Own: []string{"/opt/mine/", "/mine/lib/own"}, Library: []string{"/mine/lib", "/opt/mine/third"}}
	for path, want := range map[string]string{
		"":                 "",
		"broken.cpp":       "",
		"/mine/src/main.c": "",
		"/usr/include/c++/12/bits/new_allocator.h":                "the C++ library",
		"/usr/lib/x86_64-linux-gnu/libhdf5_openmpi.so.103.3.0":    "HDF5",
		"/usr/lib/python3/dist-packages/h5py/_hl/group.py":        "h5py",
		"/mine/venv/lib/python3.11/site-packages/pytest.py":       "pytest",
		"/mine/spack/opt/spack/linux/gcc/petsc-3/lib/libpetsc.so": "PETSc",
		"/mine/gcc/include/c++/13/vector":                         "the C++ library",
		"/usr/include/boost/mpi/communicator.hpp":                 "Boost",
		"<frozen importlib._bootstrap>":                           "Python's library",
		"<string>":                                                "",
		"/optional/a.c":                                           "",
		"/opt/x/lib/liblayer.so.2":                                "liblayer",
		"/opt/mine/a.c":                                           "",
		"/opt/mine/third/libx.so":                                 "libx",
		"/mine/lib/liby.so":                                       "liby",
		"/mine/lib/own/z.c":                                       "",
		"/usr/lib/x86_64-linux-gnu/libc.so.6":                     "the C library",
	} {
		if got := o.LibraryOf(path); got != want {
			t.Errorf("%s belongs to %q, want %q", path, got, want)
		}
	}
}

func TestAllCodeCanBeTheUsers(t *testing.T) {
	o := Owners{Own: []string{"/"}}
	for _, path := range []string{"/usr/lib/python3/dist-packages/_pytest/runner.py", "/opt/a.c", "/a.c"} {
		if got := o.LibraryOf(path); got != "" {
			t.Errorf("%s belongs to %q", path, got)
		}
	}
}

func TestWrittenPassesOverLibraries(t *testing.T) {
	inner := finding.Frame{Function: "construct", File: "/usr/include/c++/12/new", Line: 3, Library: "the C++ library"}
	user := finding.Frame{Function: "fill", Module: "/mine/app", Offset: 7}
	for _, c := range []struct {
		frames []finding.Frame
		want   finding.Frame
	}{
		{nil, finding.Frame{}},
		{[]finding.Frame{inner}, inner},
		{[]finding.Frame{inner, {Library: "HDF5", Function: "H5Dwrite"}, user, {Function: "main"}}, user},
	} {
		if got := Written(c.frames); got != c.want {
			t.Errorf("Written(%v) = %v, want %v", c.frames, got, c.want)
		}
	}
}
