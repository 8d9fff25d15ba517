package feed_test

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/check/registry"
)

func TestAReturnedErrorIsToldInTheWordsOfMPI(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	c := f.Made("MPI_Send", 5, 4096, 1, 9, 0, 0, 1)
	f.Enter(c)
	c.Failed, c.Message = true, "MPI_ERR_RANK: invalid rank"
	f.Exit(c)
	f.Exit(c)
	if len(f.Watch.Reports) != 1 ||
		f.Watch.Reports[0].Sentence.Text != "Rank 0's call to MPI_Send returned an error: MPI_ERR_RANK: invalid rank" {
		t.Errorf("%+v", f.Watch.Reports)
	}
}
