package files

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// settled are the calls for which all accesses of a file must be complete.
func settled(f *mpi.Func) bool {
	switch f.Name {
	case "MPI_File_close", "MPI_File_set_view", "MPI_File_set_size", "MPI_File_sync":
		return true
	}
	return false
}

// watchSplit follows the split collective calls (MPI-4.0, 14.4.5).
func (m *files) watchSplit(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		name := f.Base
		buf := f.Named("buf")
		if begin, ok := strings.CutSuffix(name, "_end"); ok {
			return m.on(f, func(x *file, c *check.Call) { endSplit(x, c, begin+"_begin", buf) })
		}
		begins := strings.HasSuffix(name, "_begin")
		access := begins || f.Class == mpi.FileIcoll || f.Class == mpi.FileColl && (strings.HasSuffix(name, "_all") ||
			strings.HasSuffix(name, "_ordered"))
		if !access && !settled(f) {
			return nil
		}
		return m.on(f, func(x *file, c *check.Call) {
			if by := x.split; by.Func != nil {
				c.Say(fileSplit, -1, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s while %s is pending on the same file; %s must end it first.",
							c.Rank.World, f.Name, by.Func.Name, strings.TrimSuffix(by.Func.Base, "_begin")+"_end"),
						Related: []check.Related{{Text: "it was started", Func: by.Func, Site: by.Site}}}
				})
				return
			}
			if begins {
				x.split = c.By()
				x.buf, _ = c.Int(buf)
			}
		})
	})
}

func endSplit(x *file, c *check.Call, begin string, buf int) {
	by := x.split
	x.split = objects.Made{}
	at, known := c.Int(buf)
	var why string
	related := check.Related{Text: "it was started", Func: by.Func, Site: by.Site}
	switch {
	case by.Func == nil:
		why, related = "but no "+begin+" is pending on the file", x.opened()
	case by.Func.Base != begin:
		why = "but the pending one is " + by.Func.Name
	case known && x.buf != 0 && at != x.buf:
		why = "with another {buf} than " + begin
	default:
		return
	}
	c.Say(fileSplit, -1, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s, %s.", c.Rank.World, c.Func.Name, why),
			Related: []check.Related{related}}
	})
}

// watchPending follows non-blocking accesses (MPI-4.0, 14.2.2). A request that a completion call names is taken for
// complete.
func (m *files) watchPending(h *check.Hooks) {
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.FileReq && f.Class != mpi.FileIcoll {
			return nil
		}
		request := f.Named("request")
		return m.on(f, func(x *file, c *check.Call) {
			v := c.Gave(request)
			if c.Failed || len(v) == 0 || c.Rank.Null(mpi.ORequest, v[0]) || len(x.open) >= maxOpen {
				return
			}
			all := m.pending[c.Rank]
			if all == nil {
				all = make(map[uint64][]*access)
				m.pending[c.Rank] = all
			}
			a := &access{x, c.By()}
			all[v[0]] = append(all[v[0]], a)
			x.open = append(x.open, a)
			m.accesses++
		})
	})
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if settled(f) {
			return m.on(f, unsettled)
		}
		one, many := f.Named("request"), f.Named("array_of_requests")
		switch f.Class {
		case mpi.Wait, mpi.Test, mpi.GetStatus, mpi.RequestFree, mpi.Cancel:
			return func(c *check.Call) {
				if m.accesses == 0 {
					return
				}
				if v, ok := c.Int(one); ok {
					m.complete(c.Rank, uint64(v))
				}
			}
		case mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Testall, mpi.Testany, mpi.Testsome, mpi.GetStatusAll,
			mpi.GetStatusAny, mpi.GetStatusSome:
			return func(c *check.Call) {
				if m.accesses == 0 {
					return
				}
				for _, v := range c.Array(many) {
					m.complete(c.Rank, v)
				}
			}
		}
		return nil
	})
}

// maxOpen bounds the accesses of a file that are remembered.
const maxOpen = 1 << 12

func (m *files) complete(r *check.Rank, request uint64) {
	all := m.pending[r]
	list := all[request]
	if len(list) == 0 {
		return
	}
	delete(all, request)
	m.accesses -= len(list)
	for _, a := range list {
		for i, b := range a.file.open {
			if a == b {
				a.file.open[i] = a.file.open[len(a.file.open)-1]
				a.file.open = a.file.open[:len(a.file.open)-1]
				break
			}
		}
	}
}

func unsettled(x *file, c *check.Call) {
	if len(x.open) == 0 {
		return
	}
	c.Say(filePending, c.Func.Named("fh"), func() check.Words {
		n := len(x.open)
		what := finding.Wordf("1 access of the file is")
		if n > 1 {
			what = finding.Wordf("%d accesses of the file are", n)
		}
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s while %s not known to be complete: no call has waited for it.",
				c.Rank.World, c.Func.Name, what),
			Related: []check.Related{{Text: "one was started", Func: x.open[0].by.Func, Site: x.open[0].by.Site}}}
	})
}

// watchViews looks at what makes a view (MPI-4.0, 14.3).
func (m *files) watchViews(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Name != "MPI_File_set_view" {
			return nil
		}
		disp, etype, filetype := f.Named("disp"), f.Named("etype"), f.Named("filetype")
		return m.on(f, func(x *file, c *check.Call) {
			checkDisplacement(x, c, disp)
			e, ok := c.Int(etype)
			t, also := c.Int(filetype)
			if !ok || !also {
				return
			}
			small, large := c.Rank.Object(mpi.OType, uint64(e)), c.Rank.Object(mpi.OType, uint64(t))
			if small == nil || large == nil {
				return
			}
			if small.Size > 0 && large.Size > 0 && large.Size%small.Size != 0 {
				c.Say(fileView, filetype, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {filetype} of %d bytes, which is not a whole number of etypes: "+
								"{etype} has %d bytes.", c.Rank.World, c.Func.Name, large.Size, small.Size)}
				})
				return
			}
			if d := foreign(small.Type, large.Type); d != nil {
				c.Say(fileView, filetype, func() check.Words {
					return check.Words{Severity: finding.Warning,
						Sentence: finding.Wordf(
							"Rank %d calls %s with a {filetype} that is not made of the etype: element %d is %v "+
								"where the etype has %v.", c.Rank.World, c.Func.Name, d.Element+1, d.Sent, d.Expected),
						Hint: "build the filetype from the etype"}
				})
				return
			}
			if why := unfit(large.Type, !x.has(check.ReadOnly)); why.Text != "" {
				c.Say(fileView, filetype, func() check.Words {
					return check.Words{Sentence: finding.Wordf("Rank %d calls %s with a {filetype} %s.", c.Rank.World,
						c.Func.Name, why),
						Related: []check.Related{{Text: "it was created", Func: large.Made.Func,
							Site: large.Made.Site}}}
				})
			}
		})
	})
}

// foreign is the first element of a filetype that is not that of the etypes of which it must be made (MPI-4.0, 14.1.1),
// nil if there is none. Bytes are let pass, and what has the same kind and size: with these, accesses do what the
// program means on any machine.
func foreign(etype, filetype *datatype.Type) *datatype.Difference {
	if etype == nil || filetype == nil || etype.Size() == 0 || filetype.Size()%etype.Size() != 0 {
		return nil
	}
	d, same := datatype.Compare(filetype, 1, etype, filetype.Size()/etype.Size())
	if same || d.Sent == datatype.Byte || d.Expected == datatype.Byte || d.Sent.Like(d.Expected) {
		return nil
	}
	return d
}

// unfit says why the layout of a datatype does not fit a file; nothing if nothing is wrong with it for certain.
func unfit(t *datatype.Type, written bool) finding.Wording {
	if t == nil || t.Size() == 0 {
		return finding.Wording{}
	}
	if t.TrueLB() < 0 {
		return finding.Wordf("that begins %d bytes before its start: displacements in a file must be 0 or more",
			-t.TrueLB())
	}
	if twice, sure := t.SelfOverlap(1); twice && sure && written {
		return finding.Wordf("that covers some bytes twice, though the file may be written to")
	}
	last := int64(-1)
	for n := range min(t.Elements(), maxSteps) {
		_, at, _ := t.At(1, n)
		if at < last {
			return finding.Wordf("whose displacements decrease: element %d is at byte %d, the one before it at byte %d",
				n+1, at, last)
		}
		last = at
	}
	return finding.Wording{}
}

// maxSteps bounds the elements of a filetype whose order is looked at.
const maxSteps = 256

func checkDisplacement(x *file, c *check.Call, i int) {
	v, ok := c.Int(i)
	current, known := c.Rank.Constant("MPI_DISPLACEMENT_CURRENT")
	if !ok || !known || current >= 0 {
		return
	}
	say := func(what finding.Wording, related ...check.Related) {
		c.Say(fileView, i, func() check.Words {
			return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {disp} %s.", c.Rank.World, c.Func.Name,
				what), Related: related, Hint: check.Wrapped(v)}
		})
	}
	switch only := x.has(check.Sequential); {
	case v == current && !only:
		say(finding.Wordf("MPI_DISPLACEMENT_CURRENT, which is for files of MPI_MODE_SEQUENTIAL only"), x.opened())
	case v != current && only:
		say(finding.Wordf("%d; with MPI_MODE_SEQUENTIAL it must be MPI_DISPLACEMENT_CURRENT", v), x.opened())
	case v < 0 && v != current:
		say(finding.Wordf("%d; it must be 0 or more", v))
	}
}
