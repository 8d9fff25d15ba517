package symbol

import "encoding/binary"

// pythonLayout is where CPython has what is read, in the structs of one version.
type pythonLayout struct {
	interpreters             uint64 // in the runtime's state: the first interpreter
	nextInterpreter, threads uint64 // in an interpreter: the next one, and the state of its first thread
	// in a thread's state: the next one, its interpreter, and the kernel's number of the thread
	nextThread, ofInterpreter, threadID uint64
	frame                               uint64 // in a thread's state: its innermost frame,
	framed                              bool   // or a struct
	inFrame                             uint64 // that has it there
	// in a frame: its function's code, where it is in that, its caller, and what the frame belongs to, until 3.10 its
	// generator
	code, instruction, previous, owner uint64
	codeLayout
	// in the runtime's state: the main thread; 0 if a thread's state has the kernel's number of it
	mainThread uint64
	objectLayout
}

// codeLayout is where a code object has its file, its name and its lines.
type codeLayout struct {
	file, function, locations uint64 // in a code object
	firstLine, text           uint64
	lines                     lineForm
}

// objectLayout is where objects have their type, their size and, of bytes and str, what they hold.
type objectLayout struct {
	// in an object: its type; how many elements one has that has some; those of bytes
	kind, size, content uint64
	// in a str: its kind, how many characters, and where they are if they are ASCII, and if not
	state, length, ascii, compact uint64
}

// lineForm is a form of the table that has the lines of a function's code.
type lineForm uint8

const (
	locationTable lineForm = iota // PEP 657, since 3.11
	rangeTable                    // PEP 626, of 3.10
	stepTable                     // until 3.9
)

// pythonLayoutOf is the layout of a version, given as Py_Version has it. Since 3.13 the runtime's state begins with a
// table of it. Nothing is known of other versions, and of those without the global lock.
func pythonLayoutOf(version uint64, state []byte, order binary.ByteOrder) (pythonLayout, bool) {
	const final = 0xf
	if version>>4&0xf != final {
		return pythonLayout{}, false
	}
	switch version >> 16 {
	case 0x0308, 0x0309, 0x030a:
		l := pythonLayout{
			interpreters: 32, threads: 8, nextThread: 8, ofInterpreter: 16, threadID: 176, mainThread: 72, frame: 24,
			previous: 24, code: 32, instruction: 104, owner: 96,
			codeLayout: codeLayout{file: 104, function: 112, locations: 120, firstLine: 40, text: 48,
				lines: stepTable},
			objectLayout: objectLayout{kind: 8, size: 16, content: 32, length: 16, state: 32, ascii: 48, compact: 72},
		}
		if version>>16 == 0x030a {
			l.instruction, l.owner, l.lines = 96, 88, rangeTable
		}
		return l, true
	case 0x030b:
		return pythonLayout{
			interpreters: 40, threads: 16, nextThread: 8, ofInterpreter: 16, threadID: 160, frame: 56,
			framed: true, inFrame: 8,
			code: 32, previous: 48, instruction: 56, owner: 69,
			codeLayout:   codeLayout{file: 112, function: 120, locations: 136, firstLine: 72, text: 184},
			objectLayout: objectLayout{kind: 8, size: 16, content: 32, length: 16, state: 32, ascii: 48, compact: 72},
		}, true
	case 0x030c:
		return pythonLayout{
			interpreters: 40, threads: 72, nextThread: 8, ofInterpreter: 16, threadID: 144, frame: 56, framed: true,
			previous: 8, instruction: 56, owner: 70, codeLayout: codeLayout{file: 112, function: 120, locations: 136,
				firstLine: 68, text: 192},
			objectLayout: objectLayout{kind: 8, size: 16, content: 32, length: 16, state: 32, ascii: 40, compact: 56},
		}, true
	case 0x030d:
		return tabled(pythonLayout{
			interpreters: 5, nextInterpreter: 8, threads: 9, nextThread: 21, ofInterpreter: 22, frame: 23, threadID: 25,
			previous: 29, code: 30, instruction: 31, owner: 33,
			codeLayout:   codeLayout{file: 35, function: 36, locations: 38, firstLine: 39, text: 43},
			objectLayout: objectLayout{kind: 45, size: 65, content: 66, state: 68, length: 69, ascii: 70},
		}, version, state, order)
	case 0x030e:
		return tabled(pythonLayout{
			interpreters: 5, nextInterpreter: 8, threads: 9, nextThread: 24, ofInterpreter: 25, frame: 26, threadID: 28,
			previous: 32, code: 33, instruction: 34, owner: 36,
			codeLayout:   codeLayout{file: 40, function: 41, locations: 43, firstLine: 44, text: 48},
			objectLayout: objectLayout{kind: 51, size: 75, content: 76, state: 78, length: 79, ascii: 80},
		}, version, state, order)
	}
	return pythonLayout{}, false
}

// pythonTable is the size of the table (_Py_DebugOffsets), as far as it is read.
const pythonTable = 8 * 81

// tabled replaces the numbers of entries in the table by what they say. Its first ones are a mark, the version, and
// whether there is no global lock.
func tabled(l pythonLayout, version uint64, table []byte, order binary.ByteOrder) (pythonLayout, bool) {
	entry := func(n uint64) uint64 { return order.Uint64(table[8*n:]) }
	if string(table[:8]) != "xdebugpy" || entry(1) != version || entry(2) != 0 {
		return l, false
	}
	for _, at := range []*uint64{
		&l.interpreters, &l.nextInterpreter, &l.threads, &l.nextThread, &l.ofInterpreter, &l.frame, &l.threadID,
		&l.code, &l.instruction, &l.previous, &l.owner, &l.file, &l.function, &l.locations, &l.firstLine, &l.text,
		&l.kind, &l.size, &l.content, &l.state, &l.length, &l.ascii,
	} {
		if *at = entry(*at); *at >= 1<<16 {
			return l, false
		}
	}
	l.compact = l.ascii + 16
	return l, true
}
