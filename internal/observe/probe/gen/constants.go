package gen

import (
	"bytes"
	"fmt"

	"unknot/internal/vocab/mpi"
)

// Constants writes a C file with uk_emit_consts, which reports the values of the table's constants and the sizes of the
// predefined datatypes. A constant is there if it is a macro, or else a word of mpi.h's text (then it is enumerated).
func Constants(t *mpi.T, preprocessed []byte) []byte {
	words := map[string]bool{}
	for _, w := range tokenize(preprocessed) {
		words[w] = true
	}
	var b bytes.Buffer
	b.WriteString(preamble)
	all := t.Constants()
	fmt.Fprintf(&b, "\nvoid uk_emit_consts(struct uk_thread *t)\n{\n    uint64_t k[%[1]d], "+
		"types[%[1]d * UK_DATA_TYPE_FIXED], basics[%[1]d * UK_DATA_BASICS_FIXED];\n    "+
		"size_t n = 0, ntypes = 0, nbasics = 0;\n", len(all))
	for _, c := range all {
		value := "UK_H(" + c.Name + ")"
		switch c.Type {
		case "int":
			value = "UK_I(" + c.Name + ")"
		case "size":
			value = "sizeof(" + c.Name + ")"
		case "pointer":
			value = "UK_P(" + c.Name + ")"
		case "weights": // an object of the library in some, see objects/objects.h
			value = fmt.Sprintf("UK_P(uk_weights(\"%s\"))", c.Name)
		}
		if words[c.Name] {
			fmt.Fprintf(&b, "    k[n++] = %s;\n", value)
			continue
		}
		there := "#ifdef " + c.Name
		// in Open MPI a macro that says so stands for what MPI-3.0 removed
		if c.Name == "MPI_LB" || c.Name == "MPI_UB" {
			there = fmt.Sprintf("#if defined %s && !defined THIS_SYMBOL_WAS_REMOVED_IN_MPI30", c.Name)
		}
		fmt.Fprintf(&b, "%s\n    k[n++] = %s;\n", there, value)
		if c.Type == "datatype" {
			// A Fortran type that the library was built without may be the null handle, whose size is not to be asked.
			fmt.Fprintf(&b, "    ntypes += uk_type(types + ntypes, %s);\n    nbasics += uk_basic(basics + "+
				"nbasics, %s);\n", c.Name, c.Name)
		}
		b.WriteString("#else\n    k[n++] = UINT64_MAX;\n#endif\n")
	}
	b.WriteString(
		`    const struct uk_chunk consts = {k, n, UK_WORDS}, sizes = {types, ntypes, UK_WORDS}, layout = {basics, nbasics, UK_WORDS};
    uk_long(t, UK_DATA_CONST, UK_DATA, 0, &consts, 1);
    uk_long(t, UK_DATA_TYPE, UK_DATA, 0, &sizes, 1);
    uk_long(t, UK_DATA_BASICS, UK_DATA, 0, &layout, 1);
}
`)
	return b.Bytes()
}
