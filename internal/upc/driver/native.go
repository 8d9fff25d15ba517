package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// nativeTool finds a native UPC compiler, given by its command, and tells it the number of threads if there is one.
func nativeTool(command string, threads int) (*runner, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("--native needs a compiler; hint: --native=gupc")
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("--native %s: %w; hint: give the command of the UPC compiler", words[0], unwrapped(err))
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	first := words[1:]
	if threads > 0 {
		first = append(first, threadsArgs(words, threads)...)
	}
	return &runner{path: path, first: first, native: true}, nil
}

// threadsArgs say the number of threads in the words of a native compiler, which is known by its name: GNU UPC and
// Clang UPC, Cray's C compiler, Berkeley UPC and unknot's own.
func threadsArgs(words []string, threads int) []string {
	n := strconv.Itoa(threads)
	switch name := filepath.Base(words[0]); {
	case strings.Contains(name, "gupc"), strings.Contains(name, "clang"), strings.Contains(name, "gcc"):
		return []string{"-fupc-threads-" + n}
	case name == "cc", name == "craycc":
		return []string{"-X", n}
	case name == "upcc":
		return []string{"-T=" + n}
	}
	return []string{"-T", n}
}

// askSizes asks a native compiler for what programs may make constants of: UPC_MAX_BLOCK_SIZE and the size of a
// pointer-to-shared.
func (c *compilation) askSizes() error {
	dir, err := os.MkdirTemp(c.temp, "ask-*")
	if err != nil {
		return err
	}
	block := filepath.Join(dir, "block.upc")
	if err := os.WriteFile(block, []byte("#include <upc.h>\nUPC_MAX_BLOCK_SIZE\n"), 0o666); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := c.tool.run(&text, "-E", block); err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if n, err := strconv.ParseInt(strings.Trim(lines[len(lines)-1], "() ULul"), 0, 64); err == nil && n > 0 {
		c.sizes.MaxBlock = n
	}
	size := filepath.Join(dir, "size.upc")
	const isPacked = "extern char unknot_size[sizeof(shared void *) == 8 ? 1 : -1];\n"
	if err := os.WriteFile(size, []byte(isPacked), 0o666); err != nil {
		return err
	}
	quiet := *c.tool
	quiet.stderr = io.Discard
	err = quiet.run(io.Discard, "-c", size, "-o", filepath.Join(dir, "size.o"))
	var f failed
	if errors.As(err, &f) {
		c.sizes.PointerSize, err = 16, nil // phase, thread and address in a struct
	}
	return err
}
