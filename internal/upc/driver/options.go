package driver

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// stage is how far the compilation goes.
type stage uint8

const (
	link         stage = iota
	preprocess         // -E, -M, -MM
	assembly           // -S
	object             // -c
	syntaxOnly         // -fsyntax-only
	informations       // no sources: the compiler is only asked something, as by --version
)

// command is a command line that was understood.
type command struct {
	stage     stage
	output    string // of -o, or ""
	threads   int    // of -T; 0 is the dynamic THREADS environment
	mpicc     string // of --mpicc, or ""
	native    string // of --native, or ""
	saveTemps bool
	tempsBy   bool // intermediate files go beside the output
	verbose   bool // -v: commands are shown
	noWarn    bool // -w
	werror    bool // -Werror
	help      bool
	shared    bool      // -shared or -r: no program is made
	checks    *checking // of upc-check, or nil
	races     bool      // accesses are recorded, for the detection of data races
	words     []word
	deps      dependencies
}

// word is an option with its arguments, or an input.
type word struct {
	text []string
	use  use
	// lang is set of inputs: "upc", or what -x says, or "" for what the compiler makes of the name. explicit says that
	// -x has said it.
	lang     string
	explicit bool
	input    bool
}

// use says which steps of the compilation an option is for.
type use uint8

const (
	forPreprocessor use = 1 << iota
	forCompiler
	forLinker
	forAll = forPreprocessor | forCompiler | forLinker
)

// dependencies are the options of -MD and its like, for whose results the name of the object must be known.
type dependencies struct {
	wanted       bool // -MD or -MMD
	file, target bool // -MF; -MT or -MQ
}

// withArgument are gcc's options whose argument may be a separate word, and what they are for.
var withArgument = map[string]use{
	"-I": forPreprocessor, "-D": forPreprocessor, "-U": forPreprocessor, "-include": forPreprocessor,
	"-imacros": forPreprocessor,
	"-isystem": forPreprocessor, "-iquote": forPreprocessor, "-idirafter": forPreprocessor, "-iprefix": forPreprocessor,
	"-iwithprefix": forPreprocessor, "-iwithprefixbefore": forPreprocessor, "-imultilib": forPreprocessor,
	"-isysroot": forAll,
	"-MF":       forPreprocessor, "-MT": forPreprocessor, "-MQ": forPreprocessor, "-Xpreprocessor": forPreprocessor,
	"-Xassembler": forCompiler, "--param": forCompiler | forLinker, "-aux-info": forCompiler, "-dumpbase": forCompiler,
	"-dumpdir": forCompiler,
	"-L":       forLinker, "-l": forLinker, "-Xlinker": forLinker, "-u": forLinker, "-z": forLinker, "-e": forLinker,
	"--entry": forLinker,
	"-B":      forAll, "-specs": forAll, "--sysroot": forAll, "-wrapper": forAll, "-target": forAll,
	"-framework": forLinker, "-A": forPreprocessor,
}

// joined are the starts of options that go to one step only, with their argument in the same word.
var joined = []struct {
	start string
	use   use
}{
	{"-Wp,", forPreprocessor}, {"-Wa,", forCompiler}, {"-Wl,", forLinker},
	{"-include", forPreprocessor}, {"-imacros", forPreprocessor}, {"-isystem", forPreprocessor},
	{"-iquote", forPreprocessor},
	{"-idirafter", forPreprocessor}, {"-I", forPreprocessor}, {"-D", forPreprocessor}, {"-U", forPreprocessor},
	{"-M", forPreprocessor},
	{"-L", forLinker}, {"-l", forLinker},
}

// linkOnly are options that the linker alone understands.
var linkOnly = []string{"-static", "-shared", "-r", "-rdynamic", "-s", "-pie", "-no-pie", "-static-pie",
	"-nostartfiles", "-nodefaultlibs",
	"-nostdlib", "-nolibc", "-static-libgcc", "-shared-libgcc", "-symbolic"}

// ours are the options that gcc does not have, and the ones of gcc that are treated here and are long enough to be
// misspelt.
var ours = []string{"--check", "--mpicc", "--native", "--save-temps", "--help"}

// parseOptions understands a command line of upcc, or of upc-check if check is not nil. An error is wrong usage, in one
// sentence.
func parseOptions(args []string, check *checking) (*command, error) {
	args, err := expand(args, 0)
	if err != nil {
		return nil, err
	}
	c := &command{checks: check}
	p := &optionParser{command: c, args: args}
	for p.at < len(p.args) {
		if err := p.option(); err != nil {
			return nil, err
		}
	}
	c.settleLanguages()
	return c, c.check()
}

type optionParser struct {
	*command
	args []string
	at   int
	lang string // of -x
}

// argument is what follows the option, in the same word after its name or as the next word.
func (p *optionParser) argument(option, inWord string) (string, error) {
	if inWord != "" {
		return inWord, nil
	}
	if p.at >= len(p.args) {
		return "", fmt.Errorf("%s needs an argument", option)
	}
	p.at++
	return p.args[p.at-1], nil
}

func (p *optionParser) option() (err error) {
	arg := p.args[p.at]
	p.at++
	if arg == "-" || !strings.HasPrefix(arg, "-") {
		p.words = append(p.words, word{text: []string{arg}, lang: p.language(arg), explicit: p.lang != "", input: true})
		return nil
	}
	name, value, hasValue := strings.Cut(arg, "=")
	if name == "--check" {
		return p.checkWhat(arg, value)
	}
	if p.checks != nil {
		if known, err := p.checkOption(arg); known || err != nil {
			return err
		}
	}
	switch {
	case arg == "-E", arg == "-M", arg == "-MM":
		p.stage = preprocess
		if arg != "-E" {
			p.words = append(p.words, word{text: []string{arg}, use: forPreprocessor})
		}
	case arg == "-S":
		p.advance(assembly)
	case arg == "-c":
		p.advance(object)
	case arg == "-fsyntax-only":
		p.advance(syntaxOnly)
	case strings.HasPrefix(arg, "-o") && arg != "-openmp":
		p.output, err = p.argument("-o", arg[2:])
	case strings.HasPrefix(arg, "-T"):
		text, err := p.argument("-T", strings.TrimPrefix(arg[2:], "="))
		if err != nil {
			return fmt.Errorf("-T needs a number of threads")
		}
		return p.threadsOption("-T "+text, text, "; hint: pass a linker script with -Wl,-T,"+text)
	case strings.HasPrefix(arg, "-fupc-threads-"):
		return p.threadsOption(arg, arg[len("-fupc-threads-"):], "")
	case strings.HasPrefix(arg, "-x"):
		p.lang, err = p.argument("-x", arg[2:])
		if p.lang == "none" {
			p.lang = ""
		}
	case name == "--mpicc":
		if hasValue && value == "" {
			return fmt.Errorf("--mpicc= needs a compiler")
		}
		p.mpicc, err = p.argument("--mpicc", value)
	case name == "--native":
		if hasValue && value == "" {
			return fmt.Errorf("--native= needs a compiler")
		}
		p.native, err = p.argument("--native", value)
	case name == "--save-temps", name == "-save-temps":
		p.saveTemps, p.tempsBy = true, value == "obj"
	case arg == "--help":
		p.help = true
	case arg == "-v":
		p.verbose = true
		p.other(arg, forAll)
	case arg == "-w":
		p.noWarn = true
		p.other(arg, forAll)
	case arg == "-Werror":
		p.werror = true
		p.other(arg, forAll)
	default:
		return p.passed(arg, name)
	}
	return err
}

// advance sets the last step, unless an earlier one was asked for already.
func (p *optionParser) advance(s stage) {
	if p.stage == link || p.stage == object && s == assembly || s == syntaxOnly && p.stage != preprocess {
		p.stage = s
	}
}

func (p *optionParser) other(arg string, u use) {
	p.words = append(p.words, word{text: []string{arg}, use: u})
}

// threadsOption reads the number of threads of the static THREADS environment from an option.
func (p *optionParser) threadsOption(option, text, hint string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%s: expected a number of threads%s", option, hint)
	}
	if n < 1 || n > maxThreads {
		return fmt.Errorf("%s: expected 1 to %d threads", option, maxThreads)
	}
	p.threads = n
	return nil
}

// maxThreads is what a pointer-to-shared of the run-time has room for.
const maxThreads = 1024

// passed takes an option that is passed to the compiler.
func (p *optionParser) passed(arg, name string) error {
	if err := misspelt(name); err != nil {
		return err
	}
	if u, ok := withArgument[arg]; ok {
		value, err := p.argument(arg, "")
		if err != nil {
			return err
		}
		p.words = append(p.words, word{text: []string{arg, value}, use: u})
		p.dependencyOption(arg)
		return nil
	}
	u := forAll
	for _, j := range joined {
		if strings.HasPrefix(arg, j.start) {
			u = j.use
			break
		}
	}
	if slices.Contains(linkOnly, arg) {
		u = forLinker
		p.shared = p.shared || arg == "-shared" || arg == "-r"
	}
	p.other(arg, u)
	p.dependencyOption(arg)
	return nil
}

// dependencyOption notes what is said of the file of dependencies.
func (p *optionParser) dependencyOption(arg string) {
	switch {
	case arg == "-MD", arg == "-MMD":
		p.deps.wanted = true
	case strings.HasPrefix(arg, "-MF"):
		p.deps.file = true
	case strings.HasPrefix(arg, "-MT"), strings.HasPrefix(arg, "-MQ"):
		p.deps.target = true
	}
}

// misspelt tells of an option that differs from one of ours in a letter or two. It is not for gcc, which has none so
// near.
func misspelt(name string) error {
	plain := strings.ReplaceAll(strings.TrimLeft(name, "-"), "_", "-")
	if len(plain) < 4 {
		return nil
	}
	for _, option := range ours {
		if finding.Distance(plain, strings.TrimLeft(option, "-")) <= 1 {
			return fmt.Errorf("no option %s; hint: did you mean %s?", name, option)
		}
	}
	return nil
}

// language is how an input is to be treated: as UPC by its name, or as -x says. Sources in C are UPC too, as with other
// UPC compilers: Makefiles of UPC programs count on it. -x upc does not make sources of objects and libraries, so that
// "upcc -x upc" can be the CC of a Makefile.
func (p *optionParser) language(path string) string {
	if p.lang != "" && !(p.lang == "upc" && linked(path)) {
		return p.lang
	}
	switch filepath.Ext(path) {
	case ".upc", ".c":
		return "upc"
	}
	return ""
}

// settleLanguages leaves sources in C to a native compiler, which knows what they are to it.
func (c *command) settleLanguages() {
	for i, w := range c.words {
		if c.native != "" && w.input && !w.explicit && filepath.Ext(w.text[0]) == ".c" {
			c.words[i].lang = ""
		}
	}
}

// check finds out what is wrong with a whole command line.
func (c *command) check() error {
	inputs, sources := 0, 0
	for _, w := range c.words {
		if w.input {
			inputs++
			if w.lang == "upc" || compiled(w) {
				sources++
			}
		}
	}
	switch {
	case c.help:
	case c.native != "" && c.mpicc != "":
		return fmt.Errorf("--mpicc conflicts with --native: a native UPC compiler needs no MPI library")
	case inputs == 0 && len(c.words) > 0:
		c.stage = informations
	case inputs == 0:
		return fmt.Errorf("no input files; hint: %s -o program program.upc", c.name())
	case c.output != "" && sources > 1 && (c.stage == object || c.stage == assembly || c.stage == preprocess):
		return fmt.Errorf("-o %s cannot name the outputs of %d sources; hint: omit -o, or compile one source at a time",
			c.output, sources)
	}
	return nil
}

// compiled says that an input that is not UPC is a source that the compiler makes an object of.
func compiled(w word) bool {
	if w.lang != "" {
		return true
	}
	switch filepath.Ext(w.text[0]) {
	case ".c", ".i", ".s", ".S", ".sx":
		return true
	}
	return false
}

// linked says that an input is an object or a library by its name: libx.so.1 is one.
func linked(path string) bool {
	switch filepath.Ext(path) {
	case ".o", ".a", ".so", ".lo", ".obj":
		return true
	}
	return strings.Contains(filepath.Base(path), ".so.")
}

// arguments are the options for a step, in the order of the command line.
func (c *command) arguments(u use) []string {
	var all []string
	for _, w := range c.words {
		if !w.input && w.use&u != 0 {
			all = append(all, w.text...)
		}
	}
	return all
}
