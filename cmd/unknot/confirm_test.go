//go:build !quick

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// What upc-check reports of parts of files is no race that threads could be made to meet at.
func TestConfirmLeavesPartsOfFiles(t *testing.T) {
	const file = `{"code":"upc-race","severity":"error","standing":"manifest","upc":true,"check":"WFLB-19","sentence":"s","ranks":[0],"places":[{"rank":0,"state":"blocked","waits_for":[]}],"count":1}`
	const memory = `{"code":"upc-race","severity":"error","standing":"manifest","upc":true,"sentence":"s","ranks":[0],"places":[{"rank":0,"state":"called","waits_for":[]}],"count":1}`
	read := func(findings string) (int, error) {
		path := filepath.Join(t.TempDir(), "found.json")
		if err := os.WriteFile(path,
			[]byte(`{"schema":"`+finding.Schema+`","complete":true,"exit":66,"ranks":1,"upc":true,"findings":[`+
				findings+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		run, err := racesOf(path, 0)
		if err != nil {
			return 0, err
		}
		return len(run.Findings), nil
	}
	if n, err := read(file + "," + memory); err != nil || n != 1 {
		t.Errorf("%d races, %v", n, err)
	}
	if n, err := read(file); err == nil || !strings.Contains(err.Error(), "has no data race") {
		t.Errorf("%d races, %v", n, err)
	}
}
