package finding

import (
	_ "embed" // for the rules
	"fmt"
	"strings"
)

//go:embed known.suppressions
var knownRules string

// Known are the findings of a library that unknot leaves out unless asked not to: they are true, but not the
// user's.
type Known struct {
	Library string
	Reason  string // in lines, as the file has it
	Rules   []string
	*Suppressions
}

// KnownFindings gives the rules that unknot brings, by library. The codes are those of the catalogue.
func KnownFindings(known Catalogue) ([]Known, error) { return parseKnown(knownRules, known) }

// parseKnown reads blocks of rules. The first is a comment about the file.
func parseKnown(text string, known Catalogue) ([]Known, error) {
	var out []Known
	for _, block := range strings.Split(text, "\n\n")[1:] {
		k, comment := Known{}, []string(nil)
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(line)
			if about, ok := strings.CutPrefix(line, "# "); ok {
				comment = append(comment, about)
			} else if line != "" {
				k.Rules = append(k.Rules, line)
			}
		}
		k.Library, k.Reason, _ = strings.Cut(strings.Join(comment, "\n"), ": ")
		if k.Library == "" || k.Reason == "" || len(k.Rules) == 0 {
			return nil, fmt.Errorf("a block of known findings lacks its library, the reason or rules: %q", block)
		}
		var err error
		if k.Suppressions, err = ParseSuppressions(strings.NewReader(strings.Join(k.Rules, "\n")), k.Library,
			known); err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}
