package finding

import "strings"

// JoinAnd lists things in a sentence: "a", "a and b", "a, b and c".
func JoinAnd(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
