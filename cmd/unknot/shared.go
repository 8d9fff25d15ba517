package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"unknot/cmd/unknot/complete"
	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/predict/exact"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

// Options that several commands have, or that share their value with another option.

func (o options) color(p *string) {
	o.choice(p, "color", "colour the report on standard error", "auto", "always", "never")
}

// files defines the options that say where a result is written.
func (o options) files(f *supervise.Files) {
	o.of.Flags().StringArrayVar(&f.Reports, "report", f.Reports, "write a report, in the format of its suffix: "+
		".html, .json, .sarif, .xml (JUnit),\n.codequality.json (GitLab), .md or .dot; may be repeated")
	o.takes("report", "FILE", nil)
	o.file(&f.JSON, "json", "FILE", "write the findings as JSON, whatever the suffix")
	o.text(&f.Editor, "editor", "NAME", "let the lines of a page, and of a terminal that has links, open in vscode, "+
		"idea, or by\nan address with {file} and {line} in it (default none)", complete.Words("none", "vscode", "idea"))
}

// json defines the option of commands that can say in JSON what they print.
func (o options) json(p *bool) {
	o.on(p, "json", "print JSON (docs/json.md)")
}

// writeJSON writes a document for other programs. Plain data always encodes.
func writeJSON(to io.Writer, document any) {
	text, _ := json.MarshalIndent(document, "", "  ")
	fmt.Fprintf(to, "%s\n", text)
}

// showConfig is the option that is answered before the command runs; see configured.
const showConfig = "show-config"

// settings defines the option that shows which options are in effect.
func (o options) settings() {
	o.of.Flags().Bool(showConfig, false, "print the options in effect and where each was given, and do nothing else")
}

func (o options) progress(p *string) {
	o.file(p, "progress", "FILE", "write progress as JSON lines to a file, a pipe or a descriptor "+
		"(/dev/fd/3)")
}

func (o options) baseline(f *supervise.Files) {
	o.file(&f.Baseline, "baseline", "FILE.json", "findings that this saved report has do not set the exit status")
}

// failOn defines the option that says what sets the exit status of a run.
func (o options) failOn(p *string) {
	o.choice(p, "fail-on", "lowest severity that sets the exit status (default error)", string(finding.Error),
		string(finding.Warning))
}

func (o options) compiler(p *string) {
	o.text(p, "mpicc", "PATH", "compiler wrapper of the program's MPI library (default: detected)",
		complete.Program(complete.IsWrapper))
}

func (o options) buffering(kind *exact.Buffering, limit *int64) {
	o.value(buffering{kind, limit}, "buffering", "=B",
		"which sends MPI may buffer: any (default), none, infinite, or messages of up to so many bytes",
		complete.Words("any", "none", "infinite"))
}

// switches defines an option that switches a code on, as --check does, or off if it is false.
func (o options) switches(s *check.Selection, code finding.Code, name, about string) {
	o.of.Flags().BoolFunc(name, about, func(text string) error {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return errors.New("must be true or false")
		}
		return registry.Choose(s, string(code), on)
	})
}
