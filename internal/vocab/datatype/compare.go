package datatype

// Difference is the first place where two signatures differ.
type Difference struct {
	Element            int64 // from 0, in the flattened signature
	Sent, Expected     Basic
	SentAt, ExpectedAt Path
}

// Compare says whether nsent of the type sent match a receive of nrecv of the type recv: the signature of the message
// must be a prefix of the receive's (MPI-4.0, 3.2.4 and 3.3.1). If not, d is the first difference.
//
// MPI_BYTE matches MPI_BYTE only. A message or receive with MPI_PACKED matches anything (3.3.1, 5.2), as its elements
// are not the ones that were packed. Truncation is not a difference: only what both have is compared.
func Compare(sent *Type, nsent int64, recv *Type, nrecv int64) (d *Difference, ok bool) {
	if sent == recv || sent.packed || recv.packed {
		return nil, true
	}
	n := min(total(nsent, sent.elements), total(nrecv, recv.elements))
	if n == 0 || sent.uniform != None && sent.uniform == recv.uniform {
		return nil, true
	}
	at := int64(0)
	if sent.uniform == None || recv.uniform == None {
		if prefixOf(sent, n) == prefixOf(recv, n) {
			return nil, true
		}
		at = firstDifference(sent, recv, n)
	}
	d = &Difference{Element: at}
	d.Sent, _, d.SentAt = sent.At(nsent, at)
	d.Expected, _, d.ExpectedAt = recv.At(nrecv, at)
	return d, false
}

// firstDifference gives the first of n elements in which two signatures differ, where they do: the longest common
// prefix is found by bisection.
func firstDifference(t, u *Type, n int64) int64 {
	from, to := int64(0), n // prefixes of from elements are equal, those of to differ
	for to-from > 1 {
		if middle := from + (to-from)/2; prefixOf(t, middle) == prefixOf(u, middle) {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}

// Overflows says whether nsent of the type sent are more bytes than nrecv of the type recv have: an MPI library that
// compares no types notices that.
func Overflows(sent *Type, nsent int64, recv *Type, nrecv int64) bool {
	return total(nsent, sent.size) > total(nrecv, recv.size)
}

// TooLong says whether a message is too long for its receive, however that is counted: more elements, and more bytes.
// What has only more elements, as bytes for one large number, is of another type.
func TooLong(sent *Type, nsent int64, recv *Type, nrecv int64) bool {
	return Truncated(sent, nsent, recv, nrecv) && Overflows(sent, nsent, recv, nrecv)
}

// Truncated says whether nsent of the type sent are more than nrecv of the type recv hold, so that the receive is in
// error (MPI-4.0, 3.2.4): more elements or, where MPI_PACKED is involved, more bytes.
func Truncated(sent *Type, nsent int64, recv *Type, nrecv int64) bool {
	if sent.packed || recv.packed {
		return Overflows(sent, nsent, recv, nrecv)
	}
	return total(nsent, sent.elements) > total(nrecv, recv.elements)
}
