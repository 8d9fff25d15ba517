package waitstate

import "unknot/internal/vocab/op"

// MsgKind says what a message between nodes means; the names are those of the paper (section 4.1) where it has one.
type MsgKind uint8

// Messages.
const (
	PassSend    MsgKind = iota // a send, to the node of its receiver
	SendMatched                // to the node of the send: its receive exists
	RecvActive                 // to the node of the send: its receive is active
	// to the node of the receiver: a send is active; part of PassSend if it is from the beginning
	SendActive
	CancelSend // to the node of the receiver: an unmatched send was cancelled
	SendOpen   // to the node of the send: an undecided receive could take it
	// to the nodes of a communicator: a wildcard receive met a message that is not active
	Unexpected
	CollectiveReady // to the root: all members on a node are active
	CollectiveAck   // from the root: all members are active
	// to the root: what each member on a node gives and expects, as the sum over all is not even
	CollectiveShares
)

// Root is the destination of messages that go up the tree.
const Root = -1

// Message is what nodes tell each other.
type Message struct {
	Kind     MsgKind
	To       int // node, or Root
	From     Ref // the part that speaks
	Ref      Ref // the part that is meant
	Src, Dst op.Rank
	Ctx      op.CommID
	Tag      int32
	Bytes    int64
	Content  Content // PassSend
	Origin   *Origin // PassSend: the sending call, for reports
	Init     *Origin // PassSend: of a persistent send, the call that made its request
	Gathered
	Active bool // SendOpen: the strict view has reached the receive; PassSend: it has reached the send
	// Synchronous says of PassSend that the send is of that mode.
	Synchronous bool
	Ready       bool // PassSend: the send is of that mode
	// Clock is what the thread knows that comes first in the message's name, or all members of a collective together.
	Clock *Clock
}

// Gathered is, of messages about a collective, what is known of its members.
type Gathered struct {
	Seq    uint64 // of a collective on Ctx
	Size   int    // members in all
	Voices []Voice
	// CollectiveReady: what members have to do with the data, one of each kind, as far as it is known; CollectiveShares
	Shares  []*Share
	Balance Balance // CollectiveReady
	Uneven  bool    // CollectiveAck: what members give is not what others expect, so CollectiveShares are wanted
	Below   []int   // CollectiveReady: how many members there are below each of the relays on the way up
	Clash   bool    // CollectiveAck: the members disagree
}
