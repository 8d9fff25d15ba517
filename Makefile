# make demo: see it find a deadlock. make test: the tests that any machine runs; CI also runs make test-hosts and make test-browser.

# That of the file VERSION, with the commit.
VERSION := $(shell packaging/version.sh)

# Tests and the demo may run as root (containers) and on fewer cores than ranks; Open MPI refuses both unless told.
export OMPI_ALLOW_RUN_AS_ROOT = 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1
export OMPI_MCA_rmaps_base_oversubscribe = 1
# In a job of GitHub Actions, unknot would print annotations of the findings that tests are about.
unexport GITHUB_ACTIONS
# Jobs of tests are short, and each rank would spend half of its time looking for what no job on one host uses: ob1 is what Open MPI comes to anyway
# there; hwloc need not look at PCI devices, nor load its plugins, with libraries of X and OpenCL; and UCX, for MPICH, needs shared memory alone.
test nightly test-hosts: export OMPI_MCA_pml = ob1
test nightly test-hosts: export HWLOC_COMPONENTS = -pci,-linuxio
test nightly test-hosts: export HWLOC_PLUGINS_PATH = /nonexistent
test nightly: export UCX_TLS = self,posix,sysv,cma

# What go compiles for one step serves the others, as each compiles for a static unknot without the paths of this machine, by the same profile.
export CGO_ENABLED = 0
export GOFLAGS := $(strip $(GOFLAGS) -trimpath '-pgo=$(CURDIR)/cmd/unknot/default.pgo')

# Packages that start goroutines or whose values several may use, and that stay quick with the race detector. In others it has nothing to see.
RACE := ./internal/trace/file ./internal/explore ./internal/root/tree ./internal/observe/launch

.PHONY: build binary deps demo check test nightly clean

# With the probes of the MPI libraries of this machine in the user's cache, so that no run need compile them. One that is there is not made again.
build: binary
	@if command -v mpicc >/dev/null; then bin/unknot probe build >/dev/null || true; fi

# Without cgo, package net does not bind unknot to the C library: it runs with any, and libraries that LD_PRELOAD names for the program stay out of it.
# Without DWARF (-w), which panics do not need, it is smaller by a fifth, which --stage copies to each host; and tests are linked sooner.
binary:
	CGO_ENABLED=0 go build -trimpath -ldflags "-w -X main.version=$(VERSION)" -o bin/unknot ./cmd/unknot
	@ln -sf unknot bin/upc-check

# With the manual pages, completions and documents, also as a site if its generator is there. upc-check is a link to unknot, which is what it is called.
PREFIX ?= /usr/local
.PHONY: install
install: binary
	packaging/site.sh --if-there build/docs
	SITE=build/docs packaging/install.sh bin/unknot $(DESTDIR)$(PREFIX) $(VERSION)

# The documents as a site with search, build/docs/index.html, which needs neither a network nor a server.
.PHONY: docs
docs: deps-docs
	packaging/site.sh build/docs

# Packages of this commit for Debian and RPM, archives, sources; with probes for machines without a compiler, if they can be made here. Nothing is
# published.
.PHONY: packages
packages: build
	@scripts/probes.sh --if-missing bin/unknot || echo "packages: not all probes could be made; hint: see above" >&2
	packaging/build.sh build/packages

# Installs them in a fresh Debian and with modules, as users do; needs root, and the network the first time.
.PHONY: test-packages
test-packages: deps-tests build
	@scripts/deps-packages.sh
	@scripts/probes.sh bin/unknot
	UNKNOT_NIGHTLY=1 go test -count=1 -vet=off -timeout 0 ./packaging

deps:
	@scripts/deps.sh

# What makes a site of the documents; what the tests and the long runs need besides; what jobs over hosts and the test in a browser need.
.PHONY: deps-docs deps-tests deps-hosts deps-browser
deps-docs:
	@scripts/deps.sh docs

deps-tests:
	@scripts/deps.sh tests

deps-hosts: deps-tests
	@scripts/deps.sh hosts

deps-browser: deps-tests
	@scripts/deps.sh browser

# The demo's program hangs, so finding that (exit status 66) is its success.
demo: deps build
	@mkdir -p build
	mpicc -g -o build/recv_recv examples/recv-recv/broken.c
	@echo '$$ unknot run --report build/demo.html mpirun -n 2 build/recv_recv'
	@bin/unknot run --report build/demo.html mpirun -n 2 build/recv_recv; status=$$?; \
	if [ $$status -ne 66 ]; then echo "demo: exit status $$status, want 66" >&2; exit 1; fi
	@echo 'demo: that is the deadlock of examples/recv-recv/broken.c; open build/demo.html in a browser for the whole report'

# More memory saves the analyses a fifth of their time.
check: export GOGC = 400
check:
	@unformatted=$$(gofmt -l cmd internal packaging); \
	if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted; hint: gofmt -w" >&2; exit 1; fi
	go vet ./...
	go build -modfile=tools/go.mod -ldflags=-w -o build/staticcheck honnef.co/go/tools/cmd/staticcheck
	PATH="$(CURDIR)/scripts/staticcheck:$$PATH" build/staticcheck ./...

# The C and UPC sources of the probes and run-times are as .clang-format says; `make format-c` makes them so.
.PHONY: check-c format-c
C_SOURCES = $(shell find internal -name testdata -prune -o \( -path '*/csrc/*' -o -path 'internal/upc/rt/*' \) -name '*.[chu]*' \
	-not -name '*.go' -print)
check-c: deps-tests
	clang-format-14 --dry-run -Werror $(C_SOURCES)

format-c: deps-tests
	clang-format-14 -i $(C_SOURCES)

# The inner loop: all tests that need neither an MPI library nor long. Files of tests that do have the build tag !quick; single tests that do
# skip themselves (testkit.NeedsMPI, TakesLong). Go keeps the results of packages that have not changed.
.PHONY: quick
quick: check
	UNKNOT_QUICK=1 go test -tags quick -ldflags=-w -short -vet=off -timeout 0 ./...

# The tapes of programs that make quick plays to the agent, taken anew with both MPI libraries: when the ring's format or a program changes.
.PHONY: record
record: deps-tests
	go test -c -o build/recorder/unknot ./cmd/unknot
	UNKNOT_RECORD=$(or $(RECORD),all) UNKNOT_RECORDER=$(CURDIR)/build/recorder/unknot go test -count=1 -timeout 0 -run FreshTapes ./internal/test/testkit/whole ./internal/check/programs

# check has run vet, so go test does not. The race detector needs cgo.
# No package has a time limit, as nothing may fail for being slow; each program that a test runs has one, far above what it needs.
# What takes longest starts first, so that nothing long is left when all else is done. go test starts packages in the order in which they are named.
LONGEST := $(addprefix unknot/,cmd/unknot internal/test/testkit/whole internal/shmem internal/upc/suite internal/observe/probe internal/upc/driver internal/upc internal/upc/rt)
# What needs root, namespaces, sshd and Slurm, and the test of package report that needs Chromium, have targets of their own.
HOSTS := ./internal/test/testkit/hosts/... ./internal/test/testkit/hosted
BROWSER := PagesInABrowser
# A quarter of the time of the longest ones is spent waiting, so there are more of them at once than cores.
TOGETHER := $(shell echo $$(($$(nproc) * 3 / 2)))
ALL = $(LONGEST) $(filter-out $(LONGEST) $(shell go list $(HOSTS)),$(shell go list ./...))
test: deps-tests build build/polite.so check check-c
	CGO_ENABLED=1 go test -ldflags=-w -race -short -vet=off -timeout 0 $(RACE)
	UNKNOT_BUILT=$(CURDIR)/bin/unknot UNKNOT_POLITE=$(CURDIR)/build/polite.so go test -ldflags=-w -p $(TOGETHER) -vet=off -timeout 0 -skip '$(BROWSER)' $(ALL)

build/polite.so: internal/test/testkit/csrc/polite.c
	@mkdir -p build
	gcc -std=gnu11 -O2 -shared -fPIC -Wall -Wextra -Werror -o $@ $<

# Several hosts on one machine, as namespaces: needs root. To try by hand: go run ./internal/test/testkit/hosts/shell -slurm
.PHONY: test-hosts
test-hosts: deps-hosts build build/polite.so
	UNKNOT_BUILT=$(CURDIR)/bin/unknot UNKNOT_POLITE=$(CURDIR)/build/polite.so go test -ldflags=-w -vet=off -timeout 0 $(HOSTS)

# The HTML page in Chromium, held to axe-core.
.PHONY: test-browser
test-browser: deps-browser
	go test -ldflags=-w -vet=off -timeout 0 -run '$(BROWSER)' ./internal/say/report

# Where the time goes in what must be fast, by which go compiles it. Takes a minute, on a quiet machine.
.PHONY: profile
profile:
	scripts/profile.sh

# 100,000 random programs against the brute-force reference, and the slow forms of other tests. Writes bench/NIGHTLY.md. With a word,
# only the steps with that word in their names: make nightly ONLY=prediction
nightly: deps-hosts deps-browser build
	@scripts/deps-packages.sh
	go run ./bench/nightly $(ONLY)

clean:
	rm -rf bin build

# Tests with the MPI libraries of four Debian releases, each in a chroot: needs root. Writes bench/MATRIX.md. One row: go run ./bench/matrix sid/mpich
.PHONY: matrix headers probes
matrix: build
	go run ./bench/matrix

# The functions of these libraries' headers, for the test that each has a row.
headers:
	@scripts/headers.sh

# A probe for each of these libraries, which become part of unknot with the next build.
probes: build
	@scripts/probes.sh bin/unknot

# Real applications and test suites, plain and watched; half an hour. The table goes to bench/APPS.md.
.PHONY: apps
apps: deps-tests build
	@scripts/apps/prepare.sh
	scripts/apps/upc.sh bin/unknot
	go run ./bench/apps -unknot bin/unknot -dir build/apps -o bench/APPS.md

# The budgets, plain against watched, at most 30 minutes on a machine that does nothing else. Writes bench/RESULTS.md.
.PHONY: bench
bench: deps-hosts build
	go run ./bench -unknot bin/unknot -o bench/RESULTS.md

# What it costs to watch programs, with calls that repeat left out and without, on a machine that does nothing else. Writes a part of
# bench/RESULTS.md.
.PHONY: bench-folding
bench-folding: deps-tests
	scripts/apps/measured.sh
	go run ./bench/folding

# Whether jobs that are well are ever called hung: half an hour of them, suspended and under load. Adds to bench/HEALTHY.md.
.PHONY: bench-healthy
bench-healthy: deps-tests
	scripts/apps/measured.sh
	go run ./bench/healthy -for 30m

# What other tools report of the programs that unknot comes with: takes an hour. Writes a part of docs/compared.md.
.PHONY: bench-peers
bench-peers: deps-tests
	bash -c '. scripts/packages.sh && install_packages bench-peers valgrind valgrind-mpi'
	go run ./bench/peers

# What upc-check adds to UPC programs, on a machine that does nothing else. Writes parts of
# docs/papers/upc-check.md.
.PHONY: bench-upccheck
bench-upccheck: deps-tests
	go run ./bench/upccheck

# The tables of the pages in docs/papers, on a machine that does nothing else: at most three hours.
.PHONY: papers
papers: deps-hosts build
	scripts/apps/measured.sh
	go run ./bench/papers

# The search of predict/exact against a solver of SAT on the same problems. Writes the table in docs/prediction-methods.md.
.PHONY: methods
methods:
	go test ./internal/predict/exact/sattest -run '^$$' -bench Methods -benchtime 2x -timeout 2h -args -table $(CURDIR)/docs/prediction-methods.md
