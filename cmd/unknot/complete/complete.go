// Package complete says what a shell completes arguments and values of commands with. A word may have its description
// after a tab.
package complete

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/observe/launch"
)

// Words completes one of a few words.
func Words(list ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return beginning(list, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

func beginning(list []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(word string) bool { return !strings.HasPrefix(word, typed) })
}

// First completes the first argument of a command that takes no other.
func First(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(c, args, typed)
	}
}

// Program completes the name of a program: those in PATH, of which only the likely ones are shown if nothing is typed
// yet; else files.
func Program(likely func(name string) bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "/") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		found := slices.DeleteFunc(beginning(installed(), typed), func(name string) bool {
			return typed == "" &&
				!likely(name)
		})
		if len(found) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// IsWrapper says whether a name is that of an MPI library's C compiler.
func IsWrapper(name string) bool {
	return strings.HasPrefix(name, "mpicc") || name == "mpiicx" || name == "mpiicc"
}

// installed lists the programs in PATH.
func installed() []string {
	var names []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && !info.IsDir() &&
				info.Mode()&0o111 != 0 {
				names = append(names, e.Name())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// UserCommand completes a command line that stands after so many arguments of ours: first its command, then files.
func UserCommand(after int) cobra.CompletionFunc {
	command := Program(launch.IsLauncher)
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == after {
			return command(c, args, typed)
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// Codes completes the code of a finding.
func Codes(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, doc := range registry.Catalogue() {
		all = append(all, cobra.CompletionWithDesc(string(doc.Code), doc.Title))
	}
	return beginning(all, typed), cobra.ShellCompDirectiveNoFileComp
}

// Checks completes the last of the checks, families and codes of a list with commas between them.
func Checks(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []string
	seen := make(map[string]bool)
	add := func(name, about string) {
		if !seen[name] {
			seen[name] = true
			all = append(all, cobra.CompletionWithDesc(before+name, about))
		}
	}
	add("all", "every check")
	for _, family := range check.Families() {
		add(string(family), "family of checks")
	}
	for _, checker := range registry.Checkers() {
		for _, doc := range checker.Codes {
			add(string(doc.Code), doc.Title)
		}
		add(checker.Name, "check of "+string(checker.Family))
	}
	return beginning(all, typed), cobra.ShellCompDirectiveNoFileComp
}

// Directories completes a directory.
func Directories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
