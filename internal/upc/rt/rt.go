// Package rt owns the run-time of UPC programs.
//
// c is that of compiled programs, in C over MPI-3, and include has the headers that UPC programs include. What lowered
// code may use of it is c/upcr.h. A program's threads are the ranks of an MPI job; docs/upc-runtime.md says how it
// works.
//
// check is the run-time of upc-check: what instrumented UPC programs call. It is UPC 1.3 itself, so that unknot's own
// compiler and native ones make it in one way. check/upck.h is what instrumented sources and the wrappers of library
// functions see; check/inner.h describes the protocol, and package model has it as a state machine.
// docs/upc-check-protocol.md says how it works. ledger is what the wrappers ask with: what is known of objects, files,
// atomicity domains and transfers. With the wrappers of package catalogue, both become libupck.a.
//
// What the run-times share with unknot is in package layout; its headers are among the files.
package rt

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/upc/layout"
)

//go:embed c/*.c c/*.h include/*.h
var program embed.FS

//go:embed check/*.upc check/*.h
var check embed.FS

//go:embed ledger/*.upc ledger/*.h
var ledger embed.FS

// Files are texts by their paths.
type Files map[string]string

// Program gives the run-time of compiled programs: c/*.c, which is compiled with the user's mpicc and linked to every
// program, its headers, and the headers of UPC programs, include/*.h.
func Program() Files {
	files := read(program, func(path string) string { return path })
	files["c/layout.h"] = layout.ProgramHeader()
	return files
}

// Check gives the run-time of upc-check by file name: *.upc and headers.
func Check() Files {
	files := read(check, filepath.Base)
	files["upck_layout.h"] = layout.CheckHeader()
	return files
}

// Ledger gives what the wrappers of library functions ask with, by file name: *.upc and headers.
func Ledger() Files { return read(ledger, filepath.Base) }

func read(from embed.FS, name func(path string) string) Files {
	files := Files{}
	err := fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := from.ReadFile(path)
		files[name(path)] = string(text)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return files
}

// Write writes the files below a directory.
func (f Files) Write(dir string) error {
	for path, text := range f {
		to := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Features are the libraries that the run-time has: macros with the value 1 (UPC 1.3, 6.11.1, and the conventions of
// each library).
func Features() []string {
	return []string{"__UPC_COLLECTIVE__", "__UPC_TICK__", "__UPC_CASTABLE__", "__UPC_IO__", "__UPC_ATOMIC__",
		"__UPC_NB__"}
}

// Header is the header of one of these libraries: <upc_io.h> of __UPC_IO__.
func Header(feature string) string { return strings.ToLower(strings.Trim(feature, "_")) + ".h" }
