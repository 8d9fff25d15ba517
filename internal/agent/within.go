package agent

import (
	"path/filepath"

	"unknot/internal/kit/procstat"
	"unknot/internal/observe/transport"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// within says what a thread does inside a call of MPI. Where it is in the library is read from outside while it waits in
// the kernel; of one that runs it is not known.
func (a *describer) within(t *thread, act procstat.Activity) *message.Within {
	r := t.rank
	w := &message.Within{Process: act.Process(), SystemCall: act.Call, On: act.On,
		Library: mpi.LibraryName(r.Library), Device: mpi.Device(r.Library)}
	if r.Maps == nil || act.State == 0 {
		return w
	}
	for _, pc := range a.suspended(t, act) {
		module, _ := r.Maps.Locate(pc)
		if ofProbe(module) {
			break // above it is the program
		}
		if module == "" || transport.Runtime(filepath.Base(module)) {
			continue
		}
		frames := a.resolve.Frames(r.Maps, pc, true)
		w.In = filepath.Base(module)
		if f := frames[len(frames)-1]; f.Function != "" {
			w.In = f.Function + " in " + w.In
		}
		break
	}
	w.Parts = transport.Parts(r.Maps.Modules())
	w.Settings = transport.Chosen(r.processes.Environment(r.PID))
	return w
}
