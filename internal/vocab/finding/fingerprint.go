package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
)

// Fingerprint is a short text that is the same for the same mistake in another run, on other ranks, and when lines of
// the source move. It is made of the code, of the check of upc-check, of the files and functions of the places, and of
// the sentence without its numbers. Two mistakes of one kind in one function have the same: Same tells them apart.
func Fingerprint(f *Finding) string {
	if f.Fingerprint != "" {
		return f.Fingerprint
	}
	sum := sha256.New()
	said := func(parts ...string) {
		for _, p := range parts {
			sum.Write([]byte(p))
			sum.Write([]byte{0})
		}
	}
	words := f.Form
	if words == "" {
		words = f.Sentence
	}
	said(string(f.Code), f.Check, withoutNumbers(words))
	said(sites(f)...)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// sites are the files and functions of the places of a finding, each once. Where the source is on a disk is no part of
// them, nor an offset.
func sites(f *Finding) []string {
	var all []string
	for i := range f.Places {
		at := &f.Places[i].Frame
		file := at.File
		if file == "" {
			file = at.Module
		}
		if file != "" || at.Function != "" {
			all = append(all, path.Base(file)+"\x00"+at.Function)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var (
	// numberIn is a number in a text with what may be written to it, or "#", which stands for one in a form. A digit of
	// a name is none.
	numberIn = regexp.MustCompile(`#|\b(?:0x[0-9a-fA-F]+|[0-9]+(?:[.,][0-9]+)*)(?:st|nd|rd|th|[nµm]?s|[kKMG]?i?B)?\b`)
	// listOf is a list of numbers, with a word before it that is in the plural if there are several.
	listOf = regexp.MustCompile(`\b([Rr]ank|[Tt]hread|PE)s? #(?:(?:, | and |-)#)*(?: more)?`)
)

// withoutNumbers is a text with "#" for each number and for each list of ranks. A form has been made so where it was
// known what is a number; what is left are those in names ("a communicator made at a.c:12"), and sentences that came
// without a form.
func withoutNumbers(text string) string {
	return listOf.ReplaceAllString(numberIn.ReplaceAllString(text, "#"), "$1 #")
}

// Values of Finding.Baseline.
const (
	New       = "new"       // the baseline does not have it
	Unchanged = "unchanged" // it does
)

// Same says for each finding of a list which one of another list it is, by its index there, or -1. Of several with one
// fingerprint those at the same lines are the same, and the others in their order; each is the same as one at most.
func Same(list, other []Finding) []int {
	left := make(map[string][]int)
	for i := range other {
		print := Fingerprint(&other[i])
		left[print] = append(left[print], i)
	}
	same := make([]int, len(list))
	prints := make([]string, len(list))
	take := func(i int, fits func(*Finding) bool) {
		candidates := left[prints[i]]
		if at := slices.IndexFunc(candidates, func(k int) bool { return fits(&other[k]) }); at >= 0 {
			same[i] = candidates[at]
			left[prints[i]] = slices.Delete(candidates, at, at+1)
		}
	}
	for i := range list {
		same[i], prints[i] = -1, Fingerprint(&list[i])
		take(i, func(f *Finding) bool { return slices.Equal(lines(&list[i]), lines(f)) })
	}
	for i := range list {
		if same[i] < 0 {
			take(i, func(*Finding) bool { return true })
		}
	}
	return same
}

// lines are those of the places of a finding, each once.
func lines(f *Finding) []int {
	var all []int
	for i := range f.Places {
		all = append(all, f.Places[i].Line)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Against marks the findings of a list by a baseline.
func Against(baseline, list []Finding) {
	for i, was := range Same(list, baseline) {
		list[i].Baseline = Unchanged
		if was < 0 {
			list[i].Baseline = New
		}
	}
}
