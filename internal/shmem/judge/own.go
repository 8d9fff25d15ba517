package judge

import (
	"slices"

	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// The probe records so many accesses in a row by which a PE may have waited for others, and no more; and of accesses of
// which not all were looked at, more may have been made at this distance.
const (
	mostOrders = 32
	nearBytes  = 4096
)

// ownAccesses are those of a PE that are no calls: loads and stores.
type ownAccesses struct {
	since    uint32 // its time after its last record but those of its own accesses
	near     []near // memory in which it may have accessed more since then than is recorded
	orders   int    // accesses by which it may have waited for others, without another one between
	polled   bool   // it has accessed its memory atomically or as volatile
	unsure   bool   // it has made more of them than are recorded
	external bool   // it may have heard of others, since all PEs have waited for each other, by ways that are not seen
}

// near is a piece of a PE's memory.
type near struct {
	span
	owner uint16
}

// own takes in what a PE has loaded or stored itself since its last call, in its own memory or in that of a PE that it
// reaches.
func (j *job) own(t int, r *layout.Record) {
	a, ok := accessOf(r)
	if !ok || int(r.Owner) != t && !j.reached(t, int(r.Owner)) {
		j.strange++
		return
	}
	p := &j.pes[t]
	if r.Flags&layout.OwnOrders != 0 {
		p.orders++
		p.polled = true
		p.unsure = p.unsure || p.orders >= mostOrders
		j.polls(t, &a)
		if r.Flags&layout.OwnStore != 0 {
			j.shows(t, &a)
		}
		return
	}
	p.orders = 0
	a.Kind = race.Read
	if r.Flags&layout.OwnStore != 0 {
		a.Kind = race.Write
	}
	from, to := a.Start, a.Start+(a.Count-1)*a.Stride+a.Size
	if r.Flags&layout.OwnVague != 0 || p.unsure ||
		slices.ContainsFunc(p.near, func(s near) bool { return s.owner == r.Owner && from < s.to && s.from < to }) {
		j.vague[a.Site] = true
	}
	if p.external {
		j.outside[a.Site] = true
	}
	if r.Flags&layout.OwnSparse != 0 {
		p.near = append(p.near, near{span{from - min(from, nearBytes), to + nearBytes}, r.Owner})
	}
	shown := r.Flags&layout.OwnShown != 0 || a.Kind == race.Write && j.storesFlag(int(r.Owner), &a)
	j.detector.AccessSince(race.Thread(t), max(p.since, 1), shown, a)
}

// polls has a PE know what it may have waited for by an atomic or volatile access: what was put there, and what was
// known to have come before that or any other put to that memory. Such an access is no error: it is how PEs wait for
// each other in memory.
func (j *job) polls(t int, a *race.Access) {
	d, id, owner := j.detector, race.Thread(t), int(a.Owner)
	j.pes[t].learned++
	if n := a.Count*a.Stride + a.Size; n < mostBytes {
		d.See(id, a.Owner, a.Start, a.Start+n-a.Stride, true)
	}
	d.Acquire(id, race.Key{Kind: mailKey, A: uint64(owner)})
	d.Acquire(id, race.Key{Kind: longKey, A: uint64(owner)})
	j.meets(t, owner)
}

// shows has what a PE has done be known to those who look at what it has stored atomically or as volatile: in its own
// memory those who get it, in another one's that one, who may also wait for it.
func (j *job) shows(t int, a *race.Access) {
	if owner := int(a.Owner); owner != t {
		j.storesFlag(owner, a)
		j.show(owner, a, func(k race.Key) { j.detector.Release(race.Thread(t), k) })
		return
	}
	j.detector.Release(race.Thread(t), race.Key{Kind: shownKey, A: uint64(t)})
}
