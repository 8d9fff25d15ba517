package message

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"unknot/internal/check/registry"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// kit makes random messages.
type kit struct {
	rng   *rand.Rand
	table *mpi.T
	types []*datatype.Type
}

func newKit(t testing.TB, seed uint64) *kit {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{rng: rand.New(rand.NewPCG(seed, 1)), table: table}
	add := func(ty *datatype.Type, err error) *datatype.Type {
		if err != nil {
			t.Fatal(err)
		}
		k.types = append(k.types, ty)
		return ty
	}
	i := add(datatype.OpenMPI.Predefined("MPI_INT", 4, 4, 4))
	d := add(datatype.OpenMPI.Predefined("MPI_DOUBLE_INT", 12, 16, 8))
	add(datatype.Contiguous(0, i))
	v := add(datatype.Vector(3, 2, 5, i))
	x := add(datatype.Indexed([]int64{1, 4}, []int64{7, 0}, v))
	add(datatype.Struct([]int64{1, 2, 0}, []int64{0, 128, 1024}, []*datatype.Type{d, x, i}))
	add(datatype.Subarray([]int64{4, 5}, []int64{2, 3}, []int64{1, 1}, true, x))
	add(datatype.Resized(x, -8, 4096))
	return k
}

// fill gives a value content of all kinds.
func (k *kit) fill(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case **datatype.Type:
		*x = k.types[k.rng.IntN(len(k.types))]
		return
	case **mpi.Func:
		*x = k.table.ByID(uint16(1 + k.rng.IntN(40)))
		return
	case *waitstate.Origin:
		*x = waitstate.Origin{Rank: op.Rank(k.rng.IntN(99)), Fn: 3, Site: k.rng.Uint64(), TS: k.rng.Uint64(),
			NWords: uint8(k.rng.IntN(13))}
		for i := range x.Words[:x.NWords] {
			x.Words[i] = k.rng.Uint64() >> k.rng.IntN(64)
		}
		return
	case *waitstate.MsgKind:
		*x = waitstate.MsgKind(k.rng.IntN(int(waitstate.CollectiveShares) + 1))
		return
	case *waitstate.Shape:
		*x = waitstate.Shape(k.rng.IntN(int(waitstate.Adjacent) + 1))
		return
	case *waitstate.Side:
		*x = waitstate.Side(k.rng.IntN(int(waitstate.Right) + 1))
		return
	case *op.Run:
		n := op.Rank(k.rng.IntN(9))
		*x = op.Run{First: n, Last: n + 3*op.Rank(k.rng.IntN(5)), Step: 3}
		return
	case *State:
		*x = State(k.rng.IntN(int(Asleep) + 1))
		return
	case *registry.Carried:
		return // its own room tests it
	case **waitstate.Origin:
		*x = new(waitstate.Origin)
		k.fill(v.Elem())
		return
	case **waitstate.Share:
		*x = new(waitstate.Share)
		k.fill(v.Elem())
		return
	case **waitstate.Blocks:
		*x = new(waitstate.Blocks)
		k.fill(v.Elem())
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(k.rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(k.rng.Uint64()>>k.rng.IntN(64)) & (1<<(min(v.Type().Bits(), 32)-1) - 1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(k.rng.Uint64() >> k.rng.IntN(64) >> (64 - v.Type().Bits()))
	case reflect.Float64:
		v.SetFloat(k.rng.NormFloat64())
	case reflect.String:
		v.SetString(strings.Repeat("ä", k.rng.IntN(4)))
	case reflect.Struct:
		for i := range v.NumField() {
			k.fill(v.Field(i))
		}
	case reflect.Pointer:
		if k.rng.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			k.fill(v.Elem())
		}
	case reflect.Slice:
		if n := k.rng.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				k.fill(v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			k.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range k.rng.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			k.fill(key)
			k.fill(value)
			v.SetMapIndex(key, value)
		}
	default:
		panic(fmt.Sprint("nothing to fill ", v.Type(), " with"))
	}
}

// typed says whether a message holds datatypes, which are made again at the other end.
func typed(m Message) bool {
	switch m.(type) {
	case WaitStates, Pair, Left, Locate:
		return true
	}
	return false
}

// random is a message of a kind.
func (k *kit) random(m Message) Message {
	v := reflect.New(reflect.TypeOf(m)).Elem()
	k.fill(v)
	return v.Interface().(Message)
}

// TestMessagesAreTheSameBehindALink: what goes over one link for long is what was sent, as data and as bytes.
func TestMessagesAreTheSameBehindALink(t *testing.T) {
	k := newKit(t, 7)
	f := NewFormat(k.table)
	e, d, again := f.Encoder(), f.Decoder(), f.Encoder()
	for range 200 {
		for _, m := range all() {
			if _, is := m.(Note); is {
				continue
			}
			m = k.random(m)
			data := e.Append(nil, m)
			got, err := d.Decode(data)
			if err != nil {
				t.Fatalf("%#v: %v", m, err)
			}
			if reflect.TypeOf(got) != reflect.TypeOf(m) || !bytes.Equal(f.Encoder().Append(nil, got),
				f.Encoder().Append(nil, m)) {
				t.Fatalf("got  %#v\nwant %#v", got, m)
			}
			if !typed(m) && !reflect.DeepEqual(got, m) {
				t.Fatalf("got  %#v\nwant %#v", got, m)
			}
			if !bytes.Equal(again.Append(nil, got), data) {
				t.Fatalf("%T becomes other bytes the second time", m)
			}
		}
	}
}

func TestAnotherVersionIsRefused(t *testing.T) {
	f := NewFormat(nil)
	first := f.Encoder().Append(nil, Ping{})
	if first[len(greeting)] != Version {
		t.Fatalf("% x does not begin with the version", first)
	}
	other := bytes.Clone(first)
	other[len(greeting)]++
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"another version", fmt.Sprintf("speaks version %d of the messages between agents, this one version %d; "+
			"hint: install the same unknot on all hosts", Version+1, Version), other},
		{"something else", "is not a message of unknot", []byte("GET / HTTP/1.1")},
		{"nothing", "is not a message of unknot", nil},
		{"half a greeting", "is not a message of unknot", first[:3]},
		{"no message", "it ends too early", first[:len(greeting)+1]},
	} {
		d := f.Decoder()
		for range 2 { // nothing more is taken after that
			if _, err := d.Decode(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
			c.data = first
		}
	}
}

// TestWhatIsNoMessageCostsLittle: a short message that says it is long is refused before there is room for it.
func TestWhatIsNoMessageCostsLittle(t *testing.T) {
	f := NewFormat(nil)
	endless := bytes.Repeat([]byte{0xff}, 9)
	for number := range f.kinds {
		head := append(bytes.Clone(greeting), Version, byte(number))
		for fill := range 24 {
			data := append(append(append(bytes.Clone(head), make([]byte, fill)...), endless...), 1)
			data = append(data, make([]byte, 100)...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = f.Decoder().Decode(data)
			runtime.ReadMemStats(&after)
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<18 {
				t.Errorf("%v, %d bytes: %d bytes of memory", f.kinds[number], len(data), spent)
			}
		}
	}
}

// FuzzDecode: whatever comes over a link, it is refused or is a message that becomes the same bytes again and again.
func FuzzDecode(f *testing.F) {
	k := newKit(f, 3)
	format := NewFormat(k.table)
	for number, m := range all() {
		if _, is := m.(Note); !is {
			f.Add(format.Encoder().Append(nil, k.random(m)))
			continue
		}
		for carries := range 3 {
			note := append(bytes.Clone(greeting), Version, byte(number), 2, byte(carries), 1, 2, 3, 4, 5, 1, 1, 1)
			f.Add(append(note, bytes.Repeat([]byte{1}, 40)...))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := format.Decoder().Decode(data)
		if err != nil {
			return
		}
		first := format.Encoder().Append(nil, m)
		again, err := format.Decoder().Decode(first)
		if err != nil {
			t.Fatalf("%#v does not come back: %v", m, err)
		}
		if second := format.Encoder().Append(nil, again); !bytes.Equal(first, second) {
			t.Fatalf("% x\nbecomes\n% x", first, second)
		}
	})
}

// BenchmarkWaitState is the way of a message that a send causes, which is the most frequent one, over a link in batches
// of 64.
func BenchmarkWaitState(b *testing.B) {
	k := newKit(b, 1)
	f := NewFormat(k.table)
	e, d := f.Encoder(), f.Decoder()
	var batch WaitStates
	for range 64 {
		batch.Messages = append(batch.Messages, waitstate.Message{Kind: waitstate.PassSend, To: 1,
			From: waitstate.Ref{Rank: 3, ID: 70},
			Src:  3, Dst: 4, Ctx: 1 << 40, Bytes: 4, Content: waitstate.Content{Type: k.types[0], Count: 1},
			Origin: &waitstate.Origin{Rank: 3, Stamp: 1 << 20, Fn: 200, NWords: 6, Site: 0x401000, TS: 1 << 20,
				Words: [12]uint64{0x7f0000001000, 1, 0x4c000405, 4, 0, 0x44000000}}})
	}
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = e.Append(buf[:0], batch)
		if _, err := d.Decode(buf); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(64*b.N), "ns/message")
	b.ReportMetric(float64(len(buf))/64, "bytes/message")
}
