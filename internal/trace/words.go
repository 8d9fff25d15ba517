package trace

import "fmt"

// Count is a number of things in words: "1 call", "1,234 calls".
func Count(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return Thousands(n) + " " + what
}

// Thousands is a number with its thousands apart.
func Thousands(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", Thousands(n/1000), n%1000)
}
