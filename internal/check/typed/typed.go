// Package typed compares what buffers of calls are declared as with the datatypes of these calls, for the checks of
// several families.
package typed

import (
	"regexp"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Mismatch is a buffer whose variable is of another type than the datatype says.
type Mismatch struct {
	Variable string // as the program writes it
	Points   bool   // it is a pointer or a container, and its type that of what it points to
	Element  symbol.Element
	Type     string // of the element
	Basic    datatype.Basic
	Datatype string // its name, as the program has it
	Within   string // of an array, the datatype that it is an element of, "" if it is the datatype
	Size     int64  // of the basic
	Moved    int64  // bytes that the call uses; -1 if that says nothing
	There    int64  // bytes that the variable has; -1 if that is not known
	End      uint64 // of an array, where the bytes end that the call uses
	Fortran  bool
	Python   bool
	// the call moves exactly the bytes of the elements: an array's as numbers of a higher precision, perhaps on
	// purpose; an integer's as a truth value
	Fits bool
	// Every and Items: the first item of the variable fits, and the datatype repeats itself after so many bytes where
	// the variable has so many; 0 otherwise.
	Every, Items int64
}

// Buffer is what is known of a call's buffer.
type Buffer struct {
	Use     *mpi.Buffer
	Type    *objects.Object // whose Type is known
	Count   int64
	Certain bool // the count is that of a single block
	Ground  check.Ground
}

// Of compares a buffer of a call with the variable that the call's text names there; nil if they fit, or if it is not
// certain that they do not.
func Of(c *check.Call, b *Buffer) *Mismatch {
	if a := c.InArray(b.Use.At); a != nil {
		return ofArray(c, b, a)
	}
	if c.Rank.Declared == nil || b.Type == nil || b.Type.Type == nil || b.Count <= 0 {
		return nil
	}
	d, ok := c.Rank.Declared(c, b.Use.At)
	if !ok || !textFits(c, b, &d) || !thereFor(b, &d) {
		return nil
	}
	m := compare(&d.Declared, b, reduces(c), plain(d.Argument(b.Use.Count)))
	if m == nil {
		return nil
	}
	text := strings.TrimSpace(d.Argument(b.Use.At))
	m.Datatype = m.Basic.String()
	if basic, _ := datatype.BasicOf(b.Type.Name); basic == m.Basic {
		m.Datatype = b.Type.Name
	}
	m.Variable = strings.TrimPrefix(text, "&") + m.Element.Name
	m.Points = !d.Fortran && d.Lies == symbol.ByPointer && !strings.HasPrefix(text, "&")
	return m
}

// textFits says whether the other arguments that the text has are those of the call.
func textFits(c *check.Call, b *Buffer, d *check.Written) bool {
	if b.Certain && !d.Agrees(c, b.Use.Count) {
		return false
	}
	name := datatypeNamed(d.Argument(b.Use.Type))
	if basic, known := datatype.BasicOf(name); known && b.Type.Predefined {
		actual, _ := datatype.BasicOf(b.Type.Name)
		return actual == datatype.None || basic == actual || basic.Class() == actual.Class()
	}
	return true
}

// datatypeNamed is the name of a predefined datatype in a text, "" if it has something else: Fortran writes names in
// any case.
func datatypeNamed(text string) string {
	if name := strings.ToUpper(text); strings.HasPrefix(name, "MPI_") {
		return name
	}
	return ""
}

// thereFor says whether the buffer's memory can be what the text names.
func thereFor(b *Buffer, d *check.Written) bool {
	switch d.Lies {
	case symbol.OnStack:
		return b.Ground.Kind == check.ThreadStack || d.Fortran && b.Ground.Kind == check.NoGround
	case symbol.InStatic:
		return b.Ground.Kind == check.Variable && strings.EqualFold(lastName(b.Ground.Name), d.Name)
	// who calls a procedure of Fortran may pass anything, unless the datatype is that of the declaration too
	case symbol.ByCaller:
		_, literal := datatype.BasicOf(datatypeNamed(d.Argument(b.Use.Type)))
		return literal
	case symbol.InCommon: // it may be declared with another type elsewhere, and be used as that
		return false
	}
	return b.Ground.Kind != check.Variable
}

// lastName is a name without the scopes that it is in.
func lastName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// reduces says whether the elements of a call are computed with, so that it matters what they are.
func reduces(c *check.Call) bool {
	if c.Func.EnterAt[mpi.ROp] < 0 || int(c.Func.EnterAt[mpi.ROp]) >= len(c.Words) {
		return false
	}
	switch c.Rank.Name(mpi.OOp, c.Words[c.Func.EnterAt[mpi.ROp]]) {
	case "MPI_SUM", "MPI_PROD", "MPI_MAX", "MPI_MIN", "MPI_MAXLOC", "MPI_MINLOC":
		return true
	}
	return false
}

var simple = regexp.MustCompile(
	`^(?i:[a-z_][a-z_0-9]*([.%]|->))*([a-z_][a-z_0-9]*(\.size\(\))?|[0-9]+|size *\( *[a-z_0-9]+ *\))$`)

// plain says whether a count is written as a number of elements: where it is computed, a program may well count the
// parts of its elements.
func plain(count string) bool {
	lower := strings.ToLower(count)
	return simple.MatchString(lower) && !strings.Contains(lower, "byte") && !strings.Contains(lower, "words")
}

// looked bounds the elements of a datatype that are compared.
const looked = 64

func compare(d *symbol.Declared, b *Buffer, computes, plain bool) *Mismatch {
	t := b.Type.Type
	if t.Absolute() || t.Elements() == 0 {
		return nil
	}
	for n := int64(0); n < min(looked, t.Elements()*b.Count); n++ {
		basic, size, at := t.Element(b.Count, n)
		halves := int64(1)
		if basic.Class() == datatype.Complex {
			size, halves = size/2, 2
		}
		for h := range halves {
			e, from, known := lies(d, at+h*size)
			switch {
			case basic.Class() == datatype.Bytes:
				if b.Type.Predefined {
					return nil
				}
				continue
			case !known || e.Kind == symbol.Opaque:
				return nil
			case e.Size == size && alike(e.Kind, basic.Class()):
				if from != 0 { // the datatype's elements overlap, or stand elsewhere: their types are the variable's
					return nil
				}
				if truth(d, b, e, basic) {
					return &Mismatch{Element: e, Type: e.Type, Basic: basic, Size: size, Moved: -1, There: -1,
						Fortran: true, Fits: true}
				}
				continue
			}
			m := &Mismatch{Element: e, Type: e.Type, Basic: basic, Size: size * halves, Moved: -1, There: -1,
				Fortran: d.Fortran}
			if d.Count >= 0 {
				m.There = d.Count * d.Size
			}
			if from == 0 && e.Size == size {
				if size != 4 && size != 8 || e.Kind == symbol.Pointer && basic.Class() != datatype.Real {
					return nil // MPI has no name for some types, such as numbers of 16 bits with a point
				}
				if !computes && (!plain || b.Type.Predefined && mixed(d)) {
					return nil // a program may send the bytes of a struct as integers
				}
				return m
			}
			if n >= t.Elements() && t.Elements() > 1 && len(d.Elements) > 1 && t.Extent() != d.Size &&
				!b.Type.Predefined {
				m.Every, m.Items = t.Extent(), d.Size
				return m
			}
			if !certain(d, b, m, n, at, computes, plain) {
				return nil
			}
			return m
		}
	}
	return nil
}

// truth says whether an integer of Fortran is moved as a truth value. The standard has MPI_LOGICAL for LOGICAL alone
// (MPI-4.0, 3.3.1); what a procedure's caller passes may be that. A truth value as MPI_INTEGER is old practice, by
// which operations like MPI_MAX apply to it.
func truth(d *symbol.Declared, b *Buffer, e symbol.Element, basic datatype.Basic) bool {
	return d.Fortran && d.Lies != symbol.ByCaller && b.Type.Predefined && strings.HasPrefix(e.Type, "integer(") &&
		strings.HasPrefix(basic.String(), "MPI_LOGICAL")
}

// mixed says whether a variable has elements of several kinds or sizes.
func mixed(d *symbol.Declared) bool {
	for _, e := range d.Elements[1:] {
		if e.Kind != d.Elements[0].Kind || e.Size != d.Elements[0].Size {
			return true
		}
	}
	return false
}

// lies gives the basic element of a variable in which an offset is, and how far; false if there is none.
func lies(d *symbol.Declared, at int64) (e symbol.Element, from int64, known bool) {
	if at < 0 || d.Count >= 0 && at >= d.Count*d.Size {
		return e, 0, false
	}
	at %= d.Size
	for _, e := range d.Elements {
		if at >= e.At && at < e.At+e.Size {
			return e, at - e.At, true
		}
	}
	return e, 0, false
}

func alike(k symbol.Kind, c datatype.Class) bool {
	switch k {
	case symbol.Integer, symbol.Pointer:
		return c == datatype.Whole
	case symbol.Real:
		return c == datatype.Real || c == datatype.Complex
	}
	return true
}

// certain says whether sizes that differ are a mistake: a program may send the bytes of whole elements as elements of
// another size.
func certain(d *symbol.Declared, b *Buffer, m *Mismatch, n, at int64, computes, plain bool) bool {
	t := b.Type.Type
	if !b.Type.Predefined {
		end := at
		for ; n < min(looked, t.Elements()*b.Count); n++ { // a run of equal elements
			basic, size, next := t.Element(b.Count, n)
			if basic != m.Basic || next != end {
				break
			}
			end += size
		}
		return cuts(d, end) || computes
	}
	moved := b.Count * t.Size()
	if b.Certain {
		m.Moved = moved
	}
	if t.Elements() > 1 {
		return true // pairs, as MPI_MINLOC takes them, are not the bytes of anything else
	}
	if d.Python && m.There == moved && m.Element.Kind == symbol.Real && m.Basic.Class() == datatype.Real &&
		m.Element.Size < m.Size && !computes && !isComplex(m.Type) {
		m.Fits = true
		return true
	}
	switch {
	case computes, b.Certain && cuts(d, moved), m.There >= 0 && b.Certain && moved > m.There:
		return true
	case m.There == moved, !b.Certain:
		return false
	}
	return plain
}

// cuts says whether an offset is within a basic element.
func cuts(d *symbol.Declared, at int64) bool {
	e, from, known := lies(d, at)
	return known && e.Kind != symbol.Opaque && from > 0
}

// Sentence says what differs: "`err` is real(8), MPI_REAL is real(4)".
func (m *Mismatch) Sentence() finding.Wording {
	if m.Every > 0 {
		return finding.Wordf("an item of `%s` has %s, and the datatype repeats itself after %d",
			strings.TrimSuffix(m.Variable, m.Element.Name), check.Bytes(m.Items), m.Every)
	}
	is := "is"
	if m.Points {
		is = "points to"
	}
	if m.Fortran {
		return finding.Wordf("`%s` is %s, %s is %s", m.Variable, m.Type, m.Datatype, m.basicType())
	}
	if m.Python {
		return m.ofArray()
	}
	size := m.Element.Size
	if strings.Contains(m.Type, "complex") {
		size *= 2 // an element is one of two numbers
	}
	declared := finding.Wordf("%s (%s)", m.Type, check.Bytes(size))
	if m.Element.Alias != "" {
		declared = finding.Wordf("%s (%s, %s)", m.Element.Alias, m.Type, check.Bytes(size))
	}
	return finding.Wordf("`%s` %s %s, %s is %s (%s)", m.Variable, is, declared, m.Datatype, m.basicType(),
		check.Bytes(m.Size))
}

// basicType is what a program declares that fits the datatype.
func (m *Mismatch) basicType() string {
	if m.Fortran {
		kind := map[datatype.Class]string{datatype.Whole: "integer", datatype.Real: "real",
			datatype.Complex: "complex"}[m.Basic.Class()]
		if strings.HasPrefix(m.Basic.String(), "MPI_LOGICAL") {
			kind = "logical"
		}
		size := m.Size
		if m.Basic.Class() == datatype.Complex {
			size /= 2
		}
		return finding.Wordf("%s(%d)", kind, size).Text
	}
	for _, x := range pairsInC() {
		if x.mpi == m.Basic.String() {
			return x.c
		}
	}
	switch m.Basic.Class() {
	case datatype.Real:
		return "a floating-point number"
	case datatype.Complex:
		return "a complex number"
	}
	return "an integer"
}

// inC is a type of C and its datatype.
type inC struct{ c, mpi string }

func pairsInC() []inC {
	return []inC{
		{"int", "MPI_INT"}, {"unsigned int", "MPI_UNSIGNED"}, {"long", "MPI_LONG"},
		{"unsigned long", "MPI_UNSIGNED_LONG"},
		{"long long", "MPI_LONG_LONG_INT"}, {"unsigned long long", "MPI_UNSIGNED_LONG_LONG"}, {"short", "MPI_SHORT"},
		{"unsigned short", "MPI_UNSIGNED_SHORT"}, {"float", "MPI_FLOAT"}, {"double", "MPI_DOUBLE"},
		{"long double", "MPI_LONG_DOUBLE"},
		{"bool", "MPI_C_BOOL"}, {"int16_t", "MPI_INT16_T"}, {"int32_t", "MPI_INT32_T"}, {"int64_t", "MPI_INT64_T"},
		{"uint16_t", "MPI_UINT16_T"},
		{"uint32_t", "MPI_UINT32_T"}, {"uint64_t", "MPI_UINT64_T"}, {"size_t", "MPI_UNSIGNED_LONG"},
		{"MPI_Aint", "MPI_AINT"},
		{"double complex", "MPI_C_DOUBLE_COMPLEX"}, {"float complex", "MPI_C_COMPLEX"},
	}
}

// Hint says which datatype the variable is.
func (m *Mismatch) Hint() string {
	if m.Every > 0 {
		return "give the datatype the extent of an item, its sizeof, with MPI_Type_create_resized"
	}
	if m.Python {
		return m.hintOfArray()
	}
	fits, declared := "", m.Type
	switch {
	case m.Fortran:
		fits = map[string]string{
			"real(4)": "MPI_REAL", "real(8)": "MPI_DOUBLE_PRECISION", "real(16)": "MPI_REAL16",
			"integer(4)": "MPI_INTEGER", "integer(8)": "MPI_INTEGER8",
			"integer(2)": "MPI_INTEGER2", "integer(1)": "MPI_INTEGER1", "complex(4)": "MPI_COMPLEX",
			"complex(8)": "MPI_DOUBLE_COMPLEX", "logical(4)": "MPI_LOGICAL",
		}[m.Type]
	default:
		if fits = inMPI(m.Element.Alias); fits != "" { // MPI_Aint has a datatype
			declared = m.Element.Alias
		} else {
			fits = inMPI(m.Type)
		}
	}
	switch {
	case m.Element.Kind == symbol.Pointer:
		return "pass the address of the data, not that of the pointer to it"
	case fits != "":
		return "pass " + fits + " for " + declared
	}
	return "pass the datatype that the variable has"
}

// inMPI is the datatype of a type of C, "" if it has none.
func inMPI(declared string) string {
	for _, x := range pairsInC() {
		if x.c == declared {
			return strings.Replace(x.mpi, "MPI_LONG_LONG_INT", "MPI_LONG_LONG", 1)
		}
	}
	return ""
}

// outside says whether the call moves more than the variable has.
func (m *Mismatch) outside() bool { return m.There >= 0 && m.Moved > m.There }

// Leaves says whether that leads beyond the memory of the buffer.
func (m *Mismatch) Leaves(g check.Ground) bool {
	switch g.Kind {
	case check.Variable:
		return m.outside()
	case check.ArrayMemory:
		return m.outside() && m.End > g.To
	}
	return false
}

// called is what a note calls the variable.
func (m *Mismatch) called() string {
	if m.Variable == "" {
		return "the array"
	}
	return "`" + m.Variable + "`"
}

// Notes says how much of the variable a call moves, if that is not all of it.
func (m *Mismatch) Notes(receives bool) []finding.Note {
	verb := "sends"
	if receives {
		verb = "receives"
	}
	switch {
	case m.Moved < 0 || m.There < 0:
		return nil
	case m.Moved < m.There:
		return []finding.Note{finding.Remarkf("the call %s %d of the %s of %s", verb, m.Moved,
			check.Bytes(m.There), m.called())}
	case m.Moved > m.There:
		return []finding.Note{finding.Remarkf("the call %s %s, %s has %d", verb, check.Bytes(m.Moved),
			m.called(), m.There)}
	}
	return nil
}

// toNobody says whether a call moves nothing: its peer is MPI_PROC_NULL, or its operator MPI_NO_OP.
func toNobody(c *check.Call) bool {
	if at := int(c.Func.EnterAt[mpi.RPeer]); at >= 0 && at < len(c.Words) &&
		int64(int32(c.Words[at])) == c.Rank.Limits.ProcNull {
		return true
	}
	at := int(c.Func.EnterAt[mpi.ROp])
	return at >= 0 && at < len(c.Words) && c.Rank.Name(mpi.OOp, c.Words[at]) == "MPI_NO_OP"
}

// Read fills in what there is to compare of a buffer of a call; false if the call does not use it.
func Read(c *check.Call, u *mpi.Buffer, a *used.Area) (*Buffer, bool) {
	at, ok := c.Int(u.At)
	if !ok || at == 0 || uint64(at) == c.Rank.Limits.InPlace || uint64(at) == c.Rank.Limits.Bottom {
		return nil, false
	}
	handle, _ := c.Int(u.Type)
	b := &Buffer{Use: u, Type: c.Rank.TypeOf(uint64(handle)), Ground: c.Ground(u.At)}
	switch c.Func.Class {
	case mpi.Rma, mpi.Rrma, mpi.PsendInit, mpi.PrecvInit:
		if b.Type == nil || u.Count < 0 || u.Counts || toNobody(c) {
			return nil, false
		}
		b.Count, ok = c.Int(u.Count)
		b.Certain = c.Func.Class == mpi.Rma || c.Func.Class == mpi.Rrma
		return b, ok && b.Count > 0
	}
	if !a.Read(c, u) {
		return nil, false
	}
	for _, block := range a.All() {
		b.Count += block.Count
	}
	b.Certain = len(a.Blocks) == 0 && !u.Counts
	return b, b.Type != nil && b.Count > 0
}
