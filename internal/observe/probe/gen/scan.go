package gen

// declarations splits preprocessed C into the tokens of its declarations outside of braces, without line markers and
// attributes. Bodies and lists in braces are dropped; a function definition ends at its body.
func declarations(text []byte) [][]string {
	var out [][]string
	var now []string
	end := func() {
		if len(now) > 0 {
			out = append(out, now)
			now = nil
		}
	}
	braces := 0
	tokens := tokenize(text)
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t == "__attribute__" || t == "__asm__" || t == "__attribute":
			i = skipParens(tokens, i+1)
		case t == "__extension__":
		case t == "{":
			braces++
		case t == "}":
			if braces > 0 {
				braces--
			}
			if braces == 0 && len(now) > 0 && now[len(now)-1] == ")" {
				end()
			}
		case braces > 0:
		case t == ";":
			end()
		default:
			now = append(now, t)
		}
	}
	return out
}

// skipParens is the index of the token that closes the parenthesis at i, or i-1 if there is none.
func skipParens(tokens []string, i int) int {
	if i >= len(tokens) || tokens[i] != "(" {
		return i - 1
	}
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// tokenize splits preprocessed C into identifiers, numbers and punctuation. Lines that begin with # are markers of the
// preprocessor and literals are not kept: no declaration depends on them.
func tokenize(text []byte) []string {
	var out []string
	lineStart := true
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			lineStart = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '#' && lineStart:
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '"' || c == '\'':
			i = skipLiteral(text, i)
		case word(c):
			from := i
			for i < len(text) && word(text[i]) {
				i++
			}
			out = append(out, string(text[from:i]))
			lineStart = false
		case c == '.' && i+2 < len(text) && text[i+1] == '.' && text[i+2] == '.':
			out = append(out, "...")
			i += 3
		default:
			out = append(out, string(text[i:i+1]))
			lineStart = false
			i++
		}
	}
	return out
}

func skipLiteral(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func identifier(t string) bool { return word(t[0]) && (t[0] < '0' || t[0] > '9') }
