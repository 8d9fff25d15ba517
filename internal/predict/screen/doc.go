// Package screen looks through a recorded run for possible deadlocks in time that is linear in its length.
//
// It begins with the method of EMPDD (published.go) and corrects it: docs/screening.md says what was wrong, shows a
// small log for each correction, and states what a flag and the absence of flags mean. Log is what to call; Columns is
// the compact form that it works on, for runs too large for a trace.Log.
package screen
