package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// link makes a program of objects. Without a native compiler it adds the run-time, and removes the program again if the declarations of shared objects in its parts contradict each other. args are
// all the linker's arguments but the run-time; objects are the object files and archives among them.
func (c *compilation) link(args, objects []string, stdout io.Writer) error {
	out := c.output
	if out == "" {
		out = "a.out"
	}
	args = append(args, "-o", out)
	if c.tool.native {
		return c.tool.run(stdout, args...)
	}
	if !c.shared {
		args = append(args, c.kit.archive(), "-lm")
	}
	// What the linker says is told in the user's terms: the run-time's names are not his.
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
	if err != nil && strings.Contains(text, "undefined reference to `upcr_main'") {
		fmt.Fprintln(c.tool.stderr, "unknot upcc: error: the program has no function main; hint: link the UPC source that defines it")
		return f
	}
	fmt.Fprint(c.tool.stderr, strings.ReplaceAll(text, "upcr_user_main", "main"))
	if err != nil || c.shared {
		return err
	}
	problems, err := disagreements(out, c.threads)
	if err != nil {
		return err
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
