package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/ring"
	"unknot/internal/observe/stage"
	"unknot/internal/root/link"
	"unknot/internal/supervise"
)

// Hosts says which hosts are to be looked at, and for what.
type Hosts struct {
	Names   []string // or
	Command []string // the command line that names them
	Bind    []string // as unknot run has it
	Version string   // of unknot
}

// hosts is an examination of hosts other than this one.
type hosts struct {
	shell     stage.Shell
	d         stage.Directories
	files     []stage.File
	probes    []*probe.Probe // of the files after unknot
	launchers []string
	program   string // its path; "" if it is not known
	addresses []string
	link      string
	version   string
	here      facts
}

// unknot is the number of the file that is unknot itself.
const unknot = 0

// ExamineHosts tells the outcome of each check of each host, and says whether `unknot run` can work over all of them. The
// error is that there is nothing to look at.
func ExamineHosts(ctx context.Context, o Hosts, tell func(Check)) (bool, error) {
	h := &hosts{d: stage.DirectoriesHere(), version: o.Version}
	e := &examination{tell: tell}
	mpicc, err := h.recognise(o)
	if err != nil {
		return false, err
	}
	if err := h.take(ctx, mpicc, e); err != nil {
		return false, err
	}
	hub, err := h.listen(o)
	if err != nil {
		return false, err
	}
	defer hub.Close()
	h.here = h.survey(ctx, stage.Here, "")
	seen := h.shell.Look(ctx, h.shell.Names, h.d, h.files)
	found := make([]facts, len(seen))
	stage.Each(h.shell.Names, func(i int, host string) {
		if seen[i].Err == nil {
			found[i] = h.survey(ctx, host, agentOf(&seen[i], h.d, h.files))
		}
	})
	for i, name := range h.shell.Names {
		h.host(e, name, &seen[i], &found[i])
	}
	return !e.failed, nil
}

// recognise finds out which hosts and which MPI it is about. It gives the compiler wrapper of the job, "" if none is
// known.
func (h *hosts) recognise(o Hosts) (mpicc string, err error) {
	if o.Command == nil {
		h.shell.Remote = launch.To(o.Names)
		for _, l := range launch.Launchers() {
			h.launchers = append(h.launchers, filepath.Base(l.Path))
		}
	} else {
		job, err := launch.Recognise(o.Command, launch.Options{})
		if err != nil {
			return "", err
		}
		h.shell.Remote = job.Remote(os.Environ())
		if job.Launcher != "" {
			h.launchers = []string{filepath.Base(job.Launcher)}
		}
		if len(job.Programs) > 0 {
			if h.program, err = filepath.Abs(job.Programs[0].Path); err != nil {
				return "", err
			}
		}
		mpicc = job.MPICC
	}
	if len(h.shell.Names) == 0 {
		return "", errors.New("no other host is named; hint: unknot doctor --hosts node1,node2, or the launcher's " +
			"command line with its option for hosts")
	}
	return mpicc, nil
}

// take finds the files that hosts need: unknot, and the probe of the job's MPI or those of all on this machine.
func (h *hosts) take(ctx context.Context, mpicc string, e *examination) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	h.files = []stage.File{{Path: self, Name: stage.Unknot}}
	wrappers := launch.Wrappers()
	if mpicc != "" {
		wrappers = []string{mpicc}
	}
	for _, w := range wrappers {
		p, err := probe.Build(ctx, probe.Options{MPICC: w, Say: supervise.NewStatus(os.Stderr).Say})
		if err != nil {
			e.line(warn, "probe: %v", err)
			continue
		}
		if !slices.ContainsFunc(h.probes, func(q *probe.Probe) bool { return q.Path == p.Path }) {
			h.probes = append(h.probes, p)
			h.files = append(h.files, stage.File{Path: p.Path, Name: "probe.so"})
		}
	}
	h.files, err = stage.Sum(h.files)
	return err
}

// listen listens as unknot run does.
func (h *hosts) listen(o Hosts) (*link.Hub, error) {
	key, err := link.NewKey()
	if err != nil {
		return nil, err
	}
	addresses, err := supervise.Listening(o.Bind, h.shell.Names)
	if err != nil {
		return nil, err
	}
	hub, err := link.Listen(key, addresses, h.version, func(l *link.Link) { l.Abort() })
	if err != nil {
		return nil, err
	}
	h.addresses = hub.Addresses()
	h.link = link.Invitation{Key: key, Addresses: h.addresses}.String()
	return hub, nil
}

// host tells what was found out about one.
func (h *hosts) host(e *examination, name string, seen *stage.Seen, f *facts) {
	e.host = name
	defer func() { e.host = "" }()
	say := e.line
	addresses, err := net.LookupHost(name)
	var tool string
	if argv := h.shell.Command(name, ""); len(argv) > 0 {
		tool = filepath.Base(argv[0])
	}
	for _, err := range []error{seen.Err, f.err} {
		if err != nil {
			say(bad, "%s: the host %v", tool, err)
			return
		}
	}
	if err != nil {
		say(warn, "name: %v, although %s knows it; the MPI library may not find it", err, tool)
	} else {
		say(ok, "name: %s", strings.Join(addresses, ", "))
	}
	say(ok, "%s: works without a password", tool)
	h.unknot(say, seen)
	for i, p := range h.probes {
		h.probe(say, seen, unknot+1+i, p)
	}
	h.mpi(say, f)
	h.needs(say, f)
	shm(say, f.free)
	h.reach(say, f)
	clock(say, f.away)
}

type sayer func(g grade, format string, args ...any)

const elsewhere = "use `unknot run --stage`, which copies it"

func (h *hosts) unknot(say sayer, seen *stage.Seen) {
	path := h.files[unknot].Path
	staged := seen.Staged(h.d, h.files, unknot)
	switch {
	case seen.Has(unknot):
		say(ok, "unknot: %s, version %s", path, h.version)
	case staged != "":
		say(ok, "unknot: staged as %s, version %s", staged, h.version)
	case seen.HasOther(unknot) && stage.Version(seen.Other) == h.version:
		say(warn, "unknot: %s is another build of version %s", path, h.version)
	case seen.HasOther(unknot):
		say(bad, "unknot: %s is unknot %s, this is unknot %s; hint: install the same unknot on all hosts, or %s", path,
			stage.Version(seen.Other), h.version, elsewhere)
	default:
		say(bad, "unknot: there is no %s; hint: install unknot at the same path on all hosts, or %s", path, elsewhere)
	}
}

func (h *hosts) probe(say sayer, seen *stage.Seen, file int, p *probe.Probe) {
	staged := seen.Staged(h.d, h.files, file)
	switch {
	case seen.Has(file):
		say(ok, "probe: %s for %s", p.Path, p.MPI)
	case staged != "":
		say(ok, "probe: staged as %s for %s", staged, p.MPI)
	default:
		say(bad, "probe: there is no %s for %s; hint: set XDG_CACHE_HOME to a directory that all hosts share, or %s",
			p.Path, p.MPI, elsewhere)
	}
}

// mpi compares the versions of launchers with those of this host.
func (h *hosts) mpi(say sayer, f *facts) {
	for _, l := range h.launchers {
		there, here := f.mpi[l], h.here.mpi[l]
		switch {
		case there == "":
			say(warn, "MPI: no %s in PATH, where %s runs commands; hint: set PATH in a file that shells read that "+
				"are not interactive", l, "the launcher")
		case there != here:
			say(bad, "MPI: %s is version %s, here it is %s; hint: use one version of MPI on all hosts", l, there, here)
		default:
			say(ok, "MPI: %s is version %s, as here", l, there)
		}
	}
}

// needs says whether the program is there, and its MPI library that of this host.
func (h *hosts) needs(say sayer, f *facts) {
	switch {
	case h.program == "":
	case f.absent:
		say(warn, "program: there is no %s; unknot copies no programs", h.program)
	case f.library != h.here.library:
		say(bad, "program: %s uses %s, here it uses %s; hint: use one version of MPI on all hosts", h.program,
			library(f.library), library(h.here.library))
	default:
		say(ok, "program: %s uses %s, as here", h.program, library(f.library))
	}
}

func library(text string) string {
	soname, path, _ := strings.Cut(text, " ")
	switch {
	case soname == "":
		return "no MPI library"
	case path == "":
		return soname + ", which is not found"
	}
	return path
}

func shm(say sayer, free int64) {
	each := int64(ring.RingBytes(ring.DefaultSlots) + ring.OfMPI)
	switch {
	case free < 0:
		say(warn, "/dev/shm: there is none; rings are kept in /tmp, which may be slower")
	case free < enoughRanks*each:
		say(warn, "/dev/shm: %d MiB free, enough for %d ranks on that host; hint: enlarge it (mount -o "+
			"remount,size=1g /dev/shm)", free>>20, free/each)
	default:
		say(ok, "/dev/shm: %d MiB free, enough for %d ranks on that host", free>>20, free/each)
	}
}

func (h *hosts) reach(say sayer, f *facts) {
	to := strings.Join(h.addresses, " or ")
	switch {
	case f.reached:
		say(ok, "link: reaches this host at %s", to)
	case f.unreached != "":
		say(bad, "link: does not reach this host at %s: %s", to, f.unreached)
	default:
		say(bad, "link: does not reach this host at %s; hint: %s", to, supervise.Firewall)
	}
}

func clock(say sayer, away time.Duration) {
	const little = 2 * time.Second
	if away.Abs() < little {
		say(ok, "clock: as here")
		return
	}
	direction := "ahead of"
	if away < 0 {
		direction = "behind"
	}
	say(ok, "clock: %s %s this one, which does not matter", fmt.Sprint(away.Abs().Round(time.Second)), direction)
}
