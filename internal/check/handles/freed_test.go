package handles

import (
	"testing"

	"unknot/internal/check/feed"
)

// TestWhatAFailedOpenLeavesIsReportedOnce: of the calls that are given the handle, the first one speaks for all.
func TestWhatAFailedOpenLeavesIsReportedOnce(t *testing.T) {
	f := feed.New(t, Checkers())
	read := func() string { return f.Call("MPI_File_read", []any{0, 4096, 1, 9}, 0) }
	f.Says("file-invalid", read())
	f.Says("file-invalid", read())
	c := f.Made("MPI_File_open", 100, 1, 2, 3, 0)
	f.Enter(c)
	f.Watch.Reports = nil
	c.Failed = true
	f.Exit(c)
	f.Says("file-invalid", f.Call("MPI_File_get_size", []any{0}, 0, 0))
	f.Says("", f.Call("MPI_File_sync", []any{0}, 0))
	f.Says("", read())
}
