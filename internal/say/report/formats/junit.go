package formats

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
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
	Skipped *skipped `xml:"skipped"`
	Output  *output  `xml:"system-out"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

type output struct {
	Text string `xml:",cdata"`
}

// junit has a suite with the name of its file. It has a test for the job, which sums up, and one for each finding: it
// fails if the finding sets the exit status, and passes otherwise, with the finding as its output. The test of a job
// that was not watched is skipped, as it says nothing.
func junit(w io.Writer, run *report.Retold, o *Options) error {
	time := fmt.Sprintf("%.3f", run.Seconds)
	name := cmp.Or(report.Clean(o.suite), "unknot")
	job := testcase{Name: "unknot", Class: name, Time: time, Output: &output{summary(run)}}
	s := suite{Name: name, Timestamp: strings.TrimSuffix(run.Start, "Z"), Time: time}
	if run.Unwatched() {
		job.Skipped = &skipped{report.Clean("not watched: " + run.Why)}
		s.Skipped++
	}
	s.Cases = append(s.Cases, job)
	for i, code := range named(run.Findings) {
		f := &run.Findings[i]
		c := testcase{Name: code, Class: name + "." + family(f.Code, o.Catalogue), Time: "0"}
		if at := anchor(f); at.File != "" {
			c.File, _ = o.relative(at.File)
			c.Line = at.Line
		}
		if o.counts(f) {
			c.Failure = &failure{report.Clean(f.Sentence), string(f.Code), "\n" + run.Text(f) + "\n"}
			s.Failures++
		} else {
			c.Output = &output{run.Text(f)}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(suites{Name: name, Tests: s.Tests, Failures: s.Failures, Time: time,
		Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// named are the names of findings as tests, by their codes: "leak", "leak 2" and so on.
func named(list []finding.Finding) []string {
	out, seen := make([]string, len(list)), make(map[finding.Code]int)
	for i := range list {
		code := list[i].Code
		out[i] = string(code)
		if seen[code]++; seen[code] > 1 {
			out[i] = fmt.Sprintf("%s %d", code, seen[code])
		}
	}
	return out
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

// family is the class of a test: the usual severity of its code.
func family(code finding.Code, c finding.Catalogue) string {
	if doc, known := c.Explain(code); known {
		return string(doc.Severity)
	}
	return "other"
}
