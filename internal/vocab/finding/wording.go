package finding

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Wording is a piece of text, and its form: what stays the same when other ranks make the same mistake. In the form
// each number is "#", each list of ranks "rank #", and what is counted is in the singular. Findings whose sentences
// have one form may be put together.
type Wording struct{ Text, Form string }

// Worded is a value that is printed in words of its own, which have a form.
type Worded interface {
	fmt.Stringer
	Worded() Wording
}

// Worded is w.
func (w Wording) Worded() Wording { return w }

// String is the text.
func (w Wording) String() string { return w.Text }

// Wordf puts a text together as fmt.Sprintf does, and its form: numbers among the arguments are "#" there, and what is
// Worded is in its own form. All else is the same in both. Numbers within a string are not found: let what has made it
// return a Wording.
func Wordf(format string, args ...any) Wording {
	form := slices.Clone(args)
	for i, a := range args {
		if w, is := a.(Worded); is {
			form[i] = w.Worded().Form
		} else if v := reflect.ValueOf(a); v.CanInt() || v.CanUint() || v.CanFloat() {
			form[i] = number{a}
		}
	}
	return Wording{fmt.Sprintf(format, args...), fmt.Sprintf(format, form...)}
}

// Say gives a finding its sentence.
func (f *Finding) Say(w Wording) { f.Sentence, f.Form = w.Text, w.Form }

// Detail is a text that makes no other mistake of a finding, such as what a program calls something: its form is empty.
func Detail(text string) Wording { return Wording{Text: text} }

// number is a number in a form.
type number struct{ value any }

// Format writes "#", or the name of a number that stands for something.
func (n number) Format(to fmt.State, verb rune) {
	if _, named := n.value.(fmt.Stringer); named && (verb == 's' || verb == 'v' || verb == 'q') {
		fmt.Fprintf(to, fmt.FormatString(to, verb), n.value)
		return
	}
	_, _ = to.Write([]byte("#"))
}

// Joined makes one wording of several, with a text between each two.
func Joined(list []Wording, between string) Wording {
	return joined(list, func(parts []string) string { return strings.Join(parts, between) })
}

// JoinedAnd lists wordings in a sentence, as JoinAnd does.
func JoinedAnd(list []Wording) Wording { return joined(list, JoinAnd) }

func joined(list []Wording, join func([]string) string) Wording {
	texts, forms := make([]string, len(list)), make([]string, len(list))
	for i, w := range list {
		texts[i], forms[i] = w.Text, w.Form
	}
	return Wording{join(texts), join(forms)}
}

// Capital begins a sentence with the wording.
func (w Wording) Capital() Wording { return Wording{Capital(w.Text), Capital(w.Form)} }

// Counted says how many there are, as Count does.
func Counted[N ~int | ~int64 | ~uint64](n N, one, many string) Wording {
	return Wording{Count(n, one, many), "# " + one}
}
