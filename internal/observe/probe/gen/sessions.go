package gen

import (
	"fmt"
	"slices"
	"strings"
)

// What the wrappers of these functions do besides recording the call is in csrc/process/sessions.c.
const sessionInit, sessionFinalize = "MPI_Session_init", "MPI_Session_finalize"

// beginSession makes a session before the call is recorded, as only then the process may be watched. The call is local,
// so nobody misses its record meanwhile.
func beginSession(pass string, given []string) string {
	session := arg(len(given) - 1)
	return fmt.Sprintf("    uk_session_begins();\n    const int made = %s(%s);\n    uk_session_began(made == "+
		"MPI_SUCCESS ? %s : NULL);\n",
		pass, strings.Join(given, ", "), session)
}

// beginFortranSession is the same where the Fortran layer does not pass through the C functions.
func beginFortranSession(pass []string, nargs int) string {
	pass = slices.Clone(pass)
	pass[nargs] = "&made"
	return fmt.Sprintf("    uk_session_begins();\n    MPI_Fint made = MPI_SUCCESS;\n    real(%s);\n    const "+
		"MPI_Session session = %s;\n    uk_session_began(made == MPI_SUCCESS ? &session : NULL);\n",
		strings.Join(pass, ", "), f2c("MPI_Session", nargs-1))
}

// endSession is the call of MPI_Session_finalize where it is not recorded.
func endSession(pass string, given []string) string {
	return fmt.Sprintf("        uk_session_ends(%s, 0);\n        const int rc = %s(%s);\n        "+
		"uk_session_ended();\n        return rc;\n", arg(0), pass, strings.Join(given, ", "))
}

// session adds what a recorded MPI_Session_finalize does.
func (c *call) session() {
	if c.f.Name != sessionFinalize {
		return
	}
	c.inner = append(c.inner, fmt.Sprintf("uk_session_ends(%s, site);", arg(0)), "uk_forced_copies_end();")
	c.done = append(c.done, "uk_session_ended();")
}
