package catalogue

// small are the functions of upc_tick.h and upc_castable.h (UPC 1.3, required libraries 7.5, optional libraries 7.7).
func small() []*Function {
	const tickHeader, tickFeature, castHeader, castFeature = "upc_tick.h", "__UPC_TICK__", "upc_castable.h",
		"__UPC_CASTABLE__"
	now := function("TNOW", tickHeader, tickFeature, "upc_tick_t upc_ticks_now(void)")
	now.row("(result)", Suspicious, "stored in shared memory, where another thread would combine it with its own",
		ifAsked(inserted("store a difference of ticks, converted with upc_ticks_to_ns")))
	ns := function("TONS", tickHeader, tickFeature, "uint64_t upc_ticks_to_ns(upc_tick_t ticks)")
	ns.row("ticks", Suspicious, "more than half of what there is: start and end are exchanged",
		tell("ticks > UPC_TICK_MAX / 2", `"is %llu, a difference below 0", (unsigned long long)ticks`,
			"subtract the start from the end; ticks of different threads must not be combined")).
		row("ticks", Suspicious, "read from shared memory",
			ifAsked(inserted("combine only ticks that this thread has read itself")))
	cast := function("CAST", castHeader, castFeature, "void *upc_cast(const shared void *ptr)")
	cast.row("ptr", Invalid, "points to no object: freed, or on a thread that there is not",
		reason("upck_dead(site, $I, $A)", hintDead)).
		row("ptr", Suspicious, "null", asked(tell("ptr == 0", `"is a null pointer"`, ""))).
		row("ptr", Suspicious, "points to a lock, a file handle or an atomicity domain",
			reason("upck_opaque(site, $I, $A)", "")).
		row("(result)", Invalid, "null, and used", insertedIf("with --pointers", "test the result of upc_cast")).
		row("(result)", Invalid, "used after the object was freed", insertedIf("with --pointers", hintDead)).
		row("(result)", Invalid, "stored in shared memory, and used by another thread", inserted(hintOwnAddress)).
		row("(data)", Race, "an access through it meets another thread's", raced())
	cast.then = []string{"if (!result)", "\tupck_gives_null(site, UPCK_FROM_UPC_CAST);"}
	info := function("THIN", castHeader, castFeature, "upc_thread_info_t upc_thread_info(size_t threadId)")
	info.row("threadId", Invalid, "THREADS or more", tell("threadId >= (size_t)THREADS",
		`"is %zu, and THREADS is %d", threadId, THREADS`, "threads are 0 to THREADS-1"))
	return []*Function{now, ns, cast, info}
}
