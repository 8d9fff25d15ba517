package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// A command of a host is started by the host's init, so that it is a process like any other there: init's child and the
// leader of a session. Who asks for it (command.go) sends its standard files and says what to start; then it sends the
// signals that it gets itself, and learns how the command has ended.
type (
	commandAsked struct {
		Argv, Env []string
	}
	commandSignal struct{ Signal syscall.Signal }
	commandEnded  struct {
		Error  string
		Status int // as in a shell: 128 and the number if a signal has ended it
	}
)

// standardFiles are standard input, output and error.
const standardFiles = 3

// serve has init start what it is asked on its socket.
func serve(children *children) error {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: controlSocket, Net: "unix"})
	if err != nil {
		return err
	}
	go func() {
		for {
			conn, err := listener.AcceptUnix()
			if err != nil {
				return
			}
			go serveCommand(children, conn)
		}
	}()
	return nil
}

func serveCommand(children *children, conn *net.UnixConn) {
	defer conn.Close()
	answers := json.NewEncoder(conn)
	requests := json.NewDecoder(conn)
	child, err := startAsked(children, conn, requests)
	if err != nil {
		answers.Encode(commandEnded{Error: err.Error()})
		return
	}
	go func() {
		for {
			var s commandSignal
			if requests.Decode(&s) != nil {
				break
			}
			children.signal(child, s.Signal)
		}
		// Nobody asks any more: what is left of the command in its process group ends with it. Its number is not
		// another's for as long as a process of the group is left.
		syscall.Kill(-child.pid, syscall.SIGKILL)
	}()
	status := <-child.ended
	answers.Encode(commandEnded{Status: exitStatus(status)})
}

func startAsked(children *children, conn *net.UnixConn, requests *json.Decoder) (*child, error) {
	files, err := receiveFiles(conn)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	var asked commandAsked
	if err := requests.Decode(&asked); err != nil {
		return nil, err
	}
	if len(asked.Argv) == 0 {
		return nil, errors.New("no command")
	}
	return children.start(asked.Argv, asked.Env, files)
}

// receiveFiles takes the one byte that comes first, and the files with it.
func receiveFiles(conn *net.UnixConn) ([]*os.File, error) {
	rights := make([]byte, syscall.CmsgSpace(standardFiles*4))
	_, n, _, _, err := conn.ReadMsgUnix(make([]byte, 1), rights)
	if err != nil {
		return nil, err
	}
	messages, err := syscall.ParseSocketControlMessage(rights[:n])
	if err != nil {
		return nil, err
	}
	var files []*os.File
	for _, m := range messages {
		descriptors, err := syscall.ParseUnixRights(&m)
		if err != nil {
			return nil, err
		}
		for _, d := range descriptors {
			syscall.CloseOnExec(d)
			files = append(files, os.NewFile(uintptr(d), "standard file"))
		}
	}
	if len(files) != standardFiles {
		return nil, fmt.Errorf("%d files came, not %d", len(files), standardFiles)
	}
	return files, nil
}

func exitStatus(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
