package finding

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func TestANoteIsOneStringInJSONWithItsLabel(t *testing.T) {
	for want, n := range map[string]Note{
		`"sizes: 8 bytes < 9 bytes"`: Remark("sizes: 8 bytes < 9 bytes"),
		`"nearest miss: rank 1 sent rank 0 a message"`: {NearestMiss,
			"rank 1 sent rank 0 a message"},
		`"not checked: a.upc: b.upc"`: {NotChecked, "a.upc: b.upc"},
		`"epoch: both accesses are after barrier 2"`: {Epoch,
			"both accesses are after barrier 2"},
		`"thread 12: in main (a.upc:3)"`: {OfThread + " 12", "in main (a.upc:3)"},
		`"sent by ranks 1 and 2: MPI_Send at main (a.c:3)"`: {SentBy + " ranks 1 and 2",
			"MPI_Send at main (a.c:3)"},
		`"the other call: it was made by MPI_Barrier at work (broken.c:10)"`: {OtherCall,
			"it was made by MPI_Barrier at work (broken.c:10)"},
		`"the other call by MPI_Put of rank 3"`: Remark(
			"the other call by MPI_Put of rank 3"),
		`"epochs: two"`: Remark("epochs: two"),
		`"thread 3 was at the barrier, which has no label"`: Remark(
			"thread 3 was at the barrier, which has no label"),
		`"it is a deadlock if rank 1's calls: stay as they are"`: Remark(
			"it is a deadlock if rank 1's calls: stay as they are"),
	} {
		f := Finding{Notes: []Note{n}}
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(f); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text.Bytes(), []byte(`"notes":[`+want+`]`)) {
			t.Errorf("%s, want the notes [%s]", text.Bytes(), want)
		}
		var got Finding
		if err := json.Unmarshal(text.Bytes(), &got); err != nil || !reflect.DeepEqual(got.Notes, f.Notes) {
			t.Errorf("%s was read as %+v, %v; want %+v", want, got.Notes, err, f.Notes)
		}
	}
}
