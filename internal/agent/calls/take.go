package calls

import (
	"unknot/internal/observe/ring"
)

// Take takes in one record of a thread. A Data record that says nothing of a call or of the objects of its rank is not
// taken: then it returns false.
func (a *Follower) Take(t *Thread, rec *ring.Record) bool {
	switch rec.Kind {
	case ring.Enter:
		a.Calls++
		f := a.Table.ByID(rec.Func)
		if f != nil && (f.Asks || IsPoll(f)) {
			a.Idles++
		}
		a.enter(t, f, rec.Stamp, rec.Site, rec.Words)
		t.forget()
	case ring.Exit:
		t.Left = t.Stamp
		if f := a.Table.ByID(rec.Func); f != nil && f == t.Func {
			t.Gave = true
			a.exit(t, f, int32(rec.Site), rec.Words)
			a.endCall(t, f, int32(rec.Site) != 0, rec.Stamp, rec.Words)
		}
	case ring.Data:
		return a.data(t, ring.DataID(rec.Func), rec.Stamp, rec.Site, rec.Words)
	}
	return true
}
