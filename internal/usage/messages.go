package usage

import (
	"fmt"
	"strings"

	"unknot/internal/datatype"
	"unknot/internal/finding"
)

// Codes about what is sent and what is expected.
const (
	TypeMismatch     finding.Code = "type-mismatch"
	ByteMismatch     finding.Code = "type-mismatch-byte"
	MessageTruncated finding.Code = "message-truncated"
	MessageLost      finding.Code = "message-lost"
	UnevenData       finding.Code = "collective-data-mismatch"
)

// messageCheckers find what concerns two ranks: the calls are brought together where messages and collectives are matched,
// and judged by Unlike.
func messageCheckers() []Checker {
	return []Checker{
		{
			Name: "message-types", Family: Messages, Watch: func(*Hooks) {},
			Peers: []string{"ERROR_TYPEMATCH_MISMATCH", "ERROR_TYPEMATCH_MISMATCH_BYTE", "ERROR_TYPEMATCH_INTERNAL_TYPESIG", "GLOBAL:MSG:DATATYPE:MISMATCH"},
			Codes: []finding.Doc{{
				Code: TypeMismatch, Title: "a message is received as another type than it was sent", Severity: finding.Error, Since: finding.Version01,
				Means: "The basic types of a message and of the receive that takes it differ (MPI-4.0, 3.3.1: each element must be received as the type that it was sent as). The finding names the first element that differs, and its place in each derived type.\n\nIf both types have the same size and kind on this machine it is a warning: nothing was lost here, but MPI promises nothing.",
				Why:   "One side was changed and not the other, a struct type lists its fields in another order, or a macro for the program's real type stands for another one in a part of the sources.",
				Fix:   "Use the same datatype on both sides, made by one function. For a struct, compare the blocks that the notes name.",
			}, {
				Code: ByteMismatch, Title: "bytes on one side, typed data on the other", Severity: finding.Warning, Since: finding.Version01,
				Means: "One side says MPI_BYTE, the other a type. MPI_BYTE matches MPI_BYTE only (MPI-4.0, 3.3.1). It works between like machines, and nothing converts or checks the data.",
				Why:   "Buffers that are filled as bytes and received as what they hold.",
				Fix:   "Name the type on both sides, or MPI_BYTE on both. What MPI_Pack has made is sent as MPI_PACKED.",
			}},
		},
		{
			Name: "message-sizes", Family: Messages, Watch: func(*Hooks) {},
			Peers: []string{"ERROR_TYPEMATCH_LENGTH", "LOCAL:BUFFER:INSUFFICIENT_BUFFER"},
			Codes: []finding.Doc{{
				Code: MessageTruncated, Title: "a message is longer than the receive that takes it", Severity: finding.Error, Since: finding.Version01,
				Means: "A receive has room for fewer elements than the message has that it meets (MPI-4.0, 3.2.4). MPI ends the job with MPI_ERR_TRUNCATE, or returns that error.",
				Why:   "The two sides compute the size differently, or a receive meets another message than it was meant for: the same tag is used for several things, or messages come in another order.",
				Fix:   "Give both sides the same count, or ask for the size with MPI_Probe and MPI_Get_count before the receive. Give different kinds of messages different tags.",
			}},
		},
		{
			Name: "messages-lost", Family: Messages, Watch: func(*Hooks) {},
			Peers: []string{"ERROR_MESSAGE_LOST", "GLOBAL:MSG:PENDING"},
			Codes: []finding.Doc{{
				Code: MessageLost, Title: "a message is never received", Severity: finding.Warning, Since: finding.Version01,
				Means: "All ranks have come to MPI_Finalize, and nobody has received this message. It is told only if all calls of all ranks are known, and no receive is open that might have taken it.",
				Why:   "A loop that sends once more than the other side receives, a receive that is skipped by a branch, or a tag that no receive asks for. MPI had room to keep the message; a larger one would have made the sender hang.",
				Fix:   "Receive it, or do not send it. If it is to wake somebody who may have gone, let both sides agree on the end, by a last message or a collective.",
			}},
		},
		{
			Name: "collective-data", Family: Collectives, Watch: func(*Hooks) {},
			Peers: []string{"ERROR_COUNTS_ARRAYS_DIFFER", "GLOBAL:COLLECTIVE:DATATYPE:MISMATCH", "GLOBAL:COLLECTIVE:SIZE_MISMATCH"},
			Codes: []finding.Doc{{
				Code: UnevenData, Title: "the members of a collective give and expect different data", Severity: finding.Error, Since: finding.Version01,
				Means: "In a collective call one member gives another one more, less or other data than that one expects (MPI-4.0, 6.1: amount and type signature must be equal). Nobody may notice: some libraries cut the data off, others write beyond the buffer.",
				Why:   "A count that differs between ranks: a division with a remainder, a size that only the root has read, or arrays of counts and displacements that the ranks build differently. For MPI_Gather the root's recvcount is that of one rank, not of all.",
				Fix:   "Compute counts in one place from values that all ranks have. If ranks give different amounts, use the v form (MPI_Gatherv) and gather the counts first.",
			}},
		},
	}
}

// Fields are the names of the members of the program's structs in which the first element that differs lies, as it is given and as
// it is expected; empty where that is not known.
type Fields struct{ Given, Expected string }

// Unlike says what is wrong with data that one rank gives and another one expects, which do not fit. giver and taker are their
// world ranks; call is the collective that they are in, or "" for a message.
func Unlike(given, expected datatype.Content, giver, taker int, call string, fields Fields) (code finding.Code, w Words) {
	if call != "" {
		code = UnevenData
	}
	if datatype.Truncated(given.Type, given.Count, expected.Type, expected.Count) && code == "" {
		return MessageTruncated, Words{Severity: finding.Error,
			Sentence: fmt.Sprintf("Rank %d sends %v to rank %d, whose receive has room for %v.", giver, given, taker, expected)}
	}
	d, ok := datatype.Compare(given.Type, given.Count, expected.Type, expected.Count)
	if ok {
		return code, Words{Severity: finding.Error, Sentence: fmt.Sprintf("In %s rank %d gives rank %d %v, but rank %d expects %v of it.", call, giver, taker, given, taker, expected)}
	}
	verb := "sends"
	if call != "" {
		verb = "gives in " + call
	} else if code = TypeMismatch; d.Sent == datatype.Byte || d.Expected == datatype.Byte {
		code = ByteMismatch
	}
	w = Words{Severity: finding.Error, Sentence: fmt.Sprintf("Rank %d %s %v where rank %d expects %v, at element %d of the data.", giver, verb, d.Sent, taker, d.Expected, d.Element+1)}
	if code == ByteMismatch || d.Sent.Like(d.Expected) {
		w.Severity = finding.Warning
	}
	switch sent, wanted := standing(d.SentAt, fields.Given), standing(d.ExpectedAt, fields.Expected); {
	case sent != wanted:
		w.Notes = append(w.Notes, fmt.Sprintf("that is %s of what rank %d gives, and %s of what rank %d expects", sent, giver, wanted, taker))
	case strings.Contains(sent, ","):
		w.Notes = append(w.Notes, fmt.Sprintf("that is %s on both sides", sent))
	}
	return code, w
}

// standing is the place of an element in words.
func standing(p datatype.Path, field string) string {
	if field == "" {
		return p.String()
	}
	return p.String() + ", field `" + field + "`"
}
