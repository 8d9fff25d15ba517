package explain

import (
	"errors"
	"fmt"
	"time"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// ErrNoTrace is why the calls of a host's ranks are not in a trace.
var ErrNoTrace = errors.New("the calls of its ranks were not received")

// CallsOf is why the trace of one host is not that of the run.
func CallsOf(host string) string {
	return fmt.Sprintf("the root was lost, and only the calls of ranks on %s are here", host)
}

// OnHost names the host that a text is about.
func OnHost(host, text string) string { return fmt.Sprintf("on %s: %s", host, text) }

// NotObserved is about the ranks of a host whose agent was lost.
func NotObserved(ranks []op.Rank, host string, since time.Time) string {
	return fmt.Sprintf("%s on %s not observed since %s, when the link to its agent was lost; findings about them "+
		"are incomplete", finding.Ranks(ranks), host, since.Format(time.TimeOnly))
}

// Hurried is about agents that were not through when they had to end.
func Hurried() string {
	return "the agents could not tell each other all calls in time, as messages between them took too long; where " +
		"the program relies on buffering may not be known for its last calls"
}

// AgentDied is about a host whose agent process has ended too early, and how.
func AgentDied(host, how string) string {
	return fmt.Sprintf("the agent process on %s died (%s)", host, how)
}

// Detour is about two hosts of which one cannot reach the other.
func Detour(from, to, why string) string {
	return fmt.Sprintf("the agents of %s and %s have no link of their own (%s): what they tell each other goes over "+
		"the host of unknot run, which takes longer; hint: allow TCP connections between the hosts of the job",
		from, to, why)
}

// JoinedLate is about a host whose agent joined when watching had begun.
func JoinedLate(host string) string {
	return fmt.Sprintf("the agent of %s joined after watching had begun; its ranks are not watched", host)
}

// RecordsNoMore is about threads of UPC on a host from which nothing can be sent.
func RecordsNoMore(after time.Duration) string {
	return fmt.Sprintf("the host of unknot was out of reach for %v, so the UPC program records no more here; data "+
		"races from then on are missed", after)
}

// OtherLibrary is about ranks whose MPI library is not that of the first one.
func OtherLibrary(host, has, first, had string) string {
	return fmt.Sprintf("the ranks on %s use %s, and those on %s %s: different MPI libraries may not understand each "+
		"other; hint: give all hosts the same MPI",
		host, has, first, had)
}

// OtherWorld is about processes that are not watched.
func OtherWorld() string {
	return "some processes are not part of the job's first MPI_COMM_WORLD (MPI_Comm_spawn, or a second MPI program) " +
		"and are not watched"
}

// Outlives is about the ranks of a host whose agent continues without the root: where it leaves what it knows.
func Outlives(root string, since time.Time, ranks []op.Rank, host, dir string) string {
	return fmt.Sprintf("the root on %s has been out of reach since %s; the agent watches %s on %s on, and leaves "+
		"what it knows in %s when they have ended: `unknot report %s`",
		root, since.Format(time.TimeOnly), finding.Ranks(ranks), host, dir, dir)
}

// NoPart is about a host whose agent cannot leave anything.
func NoPart(host string, why error) string {
	return fmt.Sprintf("the root is out of reach, and what is known of the ranks on %s is lost: %v", host, why)
}
