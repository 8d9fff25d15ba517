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

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
	"unknot/internal/upc/rt"
)

// predefined are the macros of UPC (UPC 1.3, 6.11.1). THREADS and UPC_MAX_BLOCK_SIZE are keywords, but must be known to
// #if too, THREADS in the static environment only.
func (c *command) predefined() []string {
	all := []string{"-D__UPC__=1", "-D__UPC_VERSION__=201311L", fmt.Sprintf("-DUPC_MAX_BLOCK_SIZE=%d", layout.MaxBlock)}
	if c.threads > 0 {
		all = append(all, "-D__UPC_STATIC_THREADS__=1", fmt.Sprintf("-DTHREADS=%d", c.threads))
	} else {
		all = append(all, "-D__UPC_DYNAMIC_THREADS__=1")
	}
	for _, feature := range rt.Features() {
		all = append(all, "-D"+feature+"=1")
	}
	return all
}

// compilation is the way of one UPC source.
type compilation struct {
	*command
	tool *runner
	kit  kit
	// sizes are those of the implementation that the program is made for.
	sizes types.Config
	// family is that of a native compiler; announced are the libraries that it says it has, missing those that it has
	// not, both by their macros.
	family             family
	announced, missing []string
	// part says that the source is one of the checker's run-time.
	part bool
	// temp is a directory for intermediate files, which is removed at the end.
	temp string
}

// language is the C that UPC is read and translated as, unless a later argument says otherwise: C23 is the usual one
// since gcc 15, and the headers of the C library have words of it then that are not understood here.
const language = "-std=gnu11"

// preprocessorArgs are the arguments for the preprocessor over a UPC source.
func (c *compilation) preprocessorArgs(path string) []string {
	if c.tool.native {
		args := append([]string{"-E"}, c.arguments(forPreprocessor)...)
		if len(c.missing) > 0 {
			args = append(args, "-I"+c.standIns())
		}
		return append(args, path)
	}
	args := append([]string{"-E", language}, c.predefined()...)
	args = append(args, c.arguments(forPreprocessor)...)
	return append(args, "-isystem", c.kit.headers(), "-x", "c", path)
}

// compile makes an object, or assembly, of a UPC source. Errors of the source are reported, and end in failed.
func (c *compilation) compile(path, out string) error {
	if _, err := os.Stat(path); path != "-" && err != nil {
		fmt.Fprintf(c.tool.stderr, "%s: error: %s: no such file\n", c.name(), path)
		return failed{1}
	}
	var text bytes.Buffer
	if err := c.tool.run(&text, append(c.dependencyArgs(path, out), c.preprocessorArgs(path)...)...); err != nil {
		return err
	}
	made, err := c.translate(path, text.Bytes())
	if c.saveTemps {
		if err := c.keep(path, text.Bytes(), made.upc, made.c); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	source, err := c.disguised(path, made.result())
	if err != nil {
		return err
	}
	step := "-c"
	switch c.stage {
	case assembly:
		step = "-S"
	case syntaxOnly:
		step = "-fsyntax-only"
	}
	args := c.arguments(forCompiler)
	if c.tool.native {
		args = append(append(args, c.family.again()...), step, source)
	} else {
		args = append([]string{language}, args...)
		args = append(args, "-fdebug-prefix-map="+filepath.Dir(source)+"="+filepath.Dir(path), step,
			"-I"+c.kit.internal(), "-x", "c", source)
	}
	if c.stage != syntaxOnly {
		args = append(args, "-o", out)
	}
	return c.speaking(made.levels).run(io.Discard, args...)
}

// speaking is the compiler, whose messages about a made text have the places of the source it was made from.
func (c *compilation) speaking(levels []level) *runner {
	tool := *c.tool
	if len(levels) > 0 {
		tool.said = func(text string) string { return newPlaces(levels, c.temp).rewrite(text) }
	}
	return &tool
}

// translation is what becomes of a source: UPC text for a native compiler or with checks in it, and C.
type translation struct {
	upc, c []byte
	// levels are the steps to the C text, the first one from the preprocessed source; none for a native compiler.
	levels []level
}

// level is a text that was made of the tokens of another.
type level struct {
	from *syntax.File
	made emit.Text
}

// result is what is compiled.
func (t translation) result() []byte {
	if t.c != nil {
		return t.c
	}
	return t.upc
}

// keep writes the steps between, as --save-temps asks, as far as there are any.
func (c *compilation) keep(path string, preprocessed, instrumented, lowered []byte) error {
	base := c.kept(path)
	for _, step := range []struct {
		suffix string
		text   []byte
	}{{".i", preprocessed}, {".instrumented.upc", instrumented}, {".lowered.c", lowered}} {
		if step.text == nil {
			continue
		}
		if err := os.WriteFile(base+step.suffix, step.text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// disguised writes the lowered text to a file with the name of the source, in a separate directory: it is by this
// name that the object and its debug information say what they were made from.
func (c *compilation) disguised(path string, text []byte) (string, error) {
	dir, err := os.MkdirTemp(c.temp, "lowered-*")
	if err != nil {
		return "", err
	}
	name := filepath.Base(path)
	switch {
	case c.tool.native:
		name = stem(path) + ".upc" // whatever -x has said: native compilers know UPC by this name
	case path == "-":
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

// translate makes C of a preprocessed UPC source, or UPC for a native compiler, and tells what is wrong with it.
func (c *compilation) translate(path string, text []byte) (t translation, err error) {
	file, diags := syntax.Parse(path, text)
	info := types.Check(file, c.sizes)
	diags = c.worth(file, append(diags, info.Diagnostics...))
	syntax.Print(c.tool.stderr, file, diags)
	if slices.ContainsFunc(diags, func(d syntax.Diagnostic) bool { return d.Severity == syntax.Error }) {
		return t, failed{1}
	}
	var withChecks emit.Text
	switch {
	case c.checks != nil:
		withChecks = c.instrumented(file, info)
		t.upc = withChecks.Bytes
	case c.tool.native:
		t.upc = lower.Native(file)
	}
	if c.tool.native {
		return t, nil
	}
	var last level
	if c.checks != nil {
		t.levels = append(t.levels, level{file, withChecks})
		last, err = c.lowered(path, file, withChecks)
	} else {
		checked := ""
		if c.part {
			checked = said(0)
		}
		last.from = file
		last.made, err = c.inC(file, info, checked, lower.Source{})
	}
	t.c, t.levels = last.made.Bytes, append(t.levels, last)
	return t, err
}

// inC gives the C of a checked source, and tells what cannot be translated. checked is what the object says of the
// checks in it, source what it was without them.
func (c *compilation) inC(file *syntax.File, info *types.Info, checked string, source lower.Source) (emit.Text, error) {
	text, err := lower.Lower(file, info, lower.Config{Config: c.sizes, Checked: checked, Main: instrument.UserMain,
		Races: c.races && !c.part, Source: source})
	if err != nil {
		fmt.Fprintln(c.tool.stderr, err)
		return emit.Text{}, failed{1}
	}
	return text, nil
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

// ownSizes are those of unknot's run-time.
func ownSizes(threads int) types.Config {
	return types.Config{Threads: types.Threads(threads), MaxBlock: layout.MaxBlock, PointerSize: 8, PointerAlign: 8,
		Target: target()}
}

func target() types.Target {
	if runtime.GOARCH == "arm64" {
		return types.AArch64
	}
	return types.X8664
}
