package agent

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// Fields of what the kernel says of a process or thread, counted from its state on (proc(5), /proc/PID/stat).
const (
	statState  = 0
	statParent = 1
	statUser   = 11 // processor time, in ticks
	statSystem = 12
	statFields = 13
)

// stat is what the kernel says of a process or thread, whose directory below /proc is given, from its state on: the command's name before, in parentheses, may
// hold anything.
func stat(dir string) ([]string, error) {
	text, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < statFields {
		return nil, fmt.Errorf("%s/stat: %d fields", dir, len(fields))
	}
	return fields, nil
}
