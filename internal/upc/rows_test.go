//go:build !quick

package upc_test

import (
	"fmt"
	"regexp"
	"strings"

	"unknot/internal/upc/check/catalogue"
)

// rowProgram is the text of a function that has the race of a row of the catalogue. A line that ends with a mark is one
// of the race; BROKEN(...) is there only with the race, FIXED(...) only without. What it uses has the name of the row:
// $d and $s are arrays of 16 bytes on each of two threads, $i of 4 ints, $l a lock, $p a pointer to an object of all
// threads, $f a file, $h a handle.
func rowProgram(r *catalogue.Row) string {
	base, suffix := r.Function, ""
	for _, s := range []string{"_nbi", "_nb"} {
		if cut, ok := strings.CutSuffix(base, s); ok {
			base, suffix = cut, s
			break
		}
	}
	switch {
	case strings.HasPrefix(base, "upc_mem"):
		return transferRow(r, base, suffix)
	case strings.HasPrefix(base, "upc_all_f"):
		return fileRow(r)
	case strings.HasPrefix(base, "upc_atomic"):
		return atomicRow(r)
	case strings.HasPrefix(base, "upc_all_") && r.Argument != "perm" && r.Function != "upc_all_lock_free":
		return collectiveRow(r)
	}
	return singleRows[r.ID]
}

// transferCall is a call of a function of upc_mem, between arrays of thread 0 that are at hand for it.
func transferCall(base, suffix string) string {
	switch base {
	case "upc_memcpy":
		return base + suffix + "($d, $s, 8)"
	case "upc_memget":
		return base + suffix + "((char *)$d, $s, 8)"
	case "upc_memput":
		return base + suffix + "($d, (char *)$s, 8)"
	}
	return base + suffix + "($d, 1, 8)"
}

func transferRow(r *catalogue.Row, base, suffix string) string {
	call, begin, end := transferCall(base, suffix), "", ""
	switch suffix {
	case "_nb":
		begin, end = "$h = ", "upc_sync($h);"
	case "_nbi":
		end = "upc_synci();"
	}
	begin += call
	other := "$d[0] = 1;"
	if strings.Contains(r.When, "source") || strings.HasPrefix(r.When, "src") {
		other = "$s[0] = 1;"
	}
	zero := func(text string) string { return "if (MYTHREAD == 0) {\n" + text + "\n}\n" }
	switch {
	case strings.Contains(r.When, "another transfer"):
		return zero(begin + "; /* race */\nFIXED(" + end + ")\n" + strings.Replace(begin, "$h", "$h2", 1) +
			"; /* race */\n" + strings.Replace(end, "$h", "$h2", 1) + "\nBROKEN(" + end + ")")
	case strings.Contains(r.When, "this thread uses"), strings.Contains(r.When, "source is written meanwhile"):
		return zero(begin + "; /* race */\nFIXED(" + end + ")\n" + other + " /* race */\nBROKEN(" + end + ")")
	case strings.Contains(r.When, "meanwhile"):
		return zero(begin+"; /* race */\nFIXED("+end+")") + "upc_barrier;\nif (MYTHREAD == 1)\n" + other +
			" /* race */\nupc_barrier;\n" + zero("BROKEN("+end+")")
	}
	return zero(begin+"; /* race */\n"+end) + "FIXED(upc_barrier;)\nif (MYTHREAD == 1)\n" + other + " /* race */\n"
}

var reductionOf = regexp.MustCompile(`^upc_all_(prefix_)?reduce([A-Z]+)$`)

// reducedTypes are the types of reductions, as typedefs of the program have them.
var reducedTypes = map[string]string{"C": "signed char", "UC": "unsigned char", "S": "short", "US": "unsigned short",
	"I": "int", "UI": "unsigned int", "L": "long",
	"UL": "unsigned long", "F": "float", "D": "double", "LD": "long double"}

func collectiveRow(r *catalogue.Row) string {
	args, from, to := "$d, $s, 8", "$s[0]", "$d[0]"
	m := reductionOf.FindStringSubmatch(r.Function)
	switch {
	case m != nil:
		args, from, to = "$r, $t, UPC_ADD, 2, 1, 0", "$t[0]", "$r[0]"
	case r.Function == "upc_all_gather", r.Function == "upc_all_gather_all", r.Function == "upc_all_exchange":
		from = "$s[0]"
	case r.Function == "upc_all_permute":
		args = "$d, $s, $i, 8"
		if strings.Contains(r.When, "_IN_") {
			return "$i[MYTHREAD] = 1 - MYTHREAD;\nupc_barrier;\n" + collectiveIn(r, args, from)
		}
		return "$i[MYTHREAD] = 1 - MYTHREAD;\nupc_barrier;\n" + collectiveOut(r, args, to)
	}
	if strings.Contains(r.When, "_IN_") {
		return collectiveIn(r, args, from)
	}
	return collectiveOut(r, args, to)
}

func collectiveIn(r *catalogue.Row, args, from string) string {
	return "if (MYTHREAD == 0)\n" + from + " = 1; /* race */\n" + r.Function + "(" + args +
		", BROKEN(UPC_IN_NOSYNC |) UPC_OUT_ALLSYNC); /* race */\n"
}

func collectiveOut(r *catalogue.Row, args, to string) string {
	return r.Function + "(" + args + ", BROKEN(UPC_OUT_NOSYNC |) UPC_IN_ALLSYNC); /* race */\nif (MYTHREAD == " +
		"1)\nuse += (int)" + to + "; /* race */\n"
}

func atomicRow(r *catalogue.Row) string {
	make := "upc_atomicdomain_t *one = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0), *two = " +
		"upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);\n"
	other := "$i[0] = 1;"
	if strings.Contains(r.When, "another domain") {
		other = r.Function + "(two, 0, UPC_ADD, &$i[0], &$one, 0);"
	}
	return "int $one = 1;\n" + make + "if (MYTHREAD == 0)\n" + r.Function +
		"(one, 0, UPC_ADD, &$i[0], &$one, 0); /* race */\nFIXED(upc_barrier;)\nif (MYTHREAD == 1)\n" + other +
		" /* race */\nupc_all_atomicdomain_free(one);\nupc_all_atomicdomain_free(two);\n"
}

// fileRow opens a file of 16 bytes with individual pointers, and reads or writes 8 of each thread's.
func fileRow(r *catalogue.Row) string {
	async := strings.HasSuffix(r.Function, "_async")
	name := strings.TrimSuffix(r.Function, "_async")
	memory, start, buffer := "", "", "$d"
	switch {
	case strings.HasSuffix(name, "list_local"):
		memory = "struct upc_local_memvec $m = {(char *)&$d[16 * MYTHREAD], 8};\nstruct upc_filevec $v = {8 * " +
			"MYTHREAD, 8};\n"
		start = r.Function + "($f, 1, &$m, 1, &$v, %s)"
	case strings.HasSuffix(name, "list_shared"):
		if r.Argument != "memvec" || strings.Contains(r.When, "writes") {
			buffer = "$d + 16 * MYTHREAD"
		} else {
			buffer = "$d FIXED(+ 16 * MYTHREAD)"
		}
		memory = "struct upc_shared_memvec $m = {" + buffer + ", 16, 8};\nstruct upc_filevec $v = {8 * MYTHREAD, 8};\n"
		start = r.Function + "($f, 1, &$m, 1, &$v, %s)"
	case strings.HasSuffix(name, "_shared"):
		if r.Argument != "buffer" || strings.Contains(r.When, "writes") {
			buffer = "$d + 16 * MYTHREAD"
		} else {
			buffer = "$d FIXED(+ 16 * MYTHREAD)"
		}
		start = r.Function + "($f, " + buffer + ", 16, 1, 8, %s)"
	default:
		start = r.Function + "($f, (char *)&$d[16 * MYTHREAD], 1, 8, %s)"
	}
	wait := ""
	if async {
		wait = "upc_all_fwait_async($f);"
	}
	text := memory + "upc_file_t *$f = opened(\"$file\");\n"
	switch {
	case r.Argument == "(interval)":
		text += fmt.Sprintf(start, "0") + "; /* race */\nFIXED(" + wait +
			")\n$d[16 * MYTHREAD] = 1; /* race */\nBROKEN(" + wait + ")\n"
	case strings.Contains(r.When, "same part"), strings.Contains(r.When, "overlap"):
		text += fmt.Sprintf(start, "0") + "; /* race */\n" + wait + "\n"
	default:
		text += "if (MYTHREAD == 1)\n$d[0] = 1; /* race */\n" + fmt.Sprintf(start,
			"BROKEN(UPC_IN_NOSYNC |) UPC_OUT_ALLSYNC") + "; /* race */\n" + wait + "\n"
	}
	return text + "upc_all_fclose($f);\n"
}

const zeroWrites = "if (MYTHREAD == 0)\n$i[0] = 1; /* race */\n"

// singleRows are the rows that have no relatives. turn(0) and await(0) have a thread wait for another one without
// anybody seeing it.
var singleRows = map[string]string{
	"FORA-17": "int n;\nupc_forall (n = 0; n < 2; n++; n) {\nif (n == 0)\n$i[0] = 1; /* race */\nelse {\nBROKEN(use " +
		"+= $i[0];) /* race */\n}\n}\n",
	"FREE-09": freed,
	"LFRE-08": "$l = upc_all_lock_alloc();\nif (MYTHREAD == 1) {\nupc_lock($l); /* race " +
		"*/\nupc_unlock($l);\nturn();\n}\nFIXED(upc_barrier;)\n" +
		"if (MYTHREAD == 0) {\nawait();\nupc_lock_free($l); /* race */\n}\n",
	"ALFR-12": "$l = upc_all_lock_alloc();\nFIXED(if (MYTHREAD == 1) { upc_lock($l); upc_unlock($l); " +
		"})\nupc_all_lock_free($l); /* race */\n" +
		"BROKEN(if (MYTHREAD == 0) turn(); else { await(); upc_lock($l); upc_unlock($l); }) /* race */\n",
	"PERM-38": "$i[MYTHREAD] = MYTHREAD;\nupc_barrier;\nif (MYTHREAD == 1)\n$i[0] = 0; /* race " +
		"*/\nupc_all_permute($d, $s, $i, 8, BROKEN(UPC_IN_NOSYNC |) UPC_OUT_ALLSYNC); /* race */\n",
	"CAST-07": zeroWrites + "FIXED(upc_barrier;)\nif (MYTHREAD == 1) {\nint *q = upc_cast(&$i[0]);\n*q = 2; /* " +
		"race */\n}\n",
	"FENC-01": zeroWrites + "upc_fence;\nFIXED(upc_barrier;)\nif (MYTHREAD == 1)\nuse += $i[0]; /* race */\n",
	"RACE-01": zeroWrites + "FIXED(upc_barrier;)\nif (MYTHREAD == 1)\n$i[0] = 2; /* race */\n",
	"RACE-02": zeroWrites + "FIXED(upc_barrier;)\nif (MYTHREAD == 1)\nuse += $i[0]; /* race */\n",
	"RACE-03": "if (MYTHREAD == 1)\n$i[0] = 1; /* race */\nFIXED(upc_barrier;)\nif (MYTHREAD == 0) {\nint *q = (int " +
		"*)&$i[0];\nuse += *q; /* race */\n}\n",
	"RACE-04": "if (MYTHREAD == 0) {\nint *q = (int *)&$i[0];\n*q = 1; /* race */\n}\nFIXED(upc_barrier;)\nif " +
		"(MYTHREAD == 1)\nuse += $i[0]; /* race */\n",
	"RACE-05": "int *q = upc_cast(&$i[0]);\nif (MYTHREAD == 0)\n*q = 1; /* race */\nFIXED(upc_barrier;)\nif " +
		"(MYTHREAD == 1)\n*q = 2; /* race */\n",
	"RACE-06": "if (MYTHREAD == 0)\nupc_memset($d, 1, 8); /* race */\nFIXED(upc_barrier;)\nif (MYTHREAD == 1)\nuse " +
		"+= $d[0]; /* race */\n",
	"RACE-07": "if (MYTHREAD == 0)\nupc_memset($d, 1, 8); /* race */\nFIXED(upc_barrier;)\nif (MYTHREAD == " +
		"1)\nupc_memcpy($s, $d, 8); /* race */\n",
	"RACE-08": "if (MYTHREAD == 0)\n$s[0] = 1; /* race */\nupc_all_broadcast($d, $s, 8, BROKEN(UPC_IN_NOSYNC |) " +
		"UPC_OUT_ALLSYNC); /* race */\n",
	"RACE-09": "upc_file_t *$f = opened(\"$file\");\nif (MYTHREAD == 1)\n$d[0] = 1; /* race */\n" +
		"upc_all_fwrite_shared($f, $d + 16 * MYTHREAD, 16, 1, 8, BROKEN(UPC_IN_NOSYNC |) UPC_OUT_ALLSYNC); /* race " +
		"*/\nupc_all_fclose($f);\n",
	"RACE-10": "if (MYTHREAD == 0) {\n$h = upc_memset_nb($d, 1, 8); /* race */\nFIXED(upc_sync($h);)\n$d[0] = 1; /* " +
		"race */\nBROKEN(upc_sync($h);)\n}\n",
	"RACE-11": "if (MYTHREAD == 0) {\n$h = upc_memset_nb($d, 1, 8); /* race " +
		"*/\nFIXED(upc_sync($h);)\n}\nupc_barrier;\nif (MYTHREAD == 1)\n$d[0] = 1; /* race */\nupc_barrier;\n" +
		"BROKEN(if (MYTHREAD == 0) upc_sync($h);)\n",
	"RACE-12": "if (MYTHREAD == 1)\nuse += $i[0]; /* race */\nupc_notify;\nFIXED(upc_wait;)\n" + zeroWrites +
		"BROKEN(upc_wait;)\n",
	"RACE-13": "upc_lock_t *two = upc_all_lock_alloc();\n$l = upc_all_lock_alloc();\nif (MYTHREAD == 0) " +
		"{\nupc_lock($l);\n$i[0] = 1; /* race */\nupc_unlock($l);\n}\nFIXED(upc_barrier;)\n" +
		"if (MYTHREAD == 1) {\nupc_lock(two);\n$i[0] = 2; /* race */\nupc_unlock(two);\n}\n",
	"RACE-14": "if (MYTHREAD == 0)\n*(strict shared int *)&$i[0] = 1; /* race */\nFIXED(upc_barrier;)\nif (MYTHREAD " +
		"== 1)\nuse += $i[0]; /* race */\n",
	"RACE-16": "upc_atomicdomain_t *one = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);\nint by = 1;\nif " +
		"(MYTHREAD == 0)\nupc_atomic_relaxed(one, 0, UPC_ADD, &$i[0], &by, 0); /* race */\n" +
		"FIXED(upc_barrier;)\nif (MYTHREAD == 1)\n$i[0] = 2; /* race */\nupc_all_atomicdomain_free(one);\n",
	"RACE-17": "upc_atomicdomain_t *one = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0), *two = " +
		"upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);\nint by = 1;\n" +
		"if (MYTHREAD == 0)\nupc_atomic_relaxed(one, 0, UPC_ADD, &$i[0], &by, 0); /* race */\nFIXED(upc_barrier;)\n" +
		"if (MYTHREAD == 1)\nupc_atomic_relaxed(two, 0, UPC_ADD, &$i[0], &by, 0); /* race " +
		"*/\nupc_all_atomicdomain_free(one);\nupc_all_atomicdomain_free(two);\n",
	"RACE-18": "if (MYTHREAD == 0)\n$b.low = 1; /* race */\nFIXED(upc_barrier;)\nif (MYTHREAD == 1)\n$b.high = 1; " +
		"/* race */\n",
	"RACE-19": "int n;\nupc_forall (n = 0; n < 2; n++; &$i[n]) {\nif (n == 1) {\nBROKEN($i[0] = 2;) /* race " +
		"*/\n}\nif (n == 0)\n$i[0] = 1; /* race */\n}\n",
	"RACE-20": freed,
}

const freed = "shared int *$p = upc_all_alloc(2, sizeof(int));\nif (MYTHREAD == 1) {\nuse += $p[0]; /* race " +
	"*/\nturn();\n}\nFIXED(upc_barrier;)\n" +
	"if (MYTHREAD == 0) {\nawait();\nupc_free($p); /* race */\n}\n"
