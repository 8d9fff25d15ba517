package waitstate

import "unknot/internal/model/match"

// remote stands for a send of another node in a queue of this one.
type remote struct {
	ref     Ref
	bytes   int64
	content Content
	origin  *Origin
	init    *Origin
	send    match.Send

	synchronous bool
	ready       bool
	active      bool    // in the strict view
	clock       *Clock  // what its thread knew then
	met         []*Part // the receives and probes that wait for that
}
