package probe

import (
	"fmt"
	"strings"
)

// kinds are the collective functions of active sets, by their verbs, with the constants that stand for them and for the
// length of pSync.
var kinds = map[string]struct{ kind, sync string }{
	"barrier":   {"BARRIER", "SHMEM_BARRIER_SYNC_SIZE"},
	"sync":      {"SYNC", "SHMEM_BARRIER_SYNC_SIZE"},
	"broadcast": {"BROADCAST", "SHMEM_BCAST_SYNC_SIZE"},
	"collect":   {"COLLECT", "SHMEM_COLLECT_SYNC_SIZE"},
	"fcollect":  {"FCOLLECT", "SHMEM_COLLECT_SYNC_SIZE"},
	"alltoall":  {"ALLTOALL", "SHMEM_ALLTOALL_SYNC_SIZE"},
	"alltoalls": {"ALLTOALLS", "SHMEM_ALLTOALLS_SYNC_SIZE"},
	"reduce":    {"REDUCE", "SHMEM_REDUCE_SYNC_SIZE"},
}

func (f *function) isReduction() bool { return strings.HasSuffix(f.verb, "_to_all") }

func (f *function) isCollective() bool {
	_, ok := kinds[f.verb]
	return ok || f.isReduction() || f.verb == "barrier_all" || f.verb == "sync_all"
}

// collective is a collective function: the set is its last parameters but pSync, and pWrk of reductions.
func (f *function) collective(before string) (string, string, string) {
	const after = "sh_leave_collective(&c, &k);"
	switch f.verb {
	case "barrier_all":
		return before + "struct sh_collective k;\nsh_enter_all(&c, &k, UKS_COLLECTIVE_BARRIER_ALL, 0);", after, ""
	case "sync_all":
		return before + "struct sh_collective k;\nsh_enter_all(&c, &k, UKS_COLLECTIVE_SYNC_ALL, 0);", after, ""
	}
	verb := f.verb
	if f.isReduction() {
		verb = "reduce"
	}
	of := kinds[verb]
	n := f.count()
	set := n - 4 // the first of the three that make the set
	if verb == "reduce" {
		set--
	}
	size := f.at(set + 2)
	fields := []string{".kind = UKS_COLLECTIVE_" + of.kind, fmt.Sprintf(".set = {%s, %s, %s}", f.at(set), f.at(set+1),
		size), fmt.Sprintf(".sync = %s", f.at(n-1)),
		".sync_words = " + of.sync}
	root := "-1"
	if verb == "barrier" || verb == "sync" {
		fields = append(fields, ".bytes = 1")
	} else {
		if f.bits == 0 && !f.isReduction() {
			f.bits = 64 // shmem_broadcast without a number
		}
		count := f.at(2)
		strides := [2]string{"1", "1"}
		if verb == "alltoalls" {
			count, strides = f.at(4), [2]string{f.at(2), f.at(3)}
		}
		from, to := fmt.Sprintf("(uint64_t)(%s)", count), fmt.Sprintf("(uint64_t)(%s)", count)
		switch verb {
		case "fcollect":
			to += fmt.Sprintf(" * (uint64_t)(%s)", size)
		case "alltoall", "alltoalls":
			to += fmt.Sprintf(" * (uint64_t)(%s)", size)
			from = to
		}
		target, source := f.array(f.at(0), to, strides[0], "UKS_ARG_TARGET"), f.array(f.at(1), from, strides[1],
			"UKS_ARG_SOURCE")
		fields = append(fields, ".target = "+target, ".source = "+source, fmt.Sprintf(".elements = (uint64_t)(%s)",
			count), ".bytes = "+f.elementBytes(f.at(0)))
		switch verb {
		case "broadcast":
			root = f.at(3)
		case "reduce":
			work := fmt.Sprintf("(%s / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? (uint64_t)(%[1]s / 2 + 1) : "+
				"SHMEM_REDUCE_MIN_WRKDATA_SIZE)", count)
			fields = append(fields, ".work = "+f.array(f.at(n-2), work, "1", "UKS_ARG_WORK"))
		}
	}
	fields = append(fields, ".root = "+root)
	return before + fmt.Sprintf("struct sh_collective k = {%s};\nsh_enter_collective(&c, &k);",
		strings.Join(fields, ", ")), after, ""
}

// elementBytes is the size of an element of a collective function.
func (f *function) elementBytes(pointer string) string {
	if f.bits > 0 {
		return fmt.Sprint(f.bits / 8)
	}
	return "sizeof *" + pointer
}
