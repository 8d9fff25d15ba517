// Package handles looks at the handles that calls are given, and at whether their objects suit the call.
package handles

import (
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about handles that name nothing usable.
const (
	commInvalid       finding.Code = "comm-invalid"
	groupInvalid      finding.Code = "group-invalid"
	opInvalid         finding.Code = "op-invalid"
	typeInvalid       finding.Code = "type-invalid"
	typeUncommitted   finding.Code = "type-uncommitted"
	winInvalid        finding.Code = "win-invalid"
	fileInvalid       finding.Code = "file-invalid"
	infoInvalid       finding.Code = "info-invalid"
	errhandlerInvalid finding.Code = "errhandler-invalid"
	keyvalInvalid     finding.Code = "keyval-invalid"
	messageInvalid    finding.Code = "message-invalid"
	sessionInvalid    finding.Code = "session-invalid"
)

func handleCheckers() []check.Checker {
	return []check.Checker{
		invalid("communicators", commInvalid, mpi.OComm, []string{"ERROR_COMM_NULL", "ERROR_COMM_UNKNWOWN",
			"WARNING_COMM_NULL"},
			"MPI_Comm_split returned MPI_COMM_NULL on this rank because its color is MPI_UNDEFINED, or the rank is "+
				"not in the group passed to MPI_Comm_create; a communicator is used after it was freed, often "+
				"through a copy of the handle; or one of MPI_Comm_idup is used before its request is complete.",
			"Make the call only on ranks that are members (`if (comm != MPI_COMM_NULL)`), and free a communicator "+
				"after its last use. Complete the request of MPI_Comm_idup first."),
		invalid("groups", groupInvalid, mpi.OGroup, []string{"ERROR_GROUP_NULL", "ERROR_GROUP_UNKNOWN",
			"WARNING_GROUP_NULL"},
			"The group was freed too early, the variable was never set, or MPI_GROUP_NULL was passed instead of the "+
				"empty group, MPI_GROUP_EMPTY.",
			"Free a group after its last use; pass MPI_GROUP_EMPTY for no members."),
		invalidTypes(),
		invalid("windows", winInvalid, mpi.OWin, []string{"ERROR_WIN_NULL", "ERROR_WIN_UNKNOWN"},
			"The window was freed too early, or the variable was never set on this rank.",
			"Create the window on all ranks of the communicator first, and call MPI_Win_free after the last epoch."),
		invalid("files", fileInvalid, mpi.OFile, []string{"ERROR_FILE_NULL", "ERROR_FILE_UNKNWOWN"},
			"MPI_File_open failed and its result was not checked: by default file errors are returned (MPI-4.0, "+
				"14.7), and the handle is then MPI_FILE_NULL. Or the file was closed too early.",
			"Check what MPI_File_open returns; close the file after its last use."),
		invalid("infos", infoInvalid, mpi.OInfo, []string{"ERROR_INFO_NULL", "ERROR_INFO_UNKNWOWN"},
			"MPI_Info_create was forgotten, or the object was freed too early.",
			"Create the object with MPI_Info_create before setting keys. It may be freed as soon as the calls that "+
				"use it have returned."),
		invalid("error-handlers", errhandlerInvalid, mpi.OErrhandler, nil,
			"The error handler was freed before it was attached; freeing sets its variable to MPI_ERRHANDLER_NULL.",
			"Create it with MPI_Comm_create_errhandler or a similar function, attach it, then free it."),
		invalid("keyvals", keyvalInvalid, mpi.OKeyval, nil,
			"The key was freed too early, or never created.",
			"Create it with MPI_Comm_create_keyval or a similar function, and free it after the last attribute was set."),
		invalid("messages", messageInvalid, mpi.OMessage, nil,
			"MPI_Improbe found no message, and its flag was not checked; or a message was received twice through a "+
				"copy of the handle.",
			"Receive only a message that a matched probe has found (`if (flag)`), and only once."),
		invalid("sessions", sessionInvalid, mpi.OSession, nil,
			"MPI_Session_init was forgotten or has failed, or the session was finalised before the last call that "+
				"needs it. Groups, communicators and info objects created from a session are valid only until it "+
				"is finalised.",
			"Call MPI_Session_finalize after everything that uses the session."),
	}
}

// invalid is the check of one kind of handles.
func invalid(name string, code finding.Code, kind mpi.Object, peers []string, why, fix string) check.Checker {
	return check.Checker{
		Name: name, Family: check.Handles, Peers: peers,
		Codes: []finding.Doc{{
			Code: code, Title: kind.Article() + " is null or has been freed", Severity: finding.Error,
			Since: finding.Version01,
			Means: "A call was passed " + kind.Null() + ", or the handle of " + kind.Article() +
				" that has been freed or was never created, where it needs a valid one.",
			Why: why, Fix: fix,
		}},
		Watch: func(h *check.Hooks) {
			uses := check.SlotOf[used](h)
			if kind == mpi.OFile {
				watchOpens(h, uses)
			}
			h.Param(func(f *mpi.Func, i int) func(*check.Call) {
				p := &f.Params[i]
				if p.Object != kind || !p.Kind.AtEntry() || !concerned(f, kind) {
					return nil
				}
				return func(c *check.Call) {
					v, ok := c.Int(i)
					if kind == mpi.OComm && c.Comm != nil && c.Comm.Handle == uint64(v) && !c.Comm.Freed {
						sayUnfinished(c, code, i, p.Name)
						return
					}
					if ok && !c.Rank.Usable(kind, uint64(v)) {
						sayInvalid(c, uses, code, kind, i, uint64(v), p.Name)
					}
				}
			})
		},
	}
}

// concerned says whether a function may not be given the null handle of a kind, or one that has been freed.
func concerned(f *mpi.Func, kind mpi.Object) bool {
	switch kind {
	case mpi.OComm, mpi.OWin:
		return f.Class != mpi.Abort && !strings.HasSuffix(f.Name, "_get_name") // MPI-4.0, 7.8
	case mpi.OInfo:
		return strings.HasPrefix(f.Name, "MPI_Info_") // elsewhere MPI_INFO_NULL says that there is nothing to say
	case mpi.OFile: // MPI_FILE_NULL has the error handler that files begin with (MPI-4.0, 14.7)
		return !strings.HasSuffix(f.Name, "errhandler")
	case mpi.OErrhandler:
		return f.Class == mpi.ErrhandlerSet || f.Class == mpi.ErrhandlerFree
	}
	return true
}

// sayUnfinished says that a communicator is used before the request of the call that creates it is complete (MPI-4.0,
// 7.4.2).
func sayUnfinished(c *check.Call, code finding.Code, i int, name string) {
	q := c.Rank.Making(c.Comm)
	if q == nil || !c.Rank.Followed() || c.Func.Class == mpi.ErrhandlerSet && inScript(c) {
		return // mpi4py's Idup sets the error handler that raises exceptions
	}
	c.Say(code, i, func() check.Words {
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} a communicator that %s has not finished creating: "+
				"its request has not been completed.", c.Rank.World, c.Func.Name, name, q.Made.Func.Name),
			Hint: "complete the request before using the communicator", Related: []check.Related{check.MadeBy(q)}}
	})
}

// inScript says whether a call was made for a Python script.
func inScript(c *check.Call) bool {
	return c.Rank.Innermost != nil && strings.HasSuffix(c.Rank.Innermost(c.Site).File, ".py")
}

// survives says whether a function may be given the handle of an object of a kind that has been freed: a key lives on
// while attributes have it (MPI-4.0, 7.7.2).
func survives(f *mpi.Func, kind mpi.Object) bool {
	return kind == mpi.OKeyval && f.Class != mpi.KeyvalFree && f.Caching != mpi.SetsAttribute
}

// sayInvalid says what is wrong with a handle that is not a valid usable object, if that is certain.
func sayInvalid(c *check.Call, uses check.Slot[used], code finding.Code, kind mpi.Object, i int, handle uint64,
	name string) {
	r := c.Rank
	if name == "peer_comm" && !leads(c) {
		return
	}
	if _, rooted := c.Root(); rooted && kind != mpi.OComm && !c.Significant(i) {
		return
	}
	unopened := func() bool { return kind == mpi.OFile && uses.Had(r).unopened(c, code, i) }
	if r.Null(kind, handle) {
		if unopened() {
			return
		}
		c.Say(code, i, func() check.Words {
			w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %s.", r.World, c.Func.Name, name,
				kind.Null()), Hint: hintOf(kind)}
			if kind == mpi.OFile {
				uses.Had(r).failedOpen(&w)
			}
			return w
		})
		return
	}
	if namesNothing(kind, handle) && !slices.Contains(c.Nulls, i) {
		if unopened() {
			return
		}
		c.Say(code, i, func() check.Words {
			w := nothing(c, kind, finding.Wordf("{%s}", name))
			if kind == mpi.OFile {
				uses.Had(r).failedOpen(&w)
			}
			return w
		})
		return
	}
	if r.Object(kind, handle) != nil || !r.Sure() || survives(c.Func, kind) {
		return
	}
	by, freed := r.FreedBy(kind, handle)
	switch {
	// Open MPI has MPI_Errhandler_create, which its mpi.h does not declare, so nobody sees it
	case kind == mpi.OErrhandler:
	case freed && uses.Of(r).again(c, code, i, kind, by):
	case freed:
		c.Say(code, i, func() check.Words {
			verb, text := "that has been freed", "it was freed"
			switch kind {
			case mpi.OFile:
				verb, text = "that has been closed", "it was closed"
			case mpi.OMessage:
				verb, text = "that has been received", "it was received"
			case mpi.OSession:
				verb, text = "that has been finalised", "it was finalised"
			}
			return check.Words{Sentence: check.IsGone(int(r.World), c.Func, name, kind, verb),
				Hint: copyHint(kind, by.Func), Related: []check.Related{{Text: text, Func: by.Func, Site: by.Site}}}
		})
	case other(r, kind, handle) != nil:
		c.Say(code, i, func() check.Words {
			o := other(r, kind, handle)
			w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} the handle of %s, where %s is needed.",
				r.World, c.Func.Name, name, objectWords(o), kind.Article())}
			if o.Made.Func != nil {
				w.Related = []check.Related{{Text: "that was created", Func: o.Made.Func, Site: o.Made.Site}}
			}
			return w
		})
	case unopened():
	case kind == mpi.OComm || kind == mpi.OWin || kind == mpi.OFile:
		c.Say(code, i, func() check.Words {
			w := nothing(c, kind, finding.Wordf("{%s}", name))
			if kind == mpi.OFile {
				uses.Had(r).failedOpen(&w)
			}
			return w
		})
	}
}

// namesNothing says that a handle is certainly that of no object. That is so of 0 in all MPI libraries: in C it is a
// null pointer, or no handle at all where handles are numbers; Fortran's wrappers pass it for a number that stands for
// nothing. Attribute keys are plain numbers. What MPI_FILE_NULL is in MPICH is known as a null handle.
func namesNothing(kind mpi.Object, handle uint64) bool { return handle == 0 && kind != mpi.OKeyval }

// nothing says that a handle names no object; param is how a sentence names it.
func nothing(c *check.Call, kind mpi.Object, param finding.Wording) check.Words {
	return check.Words{Sentence: finding.Wordf("Rank %d calls %s with %s a handle that is not a valid %s.",
		c.Rank.World, c.Func.Name, param, kind),
		Hint: "the variable may never have been set, or it was overwritten"}
}

// other is the object of another kind that a handle names, nil if there is none. Handles of two kinds are never the
// same, but those of attribute keys, which are small numbers.
func other(r *check.Rank, kind mpi.Object, handle uint64) *objects.Object {
	if kind == mpi.OKeyval {
		return nil
	}
	for _, k := range []mpi.Object{mpi.OComm, mpi.OGroup, mpi.OType, mpi.OOp, mpi.OInfo, mpi.OWin, mpi.OFile} {
		if o := r.Object(k, handle); o != nil && k != kind {
			return o
		}
	}
	return nil
}

// objectWords name an object: "MPI_COMM_WORLD", or its kind.
func objectWords(o *objects.Object) string {
	if o.Name != "" {
		return o.Name
	}
	return o.Kind.Article()
}

// leads says whether the rank is the leader of its side of MPI_Intercomm_create: to others the other communicator means
// nothing (MPI-4.0, 7.6.2).
func leads(c *check.Call) bool {
	at, ok := c.Func.Param(mpi.RRoot)
	v, has := int64(0), false
	if ok {
		v, has = c.Int(at)
	}
	return has && c.Comm != nil && v == int64(c.Comm.Rank)
}

func hintOf(kind mpi.Object) string {
	switch kind {
	case mpi.OComm:
		return "MPI_Comm_split and MPI_Comm_create return MPI_COMM_NULL on ranks that are not members; these ranks " +
			"must not use it"
	case mpi.OFile:
		return "MPI_File_open returns MPI_FILE_NULL when it fails, and by default it returns an error instead of " +
			"ending the job"
	case mpi.OMessage:
		return "check the flag of MPI_Improbe before receiving the message"
	}
	return ""
}
