package layout

import (
	"fmt"
	"strings"

	upc "unknot/internal/upc/layout"
)

// Header is the text of layout.h, for the probe.
func Header() []byte {
	var b strings.Builder
	b.WriteString("/* Generated from internal/shmem/layout. */\n#ifndef UKS_LAYOUT_H\n#define UKS_LAYOUT_H\n\n")
	for _, s := range [...]struct{ name, text string }{{"MARK", MarkName}, {"JOB", JobPrefix}, {"PE", PEPrefix},
		{"MAPS", MapsPrefix}, {"ENV_SESSION", upc.EnvSession}} {
		fmt.Fprintf(&b, "#define UKS_%s %q\n", s.name, s.text)
	}
	for _, n := range [...]struct {
		name  string
		value uint64
	}{{"JOB_MARK", JobMark}, {"STREAM_MARK", upc.StreamMark}, {"STREAM_RECORDS", upc.StreamRecords},
		{"MOST_SITES", MostSites}, {"NAME_BYTES", NameBytes}, {"ENTERED_SLOTS", EnteredSlots},
		{"BLOCK_BITS", BlockBits}, {"STATIC_BASE", StaticBase}, {"MODULE_BITS", ModuleBits}, {"HASH_BITS", HashBits},
		{"PRIVATE_BASE", PrivateBase}} {
		fmt.Fprintf(&b, "#define UKS_%s UINT64_C(%#x)\n", n.name, n.value)
	}
	names(&b, "", "READ WRITE ATOMIC_READ ATOMIC QUIET FENCE ENTER LEAVE WAITS SEES LOCKING LOCKED UNLOCK ALLOC FREE "+
		"WRONG END DIRECT THREADS OWN EXTERNAL")
	fmt.Fprintf(&b, "enum { UKS_PENDING = %d, UKS_PUT = %d, UKS_FETCH = %d, UKS_REAL = %d, UKS_PART = %d };\n", Pending,
		Put, Fetch, Real, Part)
	fmt.Fprintf(&b, "enum { UKS_OWN_STORE = %d, UKS_OWN_ORDERS = %d, UKS_OWN_VAGUE = %d, UKS_OWN_SPARSE = %d, "+
		"UKS_OWN_SHOWN = %d };\n", OwnStore, OwnOrders, OwnVague, OwnSparse, OwnShown)
	fmt.Fprintf(&b, "enum { UKS_DIED_SIGNAL = %d, UKS_DIED_EXIT = %d };\n", upc.DiedSignal, upc.DiedExit)
	fmt.Fprintf(&b, "enum { UKS_REACH_SEEN = %d };\n", ReachSeen)
	names(&b, "COLLECTIVE_", "BARRIER_ALL SYNC_ALL BARRIER SYNC BROADCAST COLLECT FCOLLECT REDUCE ALLTOALL ALLTOALLS "+
		"ALLOCATE FREE FINALIZE")
	names(&b, "", "WRONG_PE NOT_SYMMETRIC FREED_MEMORY OUT_OF_BOUNDS NULL_POINTER WRONG_STRIDE WRONG_COMPARE "+
		"WRONG_SET NOT_IN_SET WRONG_ROOT OVERLAP WRONG_SYNC "+
		"NOT_HELD HELD_ALREADY HELD_AT_END NOT_A_BLOCK FREED_TWICE BEFORE_INIT AFTER_FINALIZE INIT_TWICE "+
		"WRONG_CONTEXT DEFAULT_CONTEXT WRONG_THREAD WRONG_LEVEL MISALIGNED WRONG_SIZE CONTEXT_THREAD")
	names(&b, "ARG_", "TARGET SOURCE SYNC WORK LOCK IVAR PTR TARGET_STRIDE SOURCE_STRIDE CTX")
	b.WriteString(upc.Recorded + structs + "\n#endif\n")
	return []byte(b.String())
}

// names is an enum of names, the first of which stands for 1.
func names(b *strings.Builder, prefix, list string) {
	b.WriteString("enum {")
	for i, name := range strings.Fields(list) {
		fmt.Fprintf(b, " UKS_%s%s = %d,", prefix, name, i+1)
	}
	b.WriteString(" };\n")
}

// structs are Stream, Site and Job in C.
const structs = `
struct uks_stream {
	_Atomic uint64_t mark;
	uint64_t job, pe, pes, pid;
	_Atomic uint64_t death;
	uint64_t death_pc, death_nanos;
	_Atomic uint64_t written, closed, looks, calls;
	uint64_t unused2[4];
	_Atomic uint64_t read;
	uint64_t unused3[7];
	struct upcr_record records[UKS_STREAM_RECORDS];
};
struct uks_site { _Atomic uint64_t key; uint64_t pc, pid; _Atomic uint64_t done; char name[UKS_NAME_BYTES]; };
struct uks_job { _Atomic uint64_t mark; uint64_t unused1[7]; _Atomic uint64_t tickets; uint64_t unused2[7];
                 _Atomic uint32_t entered[UKS_ENTERED_SLOTS]; struct uks_site sites[UKS_MOST_SITES]; };
`
