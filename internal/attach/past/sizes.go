package past

import (
	"slices"

	"unknot/internal/vocab/mpi"
)

// usual is the size of an element where none is known.
const usual = 8

// sizes are those of elements by the calls that sent them, as far as they are known.
type sizes struct {
	at      map[uint32]int64 // by site
	job     int64            // the one that is most frequent in the job; 0 if none is known
	assumed bool             // some size was taken for another one
}

// learn finds the datatypes of calls in progress and of open requests.
func (j *job) learn() {
	j.sizes.at = make(map[uint32]int64)
	often := make(map[int64]int)
	note := func(r *rank, site uint64, name string) {
		if n := sizeOf(name); n > 0 {
			j.sizes.at[j.site(r, site)] = n
			often[n]++
		}
	}
	for _, r := range j.ranks {
		for i := range r.record.Requests {
			q := &r.record.Requests[i]
			note(r, q.Site, r.seen.Types[q.Type])
		}
		for i := range r.seen.Threads {
			t := &r.seen.Threads[i]
			if t.Recorded == nil || t.Call == nil {
				continue
			}
			if k, has := t.Recorded.Func.Param(mpi.RType); has && k < len(t.Call.Constants) {
				note(r, t.Recorded.Site, t.Call.Constants[k])
			}
		}
	}
	for n, times := range often {
		if best := often[j.sizes.job]; times > best || times == best && n < j.sizes.job {
			j.sizes.job = n
		}
	}
}

// bytes is the size of so many elements that a call at a site sends.
func (s *sizes) bytes(site uint32, count int64) int64 {
	n, known := s.at[site]
	switch {
	case known || count <= 0:
	case s.job > 0:
		n, s.assumed = s.job, true
	default:
		n, s.assumed = usual, true
	}
	return n * max(count, 0)
}

// sizeOf is the size of a predefined datatype on the machines that unknot runs on; 0 for a less usual one.
func sizeOf(name string) int64 {
	for size, names := range map[int64][]string{
		1: {"MPI_BYTE", "MPI_PACKED", "MPI_CHAR", "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR", "MPI_CHARACTER", "MPI_INT8_T",
			"MPI_UINT8_T", "MPI_C_BOOL", "MPI_CXX_BOOL"},
		2: {"MPI_SHORT", "MPI_UNSIGNED_SHORT", "MPI_INT16_T", "MPI_UINT16_T"},
		4: {"MPI_INT", "MPI_UNSIGNED", "MPI_FLOAT", "MPI_INT32_T", "MPI_UINT32_T", "MPI_WCHAR", "MPI_INTEGER", "MPI_REAL",
			"MPI_LOGICAL", "MPI_INTEGER4", "MPI_REAL4"},
		8: {"MPI_DOUBLE", "MPI_LONG", "MPI_UNSIGNED_LONG", "MPI_LONG_LONG_INT", "MPI_LONG_LONG", "MPI_UNSIGNED_LONG_LONG",
			"MPI_INT64_T", "MPI_UINT64_T", "MPI_AINT", "MPI_OFFSET", "MPI_COUNT", "MPI_DOUBLE_PRECISION", "MPI_COMPLEX",
			"MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX", "MPI_INTEGER8", "MPI_REAL8", "MPI_2INT", "MPI_FLOAT_INT"},
		16: {"MPI_DOUBLE_COMPLEX", "MPI_C_DOUBLE_COMPLEX", "MPI_LONG_DOUBLE"},
	} {
		if slices.Contains(names, name) {
			return size
		}
	}
	return 0
}
