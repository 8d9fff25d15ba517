package report

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"unknot/internal/vocab/finding"
)

// number writes n with commas between groups of three digits.
func number[T ~int | ~int64 | ~uint64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	if n > 0 {
		s = strconv.FormatUint(uint64(n), 10)
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// ordinal writes 1st, 2nd, 3rd, 1,004th.
func ordinal(n int) string {
	plain := finding.Ordinal(n)
	return number(n) + plain[len(plain)-2:]
}

// plural writes a number with its noun.
func plural[T ~int | ~int64 | ~uint64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// maxRanges is how many ranges of ranks a label lists before it counts the rest.
const maxRanges = 6

// ranges writes ascending ranks as "0-3, 7, 9-12". A long list ends in "and 17 more". Ranks are names, not quantities,
// so that they have no commas inside.
func ranges(ranks []int) string {
	var parts []string
	listed := 0
	for from, to := range runs(ranks) {
		switch {
		case len(parts) == maxRanges:
			return strings.Join(parts, ", ") + " and " + number(len(ranks)-listed) + " more"
		case from == to:
			parts = append(parts, strconv.Itoa(from))
		case to == from+1:
			parts = append(parts, strconv.Itoa(from), strconv.Itoa(to))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", from, to))
		}
		listed += to - from + 1
	}
	return strings.Join(parts, ", ")
}

// runs are the first and the last of each run of ascending ranks that follow each other.
func runs(ranks []int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(ranks); {
			j := i
			for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
				j++
			}
			if !yield(ranks[i], ranks[j]) {
				return
			}
			i = j + 1
		}
	}
}

// label names ranks as the subject of a line, by what the language calls them: "rank 3", "ranks 1-15".
func label(in *finding.Terms, ranks []int) string {
	if len(ranks) > 0 && ranks[0] == finding.NoRank {
		if len(ranks) == 1 {
			return "a process"
		}
		return "a process and " + label(in, ranks[1:])
	}
	if len(ranks) == 1 {
		return in.Process + " " + strconv.Itoa(ranks[0])
	}
	if len(ranks) == 2 {
		return fmt.Sprintf("%s %d and %d", in.Processes, ranks[0], ranks[1])
	}
	return in.Processes + " " + ranges(ranks)
}

// counted writes how many ranks there are: "4 ranks".
func counted(in finding.Terms, ranks int) string { return plural(ranks, in.Process, in.Processes) }

// othersTitle says what is common to those of a finding that are not at fault.
func othersTitle(f *finding.Finding, others []group) string {
	for _, g := range others {
		if g.first.State == "running" || g.first.State == "finished" {
			return "The others"
		}
	}
	return "Also stuck because of this"
}

// clean makes text from a program safe for one line of a terminal: control and other unprintable characters, which
// could move the cursor or change the order of reading, are written as escapes.
func clean(s string) string { return finding.Clean(s) }

// ShellLine writes a command so that a shell would read it back.
func ShellLine(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "" || strings.IndexFunc(a, func(r rune) bool { return !plainInShell(r) }) >= 0 {
			out[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

func plainInShell(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./=:,+@%", r)
}

// set gives sorted values without repetition.
func set(ranks []int) []int { return slices.Compact(slices.Sorted(slices.Values(ranks))) }
