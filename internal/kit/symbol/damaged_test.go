//go:build !quick

package symbol

import (
	"bytes"
	"math/rand"
	"os"
	"testing"
)

// lookEverywhere asks for some addresses of an image and expects an answer for each.
func lookEverywhere(t *testing.T, image []byte) {
	mod := &module{path: "image", content: bytes.NewReader(image)}
	for offset := uint64(0x1000); offset < 0x1400; offset += 61 {
		if len(mod.frames(offset, offset%2 == 0)) == 0 {
			t.Fatal("no frame")
		}
		mod.hasDebug(offset)
	}
	mod.guarded(headers, func() {
		if mod.image == nil {
			return
		}
		calls := readCallFrames(mod.image)
		for i := range calls.functions {
			calls.at(&calls.functions[i], calls.functions[i].to-1)
		}
	})
	mod.guarded(debugging, func() {
		if mod.debug != nil {
			mod.debug.field(Struct{Size: 32, Displacements: []int64{0, 8}, Offset: 8})
		}
	})
}

func sampleImages(t *testing.T, w *workshop) [][]byte {
	var images [][]byte
	for _, flags := range []string{"-gdwarf-4", "-gdwarf-5", "-g -gz"} {
		w.run("gcc -O2 " + flags + " inlined.c site.c -o sample")
		image, err := os.ReadFile(w.path("sample"))
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, image)
	}
	return images
}

func TestDamagedFilesNeverPanic(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, image := range sampleImages(t, newWorkshop(t)) {
		for size := 0; size < len(image); size += 997 {
			lookEverywhere(t, image[:size])
		}
		for range 200 {
			bad := bytes.Clone(image)
			for range 8 {
				bad[0x1000+random.Intn(len(bad)-0x1000)] = byte(random.Intn(256))
			}
			lookEverywhere(t, bad)
		}
	}
}

func FuzzImage(f *testing.F) {
	f.Add([]byte("\x7fELF"))
	f.Fuzz(lookEverywhere)
}

func TestMemoryWithoutFile(t *testing.T) {
	m := parseMaps(7, []byte("1000-2000 r-xp 00000000 00:00 0 \n3000-4000 r-xp 00000000 00:00 0    [vdso]\nbroken\n"))
	other := parseMaps(8, []byte("1000-2000 r-xp 00000000 00:00 0 \n5000-6000 r-xp 00000000 00:00 0    [vdso]\n"))
	r := New()
	for pc, want := range map[uint64]string{0x1004: "[anon]", 0x3004: "[vdso]"} {
		f := r.Frames(m, pc, true)
		if len(f) != 1 || f[0].Module != want || f[0].Offset != 4 {
			t.Errorf("got %+v, want %s+4", f, want)
		}
	}
	if f := r.Frames(nil, 0, true); len(f) != 1 || f[0].Module != "[unmapped]" {
		t.Errorf("got %+v for no maps", f)
	}
	a, _ := m.Key(0x3004)
	if b, _ := other.Key(0x5004); a != b {
		t.Error("the vdso has other keys in another process")
	}
	a, _ = m.Key(0x1004)
	if b, _ := other.Key(0x1004); a == b {
		t.Error("generated code of two processes has one key")
	}
}
