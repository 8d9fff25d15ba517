package mpi

import "strings"

// Object is a kind of MPI object.
type Object uint8

// Kinds of objects.
const (
	NoObject Object = iota
	OComm
	OType
	OGroup
	OOp
	OInfo
	OErrhandler
	OKeyval
	OWin
	OFile
	ORequest
	OMessage
	OSession
	NumObjects
)

// objects says how the tables name a kind of object, what it is called, its null handle, and the function that frees
// one.
var objects = [NumObjects]struct{ key, word, null, free string }{
	NoObject:    {"-", "object", "", ""},
	OComm:       {"comm", "communicator", "MPI_COMM_NULL", "MPI_Comm_free"},
	OType:       {"type", "datatype", "MPI_DATATYPE_NULL", "MPI_Type_free"},
	OGroup:      {"group", "group", "MPI_GROUP_NULL", "MPI_Group_free"},
	OOp:         {"op", "operator", "MPI_OP_NULL", "MPI_Op_free"},
	OInfo:       {"info", "info object", "MPI_INFO_NULL", "MPI_Info_free"},
	OErrhandler: {"errhandler", "error handler", "MPI_ERRHANDLER_NULL", "MPI_Errhandler_free"},
	OKeyval:     {"keyval", "attribute key", "MPI_KEYVAL_INVALID", ""},
	OWin:        {"win", "window", "MPI_WIN_NULL", "MPI_Win_free"},
	OFile:       {"file", "file", "MPI_FILE_NULL", "MPI_File_close"},
	ORequest:    {"request", "request", "MPI_REQUEST_NULL", "MPI_Request_free"},
	OMessage:    {"message", "message", "MPI_MESSAGE_NULL", ""},
	OSession:    {"session", "session", "MPI_SESSION_NULL", "MPI_Session_finalize"},
}

// String is the kind in words.
func (o Object) String() string { return objects[o].word }

// Article is the kind in words, with an article.
func (o Object) Article() string {
	s := o.String()
	if strings.ContainsAny(s[:1], "aeiou") {
		return "an " + s
	}
	return "a " + s
}

// Null is the name of the null handle of a kind.
func (o Object) Null() string { return objects[o].null }

// Free is the name of the function that frees an object of the kind; "" if there is none, as a message is received, or
// several, as of attribute keys.
func (o Object) Free() string { return objects[o].free }

// objectOf is the kind that a cell of a table names.
func objectOf(key string) (Object, bool) {
	for o := range objects {
		if objects[o].key == key {
			return Object(o), true
		}
	}
	return NoObject, false
}

// Stores says whether the call is about a window or a file, in which a rank finds at any time what others have left
// there (MPI-4.0, 12 and 14).
func (f *Func) Stores() bool { return f.stores }

// Frees says whether the call frees the object that a parameter names. A message is used up by the call that receives
// it.
func (f *Func) Frees(p *Param) bool {
	switch p.Kind {
	case KHandleIn:
		return f.Class != TypeCommit
	case KIntIn:
		return f.Class == KeyvalFree
	case KMsgIn:
		return true
	}
	return false
}

// freed is the kind of object that the call frees.
func (f *Func) freed() Object {
	for i := range f.Params {
		if p := &f.Params[i]; f.Frees(p) {
			return p.Object
		}
	}
	return NoObject
}

// Makes is the parameter of the object of a kind whose handle the call gives, whether that is new or was there; -1 if
// it gives none.
func (f *Func) Makes(o Object) int {
	for i := range f.Params {
		if p := &f.Params[i]; p.Object == o && p.Kind.AtExit() {
			return i
		}
	}
	return -1
}
