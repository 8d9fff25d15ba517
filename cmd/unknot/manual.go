package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"unknot/internal/kit/manual"
	"unknot/internal/supervise"
)

const manualHelp = `usage: unknot manual -o DIR

Writes the manual pages, unknot.1 and one for each command, into DIR. They are dated by SOURCE_DATE_EPOCH if that is set.

{options}
`

// manualCommand is for whoever installs or packages unknot.
func manualCommand() *cobra.Command {
	var dir string
	c, f := verb("manual", "-o DIR", "write the manual pages", manualHelp)
	c.Hidden = true
	f.output(&dir, "DIR", "where to put the pages")
	c.RunE = does(func(_ context.Context, args []string, _, stderr io.Writer) int {
		if dir == "" || len(args) > 0 {
			return fail(stderr, "manual: expected -o DIR and nothing else")
		}
		date, err := dateOfPages()
		if err != nil {
			return fail(stderr, "manual: %v", err)
		}
		if err := writeManual(dir, manual.Edition{Version: version, Date: date}); err != nil {
			complain(stderr, err)
			return supervise.ExitTool
		}
		return 0
	})
	return c
}

// dateOfPages is the one that builds are to use which give the same bytes each time, or today.
func dateOfPages() (time.Time, error) {
	const name = "SOURCE_DATE_EPOCH"
	text, set := os.LookupEnv(name)
	if !set {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s is %q, expected seconds since 1970; hint: git log -1 --format=%%ct", name,
			text)
	}
	return time.Unix(seconds, 0), nil
}

func writeManual(dir string, e manual.Edition) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, page := range pages(described(commands())) {
		var text bytes.Buffer
		if err := page.Write(&text, e); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, page.File()), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	alias := filepath.Join(dir, upcCheck+".1")
	if err := os.Remove(alias); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(pageOf(upcCheck)+".1", alias)
}

func pageOf(command string) string { return "unknot-" + command }

// pages are those of all commands that help describes, that of unknot first.
func pages(list []*cobra.Command) []manual.Page {
	whole := manual.Page{Name: "unknot", About: about, Help: "usage: unknot COMMAND …\n\n" + introduction}
	var others []manual.Page
	for _, c := range list {
		page := manual.Page{Name: pageOf(c.Name()), About: c.Short, Help: helpOf(c)}
		page.Related = append([]string{whole.Name}, named(page.Help, c, list)...)
		others = append(others, page)
		whole.Commands = append(whole.Commands, manual.Command{Use: "unknot " + c.Use, About: c.Short})
		whole.Related = append(whole.Related, page.Name)
	}
	return append([]manual.Page{whole}, others...)
}

// named are the pages of other commands that the help of a command names.
func named(help string, of *cobra.Command, list []*cobra.Command) (names []string) {
	words := strings.FieldsFunc(help, func(r rune) bool { return strings.ContainsRune(" \n,;:.`()", r) })
	for _, c := range list {
		for i := range len(words) - 1 {
			if c != of && words[i] == "unknot" && words[i+1] == c.Name() {
				names = append(names, pageOf(c.Name()))
				break
			}
		}
	}
	return names
}
