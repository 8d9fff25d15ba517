package catalogue

import "fmt"

// memory makes upc_memcpy, upc_memget, upc_memput and upc_memset, or their forms of upc_nb.h: suffix is "", "_nb" or
// "_nbi".
func memory(header, feature, suffix string) []*Function {
	var out []*Function
	result := "void"
	if suffix == "_nb" {
		result = "upc_handle_t"
	}
	const shared, private = "shared", "private"
	for _, m := range []struct{ prefix, nb, name, dst, src string }{
		{"MCPY", "NC", "upc_memcpy", shared, shared},
		{"MGET", "NG", "upc_memget", private, shared},
		{"MPUT", "NP", "upc_memput", shared, private},
		{"MSET", "NS", "upc_memset", shared, ""},
	} {
		prefix := m.prefix
		switch suffix {
		case "_nb":
			prefix = m.nb + "E"
		case "_nbi":
			prefix = m.nb + "I"
		}
		types := map[string]string{shared + "dst": "shared void *restrict dst", private + "dst": "void *restrict dst",
			shared + "src":  "shared const void *restrict src",
			private + "src": "const void *restrict src"}
		second := types[m.src+"src"]
		first := types[m.dst+"dst"]
		if m.src == "" {
			first, second = "shared void *dst", "int c"
		}
		f := function(prefix, header, feature, fmt.Sprintf("%s %s%s(%s, %s, size_t n)", result, m.name, suffix,
			first, second))
		f.side("dst", m.dst == shared, "writes")
		if m.dst == shared {
			f.writes = writesShared
		}
		if m.src != "" {
			f.side("src", m.src == shared, "reads")
			if m.src == private {
				f.row("src", Suspicious, "not initialised", tell("n != 0 && upck_unset(site, $I)",
					`"is transferred, and nothing has set it"`, "set the object before it is transferred"))
			}
		}
		f.huge("n").row("n", Suspicious, "0: nothing is moved", asked(tell("n == 0", `"is 0: nothing is moved"`, "")))
		for _, a := range []struct{ name, kind string }{{"dst", m.dst}, {"src", m.src}} {
			if a.kind == shared {
				f.row(a.name, Suspicious, "declared with blocks, and n goes beyond the end of the block",
					asked(reason(fmt.Sprintf("upck_beyond_block(site, $I, %s, n)", a.name),
						"the bytes go on in the same thread's next block, not in the next element")))
			}
		}
		switch {
		case m.src == "":
			f.row("c", Suspicious, "no value of a byte",
				asked(tell("c < -128 || c > 255", `"is %d, and a byte is -128 to 255", c`,
					"only the lowest 8 bits are used")))
		case m.dst == shared && m.src == shared:
			f.row("dst,src", Invalid, "they overlap", tell("upck_overlap(dst, n, src, n)", `"overlaps src"`,
				hintOverlap))
		case m.dst == private:
			f.row("dst,src", Invalid, "they overlap", tell("upck_overlap_private(dst, src, n)",
				`"overlaps src, which is this thread's own"`, hintOverlap))
		default:
			f.row("dst,src", Invalid, "they overlap", tell("upck_overlap_private(src, dst, n)",
				`"is this thread's own, and overlaps src"`, hintOverlap))
		}
		switch {
		case m.src == "":
			f.row("(data)", Race, "another thread accesses the destination in the same phase", raced())
		case m.dst == private:
			f.row("(data)", Race, "another thread writes the source in the same phase", raced()).
				row("(data)", Race, "dst is shared memory of this thread, and another one accesses it", raced())
		case m.src == private:
			f.row("(data)", Race, "another thread accesses the destination in the same phase", raced()).
				row("(data)", Race, "src is shared memory of this thread, and another one writes it", raced())
		default:
			f.row("(data)", Race, "another thread accesses the destination in the same phase", raced()).
				row("(data)", Race, "another thread writes the source in the same phase", raced())
		}
		if suffix != "" {
			f.interval(m.src != "", suffix)
			dst, src := "0", "0"
			if m.dst == shared {
				dst = "dst"
			}
			if m.src == shared {
				src = "src"
			}
			if suffix == "_nb" {
				f.then = []string{fmt.Sprintf("upck_transfer_begun(result, %s, %s, n, site);", dst, src)}
			} else {
				f.then = []string{fmt.Sprintf("upck_implicit_begun(%s, %s, n, site);", dst, src)}
			}
		}
		out = append(out, f)
	}
	return out
}

// side adds the rows of one side of a transfer.
func (f *Function) side(argument string, shared bool, does string) {
	if shared {
		f.pointer(argument, "the n bytes that the operation "+does,
			fmt.Sprintf("upck_leaves_one(site, $I, %s, n)", argument))
		return
	}
	f.row(argument, Invalid, "null", tell("$A == 0 && n != 0", `"is a null pointer"`, hintNull)).
		row(argument, Invalid, "the n bytes leave the private object, as far as the source tells its size",
			reason(fmt.Sprintf("upck_private_leaves(site, $I, %s, n)", argument), hintLeaves))
	if argument == "dst" {
		f.row(argument, Suspicious, "shared memory, through a pointer-to-local", not("it is legal, and usual"))
	}
}

// interval adds the rows of the time between the beginning of a transfer and its end.
func (f *Function) interval(source bool, suffix string) {
	f.row("(interval)", Race, "this thread uses the destination before the transfer is synchronized", raced()).
		row("(interval)", Race, "another thread accesses the destination meanwhile", raced()).
		row("(interval)", Race, "another transfer under way uses the destination", raced()).
		row("(interval)", Invalid, "a shared object of the transfer is freed meanwhile",
			by(Elsewhere, "FREE-10, AFRE-13"))
	if source {
		f.row("(interval)", Race, "the source is written meanwhile", raced())
	}
	if suffix == "_nb" {
		f.row("(result)", Leak, "the handle is thrown away",
			tell("site->unused",
				fmt.Sprintf(`"the handle that %s gives is not kept: the transfer can never be synchronized"`, f.Name),
				"keep the handle, and give it to upc_sync")).
			row("(result)", Suspicious, "the variable with a handle gets another one", by(Elsewhere, "ENDT-05"))
		return
	}
	f.row("(end)", Leak, "no upc_synci before the thread ends", by(Elsewhere, "ENDT-06"))
}

func nonblocking() []*Function {
	const header, feature = "upc_nb.h", "__UPC_NB__"
	groups := [2][]*Function{memory(header, feature, "_nb"), memory(header, feature, "_nbi")}
	var out []*Function
	for i := range groups[0] {
		out = append(out, groups[0][i], groups[1][i])
	}
	handle := func(f *Function) {
		const unknown = "no handle"
		f.before = []string{"int bad = upck_bad_handle(handle);"}
		f.row("handle", Invalid, "another thread's",
			by(Elsewhere, f.id("handle", unknown)+": what another thread was given is unknown to this one")).
			row("handle", Invalid, "synchronized already",
				reason("bad == UPCK_FREED_HERE",
					"synchronize each transfer once; a handle that is done may be set to UPC_COMPLETE_HANDLE")).
			row("handle", Invalid, unknown,
				reason("bad == UPCK_NEVER",
					"set handles to UPC_COMPLETE_HANDLE at first; the thread that began a transfer synchronizes it"))
	}
	sync := function("SYNC", header, feature, "void upc_sync(upc_handle_t handle)")
	handle(sync)
	sync.then = []string{"upck_transfer_ended(handle, site);"}
	attempt := function("SYNA", header, feature, "int upc_sync_attempt(upc_handle_t handle)")
	handle(attempt)
	unused := func(name string) check {
		return tell("site->unused",
			fmt.Sprintf(`"the result of %s is not used: whether the transfer is complete is not known"`, name),
			"test the result")
	}
	attempt.row("(result)", Suspicious, "not used", unused("upc_sync_attempt"))
	attempt.then = []string{"if (result)", "\tupck_transfer_ended(handle, site);"}
	pending := asked(tell("!upck_implicit_pending()", `"no transfer without a handle is under way"`, ""))
	implicit := function("SYNI", header, feature, "void upc_synci(void)")
	implicit.row("(call)", Suspicious, "no transfer without a handle is under way", pending)
	implicit.then = []string{"upck_implicit_ended();"}
	tried := function("SYIA", header, feature, "int upc_synci_attempt(void)")
	tried.row("(call)", Suspicious, "no transfer without a handle is under way", pending).
		row("(result)", Suspicious, "not used", unused("upc_synci_attempt"))
	tried.then = []string{"if (result)", "\tupck_implicit_ended();"}
	return append(out, sync, attempt, implicit, tried)
}
