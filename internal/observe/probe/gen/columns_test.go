//go:build !quick

package gen

import (
	"strings"
	"testing"

	"unknot/internal/vocab/mpi"
)

// notBuffers are the parameters of type void* that are no buffers of data, or of which the table has nothing to say, by
// name or by function and name, with the reason.
var notBuffers = map[string]string{
	"attribute_val":                 "an attribute, which is only kept",
	"extra_state":                   "what functions of the program get",
	"location":                      "only its address is asked for",
	"baseptr":                       "the place for an address that the call gives",
	"MPI_Buffer_attach buffer":      "MPI keeps it for messages until it is detached",
	"MPI_Buffer_detach buffer_addr": "the place for an address that the call gives",
	"MPI_Win_create base":           "other processes use it, by calls of their own",
	"MPI_Win_attach base":           "other processes use it, by calls of their own",
	"MPI_Win_detach base":           "names what was attached",
	"MPI_Free_mem base":             "is given back",
}

// objectTypes are the kinds of objects by the C types of their handles. A key of attributes is a number.
var objectTypes = map[string]mpi.Object{"MPI_Comm": mpi.OComm, "MPI_Datatype": mpi.OType, "MPI_Group": mpi.OGroup,
	"MPI_Op":   mpi.OOp,
	"MPI_Info": mpi.OInfo, "MPI_Errhandler": mpi.OErrhandler, "MPI_Win": mpi.OWin, "MPI_File": mpi.OFile,
	"MPI_Request": mpi.ORequest,
	"MPI_Message": mpi.OMessage, "MPI_Session": mpi.OSession}

// eachRow calls visit for each function that a library declares and the table has.
func eachRow(t *testing.T, visit func(mpicc string, f *mpi.Func, p *Proto)) {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range libraries {
		protos, err := Protos(header(t, l.mpicc))
		if err != nil {
			t.Fatal(err)
		}
		for i := range protos {
			if f := table.ByName(protos[i].Name); f != nil && len(f.Params) == len(protos[i].Params) {
				visit(l.mpicc, f, &protos[i])
			}
		}
	}
}

func TestEveryPointerToDataIsABufferOfTheTable(t *testing.T) {
	excused := map[string]bool{}
	eachRow(t, func(mpicc string, f *mpi.Func, p *Proto) {
		for i, a := range p.Params {
			if a.Depth() != 1 || a.Base() != "void" {
				continue
			}
			uses, written := 0, false
			for _, b := range f.Buffers() {
				if b.At == i {
					uses++
					written = written || b.Access != mpi.Reads
				}
			}
			name := f.Params[i].Name
			for _, key := range []string{name, strings.TrimSuffix(f.Name, "_c") + " " + name} {
				if notBuffers[key] != "" {
					excused[key] = true
					if uses > 0 {
						t.Errorf("%s: %s is a buffer, and an exception", f.Name, name)
					}
					uses = -1
				}
			}
			switch reads := strings.Contains(a.Before, "const"); {
			case uses == 0:
				t.Errorf("%s: %s: %s is neither a buffer nor an exception", mpicc, f.Name, name)
			case uses > 0 && reads == written:
				t.Errorf("%s: %s declares %q, but by the table it is written: %v", mpicc, f.Name,
					a.Declare(name), written)
			}
		}
	})
	for key := range notBuffers {
		if !excused[key] {
			t.Errorf("nothing needs the exception of %s", key)
		}
	}
}

// A buffer without a count of a datatype is described by other calls (MPI_File_read_all_end) or is in bytes.
func TestWhatIsInABufferIsSaidByParametersOfTheRightTypes(t *testing.T) {
	eachRow(t, func(mpicc string, f *mpi.Func, p *Proto) {
		all := f.Buffers()
		if target, ok := f.Target(); ok {
			all = append(all[:len(all):len(all)], target)
		}
		for _, b := range all {
			count := b.Count < 0 || isInteger(p.Params[b.Count].Base()) && (p.Params[b.Count].Depth() == 1) == b.Counts
			datatype := b.Type < 0 || p.Params[b.Type].Base() == "MPI_Datatype" &&
				(p.Params[b.Type].Depth() == 1) == b.Types
			displs := b.Displs < 0 || isInteger(p.Params[b.Displs].Base()) && p.Params[b.Displs].Depth() == 1
			peer := b.Peer < 0 || p.Params[b.Peer].Declare("x") == "int x"
			if !count || !datatype || !displs || !peer {
				t.Errorf("%s: %s: %s: count %v, datatype %v, displacements %v, peer %v", mpicc, f.Name,
					f.Params[b.At].Name, count, datatype, displs, peer)
			}
			if (b.Displs >= 0) != (b.Counts && !b.Sum && !b.Own) {
				t.Errorf("%s: %s has counts %v and displacements %v", f.Name, f.Params[b.At].Name, b.Counts,
					b.Displs >= 0)
			}
			if _, root := f.Param(mpi.RRoot); !root && (b.Used == mpi.AtRoot || b.Used == mpi.AtOthers ||
				b.Used == mpi.AtLeaves || b.InPlace == mpi.AtRoot) {
				t.Errorf("%s: %s is for a root that the function does not have", f.Name, f.Params[b.At].Name)
			}
		}
	})
}

func TestTheKindsOfObjectsAreThoseOfTheHeaders(t *testing.T) {
	eachRow(t, func(mpicc string, f *mpi.Func, p *Proto) {
		for i, a := range p.Params {
			q := &f.Params[i]
			want := objectTypes[a.Base()]
			if strings.HasSuffix(q.Name, "keyval") && isInteger(a.Base()) {
				want = mpi.OKeyval
			}
			if q.Kind != mpi.KSkip && q.Object != want {
				t.Errorf("%s: %s: %s is a %s, by its type a %s", mpicc, f.Name, q.Name, q.Object, want)
			}
		}
	})
}
