package ring

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Header is the text of ring.h: the layout of this package in C, made from the Go types by reflection and from
// records.tsv, so that there is one definition. Every offset and size is asserted again by the C compiler.
func Header() string {
	var b strings.Builder
	b.WriteString("// Generated from internal/observe/ring/layout.go. Positions and flags that two processes use are " +
		"accessed atomically.\n")
	b.WriteString("#ifndef UK_RING_H\n#define UK_RING_H\n\n#include <assert.h>\n#include <stddef.h>\n#include " +
		"<stdint.h>\n\n")
	for _, c := range constants() {
		fmt.Fprintf(&b, "#define UK_%s %s\n", c.name, c.text)
	}
	b.WriteString("\n" + recordsHeader + "\n")
	for _, t := range []reflect.Type{
		reflect.TypeFor[Death](), reflect.TypeFor[Fault](), reflect.TypeFor[RecordHeader](),
		reflect.TypeFor[RingHeader](), reflect.TypeFor[Control](),
	} {
		b.WriteString(CStruct(t))
	}
	b.WriteString("#endif\n")
	return b.String()
}

// constant is one #define; text is its value as C writes it.
type constant struct{ name, text string }

func constants() []constant {
	num := func(name string, v uint64) constant { return constant{name, fmt.Sprintf("%#xu", v)} }
	long := func(name string, v uint64) constant { return constant{name, fmt.Sprintf("UINT64_C(%#x)", v)} }
	str := func(name, v string) constant { return constant{name, fmt.Sprintf("%q", v)} }
	return []constant{
		num("VERSION", Version), long("MAGIC", Magic), long("PYTHON_SITE", PythonSite),
		num("SLOT_SIZE", SlotSize), num("HEADER_SIZE", HeaderSize), num("WORDS_FIRST", WordsFirst),
		num("WORDS_NEXT", WordsNext), num("MAX_SLOTS", MaxSlots), num("MIN_SLOTS", MinSlots),
		num("FOLD_AHEAD", FoldAhead),
		num("COMM_INTER", CommInter), num("COMM_FIRST", CommFirst),
		num("CALLERS_SHIFT", CallersShift), num("CALLERS_MOST", CallersMost), num("BETWEEN_SESSIONS", BetweenSessions),
		num("DEATH_NONE", uint64(DeathNone)), num("DEATH_EXIT", uint64(DeathExit)),
		num("DEATH_SIGNAL", uint64(DeathSignal)), num("DEATH_ABORT", uint64(DeathAbort)),
		num("ALONE_BY_OPEN_MPI", AloneByOpenMPI), num("ALONE_BY_HYDRA", AloneByHydra), num("ALONE_LOADED", AloneLoaded),
		num("ALONE_INITIALISED", AloneInitialised), num("ALONE_COUNTED", AloneCounted),
		num("NO_THREAD", NoThread), num("FAULT_NONE", uint64(FaultNone)), num("FAULT_INSIDE", uint64(FaultInside)),
		num("FAULT_PAST", uint64(FaultPast)),
		num("SAID_NOTHING", uint64(SaidNothing)), num("SAID_MESSAGE", uint64(SaidMessage)),
		num("SAID_RUNTIME", uint64(SaidRuntime)),
		num("SAID_EXCEPTION", uint64(SaidException)), num("END_MAX", uint64(len(RingHeader{}.End))),
		num("SAID_MAX", uint64(len(RingHeader{}.Said))),
		num("WATCHING", StateWatching), num("AGENT_GONE", StateGone),
		num("READER_NONE", uint64(ReaderNone)), num("READER_THERE", uint64(ReaderThere)),
		num("READER_UNREAD", uint64(ReaderUnread)),
		num("LOOK_AFTER", LookAfter), num("STARTING", Starting), num("RESERVE_SHARE", ReserveShare),
		num("RESERVE_MOST", ReserveMost),
		str("CONTROL_NAME", ControlName), str("JOINED_NAME", JoinedName), str("RING_PREFIX", RingPrefix),
		str("TEMP_PREFIX", TempPrefix),
		str("OUTSIDE_PREFIX", OutsidePrefix), str("MAPS_SUFFIX", MapsSuffix),
		str("ENV_SESSION", EnvSession), str("ENV_PLAN", EnvPlan), str("ENV_AGENT", EnvAgent), str("ENV_LINK", EnvLink),
		str("ENV_HEED", EnvHeed), str("CLOCK_NAME", ClockName),
		num("STACK_SIGNAL_BELOW_MAX", StackSignalBelowMax), num("STACK_MAX", uint64(len(RingHeader{}.Stack))),
	}
}

// CStruct is a Go struct as a C struct of the same layout: padding becomes numbered arrays, and assertions follow.
func CStruct(t reflect.Type) string {
	var b strings.Builder
	name := "uk_" + snake(t.Name())
	fmt.Fprintf(&b, "struct %s {\n", name)
	var checks strings.Builder
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type.Size() == 0 {
			continue
		}
		field := snake(f.Name)
		switch f.Name {
		case "_":
			field = fmt.Sprintf("pad%d", i)
		case "Errno": // a macro in C
			field = "error"
		}
		base, dim := f.Type, ""
		if base.Kind() == reflect.Array {
			dim = fmt.Sprintf("[%d]", base.Len())
			base = base.Elem()
		}
		fmt.Fprintf(&b, "    %s %s%s;\n", ctype(base), field, dim)
		fmt.Fprintf(&checks, "_Static_assert(offsetof(struct %s, %s) == %d, \"%s.%s\");\n", name, field,
			f.Offset, name, field)
	}
	fmt.Fprintf(&b, "};\n%s_Static_assert(sizeof(struct %s) == %d, \"%s\");\n\n", checks.String(), name, t.Size(), name)
	return b.String()
}

func ctype(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "struct uk_" + snake(t.Name())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("int%d_t", t.Bits())
	default:
		return fmt.Sprintf("uint%d_t", t.Bits())
	}
}

// snake turns StackDone into stack_done and AgentPID into agent_pid.
func snake(s string) string {
	var b strings.Builder
	lower := false
	for _, r := range s {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
