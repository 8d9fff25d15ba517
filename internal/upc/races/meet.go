package races

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"unknot/internal/say/explain/upc"
	"unknot/internal/upc/layout"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/finding"
)

// PrepareMeeting writes the file for a run in which two threads meet at a race, and the one at its second place goes
// first or not.
func PrepareMeeting(r *finding.Meeting, path string, second bool) error {
	m := layout.Meet{Mark: layout.MeetMark, SiteA: uint64(r.Sites[0]), SiteB: uint64(r.Sites[1]),
		Owner: uint64(r.Owner), Start: r.Start, End: r.End}
	if second {
		m.First = 1
	}
	return os.WriteFile(path, unsafe.Slice((*byte)(unsafe.Pointer(&m)), unsafe.Sizeof(m)), 0o600)
}

// Outcome is what came of such a run.
type Outcome struct {
	meet    layout.Meet
	met     []reports.Met
	program *program
}

// ReadOutcome reads the file of a run that is over.
func ReadOutcome(path string) (o Outcome, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	if len(data) != int(unsafe.Sizeof(o.meet)) || binary.NativeEndian.Uint64(data) != layout.MeetMark {
		return o, fmt.Errorf("%s: it is no meeting of threads", path)
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&o.meet)), unsafe.Sizeof(o.meet)), data)
	if o.program, err = readProgram(path + layout.MeetSites); err != nil {
		return o, err
	}
	if o.Met() {
		o.met, err = reports.ReadMet(path + layout.MeetStacks)
	}
	return o, err
}

// Forget removes what a run has left.
func Forget(path string) {
	for _, name := range []string{path, path + layout.MeetStacks, path + layout.MeetSites} {
		_ = os.Remove(name) // it may not be there
	}
}

// Met says whether the two threads met.
func (o *Outcome) Met() bool { return o.meet.State >= layout.MeetDecided }

// Conclude says in a finding about a program of so many threads what came of the runs in which two of them were to
// meet.
func Conclude(f *finding.Finding, threads int, outcomes []Outcome) {
	var all []upc.Meeting
	for i := range outcomes {
		all = append(all, outcomes[i].meeting(f))
	}
	upc.Conclude(f, threads, all)
}

// meeting is the outcome for the sentences about it.
func (o *Outcome) meeting(f *finding.Finding) upc.Meeting {
	p, m := o.program, &o.meet
	out := upc.Meeting{Meet: *m, Unrecorded: len(p.sites) == 0, Changed: o.changed(f),
		A: p.sites[uint32(m.SiteA)], B: p.sites[uint32(m.SiteB)], Spin: p.sites[uint32(m.SpinSite)],
		SpinObject: p.object(m.SpinOffset)}
	for _, t := range o.met {
		out.Stacks = append(out.Stacks, upc.Stack{Thread: t.Thread, Frames: t.Stack})
	}
	return out
}

// changed says whether the program of a run is not the one in which a race was found.
func (o *Outcome) changed(f *finding.Finding) bool {
	for _, site := range f.Meeting.Sites {
		s := o.program.sites[site]
		if site > 0 && !slices.ContainsFunc(f.Places, func(p finding.Place) bool {
			return p.Line == s.Line &&
				filepath.Base(p.File) == filepath.Base(s.File)
		}) {
			return true
		}
	}
	return false
}
