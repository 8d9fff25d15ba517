//go:build !quick

package symbol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// expectC checks every site of inlined.c.
func expectC(t *testing.T, w *workshop, p *process, r *Resolver) {
	t.Helper()
	p.expect(t, r, "plain", w.frame("plain", "inlined.c", "plain"))
	p.expect(t, r, "deep",
		w.inlined("inner", "inlined.c", "inner"),
		w.inlined("middle", "inlined.c", "middle"),
		w.frame("main", "inlined.c", "main"))
	p.expect(t, r, "last", w.frame("never_back", "inlined.c", "last"))
	if !r.HasDebug(p.maps, p.sites["plain"]) {
		t.Error("HasDebug is false for a program compiled with -g")
	}
}

func TestInlinedCallsOfEveryKindOfDebugInformation(t *testing.T) {
	for _, flags := range []string{
		"-gdwarf-5 -O2 -pie -fPIE",
		"-gdwarf-5 -O2 -no-pie",
		"-gdwarf-4 -O2 -pie -fPIE",
		"-gdwarf-4 -O3 -no-pie -ffunction-sections -Wl,--gc-sections",
		"-g -O0",
		"-g3 -O2 -gz",
		"-g -O2 -gz=zlib-gnu",
		"-gdwarf-5 -gdwarf64 -O2",
		"-g -O2 -flto",
		"-g -O2 -gsplit-dwarf -gno-pubnames -fno-eliminate-unused-debug-types -DSPLIT",
	} {
		t.Run(flags, func(t *testing.T) {
			w := newWorkshop(t)
			w.run("gcc " + flags + " inlined.c site.c -o app")
			p := w.start("app")
			r := New()
			defer r.Close()
			if strings.Contains(flags, "SPLIT") {
				// The functions are in another file; lines and the symbol are still known.
				p.expect(t, r, "plain", w.frame("plain", "inlined.c", "plain"))
				return
			}
			expectC(t, w, p, r)
		})
	}
}

// With few open files, modules are opened when they are read.
func TestModulesAreReadThatAreNotHeldOpen(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -g -O2 inlined.c site.c -o app")
	p := w.start("app")
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	before := open()
	r := New()
	defer r.Close()
	r.most = 0
	r.Hold(p.maps)
	expectC(t, w, p, r)
	if now := open(); now != before {
		t.Errorf("%d files are open, %d were before", now, before)
	}
	if held := New(); held.most == 0 {
		t.Error("nothing may be held open")
	}
}

func TestSharedLibrary(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -g -O2 -fPIC -shared library.c -o libwork.so")
	w.run("gcc -g -O2 -DLIBRARY -rdynamic inlined.c site.c -o app -L. -lwork -Wl,-rpath," + w.dir)
	p := w.start("app")
	r := New()
	defer r.Close()
	expectC(t, w, p, r)
	p.expect(t, r, "library", w.inlined("helper", "library.c", "helper"),
		w.frame("from_library", "library.c", "library"))
}

func TestNamesOfCxx(t *testing.T) {
	for _, flags := range []string{"-gdwarf-5 -O2", "-gdwarf-4 -O1 -no-pie"} {
		t.Run(flags, func(t *testing.T) {
			w := newWorkshop(t)
			w.run("gcc -g -O2 -c site.c")
			w.run("g++ " + flags + " names.cc site.o -o app")
			p := w.start("app")
			r := New()
			defer r.Close()
			p.expect(t, r, "method", w.frame("heat::Solver::step", "names.cc", "method"))
			p.expect(t, r, "overload", w.frame("heat::Solver::step", "names.cc", "overload"))
			p.expect(t, r, "lambda", w.frame("heat::Solver::step(double)::{lambda(char const*)#1}::operator()",
				"names.cc", "lambda"))
			p.expect(t, r, "hidden", w.frame("heat::(anonymous namespace)::hidden", "names.cc", "hidden"))
			p.expect(t, r, "template", w.frame("heat::generic<long>", "names.cc", "template"))
			p.expect(t, r, "inlined", w.inlined("heat::body", "names.cc", "body"), w.frame("main", "names.cc", "main"))
		})
	}
}

func TestNamesOfFortran(t *testing.T) {
	for _, flags := range []string{"-gdwarf-5 -O0", "-gdwarf-4 -O1 -no-pie -fno-inline",
		"-g -O2 -fno-inline -fno-ipa-cp"} {
		t.Run(flags, func(t *testing.T) {
			w := newWorkshop(t)
			w.run("gcc -g -O2 -c site.c")
			w.run("gfortran " + flags + " names.f90 site.o -o app")
			p := w.start("app")
			r := New()
			defer r.Close()
			p.expect(t, r, "1", w.frame("main program heat", "names.f90", "main"))
			p.expect(t, r, "2", w.frame("calls::exchange", "names.f90", "exchange"))
			p.expect(t, r, "3", w.frame("outside", "names.f90", "outside"))
			p.expect(t, r, "4", w.frame("within", "names.f90", "within"))
		})
	}
}

func TestFortranWithoutDebugInformation(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -O2 -c site.c")
	w.run("gfortran -O0 names.f90 site.o -o app")
	p := w.start("app")
	r := New()
	defer r.Close()
	for label, want := range map[string]string{"1": "main program", "2": "calls::exchange", "3": "outside",
		"4": "within"} {
		f := r.Frames(p.maps, p.sites[label], true)
		if len(f) != 1 || f[0].Function != want || f[0].File != "" || f[0].Module != w.path("app") {
			t.Errorf("site %s: got %+v, want function %s in module app", label, f, want)
		}
	}
}

func TestSeparateDebugFile(t *testing.T) {
	for _, place := range []string{"beside", "below", "root", "build-id"} {
		t.Run(place, func(t *testing.T) {
			w := newWorkshop(t)
			root := filepath.Join(w.dir, "debugroot")
			r := New()
			defer r.Close()
			r.debugRoots = []string{root}
			flags := "-Wl,--build-id=none"
			if place == "build-id" {
				flags = "-Wl,--build-id=0xabcdef0123"
			}
			w.run("gcc -g -O2 " + flags + " inlined.c site.c -o app")
			w.run("objcopy --only-keep-debug app app.debug")
			w.run("strip app")
			if place != "build-id" {
				w.run("objcopy --add-gnu-debuglink=app.debug app")
			}
			switch place {
			case "below":
				w.run("mkdir .debug")
				w.run("mv app.debug .debug")
			case "root":
				w.run("mkdir -p " + root + w.dir)
				w.run("mv app.debug " + root + w.dir)
			case "build-id":
				w.run("mkdir -p " + root + "/.build-id/ab")
				w.run("mv app.debug " + root + "/.build-id/ab/cdef0123.debug")
			}
			expectC(t, w, w.start("app"), r)
		})
	}
}

func TestDebugFileOfAnotherBuildIsNotUsed(t *testing.T) {
	for _, flags := range []string{"-Wl,--build-id=none", "-Wl,--build-id"} {
		t.Run(flags, func(t *testing.T) {
			w := newWorkshop(t)
			w.run("gcc -g -O2 " + flags + " inlined.c site.c -o app")
			w.run("objcopy --only-keep-debug app app.debug")
			w.run("strip --strip-debug app")
			w.run("objcopy --add-gnu-debuglink=app.debug app")
			w.run("gcc -g -O1 " + flags + " inlined.c site.c -o other")
			w.run("objcopy --only-keep-debug other app.debug")
			p := w.start("app")
			r := New()
			defer r.Close()
			p.expect(t, r, "plain", finding.Frame{
				Function: "plain", Module: w.path("app"), Offset: p.sites["plain"] - p.sites["start"]})
		})
	}
}

func TestWithoutDebugInformation(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -O2 -g -c inlined.c")
	w.run("gcc -O2 -c site.c")
	w.run("gcc inlined.o site.o -o mixed")
	w.run("gcc -O2 inlined.c site.c -o app")
	w.run("gcc -O2 -s -no-pie inlined.c site.c -o stripped")
	r := New()
	defer r.Close()

	p := w.start("app")
	p.expect(t, r, "plain", finding.Frame{
		Function: "plain", Module: w.path("app"), Offset: p.sites["plain"] - p.sites["start"]})
	if r.HasDebug(p.maps, p.sites["plain"]) {
		t.Error("HasDebug is true without -g")
	}
	p = w.start("stripped")
	p.expect(t, r, "plain", finding.Frame{Module: w.path("stripped"), Offset: p.sites["plain"]})

	p = w.start("mixed")
	if !r.HasDebug(p.maps, p.sites["plain"]) || r.HasDebug(p.maps, p.sites["anywhere"]) {
		t.Error("HasDebug does not tell the object with -g from the one without")
	}
}

func TestKeysAreEqualInAllProcesses(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -g -O2 -pie -fPIE inlined.c site.c -o app")
	a, b := w.start("app"), w.start("app")
	seen := map[Key]string{}
	for label := range a.sites {
		ka, oka := a.maps.Key(a.sites[label])
		kb, okb := b.maps.Key(b.sites[label])
		if !oka || !okb || ka != kb {
			t.Errorf("%s: keys %v and %v", label, ka, kb)
		}
		if other := seen[ka]; other != "" {
			t.Errorf("%s and %s have one key", label, other)
		}
		seen[ka] = label
	}
	if _, ok := a.maps.Key(1); ok || a.maps.Has(1) {
		t.Error("address 1 is said to be code")
	}
	r := New()
	defer r.Close()
	expectC(t, w, a, r)
	expectC(t, w, b, r)
	held := len(r.modules)
	r.Hold(a.maps)
	r.Hold(b.maps)
	if held != 1 || len(r.modules) <= held || len(r.modules) > len(a.maps.ranges) {
		t.Errorf("%d modules open for the sites and %d in all, for %d mappings", held, len(r.modules),
			len(a.maps.ranges))
	}
}

func TestDeletedAndReplacedFiles(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -g -O2 inlined.c site.c -o app")
	p := w.start("app")
	r := New()
	defer r.Close()
	r.Hold(p.maps)
	if err := os.Remove(w.path("app")); err != nil {
		t.Fatal(err)
	}
	w.run("gcc -O2 site.c -shared -fPIC -o app")
	expectC(t, w, p, r)

	// A snapshot that is taken after the deletion is of the same module, and a new Resolver still finds it.
	again, err := ReadMaps(p.maps.pid)
	if err != nil {
		t.Fatal(err)
	}
	k1, _ := p.maps.Key(p.sites["plain"])
	if k2, _ := again.Key(p.sites["plain"]); k1 != k2 {
		t.Error("the key changed when the file was deleted")
	}
	late := New()
	defer late.Close()
	p.expect(t, late, "plain", w.frame("plain", "inlined.c", "plain"))
}

func TestEndedProcess(t *testing.T) {
	if _, err := ReadMaps(1 << 30); err == nil || !strings.Contains(err.Error(), "process 1073741824") {
		t.Errorf("got error %v", err)
	}
}
