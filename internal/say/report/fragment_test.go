package report

import (
	"fmt"
	"strings"
	"testing"
)

// Parts of the page, by how their elements begin.
const (
	partTop      = `<header class="top"`
	partNav      = `<nav`
	partHeadline = `<h1`
	partClean    = `<section class="finding clean"`
	partGraph    = `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img"`
	partMessages = `<svg xmlns="http://www.w3.org/2000/svg" class="graph messages"`
	partSteps    = `<ol class="steps"`
	partFault    = `<table class="ranks core"`
	partRanks    = `<table class="ranks"`
	partSource   = `<figure class="source"`
	partTimeline = `<table class="timeline"`
	partGrids    = `<section class="finding grids"`
	partLanes    = `<section class="finding lanes"`
	partFacts    = `<section class="facts"`
	partBrief    = `<section class="finding briefly"`
)

// fragments are what the golden file of a fixture has of its page: what is different from other pages. The page of
// recv-recv is there as a whole.
func fragments() map[string][]string {
	return map[string][]string{
		"barrier":  {partHeadline, partGraph, partFault},
		"big-ring": {partGraph, partFault},
		"died":     {partHeadline, partGraph, partFault, partRanks},
		"grid":     {partGrids, partLanes},
		"history":  {partNav, partHeadline, partLanes},
		"hostile": {partTop, partHeadline, partSteps, partMessages, partFault, partRanks, partSource, partTimeline,
			partGrids, partLanes, partFacts},
		"many-files": {partFault, partSource},
		"mismatch":   {partHeadline, partGraph, partFault},
		"mixed":      {partFault, partRanks},
		"noted":      {partClean, partFacts},
		"nothing":    {partTop, partClean},
		"race":       {partHeadline, partFault, partSource, partTimeline},
		"ring":       {partGraph, partFault},
		"story":      {partSteps, partMessages},
		"threads":    {partNav, partHeadline, partFault, partRanks},
		"unsafe":     {partTop, partNav, partHeadline, partFault},
		"wildcard":   {partGraph, partFault},
		"ten":        {partNav}, "five-hundred": {partNav, partHeadline},
	}
}

// cutOut gives the elements of a page that begin so, each from its start to its end.
func cutOut(page, begin string) (list []string, err error) {
	name, _, _ := strings.Cut(begin, " ")
	for rest := page; ; {
		i := strings.Index(rest, begin)
		if i < 0 {
			return list, nil
		}
		rest = rest[i:]
		n, err := length(rest, name, "</"+name[1:]+">")
		if err != nil {
			return nil, err
		}
		list = append(list, rest[:n])
		rest = rest[n:]
	}
}

// length is that of the element at the start of a text, with all that is inside of it.
func length(text, open, end string) (int, error) {
	depth, at := 0, 0
	for {
		i := strings.Index(text[at:], end)
		if i < 0 {
			return 0, fmt.Errorf("no %s for %.80s", end, text)
		}
		depth += strings.Count(text[at:at+i], open) - 1
		if at += i + len(end); depth == 0 {
			return at, nil
		}
	}
}

func TestFragmentsAreWholeElements(t *testing.T) {
	const page = `<p><ol class="steps"><li><ol><li>1</ol><li>2</ol></p><ol class="steps">3</ol>`
	got, err := cutOut(page, partSteps)
	if err != nil || strings.Join(got, "|") !=
		`<ol class="steps"><li><ol><li>1</ol><li>2</ol>|<ol class="steps">3</ol>` {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := cutOut(`<ol class="steps"><ol></ol>`, partSteps); err == nil {
		t.Error("an element without an end is taken for one")
	}
}
