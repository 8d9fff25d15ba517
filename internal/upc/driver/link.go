package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/check/catalogue"
)

// link makes a program of objects. Without a native compiler it adds the run-time, and looks whether the parts agree.
// args are all the linker's arguments but the run-time; objects are the object files and archives among them.
func (c *compilation) link(args, objects []string, stdout io.Writer) error {
	out := c.output
	if out == "" {
		out = "a.out"
	}
	args = append(args, "-o", out)
	if c.tool.native {
		more, err := c.nativeChecker()
		if err != nil {
			return err
		}
		return c.linkNative(append(args, more...), stdout)
	}
	var libraries []string
	if !c.shared {
		libraries = []string{c.kit.archive(), "-lm", "-ldl"} // before glibc 2.34, dlsym is in a separate library
	}
	if c.checks != nil && !c.shared {
		checker, err := c.checkArchive()
		if err != nil {
			return err
		}
		// It is the other archive that asks for the checker's main, when this one has been read.
		libraries = slices.Concat([]string{"-Wl,-u,upcr_main"}, passages(), []string{checker}, libraries)
	}
	err := c.linkWith(append(args, libraries...), stdout)
	if err == nil && c.checks != nil && !c.shared {
		var facts []string
		if facts, err = c.programFacts(out); err == nil && facts != nil {
			err = c.linkWith(slices.Concat(args, facts, libraries), stdout)
		}
	}
	if err != nil || c.shared {
		return err
	}
	return c.agree(out, objects)
}

// passages have the linker put the checker's functions before those of the run-time that it counts.
func passages() []string {
	var all []string
	for _, name := range catalogue.Passed() {
		all = append(all, "-Wl,--wrap="+name)
	}
	return all
}

// linkWith runs the linker. Its messages are reported in the user's terms: the names of the run-time are not his.
func (c *compilation) linkWith(args []string, stdout io.Writer) error {
	var told bytes.Buffer
	quiet := *c.tool
	quiet.stderr = &told
	if c.verbose {
		quiet.stderr = io.MultiWriter(&told, c.tool.stderr)
	}
	err := quiet.run(stdout, args...)
	var f failed
	if err != nil && !errors.As(err, &f) {
		return err
	}
	text := told.String()
	switch {
	case err == nil:
	case c.checks == nil && strings.Contains(text, "undefined reference to `upck"):
		fmt.Fprintf(c.tool.stderr, "%s: error: some objects contain checks; hint: link the program with upc-check\n",
			c.name())
		return f
	case strings.Contains(text, "undefined reference to `upcr_main'"),
		strings.Contains(text, "undefined reference to `"+instrument.UserMain+"'"):
		fmt.Fprintf(c.tool.stderr, "%s: error: the program has no function main; hint: link the UPC source that "+
			"defines it\n", c.name())
		return f
	}
	fmt.Fprint(c.tool.stderr, strings.NewReplacer("upcr_user_main", "main", instrument.UserMain, "main").Replace(text))
	return err
}

// agree compares what the parts of a program say of each other's shared objects, and removes the program if they
// contradict each other.
func (c *compilation) agree(out string, objects []string) error {
	problems, err := disagreements(out, c.threads)
	if err != nil {
		return err
	}
	if claimed, err := readClaims(out); err == nil {
		for _, source := range claimed.unrecorded() {
			if strings.HasPrefix(source, c.kit.dir+string(filepath.Separator)) {
				continue // the checker's run-time, which is not about the program's memory
			}
			fmt.Fprintf(c.tool.stderr, "%s: warning: %s was compiled without --check=race: its accesses to shared "+
				"memory are not compared; hint: compile it again\n", c.name(), source)
		}
	}
	private, err := privateUses(objects, out)
	if err != nil {
		return err
	}
	problems = append(problems, private...)
	if len(problems) == 0 {
		return nil
	}
	for _, p := range problems {
		fmt.Fprintln(c.tool.stderr, p)
	}
	os.Remove(out)
	return failed{1}
}
