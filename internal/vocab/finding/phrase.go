package finding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Phrase is a part of a sentence, and where it names single ranks. Whoever makes the words says so there, so that
// nobody has to look for ranks in a text: it may hold the names of communicators and files, which may be anything.
type Phrase struct {
	Text  string
	Peers []Peer
}

// Peer is a rank that a text names by its number.
type Peer struct {
	At   int `json:"at"` // bytes of the text before the number
	Rank int `json:"rank"`
}

// Plain is a phrase that names no rank.
func Plain(text string) Phrase { return Phrase{Text: text} }

// Naming is a phrase with one rank: "a message from rank 3" has "a message from " before it. A number that is no rank
// is only text.
func Naming[R ~int | ~int32](before string, rank R, after string) Phrase {
	before += "rank "
	p := Phrase{Text: before + strconv.Itoa(int(rank)) + after}
	if rank >= 0 {
		p.Peers = []Peer{{len(before), int(rank)}}
	}
	return p
}

// NamingAll is a phrase that begins with a list of ranks. One rank is named by itself; more are a list, which is no
// peer of anybody's.
func NamingAll[R ~int | ~int32](list []R, after string) Phrase {
	if len(list) == 1 {
		return Naming("", list[0], after)
	}
	return Plain(Ranks(list).Text + after)
}

// Then is p, and q after it.
func (p Phrase) Then(q Phrase) Phrase {
	peers := slices.Clone(p.Peers)
	for _, r := range q.Peers {
		peers = append(peers, Peer{len(p.Text) + r.At, r.Rank})
	}
	return Phrase{p.Text + q.Text, peers}
}

// Equal says whether two phrases say the same.
func (p Phrase) Equal(q Phrase) bool { return p.Text == q.Text && slices.Equal(p.Peers, q.Peers) }

// JoinPhrases puts phrases together, with a text between each two.
func JoinPhrases(list []Phrase, between string) Phrase {
	var all Phrase
	for i, p := range list {
		if i > 0 {
			all.Text += between
		}
		all = all.Then(p)
	}
	return all
}

// JoinReasons lists what somebody waits for, each once, at most four of them.
func JoinReasons(list []Phrase, between string) Phrase {
	var each []Phrase
	for _, p := range list {
		if !slices.ContainsFunc(each, p.Equal) {
			each = append(each, p)
		}
	}
	if len(each) > 4 {
		each = append(each[:3], Plain(fmt.Sprintf("%d more", len(each)-3)))
	}
	return JoinPhrases(each, between)
}

// Cut gives the pieces of text between the peers, and their ranks. Peers that do not fit the text, which may come from
// a file, are none.
func (p Phrase) Cut() (pieces []string, ranks []int) {
	start := 0
	for _, r := range p.Peers {
		number := strconv.Itoa(r.Rank)
		if r.At < start || r.At > len(p.Text) || !strings.HasPrefix(p.Text[r.At:], number) {
			return []string{p.Text}, nil
		}
		pieces, ranks = append(pieces, p.Text[start:r.At]), append(ranks, r.Rank)
		start = r.At + len(number)
	}
	return append(pieces, p.Text[start:]), ranks
}
