package written

import (
	"regexp"
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

// Array is how a script that uses mpi4py writes the array that it passes as a buffer of a call, without the count and
// the datatype beside it; "" if that is not certain, or is long.
func Array(file string, line int, f *mpi.Func, param int) string {
	if file == "" || line <= 0 || !strings.HasSuffix(file, ".py") || param < 0 || param >= len(f.Params) {
		return ""
	}
	text, at := lines(file, line)
	if at >= len(text) || at == 0 && line > 1 { // the file does not have the line
		return ""
	}
	call, method := onlyCall(text[at:], f.Name)
	if call < 0 {
		return ""
	}
	list, _ := arguments(uncommented(text[at+call+len(method):]))
	place, keywords := placeOf(f.Params[param].Name, method)
	e := ""
	for i, a := range list {
		name, value, named := cutKeyword(a)
		switch {
		case strings.HasPrefix(a, "*"):
			return ""
		case named && slices.Contains(keywords, name):
			e = value
		case !named && i == place:
			e = a
		}
	}
	if strings.HasPrefix(e, "[") || strings.HasPrefix(e, "(") {
		message, end := arguments(e)
		if message == nil || end != len(e)-1 {
			return ""
		}
		e = message[0]
	}
	if e = strings.Join(strings.Fields(e), " "); len(e) > 60 || strings.HasPrefix(e, "MPI.") {
		return ""
	}
	return e
}

// onlyCall finds the call of mpi4py's method that makes a call of MPI, if the line has only one of that name, and the
// method's name.
func onlyCall(text, function string) (at int, method string) {
	name := mpi.Plain(function)
	for _, prefix := range []string{"MPI_", "File_", "Win_", "Comm_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	method = "." + strings.ToUpper(name[:1]) + name[1:]
	line, _, _ := strings.Cut(text, "\n")
	if strings.Count(line, method+"(") != 1 {
		return -1, ""
	}
	return strings.Index(line, method+"("), method
}

// lowerCase are methods of mpi4py that take any object of Python, and make calls of MPI for that.
var lowerCase = regexp.MustCompile(
	`\.(allgather|allreduce|alltoall|bcast|exscan|gather|irecv|isend|issend|mprobe|mrecv|improbe|recv|reduce|scan|scatter|send|sendrecv|ssend)\(`)

// Method is the method of mpi4py for any object that a line of a script calls, if it makes a call of MPI with another
// name; "" if there is none, or it is not certain.
func Method(file string, line int, function string) string {
	if line <= 0 || !strings.HasSuffix(file, ".py") {
		return ""
	}
	text, at := lines(file, line)
	if at >= len(text) || at == 0 && line > 1 {
		return ""
	}
	text, _, _ = strings.Cut(text[at:], "\n")
	if call, _ := onlyCall(text, function); call >= 0 {
		return ""
	}
	all := lowerCase.FindAllStringSubmatch(text, 2)
	if len(all) != 1 || strings.EqualFold(mpi.Plain(function), "MPI_"+all[0][1]) {
		return ""
	}
	return all[0][1]
}

// placeOf says where a method has the array that is a parameter of MPI's function, and by what names.
func placeOf(param, method string) (place int, keywords []string) {
	switch param {
	case "recvbuf":
		if strings.Contains(method, "endrecv") {
			return 3, []string{"recvbuf"}
		}
		return 1, []string{"recvbuf"}
	case "buf", "sendbuf", "buffer":
		return 0, []string{"buf", "sendbuf", "buffer"}
	case "base":
		return 0, []string{"memory"}
	case "origin_addr":
		return 0, []string{"origin"}
	}
	return -1, nil
}

// cutKeyword splits "name=value"; a comparison is none.
func cutKeyword(a string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(a, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.HasPrefix(value, "=") {
		return "", "", false
	}
	for i := range len(name) {
		if c := name[i]; !isName(c) && (c < 'A' || c > 'Z') {
			return "", "", false
		}
	}
	return name, strings.TrimSpace(value), true
}

// uncommented puts blanks in the place of comments.
func uncommented(text string) string {
	b := []byte(text)
	var quote byte
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			for ; i < len(b) && b[i] != '\n'; i++ {
				b[i] = ' '
			}
		}
	}
	return string(b)
}
