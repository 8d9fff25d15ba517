// Package catalogue owns what is checked of UPC programs: a table with one row for each report, and where each is made.
// The wrappers of the library's functions, in UPC, and docs/upc-catalogue.md are made from it; what the wrappers ask
// with is in rt.
//
// The rules are those of the UPC Language Specifications 1.3 (UPC Consortium, 2013): language, required libraries,
// optional libraries. The idea of the checks, and of telling them by function and argument, is UPC-CHECK's (Coyle, Roy,
// Hoekstra, Kraeva, Luecke: UPC-CHECK: a scalable tool for detecting run-time errors in Unified Parallel C, 2012).
package catalogue

// Class says what kind of mistake a row is about.
type Class string

// The classes.
const (
	Invalid     Class = "invalid-argument"
	Single      Class = "single-valued"
	Order       Class = "order"
	Deadlock    Class = "deadlock"
	Race        Class = "race"
	Suspicious  Class = "suspicious"
	Leak        Class = "leak"
	Portability Class = "portability"
	ImplDefined Class = "impl-defined"
)

// Severity is "error" where the specification leaves the behaviour undefined, else "warning".
func (c Class) Severity() string {
	switch c {
	case Invalid, Single, Order, Deadlock, Race:
		return "error"
	}
	return "warning"
}

// Where says who makes a row's report.
type Where uint8

// The places of checks.
const (
	// Wrapper is the generated wrapper of the function, by the row's predicate.
	Wrapper Where = iota
	// Protocol is the run-time of the checker, which compares threads and knows of locks and ends
	// (internal/upc/rt/check).
	Protocol
	// Inserted is a check that is put where the source does something with pointers (internal/upc/back/instrument,
	// ledger_pointers.upc).
	Inserted
	// Loops is the run-time's part for upc_forall.
	Loops
	// Compiler is internal/upc/front/types, or the link step for COMP-41 and 42; Row.By has the constraint.
	Compiler
	// Runtime is the run-time of compiled programs (internal/upc/rt); Row.By says what it does.
	Runtime
	// Elsewhere is another row, Row.By, which tells the same mistake.
	Elsewhere
	// Races is the detection of data races (internal/upc/races), for programs that record their accesses.
	Races
	// NotYet is for what needs to know more than is known; Row.By says what.
	NotYet
	// Not is for what is not reported; Row.By says why.
	Not
)

// Row is one report that can be made.
type Row struct {
	ID       string
	Function string
	Argument string
	Class    Class
	When     string // what is reported, in the words of the documentation
	Where    Where
	By       string // of Compiler, Runtime, Elsewhere, NotYet, Not; of Inserted the option that it needs, or ""
	Hint     string // the next step for the user, or ""
	// Asked says that the row is reported only if UPCCHECK_SUSPICIOUS=TRUE asks for what is legal.
	Asked bool

	// of Wrapper: an expression in UPC that is true if the row is to be reported, or "" if what is called meanwhile
	// reports it
	test  string
	words string // of Wrapper: arguments of upck_wrong from the format on; the argument's name stands before
	ready bool   // the test is made right before the call
	index int    // of the parameter, or -1
}

// Param is a parameter of a function.
type Param struct{ Type, Name string }

// Function is a statement or a function of the libraries.
type Function struct {
	Name   string
	Number int    // of the operation, in upck_ops.h, which is made in the same build as all that uses it
	Result string // of functions, else ""
	Params []Param
	Header string // "" for statements
	// Feature is the macro that says that a compiler has the header, or "".
	Feature string
	// Collective functions are executed by all threads, in the same order.
	Collective bool
	// Sync is an expression in UPC: no thread returns before all threads have come.
	Sync string
	// Rows are in the order in which they are checked.
	Rows []Row

	prefix string
	concerted
	part string // the row of parts of files that other threads write

	values []value
	// writes says, in the way of does, that the function writes to shared memory, or is "".
	writes string
	texts
}

// concerted is the rows of functions that all threads execute in the same order.
type concerted struct {
	// The rows of collective functions that say that another thread is elsewhere, that the call is between upc_notify
	// and upc_wait, and that it is in the body of a controlling upc_forall.
	apart, split, region string
}

// texts are the parts of its wrapper in C.
type texts struct {
	before []string // statements before the checks
	call   []string // before the call
	then   []string // after the call; the result is called result
	native string   // a macro without which a native compiler is not expected to have the function
	file   string   // the generated file
}

// value is an argument that has to be the same on all threads.
type value struct {
	param, make string
}

// Functions gives the whole catalogue. The first are statements that threads compare, the last what is neither
// statement nor function.
func Functions() []*Function {
	var all []*Function
	all = append(all, statements()...)
	all = append(all, core()...)
	all = append(all, collectives()...)
	all = append(all, small()...)
	all = append(all, nonblocking()...)
	all = append(all, atomics()...)
	all = append(all, files()...)
	all = append(all, language()...)
	for i, f := range all {
		f.Number = i + 1
	}
	return all
}

// Rows gives the rows of all functions.
func Rows() []Row {
	var all []Row
	for _, f := range Functions() {
		all = append(all, f.Rows...)
	}
	return all
}

// Beyond says that UPC 1.3 does not have the function.
func (f *Function) Beyond() bool { return f.native != "" }

// Wrapped says that calls of the function go through a wrapper.
func (f *Function) Wrapped() bool { return f.Header != "" }

// operation says that the run-time of the checker knows the function or statement by its number.
func (f *Function) operation() bool { return f.Wrapped() || symbols[f.Name] != "" }
