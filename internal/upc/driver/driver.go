package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Exit statuses of unknot itself; a compiler's own status is passed on.
const (
	exitUsage  = 2
	exitFailed = 3
)

// Compile runs the compiler with a command line and returns its exit status.
func Compile(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return run(ctx, args, nil, stdout, stderr)
}

func run(ctx context.Context, args []string, check *checking, stdout, stderr io.Writer) int {
	c, err := parseOptions(args, check)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", (&command{checks: check}).name(), err)
		return exitUsage
	}
	if c.help {
		help := Help
		if check != nil {
			help = CheckHelp
		}
		fmt.Fprint(stdout, help)
		return 0
	}
	tool, err := c.tool()
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", c.name(), err)
		return exitUsage
	}
	tool.ctx, tool.stderr, tool.verbose = ctx, stderr, c.verbose
	err = compile(c, tool, stdout)
	var f failed
	switch {
	case err == nil:
		return 0
	case errors.As(err, &f):
		return f.status
	}
	fmt.Fprintf(stderr, "%s: %v\n", c.name(), err)
	return exitFailed
}

func compile(c *command, t *runner, stdout io.Writer) error {
	if c.stage == informations {
		return t.run(stdout, c.arguments(forAll)...)
	}
	var k kit
	if !t.native {
		var err error
		if k, err = prepare(t.ctx, t.path); err != nil {
			return err
		}
	}
	temp, err := os.MkdirTemp("", "unknot-upcc-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	job := &compilation{command: c, tool: t, kit: k, temp: temp, sizes: ownSizes(c.threads)}
	if t.native {
		if err := job.askNative(); err != nil {
			return err
		}
	}
	if c.stage == link {
		return job.program(stdout)
	}
	return job.each(stdout)
}

// tool is the compiler that does the work.
func (c *command) tool() (*runner, error) {
	if c.native != "" {
		return nativeTool(c.native)
	}
	path, err := findTool(c.mpicc)
	return &runner{path: path}, err
}

// each takes every input as far as -E, -S, -c or -fsyntax-only say. All sources are compiled, and their errors
// reported, even if one has errors.
func (c *compilation) each(stdout io.Writer) error {
	var first error
	for _, w := range c.words {
		if !w.input {
			continue
		}
		if err := c.one(w, stdout); err != nil {
			var f failed
			if !errors.As(err, &f) {
				return err
			}
			if first == nil {
				first = err
			}
		}
	}
	return first
}

func (c *compilation) one(w word, stdout io.Writer) error {
	path := w.text[0]
	switch {
	case w.lang != "upc":
		return c.plain(w, stdout)
	case c.stage == preprocess:
		args := c.preprocessorArgs(path)
		if c.output != "" {
			args = append(args, "-o", c.output)
		}
		return c.tool.run(stdout, args...)
	}
	return c.compile(path, c.result(path))
}

// result is the name of what is made of a source.
func (c *compilation) result(path string) string {
	switch {
	case c.output != "":
		return c.output
	case c.stage == assembly:
		return stem(path) + ".s"
	case c.checks != nil:
		return stem(path) + ".instrumented.o"
	}
	return stem(path) + ".o"
}

// plain compiles a source that is not UPC, as it would be without unknot.
func (c *compilation) plain(w word, stdout io.Writer) error {
	args := c.arguments(forAll)
	switch c.stage {
	case preprocess:
		args = append(args, "-E")
	case assembly:
		args = append(args, "-S")
	case object:
		args = append(args, "-c")
	case syntaxOnly:
		args = append(args, "-fsyntax-only")
	}
	args = append(args, languageArgs(w)...)
	if c.output != "" {
		args = append(args, "-o", c.output)
	}
	return c.tool.run(stdout, args...)
}

// languageArgs are an input's name with what -x says of it.
func languageArgs(w word) []string {
	if w.lang == "" {
		return []string{w.text[0]}
	}
	return []string{"-x", w.lang, w.text[0], "-x", "none"}
}

// program compiles the UPC sources and links everything.
func (c *compilation) program(stdout io.Writer) error {
	var args []string
	var objects []string
	var first error
	for i, w := range c.words {
		switch {
		case !w.input:
			if w.use&(forLinker|forCompiler) != 0 || c.hasPlainSources() {
				args = append(args, w.text...)
			}
		case w.lang == "upc":
			out := filepath.Join(c.temp, fmt.Sprintf("%d-%s.o", i, stem(w.text[0])))
			if err := c.compile(w.text[0], out); err != nil {
				var f failed
				if !errors.As(err, &f) {
					return err
				}
				if first == nil {
					first = err
				}
			}
			args = append(args, out)
			objects = append(objects, out)
		default:
			args = append(args, languageArgs(w)...)
			if !compiled(w) {
				objects = append(objects, w.text[0])
			}
		}
	}
	if first != nil {
		return first
	}
	return c.link(args, objects, stdout)
}

func (c *compilation) hasPlainSources() bool {
	for _, w := range c.words {
		if w.input && w.lang != "upc" && compiled(w) {
			return true
		}
	}
	return false
}
