package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"unknot/internal/upc/csrc"
	"unknot/internal/upc/lower"
	"unknot/internal/upc/syntax"
	"unknot/internal/upc/types"
)

// maxBlock is UPC_MAX_BLOCK_SIZE: what the phase of a pointer-to-shared of the run-time has room for.
const maxBlock = 1 << 20

// predefined are the macros of UPC (UPC 1.3, 6.11.1). THREADS and UPC_MAX_BLOCK_SIZE are keywords, but must be known to #if too, THREADS in
// the static environment only.
func (c *command) predefined() []string {
	all := []string{"-D__UPC__=1", "-D__UPC_VERSION__=201311L", fmt.Sprintf("-DUPC_MAX_BLOCK_SIZE=%d", maxBlock)}
	if c.threads > 0 {
		all = append(all, "-D__UPC_STATIC_THREADS__=1", fmt.Sprintf("-DTHREADS=%d", c.threads))
	} else {
		all = append(all, "-D__UPC_DYNAMIC_THREADS__=1")
	}
	for _, feature := range csrc.Features() {
		all = append(all, "-D"+feature+"=1")
	}
	return all
}

// compilation is the way of one UPC source.
type compilation struct {
	*command
	tool *runner
	kit  kit
	// temp is a directory for intermediate files, which is removed at the end.
	temp string
}

// preprocessorArgs are the arguments for the preprocessor over a UPC source.
func (c *compilation) preprocessorArgs(path string) []string {
	args := append([]string{"-E"}, c.predefined()...)
	args = append(args, c.arguments(forPreprocessor)...)
	return append(args, "-isystem", c.kit.headers(), "-x", "c", path)
}

// compile makes an object, or assembly, of a UPC source. Errors of the source are told, and end in failed.
func (c *compilation) compile(path, out string) error {
	if _, err := os.Stat(path); path != "-" && err != nil {
		fmt.Fprintf(c.tool.stderr, "unknot upcc: error: %s: no such file\n", path)
		return failed{1}
	}
	var text bytes.Buffer
	if err := c.tool.run(&text, append(c.dependencyArgs(path, out), c.preprocessorArgs(path)...)...); err != nil {
		return err
	}
	lowered, err := c.translate(path, text.Bytes())
	if c.saveTemps {
		base := c.kept(path)
		if err := os.WriteFile(base+".i", text.Bytes(), 0o666); err != nil {
			return err
		}
		if lowered != nil {
			if err := os.WriteFile(base+".lowered.c", lowered, 0o666); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	source, err := c.disguised(path, lowered)
	if err != nil {
		return err
	}
	args := append(c.arguments(forCompiler), "-fdebug-prefix-map="+filepath.Dir(source)+"="+filepath.Dir(path))
	step := "-c"
	switch c.stage {
	case assembly:
		step = "-S"
	case syntaxOnly:
		step = "-fsyntax-only"
	}
	args = append(args, step, "-I"+c.kit.internal(), "-x", "c", source)
	if c.stage != syntaxOnly {
		args = append(args, "-o", out)
	}
	return c.tool.run(io.Discard, args...)
}

// disguised writes the lowered text to a file with the name of the source, in a directory of its own: it is by this name that the object
// and its debug information say what they were made from.
func (c *compilation) disguised(path string, text []byte) (string, error) {
	dir, err := os.MkdirTemp(c.temp, "lowered-*")
	if err != nil {
		return "", err
	}
	name := filepath.Base(path)
	if path == "-" {
		name = "<stdin>"
	}
	source := filepath.Join(dir, name)
	return source, os.WriteFile(source, text, 0o666)
}

// dependencyArgs name the file of dependencies and its target as gcc does, by the object.
func (c *compilation) dependencyArgs(path, out string) []string {
	if !c.deps.wanted {
		return nil
	}
	var args []string
	if !c.deps.file {
		file := stem(path) + ".d"
		if c.output != "" && c.stage != link {
			file = strings.TrimSuffix(c.output, filepath.Ext(c.output)) + ".d"
		}
		args = append(args, "-MF", file)
	}
	if !c.deps.target {
		target := out
		if c.stage == link {
			target = stem(path) + ".o"
		}
		args = append(args, "-MT", target)
	}
	return args
}

// stem is the name of a source without its directory and extension.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// kept is the path of intermediate files that are kept, without their extension.
func (c *compilation) kept(path string) string {
	if c.tempsBy && c.output != "" {
		return filepath.Join(filepath.Dir(c.output), stem(path))
	}
	return stem(path)
}

// translate makes C of a preprocessed UPC source, and tells what is wrong with it.
func (c *compilation) translate(path string, text []byte) ([]byte, error) {
	cfg := lower.Config{Config: types.Config{
		Threads: types.Threads(c.threads), MaxBlock: maxBlock, PointerSize: 8, PointerAlign: 8, Target: target(),
	}}
	file, diags := syntax.Parse(path, text)
	info := types.Check(file, cfg.Config)
	diags = c.worth(file, append(diags, info.Diagnostics...))
	syntax.Print(c.tool.stderr, file, diags)
	if slices.ContainsFunc(diags, func(d syntax.Diagnostic) bool { return d.Severity == syntax.Error }) {
		return nil, failed{1}
	}
	lowered, err := lower.Lower(file, info, cfg)
	if err != nil {
		fmt.Fprintln(c.tool.stderr, err)
		return nil, failed{1}
	}
	return lowered, nil
}

// worth are the diagnostics that the options ask for, in the order of their places.
func (c *compilation) worth(file *syntax.File, diags []syntax.Diagnostic) []syntax.Diagnostic {
	var all []syntax.Diagnostic
	for _, d := range diags {
		if d.Severity == syntax.Warning {
			if c.noWarn || inSystemHeader(file, d.Pos) {
				continue
			}
			if c.werror {
				d.Severity = syntax.Error
			}
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b syntax.Diagnostic) int { return cmp.Compare(a.Pos, b.Pos) })
	return all
}

func inSystemHeader(file *syntax.File, p syntax.Pos) bool {
	return p >= 0 && int(p) < len(file.Tokens) && file.System[file.Tokens[p].File]
}

func target() types.Target {
	if runtime.GOARCH == "arm64" {
		return types.AArch64
	}
	return types.X8664
}
