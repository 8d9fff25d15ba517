package datatype

import (
	"errors"
	"math/bits"
)

// farthest bounds every number of a Type, so that sums of a few never overflow.
const farthest = 1 << 60

var errFar = errors.New("the datatype spans more than 2^60 bytes: a count, a stride or a displacement is wrong")

// exact does arithmetic and remembers whether a result went past farthest.
type exact struct{ far bool }

func (e *exact) add(a, b int64) int64 { return e.within(a + b) } // both are within, so the sum fits

func (e *exact) mul(a, b int64) int64 {
	if high, low := bits.Mul64(magnitude(a), magnitude(b)); high != 0 || low > farthest {
		e.far = true
		return 0
	}
	return a * b
}

func (e *exact) within(a int64) int64 {
	if magnitude(a) > farthest {
		e.far = true
		return 0
	}
	return a
}

func (e *exact) err() error {
	if e.far {
		return errFar
	}
	return nil
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// total multiplies two numbers that are not negative, and stays at farthest where the product would be beyond.
func total(a, b int64) int64 {
	e := exact{}
	if n := e.mul(max(a, 0), max(b, 0)); !e.far {
		return n
	}
	return farthest
}

// floorDiv divides by a positive b and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// ceilDiv divides by a positive b and rounds up.
func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }
