package catalogue

import (
	"fmt"
	"strings"
)

var places = map[Where]string{
	Wrapper:   "at the call",
	Protocol:  "between threads",
	Inserted:  "inserted",
	Loops:     "upc_forall",
	Compiler:  "compiler",
	Runtime:   "run-time",
	Elsewhere: "by",
	Races:     "data races",
	NotYet:    "not yet",
	Not:       "no",
}

// Document is docs/upc-catalogue.md.
func Document() string {
	var b strings.Builder
	counts := map[Where]int{}
	for _, r := range Rows() {
		counts[r.Where]++
	}
	fmt.Fprintf(&b, `# What is checked of UPC programs

Made from the table in internal/upc/check/catalogue; `+"`go test ./internal/upc/check/catalogue -run Document -update`"+` writes it. [How to use it](upc.md).

Each row is one report. Its last column says where the report is made:

| | | rows |
|---|---|---|
| at the call | by the function's wrapper, from what this thread knows | %d |
| between threads | by comparing threads, and by tracking locks and thread exits | %d |
| inserted | by a check that is inserted into the source, from what threads know of shared objects | %d |
| upc_forall | by the calls that are inserted into loops | %d |
| compiler | when the program is compiled, as the named constraint | %d |
| run-time | by the runtime of compiled programs, whether checked or not | %d |
| by … | the same error is reported by another row | %d |
| data races | as [upc-race](findings/upc-race.md), of programs that are compiled with `+"`upc-check --race` or `unknot upcc --check=race`"+` | %d |
| not yet | the row says what it requires to know | %d |
| no | the row says why not | %d |

Errors are what the specification leaves undefined; suspicious, leaked and portability rows are warnings. Those marked "if asked" are legal, and reported only with
`+"`UPCCHECK_SUSPICIOUS=TRUE`"+`. Where something is unknown, such as an object allocated by a library that was compiled without checks, nothing is reported.
`, counts[Wrapper], counts[Protocol], counts[Inserted], counts[Loops], counts[Compiler], counts[Runtime], counts[Elsewhere], counts[Races], counts[NotYet], counts[Not])
	for _, f := range Functions() {
		fmt.Fprintf(&b, "\n## %s\n\n", f.Name)
		if f.Wrapped() {
			var params []string
			for _, p := range f.Params {
				params = append(params, p.Declaration())
			}
			fmt.Fprintf(&b, "`%s %s(%s)`", f.Result, f.Name, strings.Join(params, ", "))
			if f.Collective {
				b.WriteString(", collective")
			}
			b.WriteString("\n\n")
		}
		b.WriteString("| row | argument | class | reported if | where |\n|---|---|---|---|---|\n")
		for _, r := range f.Rows {
			where := places[r.Where]
			switch r.Where {
			case Compiler, Runtime, Elsewhere, NotYet, Not:
				where += ": " + r.By
			case Inserted:
				if r.By != "" {
					where += ", " + r.By
				}
			}
			if r.Asked {
				where += ", if asked"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.ID, r.Argument, r.Class, r.When, where)
		}
	}
	return b.String()
}
