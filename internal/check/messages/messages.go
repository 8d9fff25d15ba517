// Package messages puts into words what is wrong with messages and with the data of collectives, and notes what may
// differ from run to run.
package messages

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
)

// Codes about what is sent and what is expected.
const (
	TypeMismatch     finding.Code = "type-mismatch"
	ByteMismatch     finding.Code = "type-mismatch-byte"
	MessageTruncated finding.Code = "message-truncated"
	ReadyEarly       finding.Code = "ready-send"
	MessageLost      finding.Code = "message-lost"
	UnevenData       finding.Code = "collective-data-mismatch"
)

// messageCheckers find what concerns two ranks: the calls are brought together where messages and collectives are
// matched, and judged by Unlike.
func messageCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "message-types", Family: check.Messages, Watch: func(*check.Hooks) {},
			Peers: []string{"ERROR_TYPEMATCH_MISMATCH", "ERROR_TYPEMATCH_MISMATCH_BYTE",
				"ERROR_TYPEMATCH_INTERNAL_TYPESIG", "GLOBAL:MSG:DATATYPE:MISMATCH"},
			Codes: []finding.Doc{{
				Code: TypeMismatch, Title: "a message is received with another type than it was sent",
				Severity: finding.Error, Since: finding.Version01,
				Means: "The basic types of a message and of the receive that takes it differ (MPI-4.0, 3.3.1: each " +
					"element must be received as the type that it was sent as). The finding names the first element " +
					"that differs, and its place in each derived type.\n\nIf both types have the same size and kind " +
					"on this machine, it is a warning: no data was lost here, but MPI guarantees nothing.\n\nOf " +
					"persistent messages it is reported at the calls that made the requests.",
				Why: "One side was changed and not the other, a struct type lists its fields in another order, or " +
					"a macro for the program's real type is defined differently in some of the sources.",
				Fix: "Use the same datatype on both sides, created by one function. For a struct, compare the " +
					"blocks that the notes name.",
			}, {
				Code: ByteMismatch, Title: "bytes on one side, typed data on the other", Severity: finding.Warning,
				Since: finding.Version01,
				Means: "One side uses MPI_BYTE, the other a typed datatype. MPI_BYTE matches only MPI_BYTE (MPI-4.0, " +
					"3.3.1). It works between identical machines, but the data is neither converted nor checked.",
				Why: "Data is sent as raw bytes and received with its real type.",
				Fix: "Use the same type on both sides, or MPI_BYTE on both. Send data from MPI_Pack as MPI_PACKED.",
			}},
		},
		{
			Name: "message-sizes", Family: check.Messages, Watch: func(*check.Hooks) {},
			Peers: []string{"ERROR_TYPEMATCH_LENGTH", "LOCAL:BUFFER:INSUFFICIENT_BUFFER"},
			Codes: []finding.Doc{{
				Code: MessageTruncated, Title: "a message is longer than the receive that takes it",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A receive has room for fewer elements, and fewer bytes, than the message that it matches has " +
					"(MPI-4.0, 3.2.4). MPI ends the job with MPI_ERR_TRUNCATE, or returns that error. Of persistent " +
					"messages it is reported at the calls that made the requests.",
				Why: "The two sides compute the size differently, or the receive matches an unintended message: " +
					"the same tag is used for several purposes, or messages arrive in another order.",
				Fix: "Use the same count on both sides, or query the size with MPI_Probe and MPI_Get_count before " +
					"the receive. Give different kinds of messages different tags.",
			}},
		},
		{
			Name: "ready-sends", Family: check.Messages, Watch: func(*check.Hooks) {},
			Codes: []finding.Doc{{
				Code: ReadyEarly, Title: "a ready send is started before its receive is posted",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A send in ready mode (MPI_Rsend, MPI_Irsend, MPI_Rsend_init) may be started only if the " +
					"matching receive is already posted; otherwise it is erroneous, and its outcome undefined " +
					"(MPI-4.0, 3.4). Here the receiver posts that receive only after it has received a message, or " +
					"left a barrier or another collective that waits for all members, which the sender has reached " +
					"after the ready send: in every run with these messages the send comes first.\n\nNothing is " +
					"reported where nothing orders the two, and the receive may be posted in time by chance.",
				Why: "The receives were moved behind a handshake or a barrier. Most MPI libraries treat a ready " +
					"send as a standard one as long as the message is small, so the program works until it is " +
					"larger, or runs on another network.",
				Fix: "Post the receive first and then let the sender know, by a message or a barrier before the " +
					"ready send. Or use MPI_Isend or MPI_Send, which are usually as fast.",
			}},
		},
		{
			Name: "messages-lost", Family: check.Messages, Watch: watchProbed,
			Peers: []string{"ERROR_MESSAGE_LOST", "GLOBAL:MSG:PENDING"},
			Codes: []finding.Doc{{
				Code: MessageLost, Title: "a message is never received", Severity: finding.Warning,
				Since: finding.Version01,
				Means: "All ranks reached MPI_Finalize, but no rank received this message. It is reported only if " +
					"all calls of all ranks are known and no pending receive could have taken it.\n\nThe same holds " +
					"for a message that a rank has taken with MPI_Mprobe or MPI_Improbe and not received with " +
					"MPI_Mrecv or MPI_Imrecv by then: no other receive can match it any more (MPI-4.0, 3.8.2).",
				Why: "A loop that sends once more than the other side receives, a receive that is skipped by a " +
					"branch, or a tag that no receive uses. MPI buffered the message; a larger one would have made " +
					"the sender hang.",
				Fix: "Receive the message, or do not send it. If it should wake a rank that may have left, let " +
					"both sides agree on termination by a last message or a collective.",
			}},
		},
		{
			Name: "collective-data", Family: check.Collectives, Watch: func(*check.Hooks) {},
			Peers: []string{"ERROR_COUNTS_ARRAYS_DIFFER", "GLOBAL:COLLECTIVE:DATATYPE:MISMATCH",
				"GLOBAL:COLLECTIVE:SIZE_MISMATCH"},
			Codes: []finding.Doc{{
				Code: UnevenData, Title: "the members of a collective send and expect different data",
				Severity: finding.Error, Since: finding.Version01,
				Means: "In a collective call one member sends another one more, less or different data than it " +
					"expects (MPI-4.0, 6.1: amount and type signature must be equal). This may go unnoticed: some " +
					"libraries truncate the data, others write beyond the buffer.\n\nIn MPI_Bcast and MPI_Reduce " +
					"data goes between the root and each other rank only. If the root has not yet called, two others " +
					"that expect different data from it, or send it different data, are named.",
				Why: "A count that differs between ranks: a division with a remainder, a size that only the root " +
					"has read, or arrays of counts and displacements that the ranks compute differently. For " +
					"MPI_Gather, the root's recvcount is the count from each rank, not the total.",
				Fix: "Compute counts in one place from values that all ranks have. If ranks send different " +
					"amounts, use the v form (MPI_Gatherv) and gather the counts first.",
			}},
		},
	}
}

// Fields are the names of the members of the program's structs in which the first element that differs lies, as it is
// given and as it is expected; empty where that is not known.
type Fields struct{ Given, Expected string }

// Via says how the data goes that two calls disagree about.
type Via uint8

// Ways.
const (
	Straight Via = iota // one gives it to the other
	FromRoot            // both get it from the root of a collective
	ToRoot              // both give it to the root
)

// verbs say what the two ranks do with the data.
func (v Via) verbs() (one, other string) {
	return [...]string{Straight: "sends", FromRoot: "expects", ToRoot: "sends"}[v],
		[...]string{Straight: "expects", FromRoot: "expects", ToRoot: "sends"}[v]
}

// root is how the root takes part, in words.
func (v Via) root() string {
	return [...]string{Straight: "", FromRoot: " from the root", ToRoot: " to the root"}[v]
}

// Unlike says what is wrong with data that one rank gives and another one expects, which do not fit. giver and taker
// are their world ranks; call is the collective that they are in, or "" for a message. If the data goes via the root,
// both give it, or both expect it.
func Unlike(given, expected datatype.Content, giver, taker int, call string, via Via, fields Fields) (code finding.Code,
	w check.Words) {
	if call != "" {
		code = UnevenData
	}
	if code == "" && datatype.TooLong(given.Type, given.Count, expected.Type, expected.Count) {
		return MessageTruncated, check.Words{Severity: finding.Error,
			Sentence: finding.Wordf("Rank %d sends %v to rank %d, whose receive has room for %v.", giver, given,
				taker, expected),
			Hint: "make the counts of both sides agree, or query the size first with MPI_Probe and " +
				"MPI_Get_count; if another message was meant, use different tags"}
	}
	one, other := via.verbs()
	d, ok := datatype.Compare(given.Type, given.Count, expected.Type, expected.Count)
	switch {
	case ok && via == Straight:
		return code, check.Words{Severity: finding.Error,
			Sentence: finding.Wordf("In %s rank %d sends rank %d %v, but rank %d expects %v from it.", call, giver,
				taker, given, taker, expected), Hint: amounts(call)}
	case ok:
		return code, check.Words{Severity: finding.Error,
			Sentence: finding.Wordf("In %s rank %d %s %v%s, but rank %d %s %v.", call, giver, one, given, via.root(),
				taker, other, expected), Hint: amounts(call)}
	}
	verb := one + via.root()
	if call != "" {
		verb += " in " + call
	} else if code = TypeMismatch; d.Sent == datatype.Byte || d.Expected == datatype.Byte {
		code = ByteMismatch
	}
	w = check.Words{Severity: finding.Error,
		Sentence: finding.Wordf("Rank %d %s %v where rank %d %s %v, at element %d of the data.", giver, verb, d.Sent,
			taker, other, d.Expected, d.Element+1)}
	if code == ByteMismatch || d.Sent.Like(d.Expected) {
		w.Severity = finding.Warning
	}
	w.Hint = "use the same datatype on both sides"
	if call != "" {
		w.Hint = "use the same datatype on all ranks"
	}
	if code == ByteMismatch {
		w.Hint = "use the same datatype on both sides; to send raw bytes, use MPI_BYTE on both, and MPI_PACKED for " +
			"data from MPI_Pack"
	}
	switch sent, wanted := standing(d.SentAt, fields.Given), standing(d.ExpectedAt, fields.Expected); {
	case sent != wanted:
		w.Notes = append(w.Notes, finding.Remarkf("that is %s of what rank %d %s, and %s of what rank %d %s", sent,
			giver, one, wanted, taker, other))
	case strings.Contains(sent, ","):
		w.Notes = append(w.Notes, finding.Remarkf("that is %s on both sides", sent))
	}
	return code, w
}

// amounts says how the counts of a collective have to agree.
func amounts(call string) string {
	name := strings.ToLower(strings.TrimPrefix(strings.TrimSuffix(call, "_init"), "MPI_"))
	name = strings.TrimPrefix(name, "neighbor_")
	if name != "" && name[0] == 'i' {
		name = strings.TrimPrefix(name[1:], "neighbor_")
	}
	switch name {
	case "gather", "allgather", "alltoall":
		return "recvcount is the number of elements from each rank, not from all together, and has to match that " +
			"rank's sendcount"
	case "scatter":
		return "sendcount is the number of elements for each rank, not for all together, and has to match that " +
			"rank's recvcount"
	case "gatherv", "allgatherv":
		return "recvcounts[i] has to match the sendcount of rank i: if ranks compute them on their own, exchange " +
			"them first with MPI_Gather or MPI_Allgather"
	case "scatterv":
		return "sendcounts[i] has to match the recvcount of rank i: if ranks compute them on their own, send them " +
			"first with MPI_Scatter"
	case "alltoallv", "alltoallw":
		return "recvcounts[i] has to match what rank i sends to this rank: if ranks compute them on their own, " +
			"exchange them first with MPI_Alltoall"
	}
	return "all ranks have to pass the same amount of data: compute the count from values that all ranks have, or " +
		"broadcast it first"
}

// standing is the place of an element in words.
func standing(p datatype.Path, field string) string {
	if field == "" {
		return p.String()
	}
	return p.String() + ", field `" + field + "`"
}
