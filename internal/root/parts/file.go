package parts

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// A part is a line, a checksum of all that follows, the length of the head, the head in JSON, and messages, each with
// its length before it. A share is the number of its messages, then these.

// Version is that of the file. It changes with its layout.
const Version = 1

// magic begins the line, which continues with the file's version and that of messages.
const magic = "unknot part"

// Suffix is that of the names of parts.
const Suffix = ".part"

// Encode gives a part as the content of a file.
func Encode(p *Part, format *message.Format) ([]byte, error) {
	head, err := json.Marshal(&p.Head)
	if err != nil {
		return nil, fmt.Errorf("part: %w", err)
	}
	body := appendBlock(nil, head)
	body = binary.AppendUvarint(body, uint64(len(p.Shares)))
	to := format.Encoder()
	for i := range p.Shares {
		s := &p.Shares[i]
		all := append([]message.Message{s.State, s.Places, s.Left, s.Ledger}, s.Kept...)
		body = binary.AppendUvarint(body, uint64(len(all)))
		for _, m := range all {
			body = appendBlock(body, to.Append(nil, m))
		}
	}
	sum := sha256.Sum256(body)
	out := fmt.Appendf(nil, "%s %d %d\n", magic, Version, message.Version)
	return append(append(out, sum[:]...), body...), nil
}

func appendBlock(to, block []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(block))), block...)
}

// Decode reads what Encode has given. The error is one sentence that leaves out the file's name.
func Decode(text []byte, table *mpi.T) (*Part, error) {
	line, rest, ok := bytes.Cut(text, []byte("\n"))
	var file, messages int
	if _, err := fmt.Sscanf(string(line), magic+" %d %d", &file, &messages); !ok || err != nil {
		return nil, errors.New("is not a part that an agent of unknot has left")
	}
	if file != Version || messages != message.Version {
		return nil, fmt.Errorf("is of version %d.%d, this unknot reads version %d.%d; hint: use the unknot that has "+
			"watched the job", file, messages, Version, message.Version)
	}
	if len(rest) < sha256.Size {
		return nil, errDamaged
	}
	sum, body := rest[:sha256.Size], rest[sha256.Size:]
	if have := sha256.Sum256(body); !bytes.Equal(sum, have[:]) {
		return nil, errDamaged
	}
	r := reader{rest: body, from: message.NewFormat(table).Decoder()}
	p := r.part()
	if r.err == nil {
		r.err = p.validate()
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w (%v)", errDamaged, r.err)
	}
	return p, nil
}

// validate says whether all ranks that the part is about are the job's.
func (p *Part) validate() error {
	all := op.Between(0, op.Rank(p.Size-1))
	for i := range p.Shares {
		if ranks := p.Shares[i].ranks(); p.Size <= 0 || all.Count(ranks) != ranks.Len() {
			return fmt.Errorf("it is about ranks beyond the %d of the job", p.Size)
		}
	}
	return nil
}

var errDamaged = errors.New("is damaged: its content does not match its checksum; hint: copy it again, or leave it out")

// reader reads a body whose checksum is right. Its first error stays.
type reader struct {
	rest []byte
	from *message.Decoder
	err  error
}

func (r *reader) part() *Part {
	p := new(Part)
	if err := json.Unmarshal(r.block(), &p.Head); err != nil && r.err == nil {
		r.err = err
	}
	for range r.count() {
		if r.err != nil {
			break
		}
		p.Shares = append(p.Shares, r.share())
	}
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d bytes follow its end", len(r.rest))
	}
	return p
}

func (r *reader) share() (s Share) {
	for range r.count() {
		m, err := r.from.Decode(r.block())
		if r.err != nil || err != nil {
			r.err = errors.Join(r.err, err)
			return s
		}
		switch m := m.(type) {
		case message.Report:
			s.State = m
		case message.Places:
			s.Places = m
		case message.Left:
			s.Left = m
		case message.Ledger:
			s.Ledger = m
		default:
			s.Kept = append(s.Kept, m)
		}
	}
	return s
}

// count reads a number, of things of which each takes a byte at least.
func (r *reader) count() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)) {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

func (r *reader) block() []byte {
	n := r.count()
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	block := r.rest[:n]
	r.rest = r.rest[n:]
	return block
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = errors.New("it ends too early")
	}
	r.rest = nil
}

// Places are where a process may leave the parts of a job, the best one first: the directory that was chosen, which all
// hosts may share, and directories of the host.
func Places(chosen, job string) []string {
	list := []string{chosen}
	if cache, err := os.UserCacheDir(); err == nil {
		list = append(list, filepath.Join(cache, "unknot", "parts", job))
	}
	return append(list, filepath.Join(os.TempDir(), "unknot-parts-"+job))
}

// Prepare makes the first of some directories that can be written to, or that is the user's already. Only the last of
// its path is made in the chosen one, whose parent all hosts must have.
func Prepare(places []string) (string, error) {
	var errs []error
	for i, dir := range places {
		if i > 0 {
			_ = os.MkdirAll(filepath.Dir(dir), 0o700) // the next line says it
		}
		err := os.Mkdir(dir, 0o700)
		if os.IsExist(err) {
			err = own(dir)
		}
		if err == nil {
			var f *os.File
			if f, err = os.CreateTemp(dir, ".try-"); err == nil {
				f.Close()
				os.Remove(f.Name())
				return dir, nil
			}
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
}

// own says whether a directory that was there is the user's, who wants to find nothing of others in it.
func own(dir string) error {
	var st syscall.Stat_t
	if err := syscall.Lstat(dir, &st); err != nil {
		return &os.PathError{Op: "lstat", Path: dir, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFDIR || int(st.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a directory of this user", dir)
	}
	return nil
}

// nameOf is how the files of a process begin.
func nameOf(host string, process int) string {
	return fmt.Sprintf("%s-%d", strings.ReplaceAll(host, "/", "_"), process)
}

// Write writes a part into a directory and returns the file's path. The file appears with all of its content.
func Write(dir string, p *Part, table *mpi.T) (string, error) {
	text, err := Encode(p, message.NewFormat(table))
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, ".part-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, nameOf(p.Host, p.Process)+Suffix)
	_, err = f.Write(text)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return name, nil
}
