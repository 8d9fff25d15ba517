// Package suggest names what was probably meant.
package suggest

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Command names the command that was probably meant. The most frequent slip is to leave out `run`.
func Command(name string, list []*cobra.Command) string {
	for _, launcher := range []string{"mpirun", "mpiexec", "srun", "orterun", "prterun", "/"} {
		if strings.Contains(name, launcher) {
			return fmt.Sprintf("did you mean `unknot run %s …`?", name)
		}
	}
	for _, c := range list {
		if !c.Hidden && near(name, c.Name()) {
			return fmt.Sprintf("did you mean `unknot %s`?", c.Name())
		}
	}
	return "`unknot help` lists the commands"
}

// near says whether two words differ in one place only, by at most two letters of each.
func near(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 2 && len(b) <= 2
}
