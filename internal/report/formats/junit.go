package formats

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/report"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     string   `xml:"time,attr"`
	Suite    suite    `xml:"testsuite"`
}

type suite struct {
	Name      string     `xml:"name,attr"`
	Tests     int        `xml:"tests,attr"`
	Failures  int        `xml:"failures,attr"`
	Errors    int        `xml:"errors,attr"`
	Skipped   int        `xml:"skipped,attr"`
	Timestamp string     `xml:"timestamp,attr,omitempty"`
	Time      string     `xml:"time,attr"`
	Cases     []testcase `xml:"testcase"`
}

type testcase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Time    string   `xml:"time,attr"`
	Failure *failure `xml:"failure"`
	Output  *output  `xml:"system-out"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type output struct {
	Text string `xml:",cdata"`
}

// junit has a test for the run, which sums up, and one for each finding that sets the exit status, which fails. A code that was looked for, or found,
// without such a finding is a test that passes, with what else there is of it as its output.
func junit(w io.Writer, run *report.Retold, o *Options) error {
	time := fmt.Sprintf("%.3f", run.Seconds)
	s := suite{Name: "unknot", Timestamp: strings.TrimSuffix(run.Start, "Z"), Time: time, Cases: []testcase{{Name: "unknot", Class: "unknot", Time: time, Output: &output{summary(run)}}}}
	for _, code := range codes(run, o) {
		failed, passed := ofCode(run, o, code)
		s.Failures += len(failed)
		if len(failed) == 0 {
			failed = []testcase{{Name: string(code)}}
		}
		if len(passed) > 0 {
			failed[0].Output = &output{strings.Join(passed, "\n\n")}
		}
		for _, c := range failed {
			c.Class, c.Time = "unknot."+family(code, o.Catalogue), "0"
			s.Cases = append(s.Cases, c)
		}
	}
	s.Tests = len(s.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(suites{Name: "unknot", Tests: s.Tests, Failures: s.Failures, Time: time, Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// ofCode are the tests that fail by the findings of a code, "leak", "leak 2" and so on, and the texts of its findings that fail none.
func ofCode(run *report.Retold, o *Options, code finding.Code) (failed []testcase, passed []string) {
	for i := range run.Findings {
		f := &run.Findings[i]
		switch {
		case f.Code != code:
			continue
		case !o.counts(f):
			passed = append(passed, run.Text(f))
			continue
		}
		c := testcase{Name: string(code), Failure: &failure{report.Clean(f.Sentence), string(code), "\n" + run.Text(f) + "\n"}}
		if n := len(failed) + 1; n > 1 {
			c.Name = fmt.Sprintf("%s %d", code, n)
		}
		if at := anchor(f); at.File != "" {
			c.File, _ = o.relative(at.File)
			c.Line = at.Line
		}
		failed = append(failed, c)
	}
	return failed, passed
}

// summary is what the test of the run says: the command, remarks, and the closing line.
func summary(run *report.Retold) string {
	all := []string{report.Clean(report.ShellLine(run.Command))}
	if run.Verdict != "" {
		all = append(all, "unknot: "+report.Clean(run.Verdict))
	}
	for _, n := range run.Notes {
		all = append(all, "unknot: note: "+report.Clean(n))
	}
	return strings.Join(append(all, run.Closing()), "\n")
}

// codes are those that were looked for, in their order, and then others that were found.
func codes(run *report.Retold, o *Options) []finding.Code {
	list, have := []finding.Code{}, make(map[finding.Code]bool)
	add := func(code finding.Code) {
		if !have[code] {
			have[code] = true
			list = append(list, code)
		}
	}
	for _, code := range o.Codes {
		add(code)
	}
	for i := range run.Findings {
		add(run.Findings[i].Code)
	}
	return list
}

// family is the class of a test: the usual severity of its code.
func family(code finding.Code, c finding.Catalogue) string {
	if doc, known := c.Explain(code); known {
		return string(doc.Severity)
	}
	return "other"
}
