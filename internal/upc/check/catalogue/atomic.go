package catalogue

import "fmt"

const (
	atomicHeader  = "upc_atomic.h"
	atomicFeature = "__UPC_ATOMIC__"
	hintType      = "the types are UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG, UPC_INT32, UPC_UINT32, UPC_INT64, " +
		"UPC_UINT64, UPC_FLOAT, UPC_DOUBLE, UPC_PTS"
	hintDomain = "a domain comes from upc_all_atomicdomain_alloc"
)

// atomics are those of UPC 1.3, optional libraries 7.4.
func atomics() []*Function {
	alloc := function("ADAL", atomicHeader, atomicFeature,
		"upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints)")
	ops := func(when, test, words, hint string) { alloc.row("ops", Invalid, when, tell(test, words, hint)) }
	alloc.collective("0", "type", "ops", "hints").
		row("type", Invalid, "no type of atomic operations", tell("upck_atomic_size(type) == 0",
			`"is %d, no type of atomic operations", (int)type`, hintType))
	ops("0", "ops == 0", `"is 0: the domain has no operation"`, "or the operations together that will be used")
	ops("a bit that is no operation", "(ops & ~(UPCK_ATOMICS | UPC_LOGAND | UPC_LOGOR | 65536 | 131072)) != 0",
		`"is %#x, with bits that are no operations", (unsigned)ops`, "")
	ops("an operation on bits, and a floating type", "upck_atomic_floating(type) && (ops & UPCK_BITWISE) != 0",
		`"is %#x, with an operation on bits, and the type is a floating one", (unsigned)ops`, "")
	ops("an arithmetic operation, and UPC_PTS", "type == UPC_PTS && (ops & UPCK_NUMERIC) != 0",
		`"is %#x, with an arithmetic operation, and the type is UPC_PTS", (unsigned)ops`,
		"UPC_PTS has UPC_GET, UPC_SET and UPC_CSWAP")
	ops("an operation on bits, and UPC_PTS", "type == UPC_PTS && (ops & UPCK_BITWISE) != 0",
		`"is %#x, with an operation on bits, and the type is UPC_PTS", (unsigned)ops`,
		"UPC_PTS has UPC_GET, UPC_SET and UPC_CSWAP")
	ops("UPC_LOGAND, UPC_LOGOR, UPC_FUNC or UPC_NONCOMM_FUNC", "(ops & (UPC_LOGAND | UPC_LOGOR | 65536 | 131072)) != 0",
		`"is %#x, with an operation that is for reductions only", (unsigned)ops`, "")
	alloc.row("hints", Suspicious, "no hint that there is",
		asked(tell("hints != UPC_ATOMIC_HINT_DEFAULT && hints != UPC_ATOMIC_HINT_LATENCY && hints != "+
			"UPC_ATOMIC_HINT_THROUGHPUT", `"is %d, no hint that there is", (int)hints`, ""))).
		row("(result)", Leak, "never freed", not("the end of a program frees it"))
	alloc.then = []string{"upck_domain_made(result, type, ops, site);"}

	free := function("ADFR", atomicHeader, atomicFeature, "void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr)")
	free.before = []string{"int bad = upck_bad_opaque(site, 0, (shared void *)ptr, UPCK_DOMAIN);"}
	free.collective("0", "ptr").
		row("ptr", Invalid, "no domain", reason("bad == UPCK_NEVER", hintDomain)).
		row("ptr", Invalid, "freed already", reason("bad == UPCK_FREED_HERE || bad == UPCK_FREED_THERE",
			"free a domain once")).
		row("ptr", Suspicious, "null: nothing happens",
			asked(tell("ptr == 0", `"is a null pointer: nothing is freed"`, "")))
	free.call = []string{"upck_domain_freed(ptr, site);"}

	out := []*Function{alloc, free, operation("ATST", "upc_atomic_strict"), operation("ATRE", "upc_atomic_relaxed")}

	fast := function("ATFA", atomicHeader, atomicFeature,
		"int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr)")
	fast.row("type", Invalid, "no type of atomic operations", tell("upck_atomic_size(type) == 0",
		`"is %d, no type of atomic operations", (int)type`, hintType)).
		row("ops", Invalid, "operations that the type does not have",
			tell("ops == 0 || (ops & ~UPCK_ATOMICS) != 0 || (upck_atomic_floating(type) && (ops & UPCK_BITWISE) != "+
				"0) || (type == UPC_PTS && (ops & ~UPCK_ACCESSES) != 0)",
				`"is %#x, which is not for this type", (unsigned)ops`, "")).
		row("addr", Invalid, "null, or points to no object", tell("addr == 0 || upck_dead(site, $I, $A)",
			`"%s", addr == 0 ? "is a null pointer" : upck_reason()`, hintNull))
	return append(out, fast)
}

// operation is upc_atomic_strict or upc_atomic_relaxed.
func operation(prefix, name string) *Function {
	f := function(prefix, atomicHeader, atomicFeature,
		fmt.Sprintf("void %s(upc_atomicdomain_t *domain, void *restrict fetch_ptr, upc_op_t op, shared void "+
			"*restrict target, "+
			"const void *restrict operand1, const void *restrict operand2)", name))
	f.before = []string{
		"int bad = upck_bad_opaque(site, 0, (shared void *)domain, UPCK_DOMAIN);",
		"upc_type_t type = upck_domain_type(domain);",
		"size_t size = upck_atomic_size(type);",
		"if (op != UPC_GET)",
		"	upck_within(site, \"" + writesShared + "\");",
	}
	f.row("domain", Invalid, "null", tell("domain == 0", `"is a null pointer"`, hintDomain)).
		row("domain", Invalid, "no domain", reason("bad == UPCK_NEVER", hintDomain)).
		row("domain", Invalid, "freed already", reason("bad == UPCK_FREED_HERE || bad == UPCK_FREED_THERE",
			"free a domain after its last use")).
		row("op", Invalid, "not exactly one operation",
			tell("op == 0 || (!UPCK_SINGLE(op) && (op & ~UPCK_ATOMICS) == 0)",
				`"is %#x, and has to be one operation", (unsigned)op`, "")).
		row("op", Invalid, "no atomic operation",
			tell("(op & ~UPCK_ATOMICS) != 0", `"is %#x, no atomic operation", (unsigned)op`, "")).
		row("op", Invalid, "not among the operations of the domain",
			tell("size != 0 && op != 0 && UPCK_SINGLE(op) && (op & ~UPCK_ATOMICS) == 0 && (op & "+
				"~upck_domain_ops(domain)) != 0", `"is %s, which the domain was not allocated for", upck_op_name(op)`,
				"name the operation in upc_all_atomicdomain_alloc"))
	null := func(argument, when, test, hint string) {
		f.row(argument, Invalid, when,
			tell(test+" && $A == 0", fmt.Sprintf(`"is a null pointer, and op is %%s", upck_op_name(op)`), hint))
	}
	given := func(argument, when, test string) {
		f.row(argument, Invalid, when,
			tell(test+" && $A != 0", `"is no null pointer, and op is %s, which does not use it", upck_op_name(op)`,
				"pass a null pointer"))
	}
	null("fetch_ptr", "null, and op is UPC_GET", "op == UPC_GET", "pass where the value is to go")
	null("operand1", "null, and op is one of arithmetic or on bits", "(op == UPC_ADD || op == UPC_SUB || op == "+
		"UPC_MULT || op == UPC_AND || op == UPC_OR || op == UPC_XOR || op == UPC_MIN || op == UPC_MAX)",
		"pass the operand")
	null("operand1", "null, and op is UPC_SET", "op == UPC_SET", "pass the value to set")
	null("operand1", "null, and op is UPC_CSWAP", "op == UPC_CSWAP", "pass the value to compare with")
	given("operand1", "not null, and op is UPC_GET", "op == UPC_GET")
	given("operand1", "not null, and op is UPC_INC or UPC_DEC", "(op == UPC_INC || op == UPC_DEC)")
	null("operand2", "null, and op is UPC_CSWAP", "op == UPC_CSWAP", "pass the new value")
	given("operand2", "not null, and op is not UPC_CSWAP", "op != UPC_CSWAP && op != 0 && UPCK_SINGLE(op)")
	f.row("target", Invalid, "null", tell("target == 0", `"is a null pointer"`, hintNull)).
		row("target", Invalid, "points to no object: freed, or on a thread that there is not",
			reason("upck_dead(site, $I, $A)", hintDead)).
		row("target", Invalid, "the operand leaves the object",
			reason("size != 0 && upck_leaves_one(site, $I, target, size)", hintLeaves)).
		row("target", Invalid, "not aligned for the type", tell("size != 0 && upck_misaligned(target, size)",
			`"is not aligned for the %zu bytes of the domain's type", size`, "")).
		row("target", Invalid, "its elements are not of the domain's type",
			reason("size != 0 && type != UPC_PTS && upck_other_type(site, $I, upck_atomic_kind(type), size)",
				"use a domain of the type of the object")).
		row("target", Suspicious, "points to a lock, a file handle or an atomicity domain",
			reason("upck_opaque(site, $I, $A)", ""))
	overlap := func(a, b string) {
		f.row(a+","+b, Invalid, "they overlap", tell(fmt.Sprintf("size != 0 && %s != 0 && %s != 0 && (const char "+
			"*)%[1]s < (const char *)%[2]s + size && (const char *)%[2]s < (const char *)%[1]s + size", a, b),
			fmt.Sprintf(`"overlaps %s"`, b), "use two variables"))
	}
	overlap("fetch_ptr", "operand1")
	overlap("fetch_ptr", "operand2")
	f.row("target,fetch_ptr", Invalid, "fetch_ptr is this thread's part of target",
		tell("size != 0 && upck_overlap_private(fetch_ptr, target, size)", `"is the memory that fetch_ptr points to"`,
			"use another variable"))
	f.row("(data)", Invalid, "an operand is a signalling NaN",
		tell("upck_nan(type, operand1, 1) || upck_nan(type, operand2, 1)",
			`"%s is a signalling NaN", upck_nan(type, operand1, 1) ? "*operand1" : "*operand2"`, "")).
		row("(data)", Invalid, "UPC_CSWAP compares with a NaN", tell("op == UPC_CSWAP && upck_nan(type, operand1, 0)",
			`"*operand1 is a NaN, which nothing is equal to"`, "")).
		row("(data)", Race, "a plain access to the location in the same phase", raced()).
		row("(data)", Race, "an access through another domain in the same phase", raced()).
		row("(result)", Suspicious, "UPC_CSWAP without fetch_ptr: whether it happened cannot be known",
			asked(tell("op == UPC_CSWAP && fetch_ptr == 0",
				`"fetch_ptr is a null pointer: whether UPC_CSWAP stored its value is not known"`, "")))
	return f
}
