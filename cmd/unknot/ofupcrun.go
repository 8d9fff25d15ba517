package main

import (
	"debug/buildinfo"
	"os/exec"
	"runtime/debug"
)

// ofUpcrun gives the arguments of upcrun if that is the command that is to be watched.
func ofUpcrun(argv []string) ([]string, bool) {
	if len(argv) < 2 || argv[1] != "upcrun" || !isUnknot(argv[0]) {
		return nil, false
	}
	return argv[2:], true
}

// isUnknot says whether a command is unknot: us, a copy under another name, or another version. The program says so
// itself, in what Go's linker writes into it.
func isUnknot(command string) bool {
	self, known := debug.ReadBuildInfo()
	path, err := exec.LookPath(command)
	if !known || err != nil {
		return false
	}
	other, err := buildinfo.ReadFile(path)
	return err == nil && other.Path == self.Path
}
