package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
)

// Name is that of the file of a project.
const Name = ".unknot.toml"

// file is one that was read.
type file struct {
	path    string
	content map[string]any
}

// find reads the nearest file from a directory upwards; nil if there is none.
func find(dir string) (*file, error) {
	for {
		path := filepath.Join(dir, Name)
		text, err := os.ReadFile(path)
		switch {
		case err == nil:
			return parse(path, text)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return nil, fmt.Errorf("%w; hint: remove the file, or make it readable", err)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil, nil
		}
		dir = up
	}
}

func parse(path string, text []byte) (*file, error) {
	if err := trusted(path); err != nil {
		return nil, err
	}
	f := &file{path: path}
	if err := toml.Unmarshal(text, &f.content); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			row, column := at.Position()
			return nil, fmt.Errorf("%s:%d:%d: %w; hint: see docs/configuration.md", path, row, column, err)
		}
		return nil, fmt.Errorf("%s: %w; hint: see docs/configuration.md", path, err)
	}
	return f, nil
}

// trusted says what is wrong with a file that others may have written: options name programs that unknot starts.
func trusted(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	const byOthers = 0o002
	owner, known := info.Sys().(*syscall.Stat_t)
	switch {
	case known && owner.Uid != 0 && int(owner.Uid) != os.Getuid():
		return fmt.Errorf("%s belongs to another user; hint: copy it into a directory of yours, nearer to where you work",
			path)
	case info.Mode().Perm()&byOthers != 0:
		return fmt.Errorf("%s may be changed by every user; hint: chmod o-w %s", path, path)
	}
	return nil
}

// options are those that the file gives to a command: those of its table, and those before the first table.
func (f *file) options(command string, commands Commands) (options []Given, err error) {
	fresh := commands()
	names := slices.Sorted(maps.Keys(fresh))
	every, own := union(fresh), commands()[command]
	for _, key := range slices.Sorted(maps.Keys(f.content)) {
		table, isTable := f.content[key].(map[string]any)
		switch {
		case isTable && fresh[key] == nil:
			return nil, fmt.Errorf("%s: [%s]: there is no such command; hint: %s", f.path, key,
				closest(key, names, "the tables are called run, explore, …"))
		case !isTable && every.Lookup(key) == nil:
			return nil, f.unknown(key, "", every)
		case !isTable || key != command:
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			if own.Lookup(name) == nil {
				return nil, f.unknown(name, command, own)
			}
			if options, err = f.add(options, name, table[name], own); err != nil {
				return nil, err
			}
		}
	}
	has := namesOf(options)
	for _, name := range slices.Sorted(maps.Keys(f.content)) {
		if _, isTable := f.content[name].(map[string]any); isTable || own.Lookup(name) == nil || slices.Contains(has, name) {
			continue
		}
		if options, err = f.add(options, name, f.content[name], own); err != nil {
			return nil, err
		}
	}
	return options, nil
}

func (f *file) unknown(name, command string, flags *pflag.FlagSet) error {
	var all []string
	flags.VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	table, of := "", "no command has an option of this name"
	if command != "" {
		table, of = "["+command+"] ", "`unknot "+command+"` has no option of this name"
	}
	return fmt.Errorf("%s: %s%s: %s; hint: %s", f.path, table, name, of,
		closest(name, all, "see docs/configuration.md"))
}

// add takes in the value of one option, or its values.
func (f *file) add(options []Given, name string, value any, flags *pflag.FlagSet) ([]Given, error) {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, v := range list {
		text, err := textOf(v)
		if err == nil {
			text = f.beside(name, text)
			err = cause(flags.Set(name, text))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s = %v: %w", f.path, name, v, err)
		}
		options = append(options, Given{name, text, f.path})
	}
	return options, nil
}

func textOf(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("must be a text, a number, true or false, or a list of these")
}

// beside makes the path of a file that is read relative to the directory of the settings. What is written goes where
// the command runs.
func (f *file) beside(name, value string) string {
	if !slices.Contains([]string{"suppressions", "baseline", "plan", "user-code", "library"}, name) || value == "" {
		return value
	}
	paths := strings.Split(value, ",")
	if name != "user-code" && name != "library" {
		paths = []string{value}
	}
	for i, p := range paths {
		if !filepath.IsAbs(p) {
			paths[i] = filepath.Join(filepath.Dir(f.path), p)
		}
	}
	return strings.Join(paths, ",")
}
