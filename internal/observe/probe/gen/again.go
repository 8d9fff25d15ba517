package gen

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

// madeAgain is what a C wrapper does in place of body where a call makes, commits or frees an object that a program may
// make again and again in the same way (csrc/writer/again.h).
type madeAgain int

const (
	notAgain madeAgain = iota
	makesAgain
	commitsAgain
	freesAgain
	asksAgain
)

// mostAgain is how many words of arguments a making can have (UK_AGAIN_WORDS).
const mostAgain = 6

// againOf says which of these a function is. The arguments of one that makes an object must be all that it goes by:
// numbers, and at most one other datatype, that a call to the library shows to be predefined.
func againOf(f *mpi.Func) madeAgain {
	switch f.Class {
	case mpi.TypeCommit:
		return commitsAgain
	case mpi.TypeFree, mpi.OpFree:
		return freesAgain
	case mpi.OpMake:
		return makesAgain
	case mpi.Local, mpi.TypeGet:
		if f.Asks {
			return asksAgain
		}
	case mpi.TypeMake:
		if f.Combiner == mpi.CombinerDup || f.Combiner.F90() {
			return notAgain
		}
		words, types := 0, 0
		for i := range f.Params {
			p := &f.Params[i]
			switch {
			case !p.Kind.AtEntry():
			case p.Kind.Varying():
				return notAgain
			default:
				words++
				if p.Object == mpi.OType {
					types++
				}
			}
		}
		if words <= mostAgain && types == 1 {
			return makesAgain
		}
	}
	return notAgain
}

// usesAgain adds what a call that is given handles of datatypes and operators, or gives some, does first, as what has
// freed the one that had the handle before may not be recorded yet.
func (c *call) usesAgain() {
	for i := range c.f.Params {
		p, a := &c.f.Params[i], arg(i)
		switch {
		case p.Object != mpi.OType && p.Object != mpi.OOp || p.Kind == mpi.KSkip:
		case p.Kind.AtExit() && c.f.Predefines():
		case p.Kind.AtExit() && againOf(c.f) != makesAgain, p.Kind == mpi.KHandles:
			c.say(&c.before, "uk_again_flush(t);")
			return
		case againOf(c.f) == asksAgain: // of a derived datatype all is recorded
		case p.Kind == mpi.KHandle:
			c.say(&c.before, "uk_again_uses(t, UK_H(%s));", a)
		case p.Kind == mpi.KHandleIn && againOf(c.f) == notAgain:
			c.say(&c.before, "uk_again_uses(t, UK_AT(%s));", a)
		}
	}
}

// ages is what a call does that may free a communicator.
func (c *call) ages() {
	if c.f.Class == mpi.CommFree || c.f.Class == mpi.Opaque {
		c.say(&c.before, "uk_again_ages(t);")
	}
}

// alwaysTold is what a wrapper does that writes the records of such a call in any case.
func (c *call) alwaysTold() {
	switch againOf(c.f) {
	case makesAgain:
		c.say(&c.before, "uk_again_flush(t);")
	case commitsAgain:
		c.say(&c.before, "if (t->owes)\n        uk_again_pay(t);")
		c.say(&c.before, "uk_again_uses(t, UK_AT(%s));", arg(0))
	case freesAgain:
		c.say(&c.before, "uk_again_uses(t, UK_AT(%s));", arg(0))
		c.say(&c.before, "uk_again_gone(t, UK_AT(%s));", arg(0))
	}
}

// kindOf is the C constant of the objects that a function makes or frees.
func kindOf(f *mpi.Func) string {
	if f.Class == mpi.OpMake || f.Class == mpi.OpFree {
		return "UK_AGAIN_OPS"
	}
	return "UK_AGAIN_TYPES"
}

// againParts are, in C, what differs between those that make, commit and free an object.
type againParts struct {
	known   string   // whether nothing is recorded before the real function is called
	kept    string   // whether nothing, or a short record, is recorded after it
	owed    []string // what is recorded if it is not
	first   []string // what is recorded before each Enter record
	enter   []piece
	learned string // what follows a call that was recorded, if it succeeded
	unmade  string // or failed
}

// bodyAgain writes what a watched call does. It leaves the result in rc.
func bodyAgain(b *strings.Builder, c *call, real string) {
	statements(b, "    ", c.before)
	var p againParts
	switch againOf(c.f) {
	case makesAgain:
		p = c.making(b)
	case commitsAgain:
		p = c.committing(b)
	case freesAgain:
		p = c.freeing(b)
	case asksAgain:
		p = c.asking(b)
	}
	enter := func(indent string, owed []string) {
		statements(b, indent, owed)
		statements(b, indent, p.first)
		statements(b, indent, c.tell)
		record(b, indent, c.f, "UK_ENTER", "site", p.enter)
	}
	fmt.Fprintf(b, "    const bool known = %s;\n    if (!known) {\n", p.known)
	enter("        ", nil)
	fmt.Fprintf(b, "    }\n    const int rc = %s(%s);\n", real, strings.Join(c.args, ", "))
	statements(b, "    ", c.done)
	fmt.Fprintf(b, "    if (!(known && UK_LIKELY(rc == MPI_SUCCESS) && %s)) {\n        if (known) {\n", p.kept)
	enter("            ", p.owed)
	fmt.Fprintf(b, "        }\n%s", finish(c))
	if p.learned != "" {
		fmt.Fprintf(b, "        if (rc == MPI_SUCCESS) {\n            %s\n        }\n", p.learned)
	}
	if p.unmade != "" {
		fmt.Fprintf(b, "        if (rc != MPI_SUCCESS) {\n            %s\n        }\n", p.unmade)
	}
	b.WriteString("    }\n")
}

func (c *call) making(b *strings.Builder) againParts {
	object, old, at := arg(len(c.f.Params)-1), "", 0
	var words []string
	for i := range c.f.Params {
		switch p := &c.f.Params[i]; {
		case p.Kind.AtEntry():
			words = append(words, c.enter[at].words[0])
			at++
			if p.Object == mpi.OType {
				old = arg(i)
			}
		case p.Kind == mpi.KSkip: // the function of an operator
			words = append(words, "UK_P("+arg(i)+")")
		}
	}
	fmt.Fprintf(b, "    struct uk_making making = {%s, %d, %d, 0, site, {%s}};\n", kindOf(c.f), c.f.ID, len(words),
		strings.Join(words, ", "))
	may, made := object, slices.Clone(c.exit[0].words)
	if old != "" {
		may += " && (uk_again_seen(t, &making) || uk_predefined(" + old + "))"
	} else {
		made = append(made, "0")
	}
	return againParts{
		known: object + " && uk_again_known(t, &making)",
		kept:  fmt.Sprintf("uk_again_made(t, &making, UK_AT(%s))", object),
		first: []string{"uk_again_flush(t);"},
		enter: c.enter,
		learned: fmt.Sprintf("if (%s)\n                uk_again_learn(t, &making, (const uint64_t[]){%s});", may,
			strings.Join(made, ", ")),
	}
}

func (c *call) committing(b *strings.Builder) againParts {
	fmt.Fprintf(b, "    const uint64_t object = UK_AT(%s);\n", arg(0))
	return againParts{
		known:   arg(0) + " && uk_again_commits(t, object)",
		kept:    fmt.Sprintf("UK_AT(%s) == object && (uk_again_committed(t, site), true)", arg(0)),
		owed:    []string{"uk_again_pay(t);"},
		first:   []string{"uk_again_uses(t, object);"},
		enter:   []piece{one("object")},
		learned: "uk_again_committed(t, site);",
		unmade:  "uk_again_pay(t);",
	}
}

func (c *call) freeing(b *strings.Builder) againParts {
	fmt.Fprintf(b, "    const uint64_t object = UK_AT(%s);\n", arg(0))
	return againParts{
		known: arg(0) + " && uk_again_frees(t, object)",
		kept:  fmt.Sprintf("(uk_again_freed(t, %s, %d, site, object), true)", kindOf(c.f), c.f.ID),
		first: []string{"uk_again_uses(t, object);", "uk_again_gone(t, object);"},
		enter: []piece{one("object")},
	}
}

// asking is of a function that changes nothing. What it is given counts as wrong each time if a number is negative.
func (c *call) asking(b *strings.Builder) againParts {
	var words, there, used []string
	may, at := []string{"t->again"}, 0
	for i := range c.f.Params {
		p := &c.f.Params[i]
		if !p.Kind.AtEntry() {
			there = append(there, arg(i))
			continue
		}
		word := c.enter[at].words[0]
		at++
		switch p.Object {
		case mpi.OType:
			fmt.Fprintf(b, "    const uint64_t type = uk_again_type(t, %s);\n", word)
			may, used = append(may, fmt.Sprintf("(type != %s || uk_predefined(%s))", word, arg(i))),
				append(used, fmt.Sprintf("uk_again_uses(t, %s);", word))
			word = "type"
		case mpi.NoObject:
			may = append(may, arg(i)+" >= 0")
		}
		words = append(words, word)
	}
	fmt.Fprintf(b, "    struct uk_making making = {0, %d, %d, 0, site, {%s}};\n", c.f.ID, len(words),
		strings.Join(words, ", "))
	return againParts{
		known: strings.Join(append(there, "uk_again_asked(t, &making)"), " && "),
		kept:  "true",
		first: used,
		enter: c.enter,
		learned: fmt.Sprintf("if (%s)\n                uk_again_answered(t, &making);",
			strings.Join(append(may, there...), " && ")),
	}
}
