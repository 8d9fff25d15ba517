package handles

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Codes about objects that exist and cannot be used so.
const (
	commKind         finding.Code = "comm-kind"
	commFreedInUse   finding.Code = "comm-freed-in-use"
	predefinedFreed  finding.Code = "predefined-freed"
	groupNotInWindow finding.Code = "group-not-in-window"
	groupNotInComm   finding.Code = "group-not-in-comm"
)

func objectCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "communicator-kinds", Family: check.Handles, Watch: watchCommKinds,
			Peers: []string{"ERROR_INTER_COMM", "ERROR_INTER_COMM_MPI1", "ERROR_NOT_INTER_COMM", "WARNING_INTER_COMM",
				"WARNING_INTER_COMM_MPI2",
				"ERROR_NOT_CART_COMM", "ERROR_NOT_GRAPH_COMM", "ERROR_NOT_TOPOLOGY_COMM", "WARNING_NOT_CART_COMM"},
			Codes: []finding.Doc{{
				Code: commKind, Title: "a communicator is of the wrong kind for the call", Severity: finding.Error,
				Since: finding.Version01,
				Means: "A call needs a communicator with a topology (Cartesian, graph, or any), an intracommunicator " +
					"or an intercommunicator, but was passed another kind.",
				Why: "Usually the parent of the communicator with the topology (MPI_COMM_WORLD) was passed, or one " +
					"created from it by MPI_Comm_split, which has no topology: only MPI_Comm_dup and MPI_Cart_sub " +
					"preserve it (MPI-4.0, 8.5).",
				Fix: "Pass the communicator that MPI_Cart_create, MPI_Graph_create or MPI_Dist_graph_create " +
					"returned. MPI_Topo_test and MPI_Comm_test_inter query its kind.",
			}},
		},
		{
			Name: "predefined-objects", Family: check.Handles, Watch: watchPredefined,
			Peers: []string{"ERROR_PREDEFINED_COMM", "ERROR_OPERATION_PREDEFINED"},
			Codes: []finding.Doc{{
				Code: predefinedFreed, Title: "a predefined object is freed", Severity: finding.Error,
				Since: finding.Version01,
				Means: "MPI_Comm_free, MPI_Type_free or a similar function was called for a predefined object, such " +
					"as MPI_COMM_WORLD, MPI_INT or MPI_SUM. Predefined objects must not be freed (MPI-4.0, 2.5.1).",
				Why: "Clean-up code frees what a variable holds without checking that the program created it.",
				Fix: "Free only objects that the program created. To free unconditionally, store a duplicate " +
					"(MPI_Comm_dup, MPI_Type_dup).",
			}},
		},
		{
			Name: "window-groups", Family: check.Handles, Watch: watchWindowGroups,
			Peers: []string{"ERROR_GROUP_NOT_PART_OF_WIN"},
			Codes: []finding.Doc{{
				Code: groupNotInWindow, Title: "a group has ranks that are not in the window's",
				Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_Win_post or MPI_Win_start was passed a group with processes that are not in the window's " +
					"group (MPI-4.0, 12.5.2).",
				Why: "The group was created from MPI_COMM_WORLD with ranks of a smaller communicator.",
				Fix: "Create the group from the window's group: MPI_Win_get_group, then MPI_Group_incl.",
			}},
		},
		{
			Name: "communicator-groups", Family: check.Handles, Watch: watchCommGroups,
			Codes: []finding.Doc{{
				Code: groupNotInComm, Title: "a group has ranks that are not in the communicator",
				Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_Comm_create or MPI_Comm_create_group was passed a group with processes that are not in " +
					"the parent communicator (MPI-4.0, 7.4.2).",
				Why: "The group was created from MPI_COMM_WORLD, and the communicator is a part of it; or ranks of " +
					"one communicator were used as ranks of another.",
				Fix: "Create the group from the communicator's group: MPI_Comm_group, then MPI_Group_incl. " +
					"MPI_Group_translate_ranks translates ranks between groups.",
			}},
		},
		{
			Name: "communicator-use", Family: check.Handles, Watch: watchCommFree,
			Codes: []finding.Doc{{
				Code: commFreedInUse, Title: "a communicator is freed while operations on it are pending",
				Severity: finding.Info, Since: finding.Version01,
				Means: "MPI_Comm_free was called while requests of operations on the communicator are not complete. " +
					"MPI completes them first (MPI-4.0, 7.4.3), so this is not an error.",
				Why: "A wait is missing, or comes after the clean-up.",
				Fix: "Complete the requests before freeing the communicator, so that the order is clear to readers.",
			}},
		},
	}
}

func watchCommKinds(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		at, ok := f.Param(mpi.RComm)
		if !ok || f.Suits == mpi.SuitsAny {
			return nil
		}
		topology := f.Suits.Topology()
		name := f.Params[at].Name
		return func(c *check.Call) {
			m := c.Comm
			if m == nil || m.Freed {
				return
			}
			what := ""
			switch known := m.Topology != mpi.UnknownTopology; {
			case f.Suits == mpi.SuitsIntra && m.Inter:
				what = "which is an intercommunicator; the call needs an intracommunicator"
			case f.Suits == mpi.SuitsInter && !m.Inter:
				what = "which is not an intercommunicator"
			case topology != mpi.UnknownTopology && known && m.Topology != topology:
				what = "which has no " + topology.String() + " topology"
			case f.Suits == mpi.SuitsNeighbours && known && m.Topology == mpi.NoTopology:
				what = "which has no topology, so there are no neighbours"
			default:
				return
			}
			c.Say(commKind, at, func() check.Words {
				w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %s, %s.", c.Rank.World, f.Name,
					name, m.Describe(), what)}
				if m.Made.Func != nil {
					w.Related = []check.Related{{Text: "it was created", Func: m.Made.Func, Site: m.Made.Site}}
				}
				return w
			})
		}
	})
}

func watchPredefined(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		kind := p.Object
		if kind == mpi.NoObject || !p.Kind.AtEntry() || !f.Frees(p) || kind == mpi.OMessage {
			return nil
		}
		return func(c *check.Call) {
			v, _ := c.Int(i)
			o := c.Rank.Object(kind, uint64(v))
			// What another call gave has to be freed, whatever it is (MPI-4.0, 9.3.4).
			if o == nil || !o.Predefined || o.Refs > 0 && kind != mpi.OType {
				return
			}
			c.Say(predefinedFreed, i, func() check.Words {
				name := o.Name
				if name == "" {
					name = "a predefined " + kind.String()
				}
				return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %s, which must not be freed.",
					c.Rank.World, f.Name, p.Name, name),
					Hint: "free only what the program created; where a variable may hold a predefined object, store " +
						"a duplicate in it or do not free it"}
			})
		}
	})
}

func watchWindowGroups(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		at, ok := f.Param(mpi.RGroup)
		win, has := f.Param(mpi.RWin)
		if !ok || !has || f.Params[at].Kind != mpi.KGroup {
			return nil
		}
		return func(c *check.Call) {
			v, _ := c.Int(win)
			o := c.Rank.Object(mpi.OWin, uint64(v))
			group := c.Array(at)
			if o == nil || o.Comm == nil || len(group) < 2 {
				return
			}
			for _, m := range group[2:] {
				rank := op.Rank(int32(m))
				if rank < 0 || o.Comm.Members.Has(rank) {
					continue
				}
				c.Say(groupNotInWindow, at, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {%s} a group that has rank %d, which is not in the window's group.",
							c.Rank.World, f.Name, f.Params[at].Name, rank),
						Related: []check.Related{{Text: "the window was created", Func: o.Made.Func,
							Site: o.Made.Site}}}
				})
				return
			}
		}
	})
}

// watchCommGroups looks for processes of a group outside of the communicator from which another one is made of the
// group.
func watchCommGroups(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		at, ok := f.Param(mpi.RGroup)
		comm, has := f.Param(mpi.RComm)
		if !ok || !has || f.Params[at].Kind != mpi.KGroup {
			return nil
		}
		return func(c *check.Call) {
			m, group := c.Comm, c.Array(at)
			if m == nil || m.Freed || m.Inter || m.Size() == 0 || len(group) < 2 {
				return
			}
			for _, v := range group[2:] {
				rank := op.Rank(int32(v))
				if rank < 0 || m.Members.Has(rank) {
					continue
				}
				c.Say(groupNotInComm, at, func() check.Words {
					w := check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {%s} a group that has rank %d, which is not in {%s} %s.",
							c.Rank.World, f.Name, f.Params[at].Name, rank, f.Params[comm].Name, m.Describe())}
					if m.Made.Func != nil {
						w.Related = []check.Related{{Text: "the communicator was created", Func: m.Made.Func,
							Site: m.Made.Site}}
					}
					return w
				})
				return
			}
		}
	})
}

func watchCommFree(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Name != "MPI_Comm_free" {
			return nil
		}
		return func(c *check.Call) {
			r := c.Rank
			if c.Comm == nil || r.Lost || !r.Sure() {
				return
			}
			n, first := 0, (*objects.Request)(nil)
			r.Pending(func(q *objects.Request) {
				if q.Comm != c.Comm || !q.Active {
					return
				}
				n++
				if first == nil || q.Nth < first.Nth {
					first = q
				}
			})
			if n == 0 {
				return
			}
			c.Say(commFreedInUse, 0, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf("Rank %d calls %s with {comm} %s while %s on it %s not complete.", r.World,
						f.Name, c.Comm.Describe(), check.Counted(n, "request"), check.Is(n)),
					Related: []check.Related{{Text: "the first was created", Func: first.Made.Func,
						Site: first.Made.Site}}}
			})
		}
	})
}
