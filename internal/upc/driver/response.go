package driver

import (
	"fmt"
	"os"
	"strings"
)

// expand puts the words of a file in the place of an argument @file, as gcc does. A file that cannot be read stands for
// itself.
func expand(args []string, depth int) ([]string, error) {
	const deepest = 20
	if depth > deepest {
		return nil, fmt.Errorf("%s: option files include each other", args[0])
	}
	var all []string
	for _, arg := range args {
		path, ok := strings.CutPrefix(arg, "@")
		if !ok {
			all = append(all, arg)
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			all = append(all, arg)
			continue
		}
		inside, err := expand(split(string(text)), depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, inside...)
	}
	return all, nil
}

// split separates words at white space, except in quotes and after a backslash.
func split(text string) []string {
	var all []string
	var b strings.Builder
	inWord := false
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
			inWord = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			if inWord {
				all = append(all, b.String())
				b.Reset()
			}
			inWord = false
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		all = append(all, b.String())
	}
	return all
}
