package layout

import (
	"fmt"
	"reflect"
	"strings"

	"unknot/internal/vocab/finding"
)

// constant is one #define; text is its value as C writes it.
type constant struct{ name, text string }

func number[T ~int | ~uint8 | ~uint64](name string, v T) constant {
	return constant{name, fmt.Sprint(v)}
}

func text(name, v string) constant { return constant{name, fmt.Sprintf("%q", v)} }

// ProgramHeader is the text of layout.h, for the run-time of compiled programs.
func ProgramHeader() string {
	all := []constant{
		number("LAYOUT", Version), number("MAX_BLOCK", uint64(MaxBlock)), text("CODE_ERROR", string(finding.UPCError)),
		text("ENV_SESSION", EnvSession), text("FINDINGS_NAME", FindingsName), text("WAITS_PREFIX", WaitsPrefix),
		text("STOP_END", StopEnd),
		{"MARK", fmt.Sprintf("UINT64_C(%#x)", WaitsMark)},
		number("AT_BARRIER", AtBarrier), number("AT_END", AtEnd), number("AT_LOCK", AtLock),
		number("AT_EXCHANGE", AtExchange),
	}
	words := reflect.TypeFor[Waits]()
	for i := range words.NumField() {
		f := words.Field(i)
		all = append(all, number("WAITS_"+strings.ToUpper(f.Name), uint64(f.Offset/wordSize)))
	}
	all = append(all, number("WAITS_WORDS", uint64(words.Size()/wordSize)))
	all = append(all, streams()...)
	return header("UPCR", all, Recorded)
}

// streams are what a thread that records its accesses has to know.
func streams() []constant {
	all := []constant{
		text("RACES_NAME", RacesName), text("STREAM_PREFIX", StreamPrefix), text("SITES_PREFIX", SitesPrefix),
		{"RACES_MARK", fmt.Sprintf("UINT64_C(%#x)", StreamMark)}, number("STREAM_RECORDS", uint64(StreamRecords)),
	}
	all = append(all, number("RECORDED_OP", RecordedOp), number("RECORDED_ATOMIC", RecordedAtomic),
		number("RECORDED_ALL", RecordedAll), number("RECORDED_PART", RecordedPart), number("EVERYBODY", Everybody))
	words := reflect.TypeFor[Stream]()
	for i := range words.NumField() {
		if f := words.Field(i); f.Name != "_" {
			all = append(all, number("STREAM_"+strings.ToUpper(f.Name), uint64(f.Offset/wordSize)))
		}
	}
	all = append(all, number("STREAM_WORDS", uint64(words.Size()/wordSize)))
	meet := reflect.TypeFor[Meet]()
	for i := range meet.NumField() {
		f := meet.Field(i)
		all = append(all, number("MEET_"+strings.ToUpper(f.Name), uint64(f.Offset/wordSize)))
	}
	all = append(all, text("MEET_NAME", MeetName), text("MEET_STACKS", MeetStacks),
		number("MEET_WORDS", uint64(meet.Size()/wordSize)),
		constant{"MEETS_MARK", fmt.Sprintf("UINT64_C(%#x)", MeetMark)})
	for i, name := range []string{"FREE", "CLAIMED", "HELD", "MET", "DECIDED", "FIRST", "BOTH"} {
		all = append(all, number("MEETS_"+name, uint64(MeetFree+i)))
	}
	for i, name := range []string{"READ", "WRITE", "STRICT_READ", "STRICT_WRITE", "NOTIFY", "WAIT", "LOCK", "UNLOCK",
		"ALLOC", "FREE", "BEGIN", "JOIN", "SHOW", "SEE", "ENTER", "LEAVE"} {
		all = append(all, number("RECORD_"+name, uint64(RecordRead+i)))
	}
	return all
}

// CheckHeader is the text of upck_layout.h, for the run-time of upc-check.
func CheckHeader() string {
	all := []constant{
		number("LAYOUT", Version),
		text("ENV_SESSION", EnvSession), text("FINDINGS_NAME", FindingsName),
		number("EXIT_FINDINGS", ExitFindings),
		number("WARNING", Warning), number("ERROR", Error),
		number("NO_ARGUMENTS", WithoutArguments), number("NO_DEADLOCKS", WithoutDeadlocks),
		number("C", CharElement), number("UC", UCharElement), number("S", ShortElement), number("US", UShortElement),
		number("I", IntElement),
		number("UI", UIntElement), number("L", LongElement), number("UL", ULongElement), number("F", FloatElement),
		number("D", DoubleElement),
		number("LD", LongDoubleElement),
	}
	all = append(all, codes()...)
	var b strings.Builder
	b.WriteString("\n" + doings() + "\n" + Structs + "\n")
	for _, h := range Hooks() {
		b.WriteString(h.Declaration + "\n")
	}
	return header("UPCK", all, b.String())
}

const wordSize = 8

func header(prefix string, all []constant, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "/* Generated from internal/upc/layout. */\n#ifndef %s_LAYOUT_H\n#define %[1]s_LAYOUT_H\n\n",
		prefix)
	for _, c := range all {
		fmt.Fprintf(&b, "#define %s_%s %s\n", prefix, c.name, c.text)
	}
	b.WriteString(more + "\n#endif\n")
	return b.String()
}
