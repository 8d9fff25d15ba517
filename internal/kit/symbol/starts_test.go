//go:build !quick

package symbol

import "testing"

// TestFunctionsOfTheCLibraryAreNamedByTheirSymbolsAlone has the same function in two libraries, one of which is called as
// the C library.
func TestFunctionsOfTheCLibraryAreNamedByTheirSymbolsAlone(t *testing.T) {
	for _, library := range []string{"libc.so.6", "libwork.so"} {
		t.Run(library, func(t *testing.T) {
			w := newWorkshop(t)
			// The C library itself has this name too: the program asks for a separate directory.
			w.run("mkdir lib")
			w.run("gcc -g -O2 -fPIC -shared -Wl,-soname," + w.path("lib/"+library) +
				" -Dfrom_library=run_at_exit library.c -o lib/" + library)
			w.run("gcc -g -O2 -DLIBRARY -Dfrom_library=run_at_exit -rdynamic inlined.c site.c lib/" +
				library + " -o app")
			p := w.start("app")
			r := New()
			defer r.Close()
			if library == "libwork.so" {
				p.expect(t, r, "library", w.inlined("helper", "library.c", "helper"),
					w.frame("run_at_exit", "library.c", "library"))
				return
			}
			f := r.Frames(p.maps, p.sites["library"], true)
			if len(f) != 1 || f[0].Function != "run_at_exit" || f[0].File != "" ||
				f[0].Module != w.path("lib/libc.so.6") {
				t.Errorf("got %+v, want run_at_exit in a module, without a line", f)
			}
			expectC(t, w, p, r)
		})
	}
}
