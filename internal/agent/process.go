package agent

// What the process tells its agents and the root goes no further, so it need not be plain data, and has boxes of its own.

// word is what the process tells an agent: a new ring or, without one, that the launcher has ended: what is left is to be read.
type word struct{ adopt *adoption }
