package symbol

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// mainSymbol is what gfortran calls a main program.
const mainSymbol = "MAIN__"

// maxName bounds the names that are demangled: the demangler recurses, and a damaged string may be very long.
const maxName = 1 << 14

// symbolName makes the user's name of a linker symbol: C++ demangled without parameters, gfortran's conventions undone,
// suffixes of the compiler's own copies of a function removed. fortran says that the module has Fortran in it, as a
// trailing underscore means nothing elsewhere.
func symbolName(symbol string, fortran bool) string {
	if len(symbol) > maxName {
		return symbol
	}
	if name, ok := cppName(symbol); ok {
		return name
	}
	symbol = withoutCopySuffix(symbol)
	if name, ok := fortranName(symbol); ok {
		return name
	}
	if fortran && strings.HasSuffix(symbol, "_") && symbol == strings.ToLower(symbol) {
		if name := strings.TrimRight(symbol, "_"); name != "" {
			return name
		}
	}
	return symbol
}

// fortranName undoes the names that only gfortran makes: that of a main program and __module_MOD_procedure.
func fortranName(symbol string) (string, bool) {
	if symbol == mainSymbol {
		return "main program", true
	}
	rest, ok := strings.CutPrefix(symbol, "__")
	if !ok {
		return "", false
	}
	module, procedure, ok := strings.Cut(rest, "_MOD_")
	if !ok || module == "" || procedure == "" {
		return "", false
	}
	return module + "::" + procedure, true
}

// debugName makes the user's name of a function from its debug information.
func debugName(name, linkage string, mainProgram bool) string {
	if mainProgram {
		// gfortran calls a main program without a PROGRAM statement MAIN__ as well.
		if name == "" || name == mainSymbol {
			return "main program"
		}
		return "main program " + name
	}
	if full, ok := cppName(linkage); ok {
		return full
	}
	if full, ok := fortranName(linkage); ok {
		return full
	}
	if name == "" {
		name = linkage
	}
	name = withoutCopySuffix(name)
	if name == mainSymbol { // a part of a main program, such as a parallel region
		return "main program"
	}
	return name
}

// cppName decodes the names that C++ compilers encode. It leaves out parameters, which only lengthen a line that has
// file and line anyway.
func cppName(symbol string) (string, bool) {
	if !strings.HasPrefix(symbol, "_Z") || len(symbol) > maxName {
		return "", false
	}
	return demangle.Filter(symbol, demangle.NoParams, demangle.NoClones, demangle.MaxLength(12)), true
}

// TypeName is the user's name of a C++ type, of which the linker has a name without the _Z of a symbol.
func TypeName(mangled string) string {
	if name, ok := cppName("_ZTI" + mangled); ok {
		if name, ok = strings.CutPrefix(name, "typeinfo for "); ok {
			return name
		}
	}
	return mangled
}

// withoutCopySuffix removes what GCC appends to the copies that it makes of a function ("f.constprop.0", "f.cold",
// "main._omp_fn.0"). User code cannot have a dot in a name.
func withoutCopySuffix(name string) string {
	if i := strings.IndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
