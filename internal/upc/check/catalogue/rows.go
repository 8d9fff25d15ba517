package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// function begins a function with a prototype "result name(type name, …)".
func function(prefix, header, feature, prototype string) *Function {
	head, params, _ := strings.Cut(strings.TrimSuffix(prototype, ")"), "(")
	name := strings.TrimLeft(head[strings.LastIndexByte(head, ' ')+1:], "*")
	f := &Function{Name: name, Result: strings.TrimSpace(strings.TrimSuffix(head, name)), Header: header,
		Feature: feature, prefix: prefix, Sync: "0"}
	f.Params = splitParams(params)
	return f
}

// splitParams reads a parameter list without nested commas but those of function pointers.
func splitParams(list string) []Param {
	var out []Param
	depth, start := 0, 0
	add := func(text string) {
		text = strings.TrimSpace(text)
		if text == "" || text == "void" {
			return
		}
		if before, after, ok := strings.Cut(text, "(*"); ok {
			name, rest, _ := strings.Cut(after, ")")
			out = append(out, Param{Type: before + "(*%s)" + rest, Name: name})
			return
		}
		i := strings.LastIndexAny(text, " *") + 1
		out = append(out, Param{Type: text[:i] + "%s", Name: text[i:]})
	}
	for i, c := range list {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				add(list[start:i])
				start = i + 1
			}
		}
	}
	add(list[start:])
	return out
}

// Declaration is the parameter as C has it.
func (p Param) Declaration() string { return fmt.Sprintf(p.Type, p.Name) }

// row adds a row. Of argument "dst,src" the first is the one that is reported.
func (f *Function) row(argument string, class Class, when string, c check) *Function {
	f.add(argument, class, when, c)
	return f
}

// add is row for whoever needs the row itself.
func (f *Function) add(argument string, class Class, when string, c check) *Row {
	first, _, _ := strings.Cut(argument, ",")
	first, _, _ = strings.Cut(first, " ")
	index := slices.IndexFunc(f.Params, func(p Param) bool { return p.Name == first })
	r := Row{ID: f.id(argument, when), Function: f.Name, Argument: argument, Class: class, When: when,
		Where: c.where, By: c.by,
		Hint: c.hint, Asked: c.asked, ready: c.ready, index: index}
	if c.test != "" {
		r.test = strings.NewReplacer("$A", first, "$I", fmt.Sprint(index)).Replace(c.test)
		r.words = named(first, index, c.words)
	}
	f.Rows = append(f.Rows, r)
	return &f.Rows[len(f.Rows)-1]
}

// named puts the argument's name before the words of its row. Words that begin with ~ follow without a space.
func named(argument string, index int, words string) string {
	switch {
	case index < 0:
		return words
	case strings.HasPrefix(words, `"~`):
		return `"` + argument + words[2:]
	}
	return `"` + argument + " " + words[1:]
}

// check says how a row is checked.
type check struct {
	where             Where
	by                string
	test, words, hint string
	asked, ready      bool
}

// tell is a check of the wrapper: the test is true if something is wrong, and words are a format, with the arguments
// after it.
func tell(test, words, hint string) check {
	return check{where: Wrapper, test: test, words: words, hint: hint}
}

// reason is a check whose test says why.
func reason(test, hint string) check { return tell(test, `"%s", upck_reason()`, hint) }

// reasonOf is the same for words that go on without a space: "memvec[2] …".
func reasonOf(test, hint string) check { return tell(test, `"~%s", upck_reason()`, hint) }

// asked is reported only if the user asks for it.
func asked(c check) check {
	c.asked = true
	c.test = "upck_suspicious() && (" + c.test + ")"
	return c
}

// ifAsked is reported only if the user asks for it, by whoever reports it.
func ifAsked(c check) check {
	c.asked = true
	return c
}

// ready is checked right before the call, after threads have been compared: for what other threads may still write when
// this one comes.
func ready(c check) check {
	c.ready = true
	return c
}

func by(where Where, what string) check { return check{where: where, by: what} }

func protocol(hint string) check { return check{where: Protocol, hint: hint} }

// raced is for what the detection of data races tells.
func raced() check { return check{where: Races} }

// inserted is for what is checked where the source does it.
func inserted(hint string) check { return check{where: Inserted, hint: hint} }

// insertedIf is for what the user has to ask for when the program is compiled.
func insertedIf(how, hint string) check { return check{where: Inserted, by: how, hint: hint} }

func not(why string) check { return by(Not, why) }

// collective adds the rows that all collective operations have, and says what has to be the same on all threads: "name"
// or "name=value", an expression for the value instead of the one that goes with its type.
func (f *Function) collective(sync string, single ...string) *Function {
	f.Collective, f.Sync = true, sync
	f.apart = f.add("(call)", Deadlock, "another thread is at a different collective operation, or has ended",
		protocol("let all threads call "+f.Name+", in the same order")).ID
	f.split = f.add("(call)", Order, "between upc_notify and upc_wait",
		protocol("move the call before upc_notify or after upc_wait")).ID
	f.region = f.add("(call)", Order, "in the body of a controlling upc_forall",
		protocol("call it outside of the upc_forall, or give that one the affinity continue")).ID
	for _, s := range single {
		f.single(s)
	}
	return f
}

// single adds a row for an argument that has to be the same on all threads.
func (f *Function) single(s string) *Function {
	name, made, ok := strings.Cut(s, "=")
	f.row(name, Single, "not the same on all threads",
		protocol("compute "+plain(name)+" in the same way on all threads, for instance from shared data that one "+
			"thread sets before a barrier"))
	if !ok {
		made = f.valueOf(name)
	}
	f.values = append(f.values, value{param: plain(name), make: made})
	return f
}

// plain is "hints" of "hints (contents)".
func plain(argument string) string {
	name, _, _ := strings.Cut(argument, " ")
	return name
}

func (f *Function) param(name string) int {
	return slices.IndexFunc(f.Params, func(p Param) bool { return p.Name == plain(name) })
}

// valueOf is how the value of a parameter is made, by its type.
func (f *Function) valueOf(name string) string {
	i := f.param(name)
	t := f.Params[i].Type
	switch {
	case strings.Contains(t, "(*"):
		return fmt.Sprintf("upck_code(%d, (void (*)(void))%s)", i, name)
	case strings.Contains(t, "shared"), strings.Contains(t, "upc_lock_t"), strings.Contains(t, "upc_file_t"),
		strings.Contains(t, "upc_atomicdomain_t"):
		return fmt.Sprintf("upck_shared(%d, (shared void *)%s)", i, name)
	case strings.Contains(t, "size_t"):
		return fmt.Sprintf("upck_unsigned(%d, %s)", i, name)
	}
	return fmt.Sprintf("upck_int(%d, %s)", i, name)
}

// Checks that many functions have.

const (
	hintNegative = "a negative value has become a size_t: look at how it is computed"
	hintFlags    = "give at most one of UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC and one of UPC_OUT_ALLSYNC, " +
		"UPC_OUT_MYSYNC, UPC_OUT_NOSYNC"
	hintNull       = "allocate the object before the call, and test what the allocation gave"
	hintDead       = "free the object after its last use"
	hintLeaves     = "allocate more, or transfer less"
	hintOverlap    = "use two objects, or parts that do not meet"
	hintOwnAddress = "store a pointer-to-shared, which all threads can follow"
)

func (f *Function) huge(argument string) *Function {
	return f.row(argument, Invalid, "more than PTRDIFF_MAX: a negative value was converted",
		tell("UPCK_HUGE($A)", `"is %zu, which is more than PTRDIFF_MAX: a negative value was converted", `+argument,
			hintNegative))
}

func (f *Function) zero(argument string) *Function {
	return f.row(argument, Invalid, "0", tell("$A == 0", `"is 0, and has to be positive"`,
		"set "+argument+" before the call, to the size in bytes or elements that is meant"))
}

func (f *Function) flags() *Function {
	f.row("flags", Invalid, "more than one UPC_IN_ flag, or more than one UPC_OUT_ flag",
		tell("!UPCK_SINGLE(flags & UPCK_IN) || !UPCK_SINGLE(flags & UPCK_OUT)", `"is %s", upck_flag_names(flags)`,
			hintFlags))
	return f.row("flags", Invalid, "a bit that is no synchronization flag",
		tell("(flags & ~(UPCK_IN | UPCK_OUT)) != 0", `"is %s, with bits that are no flags", upck_flag_names(flags)`,
			hintFlags))
}

// pointer adds the rows of a pointer-to-shared: leaves is the predicate of its extent.
func (f *Function) pointer(argument, what, leaves string) *Function {
	f.row(argument, Invalid, "null", tell("$A == 0", `"is a null pointer"`, hintNull))
	f.row(argument, Invalid, "points to no object: freed, or on a thread that there is not",
		reason("upck_dead(site, $I, $A)", hintDead))
	f.row(argument, Invalid, what+" leave the object", reason(leaves, hintLeaves))
	return f.row(argument, Suspicious, "points to a lock, a file handle or an atomicity domain",
		reason("upck_opaque(site, $I, $A)", ""))
}

// onThreadZero adds the row of arrays that have to begin on thread 0.
func (f *Function) onThreadZero(argument string) *Function {
	return f.row(argument, Invalid, "not on thread 0",
		tell("$A != 0 && upc_threadof((shared void *)$A) != 0",
			fmt.Sprintf(`"points to thread %%zu, and has to point to thread 0", upc_threadof((shared void *)%s)`,
				argument),
			"pass the start of an array whose first block is on thread 0"))
}

func (f *Function) noPhase(argument string) *Function {
	return f.row(argument, Suspicious, "its phase is not 0, and is taken for 0",
		asked(tell("$A != 0 && upc_phaseof((shared void *)$A) != 0",
			fmt.Sprintf(`"has the phase %%zu, which is ignored", upc_phaseof((shared void *)%s)`, argument), "")))
}

func (f *Function) blockBytes(argument, bytes string) *Function {
	return f.row(argument, Suspicious, "declared with blocks of another size in bytes than the function "+
		"takes it to have",
		asked(reason("upck_other_block_bytes(site, $I, "+bytes+")", "")))
}

// dataRaces adds the two rows of data that a collective function moves without synchronization.
func (f *Function) dataRaces() *Function {
	f.row("(data)", Race, "with UPC_IN_NOSYNC or UPC_IN_MYSYNC: data was written by another thread before the call, "+
		"without order", raced())
	return f.row("(data)", Race, "with UPC_OUT_NOSYNC or UPC_OUT_MYSYNC: data is used by another thread after the "+
		"call, without order", raced())
}
