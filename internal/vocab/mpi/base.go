package mpi

import "strings"

// families finds the forms of functions that belong together.
func (t *T) families() {
	first := make(map[string]uint16)
	for i := range t.Funcs() {
		f := &t.Funcs()[i]
		f.Base = f.base()
		meets := f.Base
		if f.Class != Coll {
			meets = Plain(f.Name) // on files, and of those that make communicators, blocking ones do not meet others
		}
		if first[meets] == 0 {
			first[meets] = f.ID
		}
		f.Family = first[meets]
	}
}

// Plain is the name of a function without the mark of its form for large counts.
func Plain(name string) string { return strings.TrimSuffix(name, "_c") }

// Large says whether it is the form of a function for large counts.
func (f *Func) Large() bool { return Plain(f.Name) != f.Name }

// Operation is the name of what a request of the call does: that of a persistent one without the mark of such.
func (f *Func) Operation() string {
	if f.Persistent {
		return strings.TrimSuffix(f.Name, "_init")
	}
	return f.Name
}

func (f *Func) base() string {
	name := Plain(f.Name)
	if f.Persistent {
		name = strings.TrimSuffix(name, "_init")
	}
	if !f.Nonblocking {
		return name
	}
	mark := "I"
	if f.Class == Rrma {
		mark = "R"
	}
	if form, ok := strings.CutPrefix(name, "MPI_"+mark); ok {
		return "MPI_" + strings.ToUpper(form[:1]) + form[1:]
	}
	for _, room := range [...]string{"MPI_File_", "MPI_Comm_", "MPI_Buffer_", "MPI_Session_"} {
		if form, ok := strings.CutPrefix(name, room+"i"); ok {
			return room + form
		}
	}
	return name
}
