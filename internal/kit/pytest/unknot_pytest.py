"""Runs tests of MPI programs as jobs under unknot: a plugin for pytest 7 and newer, and Python 3.9 and newer.

    pytest -p unknot_pytest --unknot tests

Each test with the marker mpi or parallel is a job then: all its ranks run this test, and no other. A finding of unknot
fails the test. Other tests run in this process, as usual.

    @pytest.mark.mpi(ranks=2)             also ranks=[2, 3]: a test for each
    @pytest.mark.mpi(min_size=2)          as with pytest-mpi
    @pytest.mark.parallel(nprocs=3)       as with mpi-pytest

Python finds this file if it is beside the tests' top conftest.py, with the line

    pytest_plugins = ["unknot_pytest"]

in that file, or anywhere else with its directory in PYTHONPATH and the option -p unknot_pytest.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import pytest

FAILS = 66  # the exit status of unknot run if a finding counts
PARALLEL = 3  # the ranks of a test that is marked parallel and does not say
OURS = ("mpi", "parallel")
# Marks by which pytest-mpi says what becomes of a test in a job.
SKIPPED, EXPECTED = ("mpi_skip", "mpi_break"), "mpi_xfail"
EXAMPLE = "hint: @pytest.mark.mpi(ranks=2)"


def pytest_addoption(parser):
    group = parser.getgroup("unknot", "MPI tests under unknot")
    group.addoption("--unknot", action="store_true",
                    help="run each test marked mpi or parallel as a job under unknot; a finding fails the test")
    group.addoption("--unknot-ranks", metavar="N", default="2",
                    help="ranks of a test marked mpi that does not say how many (default 2)")
    group.addoption("--unknot-launcher", metavar="WORDS",
                    help="what starts a job; -n and the number of ranks follow, unless the word {ranks} is there "
                    "(default: the setting unknot_launcher, or mpirun)")
    group.addoption("--unknot-options", metavar="WORDS", action="append", default=[],
                    help="options of unknot run, such as --fail-on=warning; after those of the setting unknot_options")
    group.addoption("--unknot-reports", metavar="DIR", help="keep the report of each job in DIR, as JSON")
    group.addoption("--unknot-rank", metavar="DIR", help="for the ranks of a job, which this plugin starts")
    parser.addini("unknot_launcher", "what starts a job, as for --unknot-launcher", default="")
    parser.addini("unknot_options", "options of unknot run for all tests", default="")


def pytest_configure(config):
    config.addinivalue_line("markers", "mpi(ranks=N): a job of N ranks runs the test; min_size=N is the same")
    config.addinivalue_line("markers", "parallel(nprocs=N): a job of N ranks runs the test (default 3)")
    if config.option.unknot_rank:
        if getattr(config.option, "xmlpath", None):
            config.option.xmlpath = None  # pytest writes it when all jobs have ended
        config.pluginmanager.register(Rank(config), "unknot-rank")
    elif config.option.unknot:
        config.pluginmanager.register(Jobs(config), "unknot-jobs")
    elif not config.pluginmanager.hasplugin("pytest_mpi") and "pytest_mpi" not in sys.modules:
        config.pluginmanager.register(Plain(), "unknot-plain")


def pytest_generate_tests(metafunc):
    """Makes a test for each number of ranks, if a marker has several."""
    if "pytest_mpi.plugin" in sys.modules and metafunc.definition.get_closest_marker("parallel"):
        return  # mpi-pytest does so
    mark = closest(metafunc.definition)
    numbers = mark and asked(mark)[1]
    if isinstance(numbers, (list, tuple)) and all(map(is_number, numbers)) and len(numbers) > 1:
        metafunc.fixturenames.append("_unknot_ranks")
        metafunc.parametrize("_unknot_ranks", list(numbers), ids=lambda n: "ranks=%d" % n)


def closest(node):
    """The marker that says with how many ranks a test runs, None if it has none."""
    for mark in node.iter_markers():
        if mark.name in OURS:
            return mark
    return None


def asked(mark):
    """The argument of a marker by which it says how many ranks there are: its name and value, None if it has none."""
    known = ("nprocs",) if mark.name == "parallel" else ("ranks", "min_size")
    for name in known:
        if name in mark.kwargs:
            return name, mark.kwargs[name]
    if mark.name == "parallel" and mark.args:
        return "nprocs", mark.args[0]
    return known[0], None


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def written(mark):
    """A marker as it is written."""
    words = [repr(a) for a in mark.args] + ["%s=%r" % pair for pair in mark.kwargs.items()]
    return "@pytest.mark.%s(%s)" % (mark.name, ", ".join(words))


def ranks_of(item, otherwise):
    """How many ranks a test needs, None if it is not for a job. What is wrong with its marker ends pytest."""
    mark = closest(item)
    if mark is None:
        return None
    for name in "_unknot_ranks", "_nprocs":  # the second one is that of mpi-pytest
        chosen = getattr(item, "callspec", None) and item.callspec.params.get(name)
        if chosen:
            return chosen
    name, number = asked(mark)
    if mark.name == "mpi" and mark.args:
        raise pytest.UsageError("%s: %s has an argument without a name; %s" % (item.nodeid, written(mark), EXAMPLE))
    if mark.name == "mpi" and "ranks" in mark.kwargs and "min_size" in mark.kwargs:
        raise pytest.UsageError("%s: %s has both ranks and min_size; hint: leave one out"
                                % (item.nodeid, written(mark)))
    if number is None:
        return PARALLEL if mark.name == "parallel" else otherwise
    if isinstance(number, (list, tuple)) and len(number) == 1:
        number = number[0]
    if not is_number(number):
        raise pytest.UsageError("%s: %s: %s must be a number of 1 or more, or a list of these; %s"
                                % (item.nodeid, written(mark), name, EXAMPLE))
    return number


def size_here():
    """How many ranks the job has that this process belongs to."""
    for name in "OMPI_COMM_WORLD_SIZE", "PMI_SIZE":
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return 1


class Plain:
    """Skips the tests for which the job has too few ranks, if neither this plugin nor another one starts jobs."""

    def pytest_runtest_setup(self, item):
        mark = closest(item)
        needed = mark and mark.name == "mpi" and asked(mark)[1]
        if getattr(item, "callspec", None) and "_unknot_ranks" in item.callspec.params:
            needed = item.callspec.params["_unknot_ranks"]
        size = size_here()
        if is_number(needed) and (size < needed or size > needed and "min_size" not in mark.kwargs):
            pytest.skip("needs %d ranks, has %d; hint: pytest --unknot" % (needed, size))


class Rank:
    """Is in each rank of a job, and writes what its pytest reports to a file, a JSON object a line."""

    def __init__(self, config):
        self.config = config
        self.rank = -1
        for name in "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID":
            if os.environ.get(name, "").isdigit():
                self.rank = int(os.environ[name])
                break
        name = str(self.rank) if self.rank >= 0 else "process%d" % os.getpid()
        self.path = os.path.join(config.option.unknot_rank, name + ".jsonl")

    def write(self, report):
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        with open(self.path, "a", encoding="utf-8") as out:
            out.write(json.dumps({"rank": self.rank, "report": data}, default=str) + "\n")

    def pytest_runtest_logreport(self, report):
        self.write(report)

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(report)


class Jobs:
    """Is in the pytest that the user starts: it makes jobs of the tests that need several ranks."""

    def __init__(self, config):
        self.config = config
        option, ini = config.option, config.getini
        if size_here() > 1:
            raise pytest.UsageError("--unknot starts the jobs itself, but pytest runs as a job of %d ranks; "
                                    "hint: leave out the launcher, or --unknot" % size_here())
        if not option.unknot_ranks.isdigit() or int(option.unknot_ranks) < 1:
            raise pytest.UsageError("--unknot-ranks %s: must be a number of 1 or more" % option.unknot_ranks)
        self.ranks = int(option.unknot_ranks)
        self.unknot = found_unknot()
        self.launcher = words("--unknot-launcher" if option.unknot_launcher else "the setting unknot_launcher",
                              option.unknot_launcher or ini("unknot_launcher")) or ["mpirun"]
        if not shutil.which(self.launcher[0]):
            raise pytest.UsageError("--unknot-launcher: there is no program %s; hint: name the mpirun of mpi4py's MPI "
                                    "library" % self.launcher[0])
        self.options = words("the setting unknot_options", ini("unknot_options"))
        for given in option.unknot_options:
            self.options += words("--unknot-options", given)
        self.reports = option.unknot_reports and os.path.abspath(option.unknot_reports)
        if self.reports:
            try:
                os.makedirs(self.reports, exist_ok=True)
            except OSError as err:
                raise pytest.UsageError("--unknot-reports %s: %s; hint: name a directory that can be written"
                                        % (option.unknot_reports, err.strerror))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        for i, item in enumerate(items):
            ranks = ranks_of(item, self.ranks)
            if ranks is not None:
                items[i] = JobItem.of(item, ranks, self)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if isinstance(item, JobItem) and call.when == "call" and item.job is not None:
            report = outcome.get_result()
            report.sections += item.job.sections()
            report.unknot_findings = len(item.job.findings)

    def pytest_terminal_summary(self, terminalreporter):
        found = [r.unknot_findings for list in terminalreporter.stats.values() for r in list
                 if hasattr(r, "unknot_findings")]
        if found and terminalreporter.verbosity >= 0:
            kept = ", kept in " + self.config.option.unknot_reports if self.reports else ""
            said = counted(len(found), "job"), counted(sum(found), "finding"), kept
            terminalreporter.write_line("unknot: %s, %s%s" % said)

    def command(self, item, ranks, directory, report):
        """The command line of a job, and its environment."""
        option = self.config.option
        line = [self.unknot, "run", "--quiet", *self.options, "--error-exitcode", str(FAILS), "--report", report]
        if any("{ranks}" in word for word in self.launcher):
            line += [word.replace("{ranks}", str(ranks)) for word in self.launcher]
        else:
            line += [*self.launcher, "-n", str(ranks)]
        line += [sys.executable, "-m", "pytest", "--unknot-rank=" + directory, "--rootdir", str(self.config.rootpath),
                 "-o", "cache_dir=" + os.path.join(directory, "cache"), "--tb", option.tbstyle,
                 "--import-mode", option.importmode]
        if self.config.inipath:
            line += ["-c", str(self.config.inipath)]
        for plugin in option.plugins:
            if plugin != "no:terminal":  # of pytest-xdist's workers; the other options here need it
                line += ["-p", plugin]
        for setting in option.override_ini or []:
            line += ["-o", setting]
        if option.verbose > 0:
            line.append("-" + "v" * option.verbose)
        if option.showlocals:
            line.append("--showlocals")
        if hasattr(option, "with_mpi"):
            line.append("--with-mpi")
        if self.config.pluginmanager.hasplugin("xdist"):
            line.append("-n0")
        line.append(str(item.path) + "::" + item.nodeid.split("::", 1)[1])
        # What an MPI library adds to the environment of a process that has called MPI_Init is not in os.environ. The
        # launcher would believe that it belongs to a job.
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_XDIST_", "PYTEST_CURRENT_"))}
        environment["_PYTEST_MPI_CHILD_PROCESS"] = "1"  # for mpi-pytest, which would start jobs too
        return line, environment


def found_unknot():
    """The unknot in PATH, or that which this file was installed with."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bin", "unknot")
    unknot = shutil.which("unknot") or shutil.which(os.path.normpath(beside))
    if not unknot:
        raise pytest.UsageError("--unknot: there is no unknot in PATH; hint: install it, or leave out --unknot")
    return unknot


def words(what, text):
    try:
        return shlex.split(text)
    except ValueError as err:
        raise pytest.UsageError("%s %r: %s; hint: close the quotation marks" % (what, text, str(err).lower()))


def counted(n, what):
    return "%d %s" % (n, what if n == 1 else what + "s")


class JobItem(pytest.Item):
    """Stands for a test in the pytest that starts jobs. No fixture of the test runs here."""

    job = None

    @classmethod
    def of(cls, item, ranks, jobs):
        new = cls.from_parent(item.parent, name=item.name)
        new.test, new.ranks, new.jobs = item, ranks, jobs
        if hasattr(item, "obj"):
            new.obj = item.obj  # its module is where conditions of marks are looked up
        for mark in item.own_markers:
            if mark.name == "xfail":
                # What the test raises, it raises in a rank.
                new.add_marker(pytest.mark.xfail.with_args(*mark.args, **{**mark.kwargs, "raises": JobFailed}))
            elif mark.name not in OURS + ("usefixtures", "parametrize") and not of_pytest_mpi(mark):
                new.own_markers.append(mark)
        if any(name in item.keywords for name in SKIPPED):
            new.add_marker(pytest.mark.skip(reason="test does not work under mpi"))
        if EXPECTED in item.keywords:
            new.add_marker(pytest.mark.xfail(reason="test fails under mpi", raises=JobFailed))
        return new

    def iter_markers_with_node(self, name=None):
        # Plugins that act on these marks would look for the ranks in this process.
        for node, mark in super().iter_markers_with_node(name):
            if mark.name not in OURS:
                yield node, mark

    def reportinfo(self):
        return self.test.reportinfo()

    def runtest(self):
        self.job = Job(self)
        for f in self.job.findings:
            self.user_properties.append(("unknot", "%s: %s: %s" % (f["severity"], f["code"], f["sentence"])))
        self.job.judge()

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, (JobFailed, JobBroken)):
            return Failure(self.job, excinfo.value)
        return super().repr_failure(excinfo)


def of_pytest_mpi(mark):
    """Whether pytest-mpi has added a mark, as it does not know of jobs that are started."""
    return mark.name == "skip" and mark.kwargs.get("reason") == "need --with-mpi option to run"


class JobFailed(Exception):
    """A job of which a test fails. Its text is one line."""


class JobBroken(Exception):
    """A job that did not run the test. Nobody expects that of a test that is marked xfail."""


class Job:
    """One job, from its start to what its ranks and unknot have reported."""

    def __init__(self, item):
        self.item, self.config = item, item.config
        jobs = item.jobs
        directory = tempfile.mkdtemp(prefix="unknot-pytest-", dir=jobs.reports or None)
        try:
            name = re.sub(r"[^A-Za-z0-9_.=-]+", "_", item.nodeid)[-200:] + ".json"
            report = os.path.join(jobs.reports or directory, name)
            if os.path.exists(report):
                os.remove(report)
            line, environment = jobs.command(item, item.ranks, directory, report)
            with open(os.path.join(directory, "output"), "w+b") as output:
                self.status = run(line, environment, str(item.config.invocation_params.dir), output)
                output.seek(0)
                self.output = output.read().decode(errors="replace")
            self.reports = self.read(directory)
            self.findings, self.text = self.found(report)
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def read(self, directory):
        """What the ranks have reported: pairs of a rank and a report, by ranks."""
        pairs = []
        for name in os.listdir(directory):
            if name.endswith(".jsonl"):
                with open(os.path.join(directory, name), encoding="utf-8") as lines:
                    for line in lines:
                        if line.endswith("\n"):  # a rank that is ended may not have written all of it
                            data = json.loads(line)
                            report = self.config.hook.pytest_report_from_serializable(config=self.config,
                                                                                      data=data["report"])
                            pairs.append((data["rank"], report))
        return sorted(pairs, key=lambda pair: pair[0])

    def found(self, report):
        """The findings of unknot, and its report as a text."""
        if not os.path.exists(report):
            return [], ""
        with open(report, encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        if not findings:
            return [], ""
        shown = subprocess.run([self.item.jobs.unknot, "report", "--color=never", report], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return findings, shown.stderr.decode(errors="replace")

    def failures(self):
        """What failed in ranks: pairs of the ranks that report the same, and the report."""
        groups = {}
        for rank, report in self.reports:
            if report.failed and not unexpected(report):
                groups.setdefault(report.longreprtext, ([], report))[0].append(rank)
        return list(groups.values())

    def counting(self):
        """The findings for which unknot has given its exit status."""
        new = [f for f in self.findings if f.get("baseline") != "unchanged"]
        return self.status == FAILS and ([f for f in new if f["severity"] == "error"] or new) or []

    def judge(self):
        """Fails, skips or passes the test."""
        failures, counting = self.failures(), self.counting()
        if counting:
            raise JobFailed("unknot: %s: %s" % (counting[0]["code"], counting[0]["sentence"]))
        if failures:
            raise JobFailed("%s: %s" % (ranks_in_words(failures[0][0]), crash(failures[0][1])))
        results = {rank: [r for of, r in self.reports if of == rank] for rank, _ in self.reports}
        for reports in results.values():
            for report in reports:
                if report.skipped and hasattr(report, "wasxfail"):
                    if self.item.get_closest_marker("xfail"):
                        raise JobFailed("as expected")  # which pytest shows for the job
                    pytest.xfail(report.wasxfail.replace("reason: ", "", 1))
        passed = (0, 1) if any(unexpected(report) for _, report in self.reports) else (0,)
        if self.status not in passed:
            raise (JobFailed if results else JobBroken)("%s: %s" % (self.how(), self.last()))
        if len(results) < self.item.ranks and -1 not in results:
            raise JobBroken("%d of %d ranks ran the test; hint: the launcher must be that of mpi4py's MPI library"
                            % (len(results), self.item.ranks))
        skips = [[r for r in reports if r.skipped] for reports in results.values()]
        if results and all(skips):
            longrepr = skips[0][0].longrepr
            reason = longrepr[2] if isinstance(longrepr, (tuple, list)) else str(longrepr)
            pytest.skip(reason.replace("Skipped: ", "", 1))

    def how(self):
        return "exit status %d" % self.status if self.status >= 0 else "ended by signal %d" % -self.status

    def last(self):
        """What the job has said of its failure in one line: unknot's, or the last one."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        said = [line for line in lines if line.startswith("unknot: ")]
        return (said or lines or ["it printed nothing"])[-1]

    def sections(self):
        """The sections of the report."""
        titles = {}
        for rank, report in self.reports:
            for title, text in report.sections:
                titles.setdefault((title, text), []).append(rank)
        list = [("%s, %s" % (title, ranks_in_words(ranks)), text) for (title, text), ranks in titles.items()]
        if not self.reports and self.output.strip():
            list.append(("Captured stdout call, job", self.output))
        if self.text:
            list.append(("unknot", self.text))
        return list


def run(line, environment, directory, output):
    """Runs a job and gives its exit status. If pytest is interrupted, unknot ends the job."""
    job = subprocess.Popen(line, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=output,
                           stderr=subprocess.STDOUT)
    try:
        return job.wait()
    except BaseException:
        job.terminate()
        try:
            job.wait(30)
        except subprocess.TimeoutExpired:
            job.kill()
            job.wait()
        raise


def unexpected(report):
    """Whether a test passed in a rank that is marked xfail(strict=True). pytest says so for the job too."""
    return report.failed and str(report.longrepr).startswith("[XPASS(strict)]")


def ranks_in_words(ranks):
    ranks = sorted(set(ranks))
    if len(ranks) == 1:
        return "rank %d" % ranks[0] if ranks[0] >= 0 else "a rank"
    if len(ranks) > 2 and ranks[-1] - ranks[0] == len(ranks) - 1:
        return "ranks %d-%d" % (ranks[0], ranks[-1])
    return "ranks " + ", ".join(map(str, ranks))


def crash(report):
    """The failure of a rank in one line."""
    message = getattr(getattr(report.longrepr, "reprcrash", None), "message", None) or report.longreprtext
    return (message.strip().splitlines() or [""])[0]


class Failure:
    """How pytest shows a job that failed: what failed in ranks, then what unknot has found."""

    def __init__(self, job, error):
        self.job = job
        self.reprcrash = Crash(str(error), job.item)
        self.found = ["unknot: %s: %s: %s%s" % (f["severity"], f["code"], f["sentence"], place(f))
                      for f in job.findings]
        if not job.failures() and not self.found:
            self.found = [str(error)]

    def toterminal(self, tw):
        for ranks, report in self.job.failures():
            tw.line(ranks_in_words(ranks) + ":")
            report.toterminal(tw)
        for line in self.found:
            tw.line(line)

    def __str__(self):
        parts = ["%s:\n%s" % (ranks_in_words(ranks), report.longreprtext) for ranks, report in self.job.failures()]
        return "\n".join(parts + self.found)


class Crash:
    """The failure in a line, where pytest shows only that."""

    def __init__(self, message, item):
        path, line, _ = item.reportinfo()
        self.path, self.lineno, self.message = str(path), (line or 0) + 1, message

    def __str__(self):
        return "%s:%d: %s" % (self.path, self.lineno, self.message)

    def toterminal(self, tw):
        tw.line(str(self))


def place(f):
    """Where a finding is, as " (file:line)"."""
    for p in f.get("places", []):
        if p.get("file"):
            path = p["file"]
            if os.path.isabs(path) and not os.path.relpath(path).startswith(".."):
                path = os.path.relpath(path)
            return " (%s:%d)" % (path, p.get("line", 0))
    return ""
