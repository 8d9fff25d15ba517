package judge

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strconv"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/shmem/layout"
)

// object names the memory at an offset: "`x[3]`", "byte 8 of the block of 80 bytes that shmem_malloc allocated at
// a.c:10". Size is that of an element, 0 if it is not known.
func (j *job) object(p *program, offset, size uint64) string {
	if offset >= layout.PrivateBase {
		return "a private buffer"
	}
	if offset >= layout.StaticBase {
		return j.variable(p, offset, size)
	}
	b := j.blockAt(offset)
	if b == nil {
		return "symmetric memory"
	}
	text := b.words(p)
	if at := offset - b.offset; at > 0 {
		text = fmt.Sprintf("byte %d of %s", at, text)
	}
	return text
}

// blockBefore names the block behind which an address is.
func (j *job) blockBefore(p *program, offset uint64) string {
	if b := j.blocks[offset>>layout.BlockBits]; b != nil {
		return b.words(p)
	}
	return "its block"
}

// words are what a block is called.
func (b *block) words(p *program) string {
	return fmt.Sprintf("the block of %d bytes that %s allocated at %s", b.bytes, p.site(b.site).call,
		p.site(b.site).at())
}

// variable names a variable.
func (j *job) variable(p *program, offset, size uint64) string {
	const inModule = 1<<layout.ModuleBits - 1
	hash, at := uint32((offset-layout.StaticBase)>>layout.ModuleBits), offset&inModule
	for i := range j.pes {
		src := j.pes[i].source
		if src == nil {
			continue
		}
		m := p.memory(src.stream.PID())
		if m == nil {
			continue
		}
		base, name := m.module(hash)
		if name == "" {
			continue
		}
		if v, ok := m.variables(p).Variable(base + at); ok {
			return element(v, base+at, size)
		}
		return "a variable of " + name
	}
	return "a variable"
}

// module is where a module begins whose name has a hash, and its name, "" if there is none.
func (m *memory) module(hash uint32) (base uint64, name string) {
	for line := range strings.Lines(m.text) {
		fields := strings.Fields(line)
		const withPath = 6
		if len(fields) < withPath || !strings.HasPrefix(fields[withPath-1], "/") {
			continue
		}
		last := filepath.Base(strings.Join(fields[withPath-1:], " "))
		if hashOf(last) != hash {
			continue
		}
		from, _, _ := strings.Cut(fields[0], "-")
		if at, err := strconv.ParseUint(from, 16, 64); err == nil && (name == "" || at < base) {
			base, name = at, last
		}
	}
	return base, name
}

// hashOf is the hash of a module's name.
func hashOf(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it never fails
	return h.Sum32() & (1<<layout.HashBits - 1)
}

// element names the element of a variable that is at an address, if its size can be that of one.
func element(v symbol.Variable, at, size uint64) string {
	from, bytes := at-v.From, v.To-v.From
	switch {
	case size > 0 && size < bytes && bytes%size == 0 && from%size == 0:
		return fmt.Sprintf("`%s[%d]`", v.Name, from/size)
	case from > 0:
		return fmt.Sprintf("byte %d of `%s`", from, v.Name)
	}
	return "`" + v.Name + "`"
}

// variables are those of a process.
func (m *memory) variables(p *program) *symbol.Data {
	if m.data == nil {
		m.data = p.resolve.Data(m.maps)
	}
	return m.data
}

// region says in what kind of memory an address of a process is, "" if that is nothing that has a name.
func (m *memory) region(p *program, at uint64) string {
	if library := m.variables(p).Library(at); library != "" {
		return "a variable of the shared library " + filepath.Base(library)
	}
	for line := range strings.Lines(m.text) {
		low, rest, _ := strings.Cut(line, "-")
		high, _, _ := strings.Cut(rest, " ")
		from, err1 := strconv.ParseUint(low, 16, 64)
		to, err2 := strconv.ParseUint(high, 16, 64)
		if err1 != nil || err2 != nil || at < from || at >= to {
			continue
		}
		switch {
		case strings.Contains(line, "[stack"):
			return "on the stack"
		case strings.Contains(line, "[heap]"):
			return "in the heap of malloc"
		}
	}
	return ""
}
