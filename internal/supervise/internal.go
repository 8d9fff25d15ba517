package supervise

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"unknot/internal/agent"
)

// Internal are the options that a process of unknot passes to another one that it starts, and that no user sets. They
// are in a file, as JSON with a version: `unknot agent` finds it in its session, `unknot run` by EnvInternal.
type Internal struct {
	Version int            `json:"version"`
	Agent   *agent.Options `json:"agent,omitempty"` // for `unknot agent`
	Run     *Inner         `json:"run,omitempty"`   // for `unknot run`
}

// Inner are the internal options of `unknot run`.
type Inner struct {
	// for an exploration: Options.Whole and Options.Heed
	Whole bool   `json:"whole,omitempty"`
	Heed  string `json:"heed,omitempty"`
	// the file of a race that is to happen in this run: Options.Races.Meet
	Meet string `json:"meet,omitempty"`
}

const (
	// internalVersion rises with any change of Internal.
	internalVersion = 1
	// internalName is the file in a session.
	internalName = "options"
	// EnvInternal is the environment variable that names the file to `unknot run`.
	EnvInternal = "UNKNOT_INTERNAL"
)

// Write writes the file, which only this user can read.
func (i Internal) Write(path string) error {
	i.Version = internalVersion
	text, err := json.Marshal(i)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// readInternal reads the file. One of another version is an error: unknot may have been replaced in between.
func readInternal(path string) (i Internal, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return i, err
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return i, fmt.Errorf("%s: %w", path, err)
	}
	if head.Version != internalVersion {
		return i, fmt.Errorf("%s has internal options of version %d, expected %d; hint: another unknot was installed "+
			"while this one ran: start it again", path, head.Version, internalVersion)
	}
	if err := json.Unmarshal(text, &i); err != nil {
		return i, fmt.Errorf("%s: %w", path, err)
	}
	return i, nil
}

// AgentOptions are the options of the agent process of a session.
func AgentOptions(session string) (agent.Options, error) {
	path := filepath.Join(session, internalName)
	i, err := readInternal(path)
	if err == nil && i.Agent == nil {
		err = fmt.Errorf("%s has no options of an agent", path)
	}
	if err != nil {
		return agent.Options{}, err
	}
	i.Agent.Session = session
	return *i.Agent, nil
}

// TakeInternal sets the internal options of a run, if the process that started it passes some. The file is removed, and
// the program that is watched does not get the variable.
func (o *Options) TakeInternal() error {
	path := os.Getenv(EnvInternal)
	if path == "" {
		return nil
	}
	os.Unsetenv(EnvInternal)
	i, err := readInternal(path)
	if err = cmp.Or(err, os.Remove(path)); err != nil {
		return err
	}
	if i.Run != nil {
		o.Whole, o.Heed, o.Races.Meet = i.Run.Whole, i.Run.Heed, i.Run.Meet
	}
	return nil
}
