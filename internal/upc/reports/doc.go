// Package reports reads what UPC programs say of themselves under `unknot run`. Programs of upc-check
// append what they find to a file in the session directory, as lines of JSON (upc/rt/check/json.upc), and so does the
// run-time of unknot upcc with errors that end the program. Each thread also has a file there that says what it waits
// for, once it has waited for a while (upc/rt/c/watched.c): when all threads wait and none can be woken, that is a
// deadlock.
//
// It takes in the session directory and gives out findings; it knows nothing of MPI. What programs write is defined in
// package layout.
package reports

import (
	"os"
	"path/filepath"

	"unknot/internal/upc/layout"
)

// Prepare makes the file with findings in a session directory.
func Prepare(session string) error {
	f, err := os.OpenFile(filepath.Join(session, layout.FindingsName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
