package branching

// copyList copies statements, so that each call has a separate line.
func copyList(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if s.Call != nil {
			c := *s.Call
			s.Call = &c
		}
		s.Body, s.Else = copyList(s.Body), copyList(s.Else)
		out = append(out, s)
	}
	return out
}
