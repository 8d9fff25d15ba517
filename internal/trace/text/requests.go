package text

// requests are the parts of a thread by the number of their request's name. Most threads use few names again and again,
// so a map is made only for many.
type requests struct {
	few  []request
	many map[int32]span
}

type request struct {
	name  int32
	parts span
}

// fewRequests is how many names are looked through one by one.
const fewRequests = 12

func (r *requests) set(name int32, parts span) {
	if r.many != nil {
		r.many[name] = parts
		return
	}
	for i := range r.few {
		if r.few[i].name == name {
			r.few[i].parts = parts
			return
		}
	}
	if r.few = append(r.few, request{name, parts}); len(r.few) > fewRequests {
		r.many = make(map[int32]span, 2*len(r.few))
		for _, one := range r.few {
			r.many[one.name] = one.parts
		}
		r.few = nil
	}
}

func (r *requests) get(name int32) (span, bool) {
	if r.many != nil {
		s, known := r.many[name]
		return s, known
	}
	for i := range r.few {
		if r.few[i].name == name {
			return r.few[i].parts, true
		}
	}
	return span{}, false
}
