// Package snippets takes blocks of code out of a page of the documentation, so that what is written is what is tested.
package snippets

import (
	"os"
	"regexp"
	"strings"
)

var block = regexp.MustCompile("(?ms)^```[a-z]+\n(?:#!/bin/bash\n)?# (\\S+)\n.*?^```$")

// Of are the blocks of a page that begin with a comment that is the name of a file, which "#!/bin/bash" may stand
// before: their text, by that name.
func Of(page string) (map[string]string, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	for _, m := range block.FindAllStringSubmatch(string(text), -1) {
		_, code, _ := strings.Cut(m[0], "\n")
		found[m[1]] = strings.TrimSuffix(code, "```")
	}
	return found, nil
}
