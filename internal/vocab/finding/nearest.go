package finding

import (
	"fmt"
	"strings"
)

// Nearest names the word of a list that was probably meant ("did you mean …?"); if none is near, it gives otherwise.
func Nearest(word string, list []string, otherwise string) string {
	if best := Closest(word, list); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return otherwise
}

// Closest is the word of a list that was probably meant, or "".
func Closest(word string, list []string) string {
	best, at := "", len(word)/2+1
	for _, w := range list {
		if d := Distance(strings.ToLower(word), w); d < at {
			best, at = w, d
		}
	}
	return best
}

// Distance is the number of bytes to insert, delete or replace to turn a into b.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
