package launch

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// search finds shared libraries in the order of ld.so(8): RPATH, LD_LIBRARY_PATH, RUNPATH, the cache, the default
// directories.
type search struct {
	library []string // LD_LIBRARY_PATH
	cache   map[string][]string
}

func newSearch(env environment) *search {
	separator := func(r rune) bool { return r == ':' || r == ';' }
	s := &search{library: strings.FieldsFunc(env.get("LD_LIBRARY_PATH"), separator)}
	if data, err := os.ReadFile("/etc/ld.so.cache"); err == nil {
		s.cache = readLinkerCache(data)
	}
	return s
}

// find returns the first file of that name that fits the program; "" if there is none.
func (s *search) find(name string, rpath, runpath []string, class elf.Class, machine elf.Machine) string {
	if strings.Contains(name, "/") {
		return name
	}
	for _, dirs := range [][]string{rpath, s.library, runpath} {
		for _, dir := range dirs {
			if file := filepath.Join(dir, name); fits(file, class, machine) {
				return file
			}
		}
	}
	for _, file := range s.cache[name] {
		if fits(file, class, machine) {
			return file
		}
	}
	for _, dir := range defaultDirectories(machine) {
		if file := filepath.Join(dir, name); fits(file, class, machine) {
			return file
		}
	}
	return ""
}

// defaultDirectories are those where a linker looks that has no cache: Debian's has one for each kind of machine.
func defaultDirectories(machine elf.Machine) []string {
	dirs := []string{"/lib64", "/usr/lib64", "/lib", "/usr/lib"}
	switch machine {
	case elf.EM_X86_64:
		return append([]string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu"}, dirs...)
	case elf.EM_AARCH64:
		return append([]string{"/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}, dirs...)
	}
	return dirs
}

func fits(file string, class elf.Class, machine elf.Machine) bool {
	if _, err := os.Stat(file); err != nil {
		return false
	}
	f, err := elf.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Class == class && f.Machine == machine
}

// readLinkerCache reads /etc/ld.so.cache in glibc's format 1.1 (dl-cache.h), which may stand behind the old format. A
// cache that it does not understand is empty: the default directories remain.
func readLinkerCache(data []byte) map[string][]string {
	const magic = "glibc-ld.so.cache1.1"
	const headerSize, entrySize = 48, 24
	start := bytes.Index(data, []byte(magic))
	if start < 0 || len(data)-start < headerSize {
		return nil
	}
	data = data[start:]
	n := int(binary.NativeEndian.Uint32(data[20:]))
	if n < 0 || n > (len(data)-headerSize)/entrySize {
		return nil
	}
	text := func(offset uint32) string {
		if int64(offset) >= int64(len(data)) {
			return ""
		}
		s, _, _ := bytes.Cut(data[offset:], []byte{0})
		return string(s)
	}
	cache := make(map[string][]string, n)
	for i := range n {
		entry := data[headerSize+i*entrySize:]
		name := text(binary.NativeEndian.Uint32(entry[4:]))
		cache[name] = append(cache[name], text(binary.NativeEndian.Uint32(entry[8:])))
	}
	return cache
}
