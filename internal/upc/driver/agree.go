package driver

import (
	"debug/elf"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/upc/layout"
)

// declared is what one source says of a shared external object.
type declared struct{ name, typ, place string }

// claims are what the sources of a program say.
type claims struct {
	objects []declared
	// threads are the numbers of threads that sources were compiled for, by the source; dynamic ones are left out.
	threads []declared
	// sources are those that were compiled, and checked those of them that upc-check has compiled.
	sources []string
	checked map[string]bool
	// layouts are the versions of what sources say, by the source.
	layouts map[string]string
	// without are the checks that some source was compiled without.
	without layout.Without
	// recorded are the sources whose accesses are recorded.
	recorded map[string]bool
}

// readClaims reads the section of a program or object; a file without it, or one that is no ELF file, has none.
func readClaims(path string) (claims, error) {
	c := claims{checked: map[string]bool{}, layouts: map[string]string{}, recorded: map[string]bool{}}
	f, err := elf.Open(path)
	var format *elf.FormatError
	if errors.As(err, &format) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer f.Close()
	section := f.Section(layout.ObjectSection)
	if section == nil {
		return c, nil
	}
	data, err := section.Data()
	if err != nil {
		return c, err
	}
	for line := range strings.Lines(strings.ReplaceAll(string(data), "\x00", "")) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 {
			continue
		}
		d := declared{parts[0], parts[1], parts[2]}
		switch d.name {
		case layout.ObjectLayout:
			c.layouts[d.place] = d.typ
		case layout.ObjectChecked:
			c.checked[d.place] = true
			n, _ := strconv.ParseUint(d.typ, 10, 8)
			c.without |= layout.Without(n)
		case layout.ObjectThreads:
			c.sources = append(c.sources, d.place)
			if d.typ != layout.Dynamic {
				c.threads = append(c.threads, d)
			}
		case layout.ObjectRaces:
			c.recorded[d.place] = true
		default:
			c.objects = append(c.objects, d)
		}
	}
	return c, nil
}

// unrecorded are the UPC sources of a program whose accesses are not recorded though those of others are.
func (c *claims) unrecorded() []string {
	if len(c.recorded) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.sources), func(s string) bool { return c.recorded[s] })
}

// disagreements compares what the sources of a program say of each other's objects (UPC 1.3, 6.5.1.1; C11 6.2.7) and of
// THREADS.
func disagreements(program string, threads int) ([]string, error) {
	c, err := readClaims(program)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, source := range c.sources {
		if err := layout.CheckObject(source, c.layouts[source]); err != nil {
			problems = append(problems, err.Error())
		}
	}
	if len(problems) > 0 {
		return problems, nil
	}
	if threads > 0 {
		c.threads = append([]declared{{"THREADS", fmt.Sprint(threads), "-T on the command line"}}, c.threads...)
	}
	for _, d := range c.threads[min(1, len(c.threads)):] {
		first := c.threads[0]
		if d.typ == first.typ {
			continue
		}
		problems = append(problems,
			fmt.Sprintf("%s: error: compiled for %s threads, but %s for %s [COMP-42]; hint: compile all sources with "+
				"the same -T",
				d.place, d.typ, first.place, first.typ))
	}
	first := map[string]declared{}
	for _, d := range c.objects {
		f, ok := first[d.name]
		if !ok {
			first[d.name] = d
			continue
		}
		if !compatible(f.typ, d.typ) {
			problems = append(problems,
				fmt.Sprintf("%s: error: '%s' is %s here, and %s at %s [COMP-41]; hint: declare it in a header that "+
					"both include",
					d.place, d.name, d.typ, f.typ, f.place))
		}
	}
	return problems, nil
}

var (
	qualifier  = regexp.MustCompile(`\bshared( \[[^\]]*\])?`)
	dimensions = regexp.MustCompile(`(\[[^\]]*\])+$`)
	named      = regexp.MustCompile(`\b(enum|struct|union)\b`)
)

// compatible says that two spellings of types may stand for the same object. What the spelling does not tell is taken
// for equal: the members of structs, the integer behind an enum, the block size that [*] gives an array whose length is
// not known.
func compatible(a, b string) bool {
	if a == b || strings.Contains(a, "[*]") || strings.Contains(b, "[*]") {
		return true
	}
	if named.MatchString(a) || named.MatchString(b) {
		return qualifier.FindString(a) == qualifier.FindString(b)
	}
	da, db := dimensions.FindString(a), dimensions.FindString(b)
	if strings.HasPrefix(da, "[]") || strings.HasPrefix(db, "[]") {
		return withoutFirst(a, da) == withoutFirst(b, db)
	}
	return false
}

// withoutFirst is a type without its first dimension.
func withoutFirst(typ, dims string) string {
	if dims == "" {
		return typ
	}
	return strings.TrimSuffix(typ, dims) + "[]" + dims[strings.Index(dims, "]")+1:]
}

// privateUses finds objects that are shared in one source and private in another one: an object file that uses a name
// of a shared object without saying that it is shared, and a program in which a private object has the name. (Parts of
// archives are not looked into: which of them the linker has taken is not known.)
func privateUses(objects []string, program string) ([]string, error) {
	c, err := readClaims(program)
	if err != nil || len(c.objects) == 0 {
		return nil, err
	}
	shared := map[string]declared{}
	for _, d := range c.objects {
		if _, ok := shared[d.name]; !ok {
			shared[d.name] = d
		}
	}
	var problems []string
	for _, path := range objects {
		names, err := privateNames(path)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if d, ok := shared[name]; ok {
				problems = append(problems,
					fmt.Sprintf("%s: error: '%s' is %s here, and private in %s [COMP-41]; hint: declare it in a "+
						"header that both include",
						d.place, name, d.typ, source(path)))
			}
		}
	}
	return problems, nil
}

// privateNames are the external names of data that an object file uses or defines and does not call shared.
func privateNames(path string) ([]string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, nil // an archive or a linker script
	}
	defer f.Close()
	if f.Type != elf.ET_REL {
		return nil, nil
	}
	c, err := readClaims(path)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, d := range c.objects {
		own[d.name] = true
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, nil // it has none
	}
	var names []string
	for _, s := range symbols {
		if bind := elf.ST_BIND(s.Info); bind == elf.STB_LOCAL || own[s.Name] || elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			continue
		}
		names = append(names, s.Name)
	}
	return names, nil
}

// source names the source of an object file for a message: the UPC source that it was made from, or else the object
// itself.
func source(path string) string {
	if c, err := readClaims(path); err == nil && len(c.sources) > 0 {
		return c.sources[0]
	}
	return path
}
