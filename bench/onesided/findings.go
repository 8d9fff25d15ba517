package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// found is a finding of a report: what it is, and the lines that it names.
type found struct {
	code, severity string
	lines          []string // FILE:LINE
}

// findings are those of a report in JSON that are errors or warnings.
func findings(path string) (all []found, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var report struct{ Findings []map[string]any }
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	for _, f := range report.Findings {
		severity, _ := f["severity"].(string)
		if severity != "error" && severity != "warning" {
			continue
		}
		code, _ := f["code"].(string)
		one := found{code: code, severity: severity}
		one.take(f["places"])
		one.take(f["related"])
		slices.Sort(one.lines)
		one.lines = slices.Compact(one.lines)
		all = append(all, one)
	}
	return all, nil
}

// take takes the places of a report: the calls of a finding, and those that its notes mention.
func (f *found) take(list any) {
	all, _ := list.([]any)
	for _, one := range all {
		place, _ := one.(map[string]any)
		file, is := place["file"].(string)
		if line, ok := place["line"].(float64); is && ok {
			f.lines = append(f.lines, fmt.Sprintf("%s:%.0f", filepath.Base(file), line))
		}
	}
}

// marked are the lines of a source whose accesses race if a synchronisation is missing.
func marked(source string) (lines []string, err error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if n++; strings.Contains(line, "// race") {
			lines = append(lines, fmt.Sprintf("%s:%d", filepath.Base(source), n))
		}
	}
	return lines, nil
}

// describe says what was found, and whether it is at the places that are marked.
func describe(all []found, marks []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	var words []string
	for _, f := range all {
		text := fmt.Sprintf("`%s`", f.code)
		if f.severity == "warning" {
			text += " (warning)"
		}
		elsewhere := slices.DeleteFunc(slices.Clone(f.lines), func(l string) bool { return slices.Contains(marks, l) })
		switch {
		case len(f.lines) == 0:
			text += " without a place"
		case len(elsewhere) > 0:
			text += " also at " + strings.Join(elsewhere, ", ")
		default:
			text += " at the places"
		}
		words = append(words, text)
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), "; ")
}
