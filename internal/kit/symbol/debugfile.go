package symbol

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// findDebugFile returns the separate debug file of an image that was loaded from path, or nil. It looks where GDB
// does: by build-id under each root, then by .gnu_debuglink beside the image, in .debug below it, and under each root.
// The caller closes it. A file that does not belong to this very image is passed over, as its lines would be wrong.
func findDebugFile(image *elf.File, path string, roots []string) *elfOnDisk {
	id := buildID(image)
	if id != nil {
		name := hex.EncodeToString(id)
		for _, root := range roots {
			if f := openELF(filepath.Join(root, ".build-id", name[:2], name[2:]+".debug")); f != nil {
				if bytes.Equal(buildID(f.File), id) && hasDebugSections(f.File) {
					return f
				}
				f.Close()
			}
		}
	}
	link, crc, ok := debugLink(image)
	if !ok {
		return nil
	}
	dir := filepath.Dir(path)
	candidates := []string{filepath.Join(dir, link), filepath.Join(dir, ".debug", link)}
	for _, root := range roots {
		candidates = append(candidates, filepath.Join(root, dir, link))
	}
	for _, name := range candidates {
		f := openELF(name)
		if f == nil {
			continue
		}
		if f.belongs(id, crc) && hasDebugSections(f.File) {
			return f
		}
		f.Close()
	}
	return nil
}

// elfOnDisk is an ELF file and the bytes that it came from.
type elfOnDisk struct {
	*elf.File
	raw *os.File
}

func openELF(name string) *elfOnDisk {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	raw, err := os.Open(name)
	if err != nil {
		return nil
	}
	f, err := elf.NewFile(raw)
	if err != nil {
		raw.Close()
		return nil
	}
	return &elfOnDisk{f, raw}
}

func (f *elfOnDisk) Close() { f.raw.Close() }

// belongs compares build-ids where both files have one, and the checksum of the link otherwise.
func (f *elfOnDisk) belongs(id []byte, crc uint32) bool {
	if own := buildID(f.File); own != nil && id != nil {
		return bytes.Equal(own, id)
	}
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(f.raw, 0, 1<<62)); err != nil {
		return false
	}
	return sum.Sum32() == crc
}
