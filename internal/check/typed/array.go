package typed

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
)

// ofArray compares a buffer of a call with the array of Python that it belongs to. What the elements of that are is
// certain, but a program may use its memory for others: it is a mistake where the call computes with them, moves as
// many as the array has, or more bytes than it has, or where the datatype is made for an item of the array.
func ofArray(c *check.Call, b *Buffer, a *check.Array) *Mismatch {
	at, ok := c.Int(b.Use.At)
	if !ok || a.Items == nil || b.Type == nil || b.Type.Type == nil || b.Count <= 0 || uint64(at) < a.From ||
		uint64(at) >= a.To {
		return nil
	}
	d := *a.Items
	if (uint64(at)-a.From)%uint64(d.Size) != 0 || (a.To-a.From)%uint64(d.Size) != 0 {
		return nil
	}
	d.Count = int64(a.To-uint64(at)) / d.Size
	computes, items := reduces(c), b.Certain && b.Count == d.Count && oneNumber(&d)
	if !b.Type.Predefined {
		items = b.Type.Type.Extent() == d.Size && b.Count <= d.Count
	}
	m := compare(&d, b, computes, items)
	if m == nil || !computes && !items && !m.outside() && !m.Fits {
		return nil
	}
	m.Python, m.Datatype, m.End = true, m.Basic.String(), uint64(at+max(m.Moved, 0))
	if basic, _ := datatype.BasicOf(b.Type.Name); basic == m.Basic {
		m.Datatype = b.Type.Name
	} else if m.Within = b.Type.Name; m.Within == "" {
		m.Within = "the datatype"
	}
	if c.Rank.Argument != nil {
		if text := c.Rank.Argument(c.Func, c.Site, b.Use.At); text != "" {
			m.Variable = text + m.Element.Name
		}
	}
	return m
}

// oneNumber says whether an item is one number, of which a complex one has two elements.
func oneNumber(d *symbol.Declared) bool {
	return len(d.Elements) == 1 && d.Elements[0].Name == "" || len(d.Elements) == 2 && isComplex(d.Type)
}

func isComplex(dtype string) bool { return strings.HasPrefix(dtype, "c") }

// ofArray says what differs, in NumPy's words: "`a` is int16 (2 bytes), MPI_INT is int32 (4 bytes)".
func (m *Mismatch) ofArray() finding.Wording {
	size := m.Element.Size
	if isComplex(m.Type) {
		size *= 2 // an element is one of two numbers
	}
	return finding.Wordf("%s is %s (%s), %s is %s (%s)", m.called(), m.Type, check.Bytes(size), m.Datatype, m.dtype(),
		check.Bytes(m.Size))
}

// dtype is that of NumPy which fits the datatype.
func (m *Mismatch) dtype() string {
	bits := func(name string) string { return finding.Wordf("%s%d", name, 8*m.Size).Text }
	switch m.Basic.Class() {
	case datatype.Real:
		if m.Size > 8 {
			return "longdouble"
		}
		return bits("float")
	case datatype.Complex:
		return bits("complex")
	}
	if strings.Contains(m.Basic.String(), "UNSIGNED") || strings.Contains(m.Basic.String(), "UINT") {
		return bits("uint")
	}
	return bits("int")
}

// hintOfArray says which datatype of mpi4py the array is.
func (m *Mismatch) hintOfArray() string {
	if m.Within != "" {
		return "pass a structured array that has the elements of " + m.Within + ", or another datatype"
	}
	for _, x := range [][2]string{
		{"bool", "MPI.BOOL"}, {"int16", "MPI.INT16_T"}, {"uint16", "MPI.UINT16_T"}, {"int32", "MPI.INT"},
		{"uint32", "MPI.UINT32_T"}, {"int64", "MPI.INT64_T"},
		{"uint64", "MPI.UINT64_T"}, {"float32", "MPI.FLOAT"}, {"float64", "MPI.DOUBLE"},
		{"longdouble", "MPI.LONG_DOUBLE"},
		{"complex64", "MPI.C_FLOAT_COMPLEX"}, {"complex128", "MPI.C_DOUBLE_COMPLEX"},
	} {
		if x[0] == m.Type && m.Element.Name == "" {
			return "pass " + x[1] + " for " + m.Type + ", or the array alone: mpi4py knows its datatype"
		}
	}
	return "pass the datatype that the array has"
}
