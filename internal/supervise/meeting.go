package supervise

import (
	"fmt"
	"path/filepath"

	"unknot/internal/observe/rendezvous"
)

// prepareMeeting puts the file of a meeting of calls into the session. That of threads of UPC is for their reader.
func (r *run) prepareMeeting() error {
	path := r.o.Races.Meet
	if path == "" {
		return nil
	}
	if _, err := rendezvous.Read(path); err != nil {
		return nil
	}
	r.meeting, r.o.Races.Meet = path, ""
	return rendezvous.Copy(filepath.Join(r.session.Dir, rendezvous.Name), path)
}

// takeMeeting gives back what has come of it.
func (r *run) takeMeeting() {
	if r.meeting == "" {
		return
	}
	if err := rendezvous.Copy(r.meeting, filepath.Join(r.session.Dir, rendezvous.Name)); err != nil {
		r.account.note(fmt.Sprintf("races: %v", err))
	}
}
