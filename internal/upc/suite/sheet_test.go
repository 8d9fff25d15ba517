//go:build !quick

package suite

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"unknot/internal/upc/check/catalogue"
)

// A sheet is a program with mistakes as functions, with wrapped calls in the way of instrumented sources.
type sheet struct {
	bytes.Buffer
	wrapped map[string]bool
	sites   int
}

var libraryCall = regexp.MustCompile(`\bupc_\w+\(`)

// instrument puts wrappers for the calls of library functions.
func (p *sheet) instrument(text string, m *mistake, sites *[]string) string {
	at := libraryCall.FindStringIndex(text)
	if at == nil {
		return text
	}
	name := text[at[0] : at[1]-1]
	depth, end := 1, at[1]
	start, args := end, []string{}
	for ; depth > 0 && end < len(text); end++ {
		switch text[end] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		}
		if (text[end] == ',' && depth == 1) || depth == 0 {
			if end > start {
				args = append(args, strings.TrimSpace(text[start:end]))
			}
			start = end + 1
		}
	}
	rest := p.instrument(text[end:], m, sites)
	if !p.wrapped[name] {
		return text[:at[1]] + p.instrument(text[at[1]:end], m, sites) + rest
	}
	before := strings.TrimSpace(text[:at[0]])
	unused := 0
	if before == "" || strings.HasSuffix(before, ";") {
		unused = 1
	}
	k := p.sites
	p.sites++
	var texts, shapes []string
	for i := range len(args) + 1 { // and the result
		if i < len(args) {
			texts = append(texts, fmt.Sprintf("{%q, 0}", args[i]))
		}
		shape := "{-1, 0, 0, 0, 0, 0, -1, -1}"
		if s := m.shapes[i]; s != "" && name == m.row.Function {
			shape = s
		}
		shapes = append(shapes, shape)
	}
	if len(texts) == 0 {
		texts = []string{"{0, 0}"}
	}
	*sites = append(*sites, fmt.Sprintf("static const struct upck_arg args_%d[] = {%s};\nstatic struct upck_shape "+
		"shapes_%[1]d[] = {%[3]s};\n"+
		"static const struct upck_site site_%[1]d = {%[4]q, %[5]q, \"main\", %[6]d, %[7]d, args_%[1]d, 0, "+
		"shapes_%[1]d, %[8]d};\n",
		k, strings.Join(texts, ", "), strings.Join(shapes, ", "), name, m.file, m.line, len(args), unused))
	call := fmt.Sprintf("upckw_%s(&site_%d", name, k)
	for _, a := range args {
		call += ", " + p.instrument(a, m, sites)
	}
	return text[:at[0]] + call + ")" + rest
}

const sheetPreamble = `#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_tick.h>
#include <upc_castable.h>
#include "upck_args.h"
#include "ledger_transfers.h"
#include "standin.h"
shared int somewhere;
shared int cyclic[8 * THREADS];
shared [2] int pairs[2 * THREADS];
shared [] int together[8];
static long x;
static char somewhat;
static int compare(shared void *a, shared void *b) { (void)a, (void)b; return 0; }
`

func (p *sheet) write(all []mistake) {
	p.WriteString(sheetPreamble)
	for _, f := range catalogue.Functions() {
		if f.Wrapped() {
			p.wrapped[f.Name] = true
			params := []string{"const struct upck_site *"}
			for _, a := range f.Params {
				params = append(params, a.Declaration())
			}
			fmt.Fprintf(p, "%s upckw_%s(%s);\n", f.Result, f.Name, strings.Join(params, ", "))
		}
	}
	for _, t := range []string{"signed char", "unsigned char", "signed short", "unsigned short", "signed int",
		"unsigned int", "signed long", "unsigned long", "float", "double", "long double"} {
		fmt.Fprintf(p, "static %s add_%s(%[1]s a, %[1]s b) { return a + b; }\n", t, strings.ReplaceAll(t, " ", "_"))
	}
	for i := range all {
		m := &all[i]
		var sites []string
		text := map[string]string{}
		for which, call := range map[string]string{"bad": m.bad, "good": m.good} {
			own := strings.NewReplacer("CASE", fmt.Sprint(i), `("file"`, fmt.Sprintf(`("file_%s_%d"`, which, i),
				`("./good"`, fmt.Sprintf(`("./good_%s_%d"`, which, i), `("good"`, fmt.Sprintf(`("good_%s_%d"`, which,
					i), `("plain"`, fmt.Sprintf(`("plain_%s_%d"`, which, i))
			var body strings.Builder
			for _, s := range m.setup {
				fmt.Fprintf(&body, "\t%s\n", p.instrument(own.Replace(s), m, &sites))
			}
			fmt.Fprintf(&body, "\tif (setjmp(standin_now.back) == 0) {\n\t\t%s;\n\t}\n",
				p.instrument(own.Replace(call), m, &sites))
			if !strings.Contains(strings.Join(m.setup, " ")+call, "upc_notify") {
				// Nothing is freed before all threads have checked: what one that is ahead has freed is not reported
				// any more, and then the threads would carry out different operations.
				body.WriteString("\tupc_barrier;\n")
			}
			for _, s := range m.cleanup {
				fmt.Fprintf(&body, "\t%s\n", p.instrument(s, m, &sites))
			}
			text[which] = body.String()
		}
		var before []string
		for _, s := range m.before {
			before = append(before, p.instrument(strings.ReplaceAll(s, "CASE", fmt.Sprint(i)), m, &sites))
		}
		p.WriteString(strings.Join(sites, "") + strings.Join(before, "\n") + "\n")
		fmt.Fprintf(p, "static void bad_%d(void)\n{\n%s}\nstatic void good_%[1]d(void)\n{\n%[3]s}\n", i, text["bad"],
			text["good"])
	}
	p.WriteString("int main(void)\n{\n\tint several = getenv(\"UPC_NODE_THREADS\") != 0;\n")
	for i, m := range all {
		asked := map[bool]string{false: "", true: "!"}[!m.row.Asked]
		only := ""
		if m.nodes {
			only = " && several"
		}
		fmt.Fprintf(p, "\tif (%supck_suspicious()%s)\n\t\tfor (int bad = 1; bad >= 0; bad--) {\n\t\t\tstandin_now.id "+
			"= %q;\n\t\t\tstandin_now.bad = bad;\n\t\t\tupc_barrier;\n\t\t\tbad ? bad_%d() : "+
			"good_%[4]d();\n\t\t\tupc_barrier;\n\t\t}\n",
			asked, only, m.row.ID, i)
	}
	p.WriteString("\tstandin_now.id = \"end\";\n\tif (MYTHREAD == 0)\n\t\tprintf(\"done\\n\");\n\treturn 0;\n}\n")
}
