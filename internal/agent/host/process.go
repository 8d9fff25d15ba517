package host

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
	"unknot/internal/root/detect"
	"unknot/internal/root/link"
	"unknot/internal/root/tree"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/upc/reports"
	"unknot/internal/upc/streams"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// process is the agent process of one host: it finds new rings and gives them to agents. One process of a job, that of
// the supervisor's host, has the root too.
type process struct {
	opts    agent.Options
	table   *mpi.T
	session *ring.Session
	out     *proto.Writer // to the supervisor; nil on other hosts
	world   agent.World
	hosts   *hosts            // on the supervisor's host, the other ones; nil if there may be none
	node    *node             // on another host, the way to the supervisor's; else nil
	events  *tree.Box[func()] // what other goroutines have for the main loop

	team
	census
	noted map[string]bool
	bell
	jobEnd
	trace *tracefile.Writer // nil if none is asked for
}

// bell is what probes ring when there is a new ring or a full one.
type bell struct {
	rung    uint32        // what has been answered of the bell
	closing atomic.Bool   // the bell is not to be waited for any more
	deaf    chan struct{} // closed when it is not; nil if nobody rings it
}

// team is the agents of this process, with the root or the way to it.
type team struct {
	net    *tree.Network[message.Message] // nil until it is known who watches whom
	home   func(op.Rank) int
	root   *detect.Root                         // on the supervisor's host
	boxes  map[int]*tree.Box[agent.Instruction] // of the agents of this process
	agents map[int]chan struct{}                // and the relays of this process; closed when one has ended
}

// census is the processes and ranks of the job, with rings of which it is not known yet who reads them.
type census struct {
	size    int                  // of the job; 0 until a rank has said it
	main    map[int]op.Rank      // world rank by process id
	waiting map[int][]*ring.Ring // rings whose process has not said who it is
	parked  []agent.Adoption     // of ranks, until it is known who watches whom
	refused map[int]bool         // processes that are not watched: their rings are read by nobody
	ranks   map[op.Rank]int      // process id by world rank
	opened  []*ring.Ring
}

// jobEnd is how far the job is with its end.
type jobEnd struct {
	ended  bool // the launcher has ended
	orphan bool // the supervisor is gone, and with it the launcher, or it has ended the job
	exit   int  // the launcher's exit status
	final  bool // all ranks have returned from MPI_Finalize, and some wait
}

// hosts is what the process of the supervisor's host knows of those of other hosts. Except for ways, only its main loop
// uses it.
type hosts struct {
	p       *process
	hub     *link.Hub
	carrier *carrier
	noWay   bool      // it was said that two hosts cannot reach each other
	remotes []*remote // by number; the first is its own
	ways    [maxProcesses]atomic.Pointer[link.Link]
	library string
	firstOn string    // the host of the first rank that was heard of, which has that library
	heard   time.Time // when a host or a rank was last heard of for the first time; zero before the first rank
	threads asking
	begun   chan struct{} // closed when all know who watches whom
	ending  bool
	// open ends when it is closed.
	open context.Context
	shut context.CancelFunc
}

// remote is one process.
type remote struct {
	number  int
	host    string
	id      string
	listens []string // where it can be reached
	link    *link.Link
	ranks   []op.Rank
	last    *last
	lost    time.Time // zero while it is there
	trace   []byte
	asked   bool // which ranks it has found; listed: it has said so
	listed  bool
	final   bool          // its ranks have returned from MPI_Finalize, and wait
	ended   chan struct{} // closed when nothing more can come over its link
	// recorded is what its threads of UPC have recorded, one copy at a time.
	recorded chan *streams.Copy
}

// Joining is what the agent process of another host than the supervisor's is started with.
type Joining struct {
	link.Invitation        // by the supervisor's process
	Session         string // the directory to make, which is the supervisor's
	ID              string // of the agent process among those of the job, which its guard has chosen
	Version         string // of unknot
	Ready           func() // called once probes may use the session
	// Over is called when the launcher has ended. It returns when the ranks of this host have, of which it ends those
	// that do not by themselves: how many.
	Over func() int
}

// node is the agent process of another host.
type node struct {
	p       *process
	link    *link.Link
	direct  *direct
	carrier *carrier
	lost    error // how the link has ended
	through bool  // the agents have ended
	alone   lone
	copier  *reports.Copier
	records *copying
	over    func() int

	threads   bool // of UPC were announced
	threadsAt time.Time
}

// asking is where the process with the root is in asking other hosts.
type asking struct {
	on      bool // there are threads of UPC
	look    int
	at      time.Time
	missing map[*remote]bool // answers to the last look
}

// lone is what the process of a host knows for the case that the root is lost.
type lone struct {
	begun   *begin
	notes   []string
	since   time.Time       // when the link went down; zero while it is up
	threads *reports.Keeper // of UPC, since then
	looked  time.Time       // at these
}

// underSlurm says whether Slurm has started the ranks of this host, or what has started them.
func underSlurm() bool { return os.Getenv("SLURM_JOB_ID") != "" }

// traceIn is where the process of another host than the supervisor's records, in its session.
func traceIn(session string) string { return filepath.Join(session, "trace") }

func (n *node) tracePath() string { return traceIn(n.p.opts.Session) }

// copying is what the threads of this host record, on its way to the supervisor's.
type copying struct {
	session string
	copier  *streams.Copier
	taken   chan struct{} // what was sent last has been taken in
	end     chan struct{} // closed when nothing more comes
	done    chan struct{} // closed when all has been taken in, or nobody is there any more
}
