package host

import (
	"bytes"
	"encoding/gob"
	"encoding/json"

	"unknot/internal/agent"
	"unknot/internal/observe/decode"
	"unknot/internal/root/detect"
	"unknot/internal/root/link"
	"unknot/internal/upc/reports"
	"unknot/internal/upc/streams"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// control is what the agent processes of a job tell each other besides messages between agents. One of its parts is
// there.
type control struct {
	Welcome *welcome
	Here    *here
	Begin   *begin
	Who     bool // asks for the ranks that a process has found; Listed: it has named all of them, each with a Here
	Listed  bool
	Note    string
	NoWay   *noWay
	Gone    int // the number of a process that the root has lost; 0 for none
	// all ranks of the host have returned from MPI_Finalize, and wait for the agent to say all that it knows
	Final   bool
	Ended   bool // the launcher has: what is left is to be read
	Last    *last
	Trace   []byte // what the process has recorded, as a file
	Threads bool   // of UPC are on the host
	Look    int    // asks what they have said; counts the times
	Told    *threadsTold
	// Recorded is what the threads of UPC on the host have recorded since they did last; Taken says that it has been
	// taken in.
	Recorded *streams.Copy
	Taken    bool
}

// threadsTold is the answer to a Look.
type threadsTold struct {
	Look int
	Copy reports.Copy
}

// greeting is what a process says when it dials the supervisor's.
type greeting struct {
	Host string `json:"host"`
	ID   string `json:"id"`   // of the agent process, which its guard has chosen
	Died string `json:"died"` // how that has ended, as its guard says; "" if it is the agent process that dials
	// Addresses are those at which processes of other hosts reach it.
	Addresses []string `json:"addresses"`
}

func (g greeting) text() []byte {
	text, err := json.Marshal(g)
	if err != nil {
		panic(err) // it is plain data
	}
	return text
}

// readGreeting reads what text has written.
func readGreeting(text []byte) (g greeting, err error) {
	err = json.Unmarshal(text, &g)
	return g, err
}

// welcome tells the process of another host, as soon as it has joined, what it needs to make its session.
type welcome struct {
	Options  agent.Options
	Sent     uint32 // how closely the data of sends is looked at
	Slowdown uint32 // thousandths that a program may take longer as its accesses are noted
}

// here says that a rank is on the host.
type here struct {
	Rank    op.Rank
	Size    int
	Library string
}

// heard is what a rank's first record says of it.
func heard(h *decode.Hello) *here {
	return &here{Rank: h.Rank, Size: h.Size, Library: mpi.LibraryName(h.Library)}
}

// begin says who watches whom.
type begin struct {
	Layout  layout
	Library string
	Self    int        // the number of the receiver's process
	Listen  [][]string // the addresses at which each process listens, by number
	Hosts   []string   // of each process
}

// last is what a process has besides what its agents tell the root.
type last struct {
	Ended  detect.Ended
	NoRing int // threads that could not be given one
	Errno  int
	Where  string // the directory of the rings
	Told   reports.Copy
}

func (c *control) send(to *link.Link) {
	to.Send(link.Urgent, c.bytes())
}

func (c *control) bytes() []byte {
	text := bytes.NewBuffer([]byte{carriesControl})
	if err := gob.NewEncoder(text).Encode(c); err != nil {
		panic(err) // it is plain data
	}
	return text.Bytes()
}

// readControl reads what send has sent.
func readControl(text []byte) (*control, error) {
	if len(text) == 0 || text[0] != carriesControl {
		return nil, errUnreadable
	}
	c := new(control)
	if err := gob.NewDecoder(bytes.NewReader(text[1:])).Decode(c); err != nil {
		return nil, errUnreadable
	}
	return c, nil
}

func isMessage(text []byte) bool { return len(text) > 0 && text[0] == carriesMessage }

// noWay says that a process cannot be reached, and why.
type noWay struct {
	Process int
	Why     string
}
