package supervise

import (
	"errors"
	"testing"
)

// TestLastWordsOfAnAgentThatPanicked: the sentence says where, in unknot's own files.
func TestLastWordsOfAnAgentThatPanicked(t *testing.T) {
	const complaint = "panic: runtime error: slice bounds out of range [:-1]\n\ngoroutine 50 [running]:\n" +
		"unknot/internal/agent.enumerate({0x0?, 0x27?})\n\tunknot/internal/agent/words.go:251 +0x3b\n" +
		"slices.Sort(...)\n\tslices/sort.go:16 +0x11\n" +
		"unknot/internal/agent.ranksOf(...)\n\tunknot/internal/agent/words.go:225\n"
	const want = "exit status 2: panic: runtime error: slice bounds out of range [:-1] at agent/words.go:251 " +
		"agent/words.go:225"
	if got := lastWords(errors.New("exit status 2"), nil, complaint); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
