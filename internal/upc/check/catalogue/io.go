package catalogue

import (
	"fmt"
	"strings"
)

const (
	ioHeader  = "upc_io.h"
	ioFeature = "__UPC_IO__"
	hintFile  = "a handle comes from upc_all_fopen, which gives a null pointer if the file cannot be opened"
	hintWait  = "call upc_all_fwait_async first"
)

func ioFunction(prefix, prototype string) *Function {
	return function(prefix, ioHeader, ioFeature, prototype)
}

// handle adds the rows of fd. Where what the function does depends on the file, file is what the ledgers have of it.
func (f *Function) handle() *Function {
	f.before = append(f.before, "int bad = upck_bad_file(site, 0, fd);",
		"struct upck_file *file = fd && bad == UPCK_FINE ? upck_file(fd) : 0;", "(void)file;")
	return f.row("fd", Invalid, "null", tell("fd == 0", `"is a null pointer"`, hintFile)).
		row("fd", Invalid, "no file handle", reason("bad == UPCK_NEVER", hintFile)).
		row("fd", Invalid, "closed already", reason("bad == UPCK_FREED_HERE", "close a file after its last use"))
}

// idle adds the row of an operation that is under way.
func (f *Function) idle() *Function {
	return f.row("(call)", Order, "an asynchronous operation on fd is not complete",
		tell("file && file->pending",
			`"the asynchronous operation begun at %s is not complete", upck_spot(file->started)`, hintWait))
}

func (f *Function) direction(writing bool) *Function {
	if writing {
		return f.row("fd", Invalid, "not open for writing", tell("file && (file->flags & UPC_RDONLY)",
			`"was opened for reading only, at %s", upck_spot(file->opened)`, "open it with UPC_WRONLY or UPC_RDWR"))
	}
	return f.row("fd", Invalid, "not open for reading", tell("file && (file->flags & UPC_WRONLY)",
		`"was opened for writing only, at %s", upck_spot(file->opened)`, "open it with UPC_RDONLY or UPC_RDWR"))
}

// files are those of UPC 1.3, optional libraries 7.8 (UPC-IO).
func files() []*Function {
	out := []*Function{open()}

	shut := ioFunction("FCLO", "int upc_all_fclose(upc_file_t *fd)")
	shut.collective("1", "fd").handle().idle().
		row("(result)", Suspicious, "-1, and not looked at",
			asked(tell("site->unused",
				`"the result of upc_all_fclose is not used: it is -1 if data could not be written"`, "")))
	shut.call = []string{"upck_ends_given(fd, site);"}
	shut.then = []string{"upck_closed(fd, site);"}

	sync := ioFunction("FSYN", "int upc_all_fsync(upc_file_t *fd)")
	sync.then = []string{"upck_synced(fd);"}
	sync.collective("1", "fd").handle().idle().
		row("fd", Suspicious, "open for reading only",
			asked(tell("file && (file->flags & UPC_RDONLY)",
				`"was opened for reading only, at %s", upck_spot(file->opened)`, "")))

	seek := ioFunction("FSEK", "upc_off_t upc_all_fseek(upc_file_t *fd, upc_off_t offset, int origin)")
	seek.collective("0", "fd").handle().idle().
		row("origin", Invalid, "not UPC_SEEK_SET, UPC_SEEK_CUR or UPC_SEEK_END",
			tell("origin != UPC_SEEK_SET && origin != UPC_SEEK_CUR && origin != UPC_SEEK_END",
				`"is %d, and has to be UPC_SEEK_SET, UPC_SEEK_CUR or UPC_SEEK_END", origin`, "")).
		row("offset", Invalid, "the position is below 0, as far as it is known",
			reason("bad == UPCK_FINE && upck_seeks_below(fd, offset, origin)", "the position must not be negative")).
		whole("offset", "upck_int(1, offset)").whole("origin", "upck_int(2, origin)").
		row("offset", Invalid, "the position is more than upc_off_t holds, as far as it is known",
			reason("bad == UPCK_FINE && upck_seeks_above(fd, offset, origin)", ""))
	seek.then = []string{"upck_sought(fd, result);"}

	size := func(prefix, name, sync string) *Function {
		f := ioFunction(prefix, "int "+name+"(upc_file_t *fd, upc_off_t size)")
		f.collective(sync, "fd", "size").handle().idle().
			row("size", Invalid, "negative", tell("size < 0", `"is %lld, and must not be negative", (long long)size`,
				"")).direction(true)
		return f
	}
	cut := size("FSSZ", "upc_all_fset_size", "1")
	cut.then = []string{"upck_synced(fd);"}
	get := ioFunction("FGSZ", "upc_off_t upc_all_fget_size(upc_file_t *fd)")
	get.collective("0", "fd").handle().idle()
	out = append(out, shut, sync, seek, cut, get, size("FPRE", "upc_all_fpreallocate", "0"), control())

	for _, async := range []bool{false, true} {
		for _, kind := range []string{"local", "shared", "list_local", "list_shared"} {
			out = append(out, transfer(kind, false, async), transfer(kind, true, async))
		}
	}

	wait := ioFunction("FWAI", "upc_off_t upc_all_fwait_async(upc_file_t *fd)")
	none := tell("file && !file->pending", `"no asynchronous operation on fd is under way"`,
		"wait for each operation once")
	wait.collective("0", "fd").handle().row("(call)", Order, "no asynchronous operation on fd is under way", none)
	wait.then = []string{"upck_completed(fd);"}
	test := ioFunction("FTES", "upc_off_t upc_all_ftest_async(upc_file_t *fd, int *flag)")
	test.collective("0", "fd").handle().row("(call)", Order, "no asynchronous operation on fd is under way", none).
		row("flag", Invalid, "null, or no memory that can be written",
			tell("flag == 0 || upck_no_memory(flag, sizeof *flag, 1)",
				`"%s", flag == 0 ? "is a null pointer" : upck_reason()`, "pass the address of an int"))
	test.then = []string{"if (flag && *flag)", "\tupck_completed(fd);"}
	return append(out, wait, test)
}

// whole adds the row of an argument that all threads give alike if the common file pointer is in force; with individual
// ones it is not compared.
func (f *Function) whole(argument, made string) *Function {
	f.row(argument, Single, "not the same on all threads, with the common file pointer",
		protocol("give the same "+argument+" on all threads, or open the file with UPC_INDIVIDUAL_FP"))
	f.values = append(f.values, value{param: argument, make: fmt.Sprintf("file && file->common ? %s : upck_int(%d, 0)",
		made, f.param(argument))})
	return f
}

func open() *Function {
	f := ioFunction("FOPN", "upc_file_t *upc_all_fopen(const char *fname, int flags, size_t numhints, struct "+
		"upc_hint const *hints)")
	const access, pointer = "(UPC_RDONLY | UPC_WRONLY | UPC_RDWR)", "(UPC_COMMON_FP | UPC_INDIVIDUAL_FP)"
	f.collective("0", "flags", "numhints", "hints (contents)=upck_hints(3, numhints, hints)")
	flag := func(class Class, when, test, words, hint string) {
		f.row("flags", class, when, tell(test, words, hint))
	}
	f.row("fname", Invalid, "null, or no text",
		tell("fname == 0 || !named", `"%s", fname == 0 ? "is a null pointer" : "points to no text"`, "")).
		row("fname", Invalid, "empty", tell("named && !*fname", `"is an empty text"`, "")).
		single("fname=upck_text(0, named ? upck_file_name(fname) : \"\")")
	flag(Invalid, "none of UPC_RDONLY, UPC_WRONLY, UPC_RDWR", "(flags & "+access+") == 0",
		`"is %#x, without UPC_RDONLY, UPC_WRONLY or UPC_RDWR", (unsigned)flags`, "")
	flag(Invalid, "more than one of UPC_RDONLY, UPC_WRONLY, UPC_RDWR", "!UPCK_SINGLE(flags & "+access+")",
		`"is %#x, with more than one of UPC_RDONLY, UPC_WRONLY and UPC_RDWR", (unsigned)flags`, "")
	flag(Invalid, "neither UPC_COMMON_FP nor UPC_INDIVIDUAL_FP", "(flags & "+pointer+") == 0",
		`"is %#x, without UPC_COMMON_FP or UPC_INDIVIDUAL_FP", (unsigned)flags`, "")
	flag(Invalid, "both UPC_COMMON_FP and UPC_INDIVIDUAL_FP", "!UPCK_SINGLE(flags & "+pointer+")",
		`"is %#x, with both UPC_COMMON_FP and UPC_INDIVIDUAL_FP", (unsigned)flags`, "")
	flag(Invalid, "a bit that is no flag", "(flags & ~("+access+" | "+pointer+
		" | UPC_APPEND | UPC_CREATE | UPC_EXCL | UPC_STRONG_CA | UPC_TRUNC | UPC_DELETE_ON_CLOSE)) != 0",
		`"is %#x, with bits that are no flags", (unsigned)flags`, "")
	flag(Invalid, "UPC_EXCL without UPC_CREATE", "(flags & UPC_EXCL) && !(flags & UPC_CREATE)",
		`"has UPC_EXCL without UPC_CREATE"`, "")
	flag(Invalid, "UPC_TRUNC with UPC_RDONLY", "(flags & UPC_TRUNC) && (flags & UPC_RDONLY)",
		`"has UPC_TRUNC with UPC_RDONLY"`, "")
	flag(Suspicious, "UPC_APPEND with UPC_RDONLY", "(flags & UPC_APPEND) && (flags & UPC_RDONLY)",
		`"has UPC_APPEND with UPC_RDONLY"`, "")
	flag(Suspicious, "UPC_CREATE with UPC_RDONLY", "(flags & UPC_CREATE) && (flags & UPC_RDONLY)",
		`"has UPC_CREATE with UPC_RDONLY: a new file has nothing to read"`, "")
	f.huge("numhints")
	hints := func(class Class, when string, c check) { f.row("hints", class, when, c) }
	hints(Invalid, "null, and numhints is not 0", tell("hints == 0 && numhints != 0",
		`"is a null pointer, and numhints is %zu", numhints`, "pass numhints hints, or 0 and a null pointer"))
	hints(Invalid, "not numhints elements that can be read",
		tell("hints != 0 && !UPCK_HUGE(numhints) && !upck_hints_readable(numhints, hints)",
			`"does not point to %zu hints that can be read", numhints`,
			"allocate the array and set its elements, or pass 0 and a null pointer"))
	hints(Invalid, "a key or value is null", reasonOf("!UPCK_HUGE(numhints) && upck_null_hint(numhints, hints)", ""))
	hints(Invalid, "a key or value differs between threads", by(Elsewhere, "FOPN-06"))
	hints(Suspicious, "the value of a hint of the specification is malformed",
		reasonOf("!UPCK_HUGE(numhints) && upck_malformed_hint(numhints, hints)", ""))
	hints(Suspicious, "not null, and numhints is 0",
		asked(tell("hints != 0 && numhints == 0", `"is no null pointer, and numhints is 0: the hints are not used"`,
			"")))
	f.row("fname", Invalid, "open already through upc_all_fopen", reason("named && upck_is_open(fname)",
		"close the file before opening it again")).
		row("fname", Invalid, "open already through fopen or open of this thread",
			tell("named && upck_is_open_otherwise(fname)", `"is open already, through fopen or open of this thread"`,
				"close the file before opening it again")).
		row("(result)", Suspicious, "null, and used", by(Elsewhere, "the rows of fd of the other functions")).
		row("(result)", Leak, "never closed", not("the end of a program closes it"))
	f.before = []string{"int named = fname != 0 && upck_readable_text(fname);"}
	f.then = []string{"upck_opened(result, fname, flags, site);"}
	return f
}

func control() *Function {
	f := ioFunction("FCTL", "int upc_all_fcntl(upc_file_t *fd, int cmd, void *arg)")
	f.collective("cmd == UPC_SET_WEAK_CA_SEMANTICS || cmd == UPC_SET_STRONG_CA_SEMANTICS || cmd == UPC_SET_COMMON_FP "+
		"|| cmd == UPC_SET_INDIVIDUAL_FP", "fd", "cmd").handle()
	null := func(cmd, hint string) {
		f.row("arg", Invalid, "null, and cmd is "+cmd,
			tell("arg == 0 && cmd == "+cmd, fmt.Sprintf(`"is a null pointer, and cmd is %s"`, cmd), hint))
	}
	f.row("cmd", Invalid, "no command", tell("!upck_command(cmd)", `"is %d, no command of upc_all_fcntl", cmd`, "")).
		row("cmd", Order, "an asynchronous operation on fd is not complete, and the command is not "+
			"UPC_ASYNC_OUTSTANDING",
			tell("cmd != UPC_ASYNC_OUTSTANDING && file && file->pending",
				`"is not UPC_ASYNC_OUTSTANDING, and the asynchronous operation begun at %s is not complete", upck_spot(file->started)`, hintWait))
	null("UPC_GET_FN", "pass the address of a const char *")
	null("UPC_GET_HINTS", "pass the address of a const upc_hint_t *")
	null("UPC_SET_HINT", "pass the address of a upc_hint_t")
	f.row("arg", Invalid, "the hint has a null key or value",
		tell("cmd == UPC_SET_HINT && arg != 0 && upck_null_hint(1, arg)", `"points to a hint with a null key or value"`,
			"")).
		row("arg", Single, "hints that differ between threads", protocol("set the same hint on all threads")).
		row("arg", Invalid, "no memory that can be written, and cmd is UPC_GET_FN or UPC_GET_HINTS",
			reason("(cmd == UPC_GET_FN || cmd == UPC_GET_HINTS) && upck_no_memory(arg, sizeof(void *), 1)",
				"pass the address of a pointer")).
		row("arg", Suspicious, "not null, and the command does not use it",
			asked(tell("arg != 0 && cmd != UPC_GET_FN && cmd != UPC_GET_HINTS && cmd != UPC_SET_HINT",
				`"is no null pointer, and the command does not use it"`, ""))).
		row("(result)", Invalid, "a pointer of UPC_GET_FN or UPC_GET_HINTS is used after upc_all_fclose or the next "+
			"upc_all_fcntl", inserted("copy the name or the hints before the next call"))
	f.values = append(f.values, value{param: "arg", make: "upck_hints(2, cmd == UPC_SET_HINT, arg)"})
	f.call = []string{"upck_ends_given(fd, site);"}
	f.then = []string{"upck_controlled(fd, cmd, result);", "upck_gives(fd, cmd, arg, result, site);"}
	return f
}

// unsynced adds the row of a part of the file that another thread writes, and hands this thread's part to the protocol:
// a number of bytes from "here" on, or "places" of the file.
func (f *Function) unsynced(writing bool, where, what string) {
	when, hint, writes := "reads a part of the file that another thread has written since the last upc_all_fsync or "+
		"upc_all_fclose",
		"call upc_all_fsync between writing and reading, or open the file with UPC_STRONG_CA", 0
	if writing {
		when, hint, writes = "another thread writes the same part of the file in the same phase",
			"let each thread write its own part of the file, or call upc_all_fsync between the writes", 1
	}
	f.part = f.add("(file)", Race, when, protocol(hint)).ID
	f.call = append(f.call, fmt.Sprintf("upck_touch_%s(site, file, %d, %s);", where, writes, what))
}

// transfer is one of the sixteen functions that read and write.
func transfer(kind string, writing, async bool) *Function {
	name, prefix, moved := "upc_all_fread_"+kind, "R", 1
	if writing {
		name, prefix, moved = "upc_all_fwrite_"+kind, "W", 0
	}
	prefix += map[string]string{"local": "FL", "shared": "FS", "list_local": "FK", "list_shared": "FT"}[kind]
	result := "upc_off_t"
	if async {
		name, prefix, result = name+"_async", prefix+"A", "void"
	} else {
		prefix += "B"
	}
	params := map[string]string{
		"local":  "void *buffer, size_t size, size_t nmemb",
		"shared": "shared void *buffer, size_t blocksize, size_t size, size_t nmemb",
		"list_local": "size_t memvec_entries, struct upc_local_memvec const *memvec, size_t filevec_entries, struct " +
			"upc_filevec const *filevec",
		"list_shared": "size_t memvec_entries, struct upc_shared_memvec const *memvec, size_t filevec_entries, " +
			"struct upc_filevec const *filevec",
	}[kind]
	f := ioFunction(prefix, fmt.Sprintf("%s %s(upc_file_t *fd, %s, upc_flag_t flags)", result, name, params))
	single := []string{"fd", "flags"}
	if strings.HasPrefix(kind, "list") {
		single = single[:1]
	}
	f.collective(flagsSync, single...).handle().idle()
	switch kind {
	case "local":
		f.row("fd", Invalid, "the common file pointer is in force",
			tell("file && file->common",
				`"has the common file pointer in force, and the function needs individual ones"`,
				"open the file with UPC_INDIVIDUAL_FP, or set it with upc_all_fcntl")).
			direction(writing).
			row("buffer", Invalid, "null, and there is something to transfer",
				tell("buffer == 0 && size != 0 && nmemb != 0",
					`"is a null pointer, and %zu elements of %zu bytes are to be transferred", nmemb, size`, hintNull)).
			row("buffer", Invalid, "the size*nmemb bytes leave the buffer, as far as known",
				reason(fmt.Sprintf("upck_sane && (upck_private_leaves(site, $I, buffer, size * nmemb) || "+
					"upck_no_memory(buffer, size * nmemb, %d))", moved), hintLeaves)).
			sizes()
		f.row("buffer", Race, "another thread accesses the buffer, which is shared memory of this thread", raced())
		f.unsynced(writing, "here", "upck_sane ? size * nmemb : 0")
	case "shared":
		elements := "upck_to_read(file, nmemb, size)"
		if writing {
			elements = "nmemb"
		}
		f.direction(writing).
			row("buffer", Invalid, "null, and there is something to transfer",
				tell("buffer == 0 && size != 0 && nmemb != 0",
					`"is a null pointer, and %zu elements of %zu bytes are to be transferred", nmemb, size`, hintNull)).
			row("buffer", Invalid, "points to no object: freed, or on a thread that there is not",
				reason("upck_dead(site, $I, $A)", hintDead)).
			row("buffer", Invalid, "the elements leave the object",
				reason("upck_sane && upck_leaves(site, $I, buffer, "+elements+", blocksize, size, 0)", hintLeaves)).
			row("buffer", Suspicious, "blocksize is not the block size of its type",
				asked(reason("upck_other_block(site, $I, blocksize)", "blocksize counts elements"))).
			noPhase("buffer").
			row("blocksize", Invalid, "more than UPC_MAX_BLOCK_SIZE", tell("blocksize > UPC_MAX_BLOCK_SIZE",
				`"is %zu, and UPC_MAX_BLOCK_SIZE is %zu", blocksize, (size_t)UPC_MAX_BLOCK_SIZE`, hintNegative)).
			sizes().
			whole("buffer", "upck_shared(1, buffer)").whole("blocksize", "upck_unsigned(2, blocksize)").whole("size",
			"upck_unsigned(3, size)").whole("nmemb", "upck_unsigned(4, nmemb)")
		data := "threads read into the same part of the buffer"
		if writing {
			data = "another thread writes the buffer without order"
		}
		f.row("buffer", Race, data, raced())
		f.unsynced(writing, "here", "upck_sane ? size * nmemb : 0")
	default:
		f.list(kind == "list_shared", writing, moved)
		if kind == "list_shared" {
			data := "regions of different threads overlap"
			if writing {
				data = "another thread writes the region without order"
			}
			f.row("memvec", Race, data, raced())
		}
		f.unsynced(writing, "places", "filevec_entries, filevec")
	}
	f.flags()
	buffer := "0"
	if kind == "shared" {
		buffer = "buffer"
	}
	if async {
		f.row("(interval)", Race, fmt.Sprintf("the memory that the operation %s is used before it is complete",
			map[bool]string{false: "fills", true: "takes"}[writing]), raced()).
			row("(interval)", Invalid, "the memory is freed before the operation is complete",
				by(Elsewhere, "FREE-10, AFRE-13, for shared objects")).
			row("(end)", Leak, "never completed by upc_all_fwait_async or upc_all_ftest_async",
				by(Elsewhere, "ENDT-07"))
		f.then = []string{fmt.Sprintf("upck_started(fd, %s, site);", buffer)}
	} else if kind == "local" || kind == "shared" {
		if kind == "shared" && !writing {
			f.then = []string{fmt.Sprintf(`upck_was_read(site, "%s-13", fd, buffer, blocksize, size, result);`,
				f.prefix)}
		}
		f.then = append(f.then, "upck_moved(fd, result);")
	}
	return f
}

// sizes adds the rows of size and nmemb.
func (f *Function) sizes() *Function {
	blocks := ""
	if f.param("blocksize") >= 0 {
		blocks = " && blocksize <= UPC_MAX_BLOCK_SIZE"
	}
	f.before = append(f.before, "int upck_sane = !UPCK_HUGE(size) && !UPCK_HUGE(nmemb) && !UPCK_OVERFLOWS(size, "+
		"nmemb) && !UPCK_HUGE(size * nmemb)"+blocks+";")
	return f.huge("size").huge("nmemb").
		row("size,nmemb", Invalid, "the product is more than a size_t holds", overflows("size", "nmemb")).
		row("size,nmemb", Suspicious, "the product is 0: nothing is transferred",
			asked(tell("size == 0 || nmemb == 0", `"times nmemb is 0: nothing is transferred"`, "")))
}

// list adds the rows of vectors.
func (f *Function) list(shared, writing bool, moved int) {
	kind := "local"
	if shared {
		kind = "shared"
	}
	f.direction(writing)
	memory := func(what string, more ...string) string {
		args := append([]string{"memvec_entries", "memvec"}, more...)
		return fmt.Sprintf("upck_%s_%s(%s)", kind, what, strings.Join(args, ", "))
	}
	f.row("memvec", Invalid, "null, and memvec_entries is not 0", tell("memvec == 0 && memvec_entries != 0",
		`"is a null pointer, and memvec_entries is %zu", memvec_entries`, hintNull)).
		row("filevec", Invalid, "null, and filevec_entries is not 0", tell("filevec == 0 && filevec_entries != 0",
			`"is a null pointer, and filevec_entries is %zu", filevec_entries`, hintNull)).
		row("memvec_entries", Invalid, "more than PTRDIFF_MAX, or more than can be read",
			reason("upck_vector_unreadable(memvec, memvec_entries, sizeof *memvec)", hintNegative)).
		row("filevec_entries", Invalid, "more than PTRDIFF_MAX, or more than can be read",
			reason("upck_vector_unreadable(filevec, filevec_entries, sizeof *filevec)", hintNegative)).
		row("memvec", Invalid, "a null baseaddr with a length", reasonOf(memory("null"), hintNull))
	if shared {
		f.row("memvec", Invalid, "a region leaves its object",
			reasonOf("upck_shared_leaves(site, memvec_entries, memvec)", hintLeaves))
	} else {
		f.row("memvec", Invalid, "a region is not all memory of the program",
			reasonOf(memory("leaves", fmt.Sprint(moved)), hintLeaves))
	}
	f.row("filevec", Invalid, "a negative offset", reasonOf("upck_places_negative(filevec_entries, filevec)", "")).
		row("filevec", Invalid, "offsets that decrease", reasonOf("upck_places_decrease(filevec_entries, filevec)",
			"sort the places by their offsets")).
		row("memvec,filevec", Invalid, "different lengths in all", reason(memory("total", "filevec_entries", "filevec"),
			"memory and file need the same number of bytes"))
	if writing {
		f.row("filevec", Invalid, "places overlap", reasonOf("upck_places_overlap(filevec_entries, filevec)",
			hintOverlap))
	} else {
		f.row("memvec", Invalid, "regions overlap", reasonOf(memory("overlap"), hintOverlap))
	}
	if shared {
		f.row("memvec", Suspicious, "blocksize is not that of the object, in bytes",
			asked(reasonOf("upck_shared_other_block(site, memvec_entries, memvec)", ""))).
			row("memvec", Invalid, "a region is freed, or on a thread that there is not",
				reasonOf("upck_shared_dead(site, memvec_entries, memvec)", hintDead))
	}
}
