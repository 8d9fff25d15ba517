package finding

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestPhrasesKeepTheirRanks(t *testing.T) {
	three, many := Naming("from ", 3, ", tag 1"), NamingAll([]int{4, 5}, " to call MPI_Barrier")
	p := JoinPhrases([]Phrase{three, Plain("on rank 7's communicator"), many, NamingAll([]int{12}, "")}, "; ")
	if p.Text != "from rank 3, tag 1; on rank 7's communicator; ranks 4 and 5 to call MPI_Barrier; rank 12" {
		t.Error(p.Text)
	}
	pieces, ranks := p.Cut()
	if want := []int{3, 12}; !slices.Equal(ranks, want) {
		t.Errorf("ranks %v, want %v", ranks, want)
	}
	if want := []string{"from rank ", ", tag 1; on rank 7's communicator; ranks 4 and 5 to call MPI_Barrier; rank ",
		""}; !slices.Equal(pieces, want) {
		t.Errorf("pieces %q, want %q", pieces, want)
	}
	if n := Naming("to ", -5, ""); n.Text != "to rank -5" || n.Peers != nil {
		t.Errorf("%+v: a number below 0 is no rank", n)
	}
}

func TestPeersThatDoNotFitAreNone(t *testing.T) {
	for _, peers := range [][]Peer{{{9, 3}}, {{-1, 3}}, {{5, 4}}, {{5, 3}, {5, 3}}, {{1 << 62, 3}}} {
		p := Phrase{"rank 3", peers}
		if pieces, ranks := p.Cut(); !slices.Equal(pieces, []string{"rank 3"}) || ranks != nil {
			t.Errorf("%v: %q %v", peers, pieces, ranks)
		}
	}
}

func TestReasonsAreToldOnceAndAtMostFour(t *testing.T) {
	var list []Phrase
	for _, r := range []int{1, 1, 2, 3, 4, 5} {
		list = append(list, Naming("a message from ", r, ""))
	}
	if p := JoinReasons(list,
		" or "); p.Text != "a message from rank 1 or a message from rank 2 or a message from rank 3 or 2 more" ||
		len(p.Peers) != 3 {
		t.Errorf("%+v", p)
	}
}

// TestMeaningsAreNoPartOfTheDocument: the JSON of a finding is the same with and without them, and they can be put
// back.
func TestMeaningsAreNoPartOfTheDocument(t *testing.T) {
	f := Finding{Code: Deadlock, Places: []Place{{Rank: 0}}, Others: []Place{{Rank: 1}}}
	if f.Meanings() != nil {
		t.Error("a finding without words means something")
	}
	f.Others[0].SetReason(Naming("", 0, " to receive"))
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(b)), "meaning") {
		t.Errorf("%s", b)
	}
	var back Finding
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	back.SetMeanings(nil)
	back.SetMeanings(make([]Meaning, 3))
	if back.Others[0].Meaning.Reason != nil {
		t.Error("a list of another length was taken")
	}
	back.SetMeanings(f.Meanings())
	if !reflect.DeepEqual(back.Others[0].Meaning, f.Others[0].Meaning) {
		t.Errorf("%+v, want %+v", back.Others[0].Meaning, f.Others[0].Meaning)
	}
}
