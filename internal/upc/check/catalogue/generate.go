package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Sources are the wrappers and the tables of the catalogue, by file names: sources *.upc, and headers. With the
// run-time of the checker they are one library. Native compilers get them with -DUPCK_NATIVE: functions that UPC 1.3
// does not have are left out then.
func Sources() map[string]string {
	out := map[string]string{}
	all := Functions()
	out["upck_ops.h"] = operations(all)
	out["upck_functions.upc"] = tables(all)
	for _, f := range all {
		if f.Wrapped() {
			name := "upckw_" + f.module() + ".upc"
			if out[name] == "" {
				out[name] = f.head()
			}
			out[name] += f.wrapper() + f.pointed()
		}
	}
	for name, text := range out {
		if strings.HasPrefix(name, "upckw_") {
			out[name] = text + "\n#endif\n"
		}
	}
	return out
}

// module is the part of the library that the wrapper goes to: what a program does not use is not linked.
func (f *Function) module() string {
	if f.file != "" {
		return f.file
	}
	return strings.TrimSuffix(strings.TrimPrefix(f.Header, "upc_"), ".h")
}

const generated = "/* Generated from the table in internal/upc/check/catalogue. */\n"

// head is what a file of wrappers begins with. A library that a compiler does not have leaves its file empty.
func (f *Function) head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s#include <stddef.h>\n#include <stdint.h>\n", generated)
	switch {
	case f.native != "":
		fmt.Fprintf(&b, "#if !defined UPCK_NATIVE || defined %s\n", f.native)
	case f.Feature != "":
		fmt.Fprintf(&b, "#ifdef %s\n", f.Feature)
	default:
		b.WriteString("#ifdef __UPC__\n")
	}
	fmt.Fprintf(&b, "#include <upc.h>\n#include <%s>\n#include \"upck_args.h\"\n#include \"ledger_files.h\"\n#include "+
		"\"ledger_domains.h\"\n#include \"ledger_transfers.h\"\n", f.Header)
	return b.String()
}

// wrapper is upckw_NAME: the checks, the protocol, the call, the ledgers.
func (f *Function) wrapper() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s;\n%[1]s\n{\n", f.prototype("upckw_", "const struct upck_site *site"))
	line := func(format string, args ...any) { fmt.Fprintf(&b, "\t"+format+"\n", args...) }
	if !f.Collective && len(f.then) == 0 && !slices.ContainsFunc(f.Rows,
		func(r Row) bool { return r.Where == Wrapper }) {
		line("(void)site;")
	}
	if does := f.does(); does != "" {
		line("upck_within(site, \"%s\");", does)
	}
	for _, s := range f.before {
		line("%s", s)
	}
	f.checks(line, false)
	if f.Collective {
		f.compare(line)
	}
	for _, s := range f.call {
		line("%s", s)
	}
	f.checks(line, true)
	call := f.callOf("")
	switch {
	case f.Name == "upc_lock":
		line("if (ptr == 0 || !upck_locking(site, (shared void *)ptr))")
		line("\tupc_lock(ptr);")
		line("upck_locked(site, (shared void *)ptr, 1);")
	case f.Name == "upc_lock_attempt":
		line("upck_attempting(site, (shared void *)ptr);")
		line("int result = upc_lock_attempt(ptr);")
		line("upck_locked(site, (shared void *)ptr, result);")
	case f.Result == "void":
		line("%s;", call)
	default:
		line("%s result = %s;", f.Result, call)
	}
	for _, s := range f.then {
		line("%s", s)
	}
	if f.Collective {
		line("upck_done();")
	}
	if f.Result != "void" {
		line("return result;")
	}
	b.WriteString("}\n")
	return b.String()
}

const writesShared = "writes to shared memory"

// does says what a function of a reduction is not to do that calls this one, in words that follow its name, or "".
func (f *Function) does() string {
	switch {
	case f.Collective:
		return "executes a collective operation"
	case f.Name == "upc_lock" || f.Name == "upc_lock_attempt" || f.Name == "upc_unlock":
		return "executes a lock operation"
	case f.writes != "":
		return f.writes
	}
	return ""
}

// pointed is upckp_NAME, whose address the program has where it takes that of the function: the same with a place that
// is not known.
func (f *Function) pointed() string {
	back := "return "
	if f.Result == "void" {
		back = ""
	}
	site := fmt.Sprintf("static const struct upck_site site = {.call = \"%s\", .file = \"a call through a pointer\"};",
		f.Name)
	return fmt.Sprintf("\n%s;\n%[1]s\n{\n\t%s\n\t%s%s;\n}\n", f.prototype("upckp_"), site, back,
		f.callOf("upckw_", "&site"))
}

// prototype declares a function like this one, with another name and parameters before its own.
func (f *Function) prototype(prefix string, params ...string) string {
	for _, p := range f.Params {
		params = append(params, p.Declaration())
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	return strings.Replace(fmt.Sprintf("%s %s%s(%s)", f.Result, prefix, f.Name, strings.Join(params, ", ")),
		"* ", "*", 1)
}

// callOf calls such a function with this one's parameters.
func (f *Function) callOf(prefix string, args ...string) string {
	for _, p := range f.Params {
		args = append(args, p.Name)
	}
	return fmt.Sprintf("%s%s(%s)", prefix, f.Name, strings.Join(args, ", "))
}

func (f *Function) checks(line func(string, ...any), ready bool) {
	for _, r := range f.Rows {
		if r.Where != Wrapper || r.test == "" || r.ready != ready {
			continue
		}
		severity := "UPCK_ERROR"
		if r.Class.Severity() == "warning" {
			severity = "UPCK_WARNING"
		}
		line("if (%s)", r.test)
		line("\tupck_wrong(site, \"%s\", %s, %d, %s);", r.ID, severity, r.index, r.words)
	}
}

// compare hands the values of single-valued arguments to the protocol.
func (f *Function) compare(line func(string, ...any)) {
	values := "0"
	if len(f.values) > 0 {
		var made []string
		for _, v := range f.values {
			made = append(made, v.make)
		}
		line("struct upck_value values[] = {%s};", strings.Join(made, ", "))
		values = "values"
	}
	line("upck_collective(site, UPCK_OP_%s, %s, %d, %s);", f.Name, f.Sync, len(f.values), values)
}

// symbols of the statements, which have no names that C allows.
var symbols = map[string]string{"upc_notify": "NOTIFY", "upc_wait": "WAIT", "upc_barrier": "BARRIER",
	"upc_forall": "FORALL", "(end of a thread)": "END"}

func (f *Function) symbol() string {
	if s := symbols[f.Name]; s != "" {
		return s
	}
	return f.Name
}

// operations is upck_ops.h.
func operations(all []*Function) string {
	var b strings.Builder
	b.WriteString(generated + "#ifndef UPCK_OPS_H\n#define UPCK_OPS_H\n\nenum {\n")
	for _, f := range all {
		if f.operation() {
			fmt.Fprintf(&b, "\tUPCK_OP_%s = %d,\n", f.symbol(), f.Number)
		}
	}
	b.WriteString(`};

/* A collective operation: its parameters, and the rows that say that threads differ; single[i] is 0 if argument i may. part is the
   row of parts of files that other threads write, or 0. */
struct upck_function {
	const char *name;
	int op, nparams;
	const char *const *params;
	const char *deadlock, *order, *region;
	const char *const *single;
	const char *part;
};
const struct upck_function *upck_function(int op);
const struct upck_function *upck_function_named(const char *name);
/* The next step after a report, or 0. */
const char *upck_hint(const char *id);

#endif
`)
	return b.String()
}

func quoted(s string) string {
	if s == "" {
		return "0"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// tables is upck_functions.upc.
func tables(all []*Function) string {
	var lists, functions, hints strings.Builder
	same := map[string]int{} // lists of parameters, by their text: the first function that has it
	for _, f := range all {
		if !f.operation() {
			continue
		}
		var names, single []string
		for _, p := range f.Params {
			id := ""
			for _, r := range f.Rows {
				if r.Class == Single && plain(r.Argument) == p.Name && r.Where == Protocol {
					id = r.ID
				}
			}
			names, single = append(names, quoted(p.Name)), append(single, quoted(id))
		}
		if len(names) == 0 {
			names, single = []string{"0"}, []string{"0"}
		}
		params := strings.Join(names, ", ")
		if same[params] == 0 {
			same[params] = f.Number
			fmt.Fprintf(&lists, "static const char *const params_%d[] = {%s};\n", f.Number, params)
		}
		fmt.Fprintf(&lists, "static const char *const single_%d[] = {%s};\n", f.Number, strings.Join(single, ", "))
		fmt.Fprintf(&functions, "\t{\"%s\", %d, %d, params_%d, %s, %s, %s, single_%[2]d, %[8]s},\n",
			strings.Trim(f.Name, "()"), f.Number, len(f.Params), same[params],
			quoted(f.apart), quoted(f.split), quoted(f.region), quoted(f.part))
	}
	for _, f := range all {
		for _, r := range f.Rows {
			if r.Hint != "" {
				fmt.Fprintf(&hints, "\t\"%s\\0\" %s \"\\0\"\n", r.ID, quoted(r.Hint))
			}
		}
	}
	return fmt.Sprintf(`%s#include <string.h>
#include "upck.h"
#include "upck_ops.h"

%s
static const struct upck_function functions[] = {
%s};

const struct upck_function *upck_function(int op)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (functions[i].op == op)
			return &functions[i];
	return 0;
}

const struct upck_function *upck_function_named(const char *name)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	return 0;
}

/* Names and hints in turn, up to an empty name. All threads of a node share it, which they could not if it had pointers. */
static const char hints[] =
%s;

const char *upck_hint(const char *id)
{
	for (const char *name = hints; *name;) {
		const char *hint = name + strlen(name) + 1;
		if (!strcmp(name, id))
			return hint;
		name = hint + strlen(hint) + 1;
	}
	return 0;
}
`, generated, lists.String(), functions.String(), hints.String())
}
