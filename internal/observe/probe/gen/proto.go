// Package gen writes the C wrappers of a probe: it takes the preprocessed text of the user's mpi.h, joins it with the
// semantic table, and gives out C sources for the run-time in probe/csrc, of whose highest layer they are.
package gen

import (
	"fmt"
	"strings"
)

// Proto is a function that mpi.h declares and that has a profiling twin.
type Proto struct {
	Name   string // "MPI_Send"
	Return string // "int"
	Params []Arg
	// Variadic functions cannot be forwarded.
	Variadic bool
	// Undeclared functions are those that the header has no declaration of, but perhaps a macro.
	Undeclared bool
}

// Arg is a parameter of a prototype.
type Arg struct {
	Name   string // may be empty
	Before string // the declaration up to the name, "const int "
	After  string // and from there on, "[][3]"
}

// Declare is the declaration of the parameter under another name.
func (a Arg) Declare(name string) string {
	sep := " "
	if strings.HasSuffix(a.Before, "*") {
		sep = ""
	}
	return a.Before + sep + name + a.After
}

// Depth is the number of pointers and arrays around the base type.
func (a Arg) Depth() int { return strings.Count(a.Before, "*") + strings.Count(a.After, "[") }

// Base is the type without qualifiers and pointers.
func (a Arg) Base() string {
	var words []string
	for _, w := range strings.Fields(strings.ReplaceAll(a.Before, "*", " ")) {
		if w != "const" && w != "restrict" && w != "struct" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// Handle says that the parameter is an MPI handle itself: of a type of MPI's that is not a number.
func (a Arg) Handle() bool {
	switch a.Base() {
	case "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint":
		return false
	}
	return a.Depth() == 0 && a.After == "" && strings.HasPrefix(a.Base(), "MPI")
}

// Declared are the functions that a preprocessed header declares, each once, in its order. The text may hold any C
// declarations; what is not a plain function declaration is passed over.
func Declared(preprocessed []byte) (all []Proto) {
	names := map[string]bool{}
	for _, tokens := range declarations(preprocessed) {
		p, ok := prototype(tokens)
		if ok && !names[p.Name] {
			names[p.Name] = true
			all = append(all, p)
		}
	}
	return all
}

// Protos are those functions of a preprocessed mpi.h that have a twin whose name begins with P.
func Protos(preprocessed []byte) ([]Proto, error) {
	all := Declared(preprocessed)
	names := map[string]bool{}
	for _, p := range all {
		names[p.Name] = true
	}
	var out []Proto
	for _, p := range all {
		if (strings.HasPrefix(p.Name, "MPI_") || strings.HasPrefix(p.Name, "MPIX_")) && names["P"+p.Name] {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the preprocessed mpi.h declares no MPI function with a profiling twin; hint: does " +
			"mpicc -E read the right mpi.h?")
	}
	return out, nil
}

// prototype makes a Proto of the tokens of a declaration: type, name, ( parameters ).
func prototype(tokens []string) (Proto, bool) {
	open := -1
	for i, t := range tokens {
		if t == "(" {
			open = i
			break
		}
	}
	if open < 2 || tokens[len(tokens)-1] != ")" || tokens[0] == "typedef" || !identifier(tokens[open-1]) {
		return Proto{}, false
	}
	p := Proto{Name: tokens[open-1], Return: strings.Join(result(tokens[:open-1]), " ")}
	depth, from := 0, open+1
	for i := open + 1; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t == "(" || t == "[":
			depth++
		case depth > 0 && (t == ")" || t == "]"):
			depth--
		case t == ")" && i != len(tokens)-1:
			return Proto{}, false // something follows: no plain prototype
		case depth == 0 && (t == "," || t == ")"):
			switch part := tokens[from:i]; {
			case len(part) == 1 && part[0] == "...":
				p.Variadic = true
			case len(part) == 0 || len(part) == 1 && part[0] == "void":
			default:
				p.Params = append(p.Params, argument(part))
			}
			from = i + 1
		}
	}
	return p, true
}

// result drops storage classes from a return type.
func result(tokens []string) []string {
	var out []string
	for _, t := range tokens {
		if t != "extern" && t != "static" && t != "inline" && t != "__inline" && t != "__inline__" {
			out = append(out, t)
		}
	}
	return out
}

// argument splits a parameter's declaration around its name: the last identifier outside of brackets, unless that is
// the type itself, or the one after "(*" of a pointer to a function.
func argument(part []string) Arg {
	at, depth := -1, 0
	for i, t := range part {
		if i > 1 && part[i-1] == "*" && part[i-2] == "(" && identifier(t) {
			at = i
			break
		}
		switch {
		case t == "[" || t == "(":
			depth++
		case t == "]" || t == ")":
			depth--
		case depth == 0 && i > 0 && identifier(t) && !qualifier(t) && named(part[:i]):
			at = i
		}
	}
	if at < 0 {
		return Arg{Before: strings.Join(part, " ")}
	}
	return Arg{Name: part[at], Before: strings.Join(part[:at], " "), After: strings.Join(part[at+1:], "")}
}

// named says that the tokens before an identifier already name a type.
func named(before []string) bool {
	for _, t := range before {
		if identifier(t) && !qualifier(t) && t != "struct" && t != "unsigned" && t != "signed" {
			return true
		}
	}
	return false
}

func qualifier(t string) bool {
	switch t {
	case "const", "restrict", "__restrict", "__restrict__", "volatile":
		return true
	}
	return false
}
