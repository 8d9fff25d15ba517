package finding

import "testing"

func TestTextOfAProgramStaysOnItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"halo": "halo", "größe ≤ 4": "größe ≤ 4", "a\n::error::b": `a\n::error::b`,
		"\x1b[31mred\x1b[0m": `\x1b[31mred\x1b[0m`,
		"\r\x07":             `\r\a`, "\xff": `\xff`, "\u202eevil": `\u202eevil`, "\u2028": `\u2028`,
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
