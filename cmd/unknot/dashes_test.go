package main

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestOptionsAreWrittenWithTwoDashes(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"run -json f -quiet mpirun -n 4 ./app -json", "run --json f --quiet mpirun -n 4 ./app -json"},
		{"run --json f mpirun --json", "run --json f mpirun --json"},
		{"run -json=f -check-sent-buffers=false ./app", "run --json=f --check-sent-buffers=false ./app"},
		{"run -quiet=false -- -json f", "run --quiet=false -- -json f"},
		{"run -ranks-per-agent -1 ./app", "run --ranks-per-agent -1 ./app"},
		{"run - -json", "run - -json"},
		{"run -jsno -json f", "run --jsno -json f"},
		{"run -x ./app", "run --x ./app"},
		{"run ---json f", "run ---json f"},
		{"run --=f", "run --=f"},
		{"run -json", "run --json"},
		{"run -h", "run --help"},
		{"run -help", "run --help"},
		{"trace export -o f --format text run.unk", "trace export --output f --format text run.unk"},
		{"trace export --o=f run.unk", "trace export --output=f run.unk"},
		{"trace export -oput f", "trace export --oput f"},
		{"trace -rank 2 show run.unk", "trace --rank 2 show run.unk"},
		{"upcc -help -o f f.upc", "upcc -help -o f f.upc"},
		{cobra.ShellCompRequestCmd + " run -json f -fail-", cobra.ShellCompRequestCmd + " run --json f -fail-"},
		{cobra.ShellCompRequestCmd + " run -fail-on ", cobra.ShellCompRequestCmd + " run --fail-on "},
		{cobra.ShellCompNoDescRequestCmd, cobra.ShellCompNoDescRequestCmd},
	} {
		root := newRoot(commands(), io.Discard, io.Discard)
		got := longForm(root, strings.Split(c.line, " "))
		if d := cmp.Diff(strings.Split(c.want, " "), got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, d)
		}
	}
}
