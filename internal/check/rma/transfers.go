package rma

import (
	"fmt"
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// portion is the data at one of the places between which an RMA call moves data: its count and datatype, as parameters
// of the call.
type portion struct {
	name            string
	count, datatype int
}

// content is what a side describes; false if its datatype is not known.
func (s portion) content(c *check.Call) (datatype.Content, bool) {
	n, ok := c.Int(s.count)
	o := c.Rank.TypeOf(c.Handle(s.datatype))
	if !ok || n < 0 || o == nil {
		return datatype.Content{}, false
	}
	return datatype.Content{Type: o.Type, Count: n}, true
}

// watchTransfers compares what an RMA call takes with what it fills. Target datatypes are objects of the origin
// (MPI-4.0, 12.3.1), so one rank knows all of it.
func watchTransfers(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.Rma && f.Class != mpi.Rrma {
			return nil
		}
		p, how := rmaParamsOf(f)
		if p.count < 0 {
			return nil // one datatype serves all sides
		}
		origin, target, result := portion{"origin", p.originCount, p.originType},
			portion{"target", p.count, p.datatype}, portion{"result", p.resultCount, p.resultType}
		return func(c *check.Call) {
			if t, ok := c.Int(p.target); !ok || t < 0 {
				return // MPI_PROC_NULL, or wrong
			}
			switch {
			case how == mpi.Reads:
				transfer(c, target, origin, false)
			case p.op < 0:
				transfer(c, origin, target, false)
			default:
				o := c.Rank.Object(mpi.OOp, c.Handle(p.op))
				if o == nil || !uniform(c, target) {
					return
				}
				if o.Name != check.NoOp &&
					(!uniform(c, origin) || !transfer(c, origin, target, o.Name != "MPI_REPLACE")) {
					return
				}
				if p.result >= 0 && uniform(c, result) {
					transfer(c, target, result, false)
				}
			}
		}
	})
}

// transfer compares the data that one side gives with what the other takes; false if it has said something. With
// computed, the data is combined with what is there.
func transfer(c *check.Call, from, to portion, computed bool) bool {
	given, ok := from.content(c)
	expected, known := to.content(c)
	if !ok || !known {
		return true
	}
	d, same := datatype.Compare(given.Type, given.Count, expected.Type, expected.Count)
	if !same {
		severity := finding.Error
		bytes := d.Sent == datatype.Byte || d.Expected == datatype.Byte
		if d.Sent.Like(d.Expected) || bytes && !computed {
			severity = finding.Warning
		}
		sayUnlike(c, from, to, d, severity)
		if severity == finding.Error {
			return false
		}
	}
	tooMuch := datatype.Truncated(given.Type, given.Count, expected.Type, expected.Count)
	if !same {
		tooMuch = given.Count*given.Type.Size() > expected.Count*expected.Type.Size()
	}
	if tooMuch {
		c.Say(rmaTruncated, to.count, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s, which transfers %v from the %s, but the %s holds only %v.",
					c.Rank.World, c.Func.Name, given, from.name, to.name, expected),
				Hint: "the counts and datatypes of both sides must describe the same amount of data",
			}
		})
	}
	return same && !tooMuch
}

func sayUnlike(c *check.Call, from, to portion, d *datatype.Difference, severity finding.Severity) {
	c.Say(rmaType, to.datatype, func() check.Words {
		w := check.Words{
			Severity: severity,
			Sentence: finding.Wordf("Rank %d calls %s with {%s} and {%s}, which do not match: the %s has %v where "+
				"the %s has %v, at element %d of the data.",
				c.Rank.World, c.Func.Name, c.Func.Params[from.datatype].Name, c.Func.Params[to.datatype].Name,
				from.name, d.Sent, to.name, d.Expected, d.Element+1),
			Hint: "both datatypes have to consist of the same predefined datatypes in the same order",
		}
		switch sent, wanted := d.SentAt.String(), d.ExpectedAt.String(); {
		case sent != wanted:
			w.Notes = append(w.Notes, finding.Remarkf("that is %s of the %s, and %s of the %s", sent, from.name,
				wanted, to.name))
		case strings.Contains(sent, ","):
			w.Notes = append(w.Notes, finding.Remarkf("that is %s on both sides", sent))
		}
		for _, s := range []portion{from, to} {
			if o := c.Rank.TypeOf(c.Handle(s.datatype)); o != nil && o.Made.Func != nil {
				w.Related = append(w.Related, check.Related{Text: fmt.Sprintf("the %s's datatype was created", s.name),
					Func: o.Made.Func, Site: o.Made.Site})
			}
		}
		return w
	})
}

// uniform says whether the datatype of a side may be one of an accumulate: all of it is of one predefined datatype
// (MPI-4.0, 12.3.4). If not, it has said so.
func uniform(c *check.Call, s portion) bool {
	o := c.Rank.TypeOf(c.Handle(s.datatype))
	if o == nil || o.Type.Elements() == 0 {
		return true
	}
	basis, known := o.Type.Basis()
	if basis != nil || !known {
		return true
	}
	c.Say(rmaType, s.datatype, func() check.Words {
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} a derived type of several predefined datatypes; an "+
				"accumulate accepts only one.", c.Rank.World, c.Func.Name, c.Func.Params[s.datatype].Name),
			Related: check.Created(o),
		}
	})
	return false
}
