package syntax

// Severity of a diagnostic.
type Severity uint8

// Severities.
const (
	Error Severity = iota
	Warning
	Note
)

// Diagnostic is something to tell about a source. ID is the catalogue's name of a UPC constraint, such as "COMP-01", or
// "".
type Diagnostic struct {
	Severity Severity
	Pos      Pos
	// After says that the place is just behind the token Pos, where something is missing.
	After   bool
	Message string // as gcc's: lower case, no full stop
	ID      string
	Notes   []Diagnostic // of severity Note: other places that belong to it
}
