package datatype

import "math/bits"

// A signature is hashed as a number in base radix modulo the prime 2^61-1, with a digit for each element. So that
// signatures can be put one after the other, a hash carries the power of the base that its length shifts by.
const (
	prime = 1<<61 - 1
	radix = 0x0f3a9c5d71e64b27
)

// signature is the hash of a sequence of basic elements. The zero value is not one: see empty.
type signature struct {
	hash  uint64
	shift uint64 // radix to the power of the number of elements
}

var empty = signature{0, 1}

// digit is the signature of one basic element.
func digit(b Basic) signature {
	x := uint64(b) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return signature{(x^x>>31)%(prime-1) + 1, radix}
}

// then is the signature of s followed by u.
func (s signature) then(u signature) signature {
	return signature{add(mul(s.hash, u.shift), u.hash), mul(s.shift, u.shift)}
}

// times is the signature of n copies of s, by squaring.
func (s signature) times(n int64) signature {
	if n <= 0 {
		return empty
	}
	for n&1 == 0 {
		s = s.then(s)
		n >>= 1
	}
	result := s
	for n >>= 1; n > 0; n >>= 1 {
		s = s.then(s)
		if n&1 == 1 {
			result = result.then(s)
		}
	}
	return result
}

func add(a, b uint64) uint64 {
	if a += b; a >= prime {
		a -= prime
	}
	return a
}

// mul multiplies modulo 2^61-1, where 2^61 is 1: the high part of the product is added to the low one.
func mul(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return add(low&prime, high<<3|low>>61)
}

// Hash is a hash of the type signature of count of t: equal for equal signatures, however they were built. It is 0 only
// for an empty one. MPI_PACKED and MPI_BYTE are elements like others to it; what they match is Compare's business.
func (t *Type) Hash(count int64) uint64 {
	if count <= 0 || t.elements == 0 {
		return 0
	}
	h := t.signature
	if count > 1 {
		h = h.times(count)
	}
	return max(h.hash, 1)
}

// prefix is the signature of the first n elements of one t, which has more.
func (t *Type) prefix(n int64) signature {
	before := empty
	for n > 0 {
		old := t.old
		if old == nil {
			var b int
			b, n = t.list.find(n)
			before = before.then(t.list.before[b].signature)
			old = t.list.types[b]
		}
		before = before.then(old.signature.times(n / old.elements))
		t, n = old, n%old.elements
	}
	return before
}

// prefixOf is the signature of the first n elements of as many t as it takes.
func prefixOf(t *Type, n int64) signature {
	return t.signature.times(n / t.elements).then(t.prefix(n % t.elements))
}
