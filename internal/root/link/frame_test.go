package link

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// frames has one of each kind.
func frames() []frame {
	received := [lanes]uint64{1 << 40, 7}
	return []frame{
		{kind: kindJoin, protocol: protocol, version: "1.2.3", id: linkID{1, 2, 3}, resumes: true,
			hello: []byte("hello"), received: received},
		{kind: kindJoin, protocol: protocol, version: "", received: received, ended: true},
		{kind: kindJoin, protocol: protocol + 1, version: "2.0"},
		{kind: kindWelcome, received: received},
		{kind: kindRefusal, refusal: otherVersion, protocol: protocol, version: "1.2.4"},
		{kind: kindRefusal, refusal: unknownLink, protocol: protocol, version: "1.2.3"},
		{kind: kindData, received: received, lane: Bulk, position: 1 << 50, payload: []byte("\x03abc")},
		{kind: kindData, received: received, lane: Urgent, ended: true},
		{kind: kindConfirm, received: received, ended: true},
		{kind: kindEnd, received: received, ends: [lanes]uint64{3, 4}},
	}
}

var comparingFrames = cmp.Options{cmp.AllowUnexported(frame{}), cmpopts.EquateEmpty()}

func TestFramesAreReadAsTheyWereWritten(t *testing.T) {
	for _, f := range frames() {
		got, err := decodeFrame(f.encode())
		if err != nil {
			t.Errorf("%+v: %v", f, err)
		} else if diff := cmp.Diff(f, got, comparingFrames); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFramesThatEndTooEarlyAreRefused(t *testing.T) {
	for _, f := range frames() {
		f.payload = nil
		if f.kind == kindJoin && f.protocol != protocol {
			continue // what follows the version belongs to the other protocol
		}
		data := f.encode()
		for n := range data {
			if got, err := decodeFrame(data[:n]); err == nil {
				t.Errorf("%x, the first %d bytes of %x, is %+v", data[:n], n, data, got)
			}
		}
		if f.kind != kindData && f.kind != kindRefusal {
			if _, err := decodeFrame(append(data, 0)); err == nil {
				t.Errorf("%x with a byte more is a frame", data)
			}
		}
	}
}

// FuzzFrame decodes anything. What is a frame is one again when it has been written.
func FuzzFrame(f *testing.F) {
	for _, seed := range frames() {
		f.Add(seed.encode())
	}
	f.Add([]byte(nil))
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := decodeFrame(data)
		if err != nil {
			return
		}
		again, err := decodeFrame(first.encode())
		if err != nil {
			t.Fatalf("%+v: %v", first, err)
		}
		if diff := cmp.Diff(first, again, comparingFrames); diff != "" {
			t.Fatal(diff)
		}
		l := newLink(linkID{}, nil, Options{}.withDefaults())
		defer l.finish(ErrClosed)
		_ = l.takeFrame(data) // an error or not, but no panic
		if first.kind == kindData {
			var in incoming
			if _, err := in.take(nil, first.payload); err == nil && cap(in.partial) > maxAhead+2*len(data) {
				t.Fatalf("%d bytes of memory for %d", cap(in.partial), len(data))
			}
		}
	})
}

// TestALaneCarriesMessagesWhateverBreaks sends random messages in frames of which some get lost, with what comes after
// them.
func TestALaneCarriesMessagesWhateverBreaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out outgoing
		var in incoming
		var sent, got [][]byte
		sizes := rapid.OneOf(rapid.IntRange(0, 300),
			rapid.SampledFrom([]int{0, 127, 128, maxPayload - 3, maxPayload, 3 * maxPayload}))
		steps := rapid.SliceOf(rapid.IntRange(0, 3)).Draw(t, "steps")
		receive := func(data []byte) {
			var err error
			if got, err = in.take(got, data); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range steps {
			switch step {
			case 0:
				message := bytes.Repeat([]byte{byte(len(sent))}, sizes.Draw(t, "size"))
				sent = append(sent, message)
				out.push(message)
			case 1:
				if out.waits() {
					receive(out.take(nil))
				}
			case 2: // frames are lost with their connection
				for out.waits() {
					out.take(nil)
				}
				if err := out.rewind(in.position); err != nil {
					t.Fatal(err)
				}
			case 3:
				if err := out.confirm(in.position); err != nil {
					t.Fatal(err)
				}
			}
		}
		for out.waits() {
			receive(out.take(nil))
		}
		if len(got) != len(sent) {
			t.Fatalf("%d of %d messages", len(got), len(sent))
		}
		for i := range got {
			if !bytes.Equal(got[i], sent[i]) {
				t.Fatalf("message %d has %d bytes, want %d", i, len(got[i]), len(sent[i]))
			}
		}
		if err := out.confirm(in.position); err != nil || out.backlog() != 0 || len(out.messages) != 0 {
			t.Fatalf("backlog %d, %d messages, %v", out.backlog(), len(out.messages), err)
		}
		if out.confirm(in.position+1) == nil {
			t.Fatal("what was not sent was confirmed")
		}
	})
}

func TestAMessageTakesMemoryAsItArrives(t *testing.T) {
	var in incoming
	if _, err := in.take(nil, []byte{0x80, 0x80, 0x80, 0x80, 0x04, 'a'}); err != nil { // 1 GiB announced
		t.Fatal(err)
	}
	if cap(in.partial) > maxAhead {
		t.Errorf("%d bytes of memory for one", cap(in.partial))
	}
	for _, prefix := range []string{"\x81\x80\x80\x80\x04", "\xff\xff\xff\xff\xff", "\x80\x80\x80\x80\x80\x00"} {
		in = incoming{}
		if _, err := in.take(nil, []byte(prefix)); !errors.Is(err, errLength) {
			t.Errorf("%x: %v", prefix, err)
		}
	}
}

func TestAPeerThatBreaksTheRulesIsRefused(t *testing.T) {
	for name, frames := range map[string][]frame{
		"a gap": {{kind: kindData, position: 1}},
		"something twice": {{kind: kindData, payload: []byte("\x01a")},
			{kind: kindData, payload: []byte("\x01a")}},
		"more confirmed than sent":      {{kind: kindConfirm, received: [lanes]uint64{0, 4}}},
		"less confirmed than before":    {{kind: kindConfirm, received: [lanes]uint64{0, 2}}, {kind: kindConfirm}},
		"an end where it is not":        {{kind: kindEnd, ends: [lanes]uint64{1, 0}}},
		"something after the end":       {{kind: kindEnd}, {kind: kindData, payload: []byte("\x01a")}},
		"another first frame":           {{kind: kindWelcome}},
		"a message longer than allowed": {{kind: kindData, payload: []byte("\xff\xff\xff\xff\x7f")}},
	} {
		l := newLink(linkID{}, nil, Options{}.withDefaults())
		l.Send(Bulk, []byte("ab"))
		if data, _, _ := l.nextFrame(); data == nil {
			t.Fatal("nothing to send")
		}
		for i, f := range frames {
			if err := l.takeFrame(f.encode()); (err != nil) != (i == len(frames)-1) {
				t.Errorf("%s, frame %d: %v", name, i, err)
			}
		}
		l.Abort()
	}
}
