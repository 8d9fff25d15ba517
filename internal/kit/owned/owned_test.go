package owned

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stranger is a user who owns nothing that is executed.
const stranger = 65533

func give(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	if err := os.Lchown(path, stranger, stranger); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// What lies there instead of a file of one's own is not opened, and never waited for.
func TestOnlyOnesOwnFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	mine, pipe, link := put(t, filepath.Join(dir, "mine"), 0o600), filepath.Join(dir, "pipe"),
		filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(mine, link); err != nil {
		t.Fatal(err)
	}
	f, err := Open(mine, os.O_RDWR)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	others := []string{pipe, link, dir, filepath.Join(dir, "none")}
	if os.Geteuid() == 0 {
		theirs := put(t, filepath.Join(dir, "theirs"), 0o666)
		give(t, theirs)
		others = append(others, theirs)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for _, path := range others {
			if f, err := Open(path, os.O_RDONLY); err == nil {
				f.Close()
				t.Errorf("%s was opened", path)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("somebody else's file is waited for")
	}
}

func TestDirectoriesThatOthersCanChangeAreNotTheUsers(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if !IsDir(dir) || IsDir(link) || IsDir(put(t, filepath.Join(dir, "file"), 0o600)) {
		t.Error("a directory of this user is not told from what is none")
	}
	if err := os.Chmod(dir, 0o1777); err != nil {
		t.Fatal(err)
	}
	if IsDir(dir) {
		t.Error("everybody can write there")
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	give(t, dir)
	if IsDir(dir) {
		t.Error("it is another user's")
	}
}

func TestWhoCouldHaveChangedAPath(t *testing.T) {
	top := t.TempDir()
	cache := filepath.Join(top, "shared", "cache")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	probe := put(t, filepath.Join(cache, "probe.so"), 0o644)
	link := filepath.Join(top, "link")
	if err := os.Symlink("shared/cache", link); err != nil {
		t.Fatal(err)
	}
	says := func(want string) {
		t.Helper()
		for _, path := range []string{probe, filepath.Join(link, "probe.so")} {
			err := Check(path)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("of %s it says %v, want %q", path, err, want)
			}
		}
	}
	chmod := func(path string, mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	says("")
	if err := Check(filepath.Join(cache, "none", "yet")); err != nil {
		t.Errorf("what is not there is nobody's: %v", err)
	}
	chmod(probe, 0o646)
	says(probe + " can be changed by everybody")
	chmod(probe, 0o644)
	chmod(filepath.Dir(cache), os.ModeSticky|0o777)
	says("") // as /tmp: nobody else can replace what is in it
	chmod(filepath.Dir(cache), 0o777)
	says(filepath.Dir(cache) + " can be changed by everybody")
	chmod(filepath.Dir(cache), 0o755)
	chmod(cache, os.ModeSticky|0o777)
	if err := Check(cache); err == nil {
		t.Error("a cache that everybody can write to is trusted")
	}
	chmod(cache, 0o755)
	if err := CheckTree(cache); err != nil {
		t.Error(err)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	if err := os.Chown(cache, 0, stranger); err != nil {
		t.Fatal(err)
	}
	chmod(cache, 0o775)
	if err := Check(cache); err == nil || !strings.Contains(err.Error(), "can be changed by group 65533") {
		t.Errorf("of a cache of a group it says %v", err)
	}
	says("") // the group's members are trusted with what lies above the file
	chmod(cache, 0o755)
	give(t, probe)
	says(probe + " belongs to user 65533")
	if err := CheckTree(cache); err == nil {
		t.Error("a file of another user is trusted")
	}
	if err := os.Chown(probe, 0, 0); err != nil {
		t.Fatal(err)
	}
	give(t, filepath.Dir(cache))
	says(filepath.Dir(cache) + " belongs to user 65533")
	if err := os.Chown(filepath.Dir(cache), 0, 0); err != nil {
		t.Fatal(err)
	}
	give(t, link)
	if err := Check(filepath.Join(link, "probe.so")); err == nil {
		t.Error("a link of another user is trusted")
	}
}
