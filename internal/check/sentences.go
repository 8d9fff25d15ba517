package check

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// The sentences of mistakes that are also seen without all that checks know: in the record of a rank that has ended. A
// parameter is named in braces.

// NoSuchRank says that a communicator of n ranks, of an intercommunicator in the remote group, has not the one that a
// call names.
func NoSuchRank(rank int, f *mpi.Func, param string, shown, comm finding.Wording, inter bool, n int64) finding.Wording {
	group := "has"
	if inter {
		group = "has in its remote group"
	}
	return finding.Wordf("Rank %d calls %s with {%s} %s, but %s %s %s.", rank, f.Name, param, shown, comm, group,
		RanksUpTo(n))
}

// AtTheEnd is the hint for a rank just outside of a communicator, "" for any other.
func AtTheEnd(param string, v, n int64) string {
	if (v == n || v == -1) && (param == "dest" || param == "source") {
		return "at the end of a chain use MPI_PROC_NULL as the neighbour; in a ring, wrap around to the other end"
	}
	return ""
}

// NegativeCount says that a count is negative.
func NegativeCount(rank int, f *mpi.Func, param string, v int64) finding.Wording {
	return finding.Wordf("Rank %d calls %s with {%s} %d; it must be 0 or more.", rank, f.Name, param, v)
}

// NegativeTag says that the tag of a message is negative.
func NegativeTag(rank int, f *mpi.Func, param string, shown finding.Wording) finding.Wording {
	return finding.Wordf("Rank %d calls %s with {%s} %s; the tag of a message must be 0 or more.", rank, f.Name, param,
		shown)
}

// IsGone says that a handle is that of an object of a kind that is gone; how is the verb.
func IsGone(rank int, f *mpi.Func, param string, kind mpi.Object, how string) finding.Wording {
	return finding.Wordf("Rank %d calls %s with {%s} %s %s.", rank, f.Name, param, kind.Article(), how)
}

// RanksUpTo are so many ranks, and which these are.
func RanksUpTo[N int | int64](n N) finding.Wording {
	if n == 1 {
		return finding.Wordf("only rank 0")
	}
	return finding.Wordf("%d ranks (0 to %d)", n, n-1)
}
