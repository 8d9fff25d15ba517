module unknot

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1 // files that appear, without looking for them again and again
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724
	golang.org/x/sync v0.25.0
)

require google.golang.org/grpc v1.85.0 // streams between hosts: flow control and keep-alive over HTTP/2

require (
	github.com/spf13/cobra v1.10.2 // commands, and what shells complete them with
	github.com/spf13/pflag v1.1.0 // their options
)

require github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests: SARIF against its schema

require go.yaml.in/yaml/v3 v3.0.6 // tests: the workflows that documents show

require (
	github.com/chromedp/cdproto v0.159.0 // tests: the page in a browser
	github.com/chromedp/chromedp v0.23.0
)

require (
	github.com/alecthomas/chroma/v2 v2.27.0
	github.com/mattn/go-shellwords v1.0.16
	github.com/pelletier/go-toml/v2 v2.4.3
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/dlclark/regexp2/v2 v2.2.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/arch v0.33.0 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

require github.com/klauspost/compress v1.20.3 // zstd for traces: the standard library has no compression as fast and as tight

require (
	golang.org/x/sys v0.49.0 // calls and constants of Linux that the standard library lacks
	golang.org/x/term v0.47.0 // whether there is a terminal, and its width
)

require (
	github.com/rogpeppe/go-internal v1.16.0 // testscript: commands and their output side by side
	golang.org/x/tools v0.49.0 // tests: the files in scripts of testscript
)

require (
	github.com/google/go-cmp v0.7.0 // tests: where two large values differ
	go.uber.org/goleak v1.3.0 // tests: goroutines that are left behind
)

require pgregory.net/rapid v1.3.0 // property tests

require github.com/crillab/gophersat v1.4.0 // SAT, in tests only: to measure it against the search of predict/exact
