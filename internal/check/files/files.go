// Package files follows files, and what is done to them.
package files

import (
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Codes about files.
const (
	fileMode     finding.Code = "file-mode"
	fileSplit    finding.Code = "file-split"
	filePending  finding.Code = "file-pending"
	fileView     finding.Code = "file-view"
	fileMismatch finding.Code = "file-mismatch"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		{
			Name: "file-modes", Family: check.Files, Watch: func(h *check.Hooks) { opened(h).watchModes(h) },
			Codes: []finding.Doc{{
				Code: fileMode, Title: "a file is used in a way that its access mode does not allow",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A call does what the access mode passed to MPI_File_open excludes: a write with " +
					"MPI_MODE_RDONLY, a read with MPI_MODE_WRONLY, an offset, a seek or the individual file pointer " +
					"with MPI_MODE_SEQUENTIAL (MPI-4.0, 14.2.1, 14.4).",
				Why: "The file was opened elsewhere, for another purpose. File errors do not end the program: by " +
					"default the call only returns an error code, and nothing is written (14.7).",
				Fix: "Pass exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR, the one that allows " +
					"all uses. Check what file calls return, or set MPI_ERRORS_ARE_FATAL on MPI_FILE_NULL, which " +
					"makes it the default for all files.",
			}},
		},
		{
			Name: "split-collectives", Family: check.Files, Watch: func(h *check.Hooks) { opened(h).watchSplit(h) },
			Codes: []finding.Doc{{
				Code: fileSplit, Title: "a split collective call on a file is out of order", Severity: finding.Error,
				Since: finding.Version01,
				Means: "At most one split collective operation (MPI_File_read_all_begin and similar) may be pending " +
					"on a file handle. The matching end call ends it, with the same buffer, and no other collective " +
					"access may come between the two (MPI-4.0, 14.4.5).",
				Why: "Two accesses were meant to overlap, or the end call is missing on some path.",
				Fix: "End the access before the next one starts. For several at a time use MPI_File_iread_all and " +
					"similar calls, or one file handle each.",
			}},
		},
		{
			Name: "file-requests", Family: check.Files, Watch: func(h *check.Hooks) { opened(h).watchPending(h) },
			Peers: []string{"ERROR_FILE_UNCOMPLETED_REQUESTS"},
			Codes: []finding.Doc{{
				Code: filePending, Title: "a file is closed or changed while accesses are pending",
				Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_File_close, MPI_File_set_view, MPI_File_set_size and MPI_File_sync may be called only " +
					"when all non-blocking accesses of the file by this rank are complete (MPI-4.0, 14.2.2, 14.2.5, " +
					"14.3, 14.6.1).",
				Why: "The wait for a request is missing, or comes after the file is closed.",
				Fix: "Call MPI_Waitall for the file's requests first.",
			}},
		},
		{
			Name: "file-views", Family: check.Files, Watch: func(h *check.Hooks) { opened(h).watchViews(h) },
			Codes: []finding.Doc{{
				Code: fileView, Title: "a file view is wrong", Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_File_set_view was passed a displacement or datatypes that do not form a valid view: the " +
					"displacement must be 0 or more (MPI_DISPLACEMENT_CURRENT with MPI_MODE_SEQUENTIAL, and only " +
					"then), and the filetype must consist of whole etypes, in ascending order, without overlap if " +
					"the file may be written to (MPI-4.0, 14.1.1, 14.3). A filetype whose elements are of another " +
					"type than those of the etype is a warning: data is read and written, but what a file of another " +
					"representation than `native` holds is undefined.",
				Why: "The displacement, in bytes, overflowed a 32-bit computation, or etype and filetype " +
					"were mixed up.",
				Fix: "Compute displacements as MPI_Offset. Build the filetype from the etype.",
			}},
		},
		{
			Name: "file-arguments", Family: check.Files, Watch: func(h *check.Hooks) { opened(h).watchOpinions(h) },
			Codes: []finding.Doc{{
				Code: fileMismatch, Title: "ranks disagree in a collective call on a file", Severity: finding.Error,
				Since: finding.Version01,
				Means: "All ranks of a file must give the same access mode, file size, data representation, size of " +
					"the etype, shared offset and atomicity (MPI-4.0, 14.2.1, 14.2.5, 14.3, 14.4.4, 14.6.1).",
				Why: "Each rank computes the value from its own data.",
				Fix: "Compute the value on one rank or with MPI_Allreduce, and pass it on all ranks.",
			}},
		},
	}
}

// files is the model of the files of an agent's ranks. The checks of the family Files speak from within it.
type files struct {
	ranks    check.Ranks
	of       map[*check.Rank]map[uint64]*file
	ids      map[check.Identity]uint64
	pending  map[*check.Rank]map[uint64][]*access // by request
	accesses int                                  // pending, of all ranks
	views    opinions
	closed   *file // whose closing call the checks have still to see
}

// file is an open file of a rank.
type file struct {
	rank    *check.Rank
	handle  uint64
	id      uint64 // the same at all ranks of the file; 0 if that is not known
	members []op.Rank
	made    objects.Made
	mode    int64
	calls   uint64       // collective ones so far
	split   objects.Made // the split collective call under way
	buf     int64        // and its buffer
	open    []*access
}

// access is a non-blocking access of a file.
type access struct {
	file *file
	by   objects.Made
}

// opened is the model of files.
func opened(h *check.Hooks) *files {
	return check.Model(h, func() *files { return newFiles(h) })
}

func newFiles(h *check.Hooks) *files {
	m := &files{ranks: h.Ranks(), of: make(map[*check.Rank]map[uint64]*file), ids: make(map[check.Identity]uint64),
		pending: make(map[*check.Rank]map[uint64][]*access), views: newOpinions()}
	check.Receive(h, m.take)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Freed == mpi.OFile {
			return m.on(f, func(x *file, _ *check.Call) {
				m.forget()
				m.closed = x
			})
		}
		if f.Class != mpi.FileOpen {
			return nil
		}
		return func(c *check.Call) {
			m.forget()
			m.ranks.Meet(c.Rank)
			if c.Comm != nil && c.Comm.ID != 0 {
				m.ids[check.Identity{Rank: c.Rank, Comm: uint64(c.Comm.ID)}]++
			}
		}
	})
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.FileOpen {
			return nil
		}
		fh, amode := f.Named("fh"), f.Named("amode")
		return func(c *check.Call) {
			v := c.Gave(fh)
			mode, ok := c.Int(amode)
			if c.Failed || !ok || len(v) == 0 || c.Rank.Null(mpi.OFile, v[0]) {
				return
			}
			x := &file{rank: c.Rank, handle: v[0], made: c.By(), mode: mode}
			x.id, x.members = m.identity(c)
			all := m.of[c.Rank]
			if all == nil {
				all = make(map[uint64]*file)
				m.of[c.Rank] = all
			}
			all[x.handle] = x
		}
	})
	return m
}

// forget lets go of the file that was closed last.
func (m *files) forget() {
	x := m.closed
	m.closed = nil
	if x == nil || m.of[x.rank][x.handle] != x {
		return
	}
	delete(m.of[x.rank], x.handle)
	for request, list := range m.pending[x.rank] {
		kept := slices.DeleteFunc(list, func(a *access) bool { return a.file == x })
		m.accesses -= len(list) - len(kept)
		if m.pending[x.rank][request] = kept; len(kept) == 0 {
			delete(m.pending[x.rank], request)
		}
	}
}

// identity is what the ranks that open a file in the call have in common.
func (m *files) identity(c *check.Call) (uint64, []op.Rank) {
	if c.Comm == nil || c.Comm.ID == 0 {
		return 0, nil
	}
	return check.Mix(uint64(c.Comm.ID), m.ids[check.Identity{Rank: c.Rank, Comm: uint64(c.Comm.ID)}]),
		c.Comm.Members.List()
}

// on makes a handler of calls on a file that is known.
func (m *files) on(f *mpi.Func, do func(x *file, c *check.Call)) func(*check.Call) {
	fh := f.Named("fh")
	if fh < 0 || f.Class == mpi.FileOpen {
		return nil
	}
	return func(c *check.Call) {
		v, ok := c.Int(fh)
		if x := m.of[c.Rank][uint64(v)]; ok && x != nil {
			do(x, c)
		}
	}
}

// has says whether a file was opened with a mode.
func (x *file) has(mode string) bool { return check.Includes(x.rank, x.mode, mode) }

func (x *file) opened() check.Related {
	return check.Related{Text: "the file was opened", Func: x.made.Func, Site: x.made.Site}
}

// watchModes looks at what is done to files (MPI-4.0, 14.2.1).
func (m *files) watchModes(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		name := strings.TrimPrefix(f.Base, "MPI_File_")
		switch reads, writes := strings.Contains(name, "read"), strings.Contains(name, "write"); {
		case strings.HasSuffix(name, "_end"):
			return nil
		case reads || writes:
			pointer := !strings.Contains(name, "_shared") && !strings.Contains(name, "_ordered")
			return m.on(f, func(x *file, c *check.Call) {
				switch {
				case reads && x.has(check.WriteOnly):
					ruledOut(x, c, check.WriteOnly)
				case writes && x.has(check.ReadOnly):
					ruledOut(x, c, check.ReadOnly)
				case pointer && x.has(check.Sequential):
					ruledOut(x, c, check.Sequential)
				}
			})
		case slices.Contains([]string{"seek", "get_position", "get_byte_offset", "seek_shared", "get_position_shared",
			"set_size", "preallocate"}, name):
			return m.on(f, func(x *file, c *check.Call) {
				if x.has(check.Sequential) {
					ruledOut(x, c, check.Sequential)
				}
			})
		}
		return nil
	})
}

func ruledOut(x *file, c *check.Call, mode string) {
	c.Say(fileMode, c.Func.Named("fh"), func() check.Words {
		w := check.Words{Sentence: finding.Wordf("Rank %d calls %s on a file that it opened with %s.", c.Rank.World,
			c.Func.Name, mode), Related: []check.Related{x.opened()}}
		if mode == check.Sequential {
			w.Notes = finding.Remarks("access such a file only with the _shared and _ordered calls")
		}
		return w
	})
}
