package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"unknot/internal/upc/check/catalogue"
	"unknot/internal/upc/rt"
)

// nativeTool finds a native UPC compiler, given by its command.
func nativeTool(command string) (*runner, error) {
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
	return &runner{path: path, first: words[1:], native: true}, nil
}

// family is a group of native compilers with the same options.
type family int

// The families that are known; 0 is another one. All compile sources named *.upc and take -E, -c, -o, -I and -D.
const (
	_ family = iota
	// gnuFamily are GNU UPC and Clang UPC. They include a header before every source, unless
	// -fno-upc-pre-include says otherwise: its functions would be defined twice in a source that was preprocessed
	// before (GNU UPC user manual 5.3, Clang UPC options).
	gnuFamily
	crayFamily
	berkeleyFamily
)

// families are the macros by which compilers say which they are. If several do, the last one counts: Berkeley UPC takes
// its own options when it compiles with GNU UPC.
var families = []struct {
	family
	defined string
}{
	{gnuFamily, "defined __GUPC__ || defined __GCC_UPC__ || defined __clang_upc__"},
	{crayFamily, "defined _CRAYC"},
	{berkeleyFamily, "defined __BERKELEY_UPC__"},
}

// threadsArgs say the number of threads in the words of a family.
func (f family) threadsArgs(threads int) []string {
	n := strconv.Itoa(threads)
	switch f {
	case gnuFamily:
		return []string{"-fupc-threads-" + n}
	case crayFamily:
		return []string{"-X", n}
	case berkeleyFamily:
		return []string{"-T=" + n}
	}
	return []string{"-T", n}
}

// familyOf is the family whose usual name a command has.
func familyOf(command string) family {
	switch name := filepath.Base(command); {
	case strings.Contains(name, "gupc"), strings.Contains(name, "clang"), strings.Contains(name, "gcc"):
		return gnuFamily
	case name == "cc", name == "craycc":
		return crayFamily
	case name == "upcc":
		return berkeleyFamily
	}
	return 0
}

// again are the arguments with which a source is compiled that the compiler has preprocessed before.
func (f family) again() []string {
	if f == gnuFamily {
		return []string{"-fno-upc-pre-include"}
	}
	return nil
}

// askNative asks a native compiler which family it is of, tells it the number of threads, and asks it for what programs
// may make constants of, and for its libraries. If no macro says which family it is, its name does.
func (c *compilation) askNative() error {
	dir, err := os.MkdirTemp(c.temp, "ask-*")
	if err != nil {
		return err
	}
	if err := c.askFamily(dir); err != nil {
		return err
	}
	if c.threads > 0 {
		f := c.family
		if f == 0 {
			f = familyOf(c.tool.path)
		}
		c.tool.first = append(c.tool.first, f.threadsArgs(c.threads)...)
	}
	if c.stage == preprocess {
		return nil
	}
	if err := c.askSize(dir); err != nil {
		return err
	}
	return c.askLibraries(dir)
}

// mark begins the lines of a preprocessed question that are the answer.
const mark = "unknot_answers"

// preprocessed gives the last words of the lines that begin with mark after preprocessing.
func (c *compilation) preprocessed(path, text string, stderr io.Writer) ([]string, error) {
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	tool := *c.tool
	tool.stderr = stderr
	if err := tool.run(&out, "-E", path); err != nil {
		return nil, err
	}
	var answers []string
	for line := range strings.Lines(out.String()) {
		if answer, found := strings.CutPrefix(strings.TrimSpace(line), mark); found {
			answers = append(answers, strings.TrimSpace(answer))
		}
	}
	return answers, nil
}

// askFamily asks for the family, UPC_MAX_BLOCK_SIZE and the libraries that are announced by a macro (UPC 1.3, 6.11.1).
func (c *compilation) askFamily(dir string) error {
	var question strings.Builder
	question.WriteString("#include <upc.h>\n")
	for _, f := range families {
		fmt.Fprintf(&question, "#if %s\n%s family %d\n#endif\n", f.defined, mark, f.family)
	}
	for _, feature := range rt.Features() {
		fmt.Fprintf(&question, "#ifdef %s\n%s library %s_\n#endif\n", feature, mark, feature)
	}
	fmt.Fprintf(&question, "%s block UPC_MAX_BLOCK_SIZE\n", mark)
	answers, err := c.preprocessed(filepath.Join(dir, "family.upc"), question.String(), c.tool.stderr)
	if err != nil {
		return err
	}
	for _, answer := range answers {
		what, value, _ := strings.Cut(answer, " ")
		n, err := strconv.ParseInt(strings.Trim(value, "() ULul"), 0, 64)
		switch {
		case what == "library":
			c.announced = append(c.announced, strings.TrimSuffix(value, "_"))
		case err != nil:
		case what == "family":
			c.family = family(n)
		case n > 0:
			c.sizes.MaxBlock = n
		}
	}
	return nil
}

// askSize asks for the size of a pointer-to-shared.
func (c *compilation) askSize(dir string) error {
	size := filepath.Join(dir, "size.upc")
	const isPacked = "extern char unknot_size[sizeof(shared void *) == 8 ? 1 : -1];\n"
	if err := os.WriteFile(size, []byte(isPacked), 0o666); err != nil {
		return err
	}
	quiet := *c.tool
	quiet.stderr = io.Discard
	err := quiet.run(io.Discard, "-c", size, "-o", filepath.Join(dir, "size.o"))
	var f failed
	if errors.As(err, &f) {
		c.sizes.PointerSize, err = 16, nil // phase, thread and address in a struct
	}
	return err
}

// askLibraries finds the libraries whose headers are there although no macro announces them, as with compilers from
// before UPC 1.3, and announces them. Headers that are not there are written, for programs to be checked that use them.
func (c *compilation) askLibraries(dir string) error {
	headers := rt.Program()
	for _, feature := range rt.Features() {
		if slices.Contains(c.announced, feature) {
			continue
		}
		header := rt.Header(feature)
		text := fmt.Sprintf("#include <upc.h>\n#include <%s>\n%s there\n", header, mark)
		there, err := c.preprocessed(filepath.Join(dir, "library.upc"), text, io.Discard)
		var f failed
		if err != nil && !errors.As(err, &f) {
			return err
		}
		if len(there) > 0 {
			c.tool.first = append(c.tool.first, "-D"+feature+"=1")
			continue
		}
		c.missing = append(c.missing, feature)
		if err := (rt.Files{header: headers["include/"+header]}).Write(c.standIns()); err != nil {
			return err
		}
	}
	return nil
}

// standIns is the directory of the headers that a native compiler does not have.
func (c *compilation) standIns() string { return filepath.Join(c.temp, "headers") }

// linkNative links the objects of a native compiler. If a library is not there, a sentence names it.
func (c *compilation) linkNative(args []string, stdout io.Writer) error {
	var said bytes.Buffer
	tool := *c.tool
	tool.stderr = io.MultiWriter(c.tool.stderr, &said)
	err := tool.run(stdout, args...)
	var f failed
	if !errors.As(err, &f) {
		return err
	}
	undefined := make(map[string]bool)
	for _, word := range strings.FieldsFunc(said.String(), notOfName) {
		undefined[strings.TrimPrefix(word, "upckw_")] = true
	}
	for _, function := range catalogue.Functions() {
		if undefined[function.Name] && slices.Contains(c.missing, function.Feature) {
			fmt.Fprintf(c.tool.stderr, "%s: error: the program calls %s, and %s has no <%s>; hint: compile it "+
				"without --native\n", c.name(), function.Name, filepath.Base(c.tool.path), function.Header)
		}
	}
	return err
}

// notOfName says that a character is not of the name of a function.
func notOfName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
