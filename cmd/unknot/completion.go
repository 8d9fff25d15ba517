package main

import (
	"context"
	"io"

	"unknot/cmd/unknot/complete"

	"github.com/spf13/cobra"
)

const completionHelp = `usage: unknot completion bash|zsh|fish

Prints the shell's completion of unknot: commands, options, the values of options, codes of findings, and your command after
unknot run. For bash it needs the package bash-completion.

    source <(unknot completion bash)     # in ~/.bashrc
    source <(unknot completion zsh)      # in ~/.zshrc, after compinit
    unknot completion fish | source      # in ~/.config/fish/config.fish
`

func completionCommand() *cobra.Command {
	c, _ := verb("completion", "bash|zsh|fish", "print the shell's completion of unknot", completionHelp)
	c.ValidArgsFunction = complete.First(complete.Words("bash", "zsh", "fish"))
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) != 1 {
			return fail(stderr, "completion: %d shells given, expected one; hint: unknot completion bash", len(args))
		}
		var err error
		switch root := c.Root(); args[0] {
		case "bash":
			err = root.GenBashCompletionV2(stdout, true)
		case "zsh":
			err = root.GenZshCompletion(stdout)
		case "fish":
			err = root.GenFishCompletion(stdout, true)
		default:
			return fail(stderr, "completion: no shell %q; hint: it is bash, zsh or fish", args[0])
		}
		if err != nil {
			complain(stderr, err)
			return 3
		}
		return 0
	})
	return c
}
