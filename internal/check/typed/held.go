package typed

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Held is a pointer in a variable whose bytes a call moves.
type Held struct {
	Variable string // as the program writes it
	// that has the pointer, as the program writes it behind the variable; "" if the variable itself does
	Member string
	Owns   bool // it belongs to an object of the C++ library, a container or a smart pointer
}

// HeldBy finds a pointer in what a call moves as bytes: on another rank it points to nothing. It is nil if there is
// none, or if it is not certain that there is.
func HeldBy(c *check.Call, b *Buffer) *Held {
	if c.Rank.Declared == nil || b.Type == nil || b.Type.Type == nil || b.Count <= 0 || !b.Certain || onlyHere(c) {
		return nil
	}
	t := b.Type.Type
	if t.Absolute() || t.Elements() == 0 || t.Size() != t.Extent() {
		return nil
	}
	if basic, _, _ := t.Element(b.Count, 0); basic.Class() != datatype.Bytes {
		return nil
	}
	d, ok := c.Rank.Declared(c, b.Use.At)
	if !ok || d.Fortran || d.Lies == symbol.ByPointer && d.Size <= pointerSize || !textFits(c, b, &d) ||
		!thereFor(b, &d) {
		return nil
	}
	moved := b.Count * t.Size()
	for i := range d.Elements {
		e := &d.Elements[i]
		if e.Kind != symbol.Pointer || e.At+e.Size > moved {
			continue
		}
		member, owns := ownerOf(e.Name)
		if !owns && (e.Type == "void *" || len(d.Elements) == 1) {
			continue // a program may want to tell others an address
		}
		return &Held{Variable: strings.TrimPrefix(strings.TrimSpace(d.Argument(b.Use.At)), "&"),
			Member: member, Owns: owns}
	}
	return nil
}

const pointerSize = 8

// ownerOf gives the member of the program's that a pointer is in, and whether that is an object of the C++ library: the
// members of the C++ library's classes begin with "_M_" or "__".
func ownerOf(name string) (member string, owns bool) {
	parts := strings.Split(strings.TrimPrefix(name, "."), ".")
	for i, p := range parts {
		if strings.HasPrefix(p, "_M_") || strings.HasPrefix(p, "__") {
			return strings.Join(parts[:i], "."), true
		}
	}
	return strings.Join(parts, "."), false
}

// onlyHere says whether the message of a call goes to the rank itself.
func onlyHere(c *check.Call) bool {
	at := int(c.Func.EnterAt[mpi.RPeer])
	if at < 0 || at >= len(c.Words) {
		return c.Comm != nil && c.Comm.Members.Len() == 1 && !c.Comm.Inter
	}
	return c.Comm == nil || toNobody(c) || int64(int32(c.Words[at])) == int64(c.Comm.Rank)
}

// Sentence says which pointer it is.
func (h *Held) Sentence() finding.Wording {
	what := finding.Wordf("`%s`", h.Variable)
	switch {
	case strings.Contains(h.Member, "_vptr"):
		return finding.Wordf("%s has virtual functions, and the pointer to their table is moved with it", what)
	case h.Owns && h.Member == "":
		return finding.Wordf("%s only points to its data, which is not sent with it", what)
	case h.Owns:
		return finding.Wordf("its member `%s` only points to its data, which is not sent with it", h.Member)
	}
	return finding.Wordf("its member `%s` is a pointer, which points to nothing on another rank", h.Member)
}

// Hint says what to do.
func (h *Held) Hint() string {
	switch {
	case h.Owns && h.Member == "":
		return "pass the address of its first element, as `data()` gives it, and the number of elements"
	case h.Owns:
		return "pack the members one by one, or send the length of the container and then its elements"
	}
	return "send what the pointer points to, and set the pointer where it is received"
}
