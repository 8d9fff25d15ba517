package gen

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/mpi"
)

// nulls has null pointers recorded, before the call that gets them, if MPI reads or writes through them. The addresses
// of buffers are recorded anyhow.
func (c *call) nulls(p *Proto) {
	for i := range c.f.Params {
		if cond := c.null(i, &p.Params[i]); cond != "" {
			c.say(&c.tell, "if (UK_UNLIKELY(%s))", cond)
			c.say(&c.tell, "    uk_null(t, %d, %d);", c.f.ID, i)
		}
	}
}

// null is the C condition of parameter i being null where it must not be, "" if it may be.
func (c *call) null(i int, a *Arg) string {
	p, x := &c.f.Params[i], arg(i)
	if a.Depth() == 0 || mayBeNull(c.f, p, a) {
		return ""
	}
	cond := "!" + x
	switch {
	case a.Base() != "MPI_Status" || readsStatus(c.f):
	case p.Kind == mpi.KOutStatuses: // a null pointer in Open MPI
		cond += fmt.Sprintf(" && %s != MPI_STATUSES_IGNORE", x)
	default:
		cond += fmt.Sprintf(" && %s != MPI_STATUS_IGNORE", x)
	}
	switch {
	case p.Array():
		cond += fmt.Sprintf(" && %s > 0", c.elements(i))
	case p.AtRoot:
		cond += " && " + c.atRoot()
	}
	return cond
}

// readsStatus says that a function reads or changes a status of the program's, so that it must get one.
func readsStatus(f *mpi.Func) bool {
	return strings.HasPrefix(f.Name, "MPI_Status_") || strings.HasPrefix(f.Name, "MPI_Get_") ||
		f.Name == "MPI_Test_cancelled"
}

// mayBeNull says that a pointer may be null by the standard: the address of a buffer, which a datatype can make good;
// what is handed on to functions of the program; those functions; and constants that are null pointers in some MPI
// library.
func mayBeNull(f *mpi.Func, p *mpi.Param, a *Arg) bool {
	switch base := a.Base(); {
	case strings.Contains(base, "_function"):
		return true
	case base == "void":
		return p.Name != "baseptr" && p.Name != "buffer_addr" && (p.Name != "attribute_val" ||
			f.Caching != mpi.GetsAttribute)
	}
	switch p.Name {
	case "argc", "argv", "array_of_commands", "array_of_argv", "array_of_errcodes":
		return true
	case "value": // MPI_Info_get_string with no room only asks for the length
		return f.Name == "MPI_Info_get_string"
	case "pset_name":
		return f.Name == "MPI_Session_get_nth_pset"
	}
	return false
}
