package handles

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// used is what a rank has done with handles that name nothing any more, and why they do not.
type used struct {
	first map[gone]use  // the first use, which was reported
	open  *objects.Made // an MPI_File_open that has failed; nil if none has
}

// gone are objects that one call has freed, or has failed to make. Where copies of several handles free them, each is
// used afterwards for the same reason.
type gone struct {
	kind mpi.Object
	by   uint64 // the call's place
}

// use is a parameter of a call that is given a handle.
type use struct {
	site  uint64
	param int
}

// watchOpens notes calls of MPI_File_open that fail.
func watchOpens(h *check.Hooks, ranks check.Slot[used]) {
	h.Fail(func(c *check.Call) {
		if c.Func.Class == mpi.FileOpen {
			by := c.By()
			ranks.Of(c.Rank).open = &by
		}
	})
}

// maxFirst bounds the calls that are remembered.
const maxFirst = 1024

// again says whether the use of what a call has freed was reported of another parameter or call: this one has the same
// cause.
func (u *used) again(c *check.Call, code finding.Code, i int, kind mpi.Object, by objects.Made) bool {
	key, now := gone{kind, ring.Place(by.Site)}, use{ring.Place(c.Site), i}
	first, known := u.first[key]
	if !known {
		if len(u.first) == maxFirst {
			clear(u.first)
		}
		objects.Set(&u.first, key, now)
		return false
	}
	if first != now {
		c.Said, c.Because = true, code
	}
	return first != now
}

// unopened says whether the use of the handle that a failed MPI_File_open has left was reported of another parameter or
// call.
func (u *used) unopened(c *check.Call, code finding.Code, i int) bool {
	return u != nil && u.open != nil && u.again(c, code, i, mpi.OFile, *u.open)
}

// copyHint says how a call gets the handle of an object that was freed: each of these functions sets the variable that
// it is passed to the null handle (MPI-4.0, 2.5.1).
func copyHint(kind mpi.Object, f *mpi.Func) string {
	if f == nil {
		return ""
	}
	switch kind {
	case mpi.OMessage, mpi.OKeyval, mpi.OErrhandler:
		return ""
	}
	hint := fmt.Sprintf("%s sets only the variable passed to it to %s, and this handle is a copy: free the object "+
		"once, after the last use of all copies", f.Name, kind.Null())
	return hint + "; a C++ object that frees it must not be copied"
}

// failedOpen says that a file's handle is what a failed MPI_File_open has left, if there was one.
func (u *used) failedOpen(w *check.Words) {
	if u == nil || u.open == nil {
		return
	}
	w.Related = append(w.Related, check.Related{Text: "a file could not be opened before", Func: u.open.Func,
		Site: u.open.Site})
	w.Hint = "check what MPI_File_open returns: by default it returns an error instead of ending the job, and there " +
		"is no file then"
}
