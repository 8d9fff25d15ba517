package fold

// Integer is a number of records, or of periods.
type Integer interface{ ~int | ~uint64 }

// GCD is the greatest common divisor of two numbers, of which one is not 0 (Euclid's algorithm).
func GCD[N Integer](a, b N) N {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// LCM is their least common multiple: after so many records, or rounds, two periods of those lengths end together.
func LCM[N Integer](a, b N) N { return a / GCD(a, b) * b }
