package objects

// NewRequest takes in a request that a call has made. Some libraries hand out one handle for several requests that are
// complete from the start; then none of them can be distinguished from the others, and they follow what is observed.
func (r *Rank) NewRequest(handle uint64, q *Request) {
	r.made++
	q.Nth = r.made
	if r.last == nil {
		r.last = new([cachedSites]lastMade)
	}
	r.last[siteSlot(q.Made.Site)] = lastMade{q.Made.Site, q.Nth}
	if old := r.Requests.Get(handle); old != nil && old.Persistent {
		old.Release(true)
	} else if old != nil {
		q.Next = old
		for e := q; e != nil; e = e.Next {
			e.Shared = true
			for _, p := range e.Parts {
				p.Unclear = true
			}
		}
	}
	r.Requests.Set(handle, q)
}

// Request is the one that a handle means, the oldest of those that share it; nil if nothing is known of it.
func (r *Rank) Request(handle uint64) *Request {
	q := r.Requests.Get(handle)
	for q != nil && q.Next != nil {
		q = q.Next
	}
	return q
}

// EndRequest forgets one request of a handle, the oldest, which a call has completed or freed, and returns it; nil if
// there is none.
func (r *Rank) EndRequest(handle uint64, by Made) *Request {
	if r.ended == nil {
		r.ended = new([cachedEnded]endedCall)
	}
	r.ended[r.nEnds%cachedEnded] = endedCall{handle, by}
	r.nEnds++
	q := r.Requests.Get(handle)
	if q == nil {
		return nil
	}
	if q.Next == nil {
		q.Release(true)
		r.Requests.Drop(handle)
		return q
	}
	q.ReleaseShared()
	for q.Next.Next != nil {
		q = q.Next
	}
	oldest := q.Next
	oldest.Release(true)
	q.Next = nil
	return oldest
}

// EndOf is where the last request with a handle was completed or freed, if that was not long ago.
func (r *Rank) EndOf(handle uint64) (Made, bool) {
	for i := r.nEnds - 1; i >= 0 && i >= r.nEnds-cachedEnded; i-- {
		if e := &r.ended[i%cachedEnded]; e.handle == handle {
			return e.by, true
		}
	}
	return Made{}, false
}

// Pending calls visit for each request that has not been completed or freed.
func (r *Rank) Pending(visit func(q *Request)) {
	r.Requests.Each(func(q *Request) {
		for ; q != nil; q = q.Next {
			visit(q)
		}
	})
}

// Latest says whether no later request than this one is known to have been made at its call site.
func (r *Rank) Latest(q *Request) bool {
	if r.last == nil {
		return true
	}
	last := r.last[siteSlot(q.Made.Site)]
	return last.site != q.Made.Site || last.nth == q.Nth
}

func siteSlot(site uint64) uint64 { return spread(site, 8) }
