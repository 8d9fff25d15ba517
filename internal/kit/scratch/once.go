package scratch

import (
	"context"
	"os"
	"path/filepath"
)

// Once makes a directory of a cache unless it is there and fresh, which says that it is not out of date. Fill makes
// what is in it, in a directory that then gets that name. Processes that need it at the same time wait for the first.
// What they leave if they are killed has a name that begins with prefix, for Sweep.
func Once(ctx context.Context, cache, name, prefix string, fresh func(dir string) bool,
	fill func(work string) error) error {
	dir := filepath.Join(cache, name)
	if fresh(dir) {
		return nil
	}
	end, err := Turn(ctx, filepath.Join(cache, prefix+name))
	if err != nil {
		return err
	}
	defer end()
	if fresh(dir) { // another one has made it, as compilers of make -j do
		return nil
	}
	made, err := New(cache, prefix)
	if err != nil {
		return err
	}
	defer made.Remove()
	if err := fill(made.Path); err != nil {
		return err
	}
	// On a file system without locks another process may have made the same at the same time; a directory that is there
	// and not fresh is out of date.
	if err = os.Rename(made.Path, dir); err == nil || fresh(dir) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err = os.Rename(made.Path, dir); fresh(dir) {
		return nil
	}
	return err
}
