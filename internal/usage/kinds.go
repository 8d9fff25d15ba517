package usage

// Kind is a kind of MPI object.
type Kind uint8

// Kinds of objects.
const (
	NoKind Kind = iota
	CommKind
	TypeKind
	GroupKind
	OpKind
	InfoKind
	ErrhandlerKind
	KeyvalKind
	WinKind
	FileKind
	RequestKind
	MessageKind
	SessionKind
	numKinds
)

// String is the kind in words.
func (k Kind) String() string {
	return [numKinds]string{"object", "communicator", "datatype", "group", "operator", "info object", "error handler", "attribute key",
		"window", "file", "request", "message", "session"}[k]
}

// kindOf is the kind of object that a parameter names, by the standard's name for it; NoKind if it names none.
func kindOf(param string) Kind {
	switch param {
	case "comm", "comm1", "comm2", "comm_old", "local_comm", "peer_comm", "intercomm", "newcomm", "comm_cart", "comm_graph", "comm_dist_graph",
		"newintercomm", "newintracomm", "parent":
		return CommKind
	case "datatype", "sendtype", "recvtype", "oldtype", "newtype", "origin_datatype", "target_datatype", "result_datatype", "etype", "filetype",
		"sendtypes", "recvtypes", "array_of_types", "array_of_datatypes":
		return TypeKind
	case "group", "group1", "group2", "newgroup", "local_group", "remote_group":
		return GroupKind
	case "op":
		return OpKind
	case "info", "info_used", "newinfo", "array_of_info":
		return InfoKind
	case "errhandler":
		return ErrhandlerKind
	case "keyval", "comm_keyval", "type_keyval", "win_keyval":
		return KeyvalKind
	case "win":
		return WinKind
	case "fh", "file":
		return FileKind
	case "request":
		return RequestKind
	case "message":
		return MessageKind
	case "session":
		return SessionKind
	}
	return NoKind
}
