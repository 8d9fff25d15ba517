package types

import (
	"fmt"
	"os"
	"testing"
	"time"

	"unknot/internal/upc/syntax"
)

func TestTry(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("TRY"))
	if err != nil {
		t.Skip()
	}
	t0 := time.Now()
	f, d := syntax.Parse("x.c", text)
	t1 := time.Now()
	cfg := Config{}
	if os.Getenv("T") != "" {
		fmt.Sscan(os.Getenv("T"), &cfg.Threads)
	}
	info := Check(f, cfg)
	fmt.Println(t1.Sub(t0), time.Since(t1), len(info.Exprs), len(info.Converted))
	for i, x := range append(d, info.Diagnostics...) {
		if i > 40 {
			break
		}
		fmt.Println(f.Position(x.Pos), x.Severity, x.ID, x.Message)
		for _, n := range x.Notes {
			fmt.Println("    note", f.Position(n.Pos), n.Message)
		}
	}
}
