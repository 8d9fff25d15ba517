package layout

// Structs are the places of checked calls and what is known of their arguments, as instrumented sources have them: a
// line each, so that the lines of the source stay what they are.
//
// An argument has its text in the source, and where the variables in it are declared ("n declared at a.upc:3; ..."), or
// 0. Its shape is what its type and the objects that it is made of say. A site is a place where something is called
// that is checked; call is the name only: "upc_all_broadcast", "upc_barrier". endless is a upc_lock_attempt that is
// called for the same lock, with nothing else, until it succeeds.
const Structs = `struct upck_arg { const char *text, *decl; };
struct upck_shape { long block; unsigned long element; int kind; shared const void *object; unsigned long bytes; int times; long room; long object_block; int unset; };
struct upck_site { const char *call, *file, *function; int line, nargs; const struct upck_arg *args; int region; const struct upck_shape *shapes; int unused, endless; };
`

// Severity is that of a report of the checks.
type Severity int

// Severities.
const (
	Warning Severity = iota
	Error
)

// ElementKind is an arithmetic type that the collective functions are made for; 0 is none of them.
type ElementKind int

// The kinds of elements.
const (
	CharElement ElementKind = 1 + iota
	UCharElement
	ShortElement
	UShortElement
	IntElement
	UIntElement
	LongElement
	ULongElement
	FloatElement
	DoubleElement
	LongDoubleElement
)

// Hook is a function of the checks that instrumented sources call.
type Hook struct{ Name, Declaration string }

// Hooks are all of them, in the order in which sources declare those that they use.
func Hooks() []Hook {
	return []Hook{
		{"upck_barrier", "void upck_barrier(const struct upck_site *, int, int);"},
		{"upck_notify", "void upck_notify(const struct upck_site *, int, int);"},
		{"upck_wait", "void upck_wait(const struct upck_site *, int, int);"},
		{"upck_spins", "int upck_spins(const struct upck_site *, int);"},
		{"upck_leave", "void upck_leave(const struct upck_site *);"},
		{"upck_exit", "void upck_exit(const struct upck_site *, int) __attribute__((__noreturn__));"},
		{"upck_quit", "int upck_quit(const struct upck_site *, int);"},
		{"upck_push", "void upck_push(const struct upck_site *);"},
		{"upck_pop", "void upck_pop(void);"},
		{"upck_local", "shared void *upck_local(const struct upck_site *, shared const void *);"},
		{"upck_retyped", "shared void *upck_retyped(const struct upck_site *, shared const void *, unsigned long);"},
		{"upck_differ", "void upck_differ(const struct upck_site *, shared const void *, shared const void *, int);"},
		{"upck_access", "void upck_access(const struct upck_site *, shared const void *, unsigned long, unsigned " +
			"long, unsigned long);"},
		{"upck_element", "void upck_element(const struct upck_site *, shared const void *, shared const void *, " +
			"unsigned long, unsigned long, unsigned long, unsigned long);"},
		{"upck_walked", "void upck_walked(const struct upck_site *, shared const void *, shared const void *, " +
			"unsigned long, unsigned long);"},
		{"upck_index", "long upck_index(const struct upck_site *, long, unsigned long, int, int);"},
		{"upck_near", "void upck_near(const struct upck_site *, const void *, const void *, unsigned long, int);"},
		{"upck_stored", "void upck_stored(const struct upck_site *, shared const void *, const void *, int);"},
		{"upck_fetched", "int upck_fetched(shared const void *, const void *);"},
		{"upck_follows", "void upck_follows(const struct upck_site *, int);"},
		{"upck_uses_given", "void upck_uses_given(const struct upck_site *, const void *);"},
		{"upck_doubtful", "void upck_doubtful(const struct upck_site *, const char *, const char *);"},
		{"upck_alias", "void upck_alias(const struct upck_site *, shared const void *, const void *);"},
		{"upck_writes", "void upck_writes(const struct upck_site *);"},
		{"upck_wrong", "void upck_wrong(const struct upck_site *, const char *, int, int, const char *, ...);"},
		{"upck_forall_begin", "void upck_forall_begin(const struct upck_site *, int);"},
		{"upck_forall_end", "void upck_forall_end(const struct upck_site *, unsigned long, unsigned long);"},
		{"upck_forall_depth", "int upck_forall_depth(void);"},
		{"upck_forall_left", "void upck_forall_left(int);"},
		{"upck_forall_integer", "unsigned long upck_forall_integer(const struct upck_site *, unsigned long, long);"},
		{"upck_forall_negative", "void upck_forall_negative(const struct upck_site *, long);"},
		{"upck_forall_pointer", "unsigned long upck_forall_pointer(const struct upck_site *, unsigned long, shared " +
			"const void *);"},
		{"upck_forall_enters", "void upck_forall_enters(const struct upck_site *);"},
		{"upck_forall_setjmp", "void upck_forall_setjmp(const void *);"},
		{"upck_forall_longjmp", "void upck_forall_longjmp(const struct upck_site *, const void *);"},
	}
}
