package instrument

import (
	"fmt"
	"strings"
)

// preludeFile is the name that line markers give to what is not the user's; flag 3 makes it a system header, of which compilers tell no warnings.
const preludeFile = `# 1 "<upc-check>" 3`

// structs are those of upck.h.
const structs = `struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
`

// hooks are the functions of the run-time that instrumented text calls, as upck.h and rt/check/forall.upc declare them.
var hooks = [...]struct{ name, declaration string }{
	{"upck_barrier", "void upck_barrier(const struct upck_site *, int, int);"},
	{"upck_notify", "void upck_notify(const struct upck_site *, int, int);"},
	{"upck_wait", "void upck_wait(const struct upck_site *, int, int);"},
	{"upck_spins", "int upck_spins(const struct upck_site *, int);"},
	{"upck_leave", "void upck_leave(const struct upck_site *);"},
	{"upck_exit", "void upck_exit(const struct upck_site *, int) __attribute__((__noreturn__));"},
	{"upck_quit", "int upck_quit(const struct upck_site *, int);"},
	{"upck_push", "void upck_push(const struct upck_site *);"},
	{"upck_pop", "void upck_pop(void);"},
	{"upck_wrong", "void upck_wrong(const struct upck_site *, const char *, int, int, const char *, ...);"},
	{"upck_forall_begin", "void upck_forall_begin(const struct upck_site *, int);"},
	{"upck_forall_end", "void upck_forall_end(const struct upck_site *, unsigned long, unsigned long);"},
	{"upck_forall_depth", "int upck_forall_depth(void);"},
	{"upck_forall_left", "void upck_forall_left(int);"},
	{"upck_forall_integer", "unsigned long upck_forall_integer(const struct upck_site *, unsigned long, long);"},
	{"upck_forall_negative", "void upck_forall_negative(const struct upck_site *, long);"},
	{"upck_forall_pointer", "unsigned long upck_forall_pointer(const struct upck_site *, unsigned long, shared const void *);"},
	{"upck_forall_enters", "void upck_forall_enters(const struct upck_site *);"},
	{"upck_forall_setjmp", "void upck_forall_setjmp(const void *);"},
	{"upck_forall_longjmp", "void upck_forall_longjmp(const struct upck_site *, const void *);"},
}

// hook is the name of a function of the run-time, which the prelude is to declare.
func (e *editor) hook(name string) string {
	e.used[name] = true
	return name
}

// prelude is what comes before the source: declarations, and the places that the text refers to. A source without any has none.
func (e *editor) prelude() string {
	if len(e.sites)+len(e.inlineSites)+len(e.used) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(preludeFile + "\n" + structs)
	for _, h := range hooks {
		if e.used[h.name] {
			b.WriteString(h.declaration + "\n")
		}
	}
	if n := len(e.shapes); n > 0 {
		fmt.Fprintf(&b, "static struct upck_shape upck_shapes[%d];\n", n)
		table(&b, fmt.Sprintf("static const struct upck_arg upck_args[%d]", n), e.args)
	}
	if n := len(e.sites); n > 0 {
		table(&b, fmt.Sprintf("static const struct upck_site upck_sites[%d]", n), e.sites)
	}
	if n := len(e.inlineSites); n > 0 {
		declaration := fmt.Sprintf("const struct upck_site %s[%d]", e.inlineTable(), n)
		b.WriteString("extern " + declaration + ";\n")
		table(&b, declaration, e.inlineSites)
	}
	return b.String()
}

func table(b *strings.Builder, declaration string, lines []string) {
	b.WriteString(declaration + " = {\n")
	for _, s := range lines {
		b.WriteString("\t" + s + ",\n")
	}
	b.WriteString("};\n")
}

// shapesTable are the lines at the end of the source, where the objects are declared that they name.
func (e *editor) shapesTable() []string {
	if len(e.shapes) == 0 {
		return nil
	}
	lines := []string{preludeFile, fmt.Sprintf("static struct upck_shape upck_shapes[%d] = {", len(e.shapes))}
	for _, s := range e.shapes {
		lines = append(lines, "\t"+s+",")
	}
	return append(lines, "};")
}
