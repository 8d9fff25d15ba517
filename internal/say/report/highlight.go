package report

import (
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// coloured is lines of a source file as HTML: words of the language, comments, texts and numbers are in elements with a
// class. The lines are plain if the language is not known.
func (x lexers) coloured(file string, lines []string) []template.HTML {
	out := make([]template.HTML, len(lines))
	for i, l := range lines {
		out[i] = template.HTML(template.HTMLEscapeString(l))
	}
	lexer := x.of(file)
	if lexer == nil {
		return out
	}
	tokens, err := lexer.Tokenise(nil, strings.Join(lines, "\n"))
	if err != nil {
		return out
	}
	for i, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		if i < len(out) {
			out[i] = template.HTML(markup(line))
		}
	}
	return out
}

// markup is a line of tokens as HTML.
func markup(line []chroma.Token) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		class, text := classOf(line[i].Type), ""
		for ; i < len(line) && classOf(line[i].Type) == class; i++ {
			text += line[i].Value
		}
		text = template.HTMLEscapeString(strings.TrimRight(text, "\n"))
		if class != "" && text != "" {
			text = `<i class="` + class + `">` + text + "</i>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// classOf is the class by which the page colours a token; "" if it does not.
func classOf(t chroma.TokenType) string {
	switch {
	case t == chroma.CommentPreproc || t == chroma.CommentPreprocFile:
		return "p"
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "n"
	}
	return ""
}
