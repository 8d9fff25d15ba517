package look

import "os"

// Host is what was seen of ranks on one host. It is plain data.
type Host struct {
	Name    string
	Seconds float64 // for which its ranks were watched
	// Still is for how many seconds no rank has completed a call: for as long as it was watched, or longer by the ranks'
	// records.
	Still float64
	// Refused is why nothing can be said of whether calls have returned, "" if that is not so.
	Refused string
	// Round is the same for hosts whose ranks were all watched at one moment, "" for one that was looked at alone.
	Round string
	Ranks []Rank // by job and rank
}

// here is the name of this host.
func here() string {
	name, _ := os.Hostname() // the kernel always has one
	return name
}
