package finding

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Clean makes text of a program safe for one line of a terminal or of a CI system's log: control characters and others
// that cannot be printed are written as escapes.
func Clean(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 && strings.ToValidUTF8(s, "") == s {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == unicode.ReplacementChar && s[i] != "\ufffd"[0]:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unprintable(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool { return r != ' ' && !unicode.IsPrint(r) && r != '\u00a0' }
