package judge

import (
	"slices"

	"unknot/internal/attach/look"
)

// seen is a rank with where and when it was seen.
type seen struct {
	rank  *look.Rank
	host  string
	round int
}

// whole says whether all ranks of the job were started on these hosts, as far as its launcher says.
func whole(hosts []look.Host) bool {
	started, size := 0, 0
	for i := range hosts {
		local := 0
		for k := range hosts[i].Ranks {
			local, size = max(local, hosts[i].Ranks[k].Local), max(size, hosts[i].Ranks[k].Size)
		}
		started += local
	}
	return size > 0 && started == size
}

// rounds gives hosts the same number whose ranks were watched at one moment.
func rounds(hosts []look.Host) []int {
	numbers := make([]int, len(hosts))
	first := make(map[string]int)
	for i := range hosts {
		numbers[i] = i
		if name := hosts[i].Round; name == "" {
			continue
		} else if n, has := first[name]; has {
			numbers[i] = n
		} else {
			first[name] = i
		}
	}
	return numbers
}

// times are the numbers of the times about which something may be proved: those at which hosts were looked at, or one
// for all.
func (j *Job) times() (list []int) {
	if !j.apart || j.entries != nil {
		return []int{0}
	}
	for r, round := range j.round {
		if j.seen[r] && !slices.Contains(list, round) {
			list = append(list, round)
		}
	}
	return list
}

// at says whether what was seen of a rank counts in a proof about a time.
func (j *Job) at(r, time int) bool {
	return !j.apart || j.entries != nil || j.seen[r] && j.round[r] == time
}
