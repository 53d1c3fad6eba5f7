"""Which tests touch which lines, and the run of some of them in a forked process.

Nothing of the project may be imported by whoever forks for `trace` or `cold`: a changed module must be the first of its
name. `hot` imports everything once, and each fork changes the loaded functions before it runs tests.
"""

from __future__ import annotations

import math
import os
import pickle
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import coverage
import pytest
from hypothesis import HealthCheck, Phase, settings

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = (
    *("-q", "-s", "--hypothesis-seed=0", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-o", "faulthandler_timeout=0"),
)


@dataclass(slots=True)
class Trace:
    """What a run over unchanged code shows."""

    seconds: dict[str, float] = field(default_factory=dict)  # processor time per test, shared fixtures included
    lines: dict[str, dict[str, set[int]]] = field(default_factory=dict)  # test -> file -> lines
    at_import: dict[str, set[int]] = field(default_factory=dict)  # file -> lines that run before any test
    failed: list[str] = field(default_factory=list)

    def touching(self, path: str, first_line: int, last_line: int) -> list[str]:
        """Tests that run a line of a range, quick ones first."""
        wanted = set(range(first_line, last_line + 1))
        return self._sorted(test for test, files in self.lines.items() if wanted & files.get(path, set()))

    def every(self) -> list[str]:
        """All tests, quick ones first."""
        return self._sorted(iter(self.lines))

    def _sorted(self, tests: Iterator[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self.seconds[test], test))


def quiet_hypothesis() -> None:
    """The same examples in every run, no time limit of their own, no search for the smallest failure."""
    settings.register_profile(
        "mutation",
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutation")


class Tracer:
    """Asks for the lines of each test and of each shared fixture."""

    def __init__(self, seen: coverage.Coverage) -> None:
        self._seen, self.trace = seen, Trace()
        self._contexts = [""]
        self._fixture_seconds: dict[str, float] = {}
        self.uses: dict[str, set[str]] = {}  # test -> names of the shared fixtures it may use
        self._forget: list[Callable[[], object]] = []

    def pytest_collection_finish(self) -> None:
        """What the engine remembers of one test would hide lines from the next."""
        self._forget = [
            value.cache_clear
            for name, module in list(sys.modules.items())
            if name.startswith("engine.")
            for value in vars(module).values()
            if hasattr(value, "cache_clear") and not isinstance(value, type)
        ]

    @contextmanager
    def _context(self, name: str) -> Iterator[None]:
        self._contexts.append(name)
        self._seen.switch_context(name)
        try:
            yield
        finally:
            self._contexts.pop()
            self._seen.switch_context(self._contexts[-1])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test."""
        self.uses[item.nodeid] = set(getattr(item, "fixturenames", ()))
        for forget in self._forget:
            forget()
        started = time.process_time()
        with self._context(item.nodeid):
            answer = yield
        self.trace.seconds[item.nodeid] = time.process_time() - started
        return answer

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """A fixture several tests share belongs to all of them."""
        if fixturedef.scope == "function":
            return (yield)
        started = time.process_time()
        with self._context(f"fixture {fixturedef.argname}"):
            answer = yield
        spent = self._fixture_seconds.get(fixturedef.argname, 0.0)
        self._fixture_seconds[fixturedef.argname] = max(spent, time.process_time() - started)
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tests that fail on unchanged code prove nothing."""
        if report.failed:
            self.trace.failed.append(report.nodeid)

    def finish(self) -> Trace:
        """Everything seen, by test."""
        data = self._seen.get_data()
        by_context: dict[str, dict[str, set[int]]] = {}
        for file in data.measured_files():
            path = Path(file).relative_to(ROOT).as_posix()
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    by_context.setdefault(context, {}).setdefault(path, set()).add(line)
        self.trace.at_import = by_context.get("", {})
        for test, names in self.uses.items():
            lines = {path: set(found) for path, found in by_context.get(test, {}).items()}
            for name in names:
                for path, found in by_context.get(f"fixture {name}", {}).items():
                    lines.setdefault(path, set()).update(found)
            self.trace.lines[test] = lines
            self.trace.seconds[test] += sum(self._fixture_seconds.get(name, 0.0) for name in names)
        return self.trace


def trace(paths: Sequence[str], tests: Sequence[str]) -> Trace:
    """Run tests over unchanged code in a process of their own; `paths` are the files whose lines are wanted."""
    with tempfile.TemporaryDirectory() as name:
        answer = Path(name) / "trace"

        def child() -> str:
            quiet_hypothesis()
            seen = coverage.Coverage(data_file=None, config_file=False, include=[str(ROOT / path) for path in paths])
            tracer = Tracer(seen)
            seen.start()
            status = pytest.main([*OPTIONS, *tests], plugins=[tracer])
            seen.stop()
            if status not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
                raise RuntimeError(f"pytest ended with {status!r}")
            answer.write_bytes(pickle.dumps(tracer.finish()))
            return ""

        (outcome,) = Forks(1).run([(0, 3600.0)], lambda _: child())
        if not answer.is_file():
            raise RuntimeError(f"The tests did not run to their end: {outcome[1]}")
        return pickle.loads(answer.read_bytes())


class Chosen:
    """Runs the chosen tests of a session in their order until one fails."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self.wanted = wanted
        self.failed: str | None = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be imported any more is a failure as well."""
        if report.failed and self.failed is None:
            self.failed = report.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The first failure decides."""
        if report.failed and self.failed is None:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of pytest's own loop."""
        if self.failed is None:
            self.go(session)
        return True

    def go(self, session: pytest.Session) -> None:
        """Run them."""
        known = {item.nodeid: item for item in session.items}
        items = [known[test] for test in self.wanted if test in known]
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed is not None:
                return


def run_cold(wanted: Sequence[str]) -> str:
    """Import and run tests in this fork; the first failed one or nothing."""
    quiet_hypothesis()
    chosen = Chosen(wanted)
    files = list(dict.fromkeys(test.split("::")[0] for test in wanted))
    try:
        status = pytest.main([*OPTIONS, *files], plugins=[chosen])
    except Exception as error:  # noqa: BLE001  # whatever the changed code raises while pytest ends was noticed
        return chosen.failed or f"pytest ended with {type(error).__name__}"
    if chosen.failed is None and status not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return f"pytest ended with {status!r}"
    return chosen.failed or ""


class Hot(Chosen):
    """Collects once and leaves the loop to `loop`, which forks."""

    def __init__(self, loop: Callable[[pytest.Session, Hot], None]) -> None:
        super().__init__(())
        self._loop = loop

    def go(self, session: pytest.Session) -> None:
        """Hand over the collected tests."""
        self._loop(session, self)

    def run(self, session: pytest.Session, wanted: Sequence[str]) -> str:
        """In a fork: run some tests; the first failed one or nothing."""
        self.wanted = wanted
        super().go(session)
        return self.failed or ""


class Forks:
    """Runs jobs in forked processes, a few at a time, each with a limit of processor time."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._running: dict[int, tuple[int, int, float, Path]] = {}  # pipe -> job, process, end, folder

    def run(
        self, jobs: Sequence[tuple[int, float]], work: Callable[[int], str], until: float = math.inf
    ) -> Iterator[tuple[int, str]]:
        """Each job with what `work` answered; "time" when it used up its limit, "died" when it crashed.

        None is begun after `until`, on the clock of `time.monotonic`; those begun are finished.

        Raises RuntimeError when `work` itself raised.
        """
        waiting = list(reversed(jobs))
        while waiting or self._running:
            if time.monotonic() > until:
                waiting.clear()
            while waiting and len(self._running) < self._workers:
                self._start(*waiting.pop(), work)
            ready, _, _ = select.select(list(self._running), [], [], 5.0)
            for pipe in ready:
                yield self._finish(pipe)
            for _, process, end, _ in self._running.values():
                if time.monotonic() > end:
                    os.kill(process, signal.SIGKILL)

    def _start(self, job: int, limit_s: float, work: Callable[[int], str]) -> None:
        reading, writing = os.pipe()
        folder = Path(tempfile.mkdtemp(prefix="mutation-"))
        sys.stdout.flush()
        process = os.fork()
        if process == 0:
            os.close(reading)
            _child(writing, folder, limit_s, lambda: work(job))
        os.close(writing)
        self._running[reading] = job, process, time.monotonic() + 60 + 10 * limit_s, folder

    def _finish(self, pipe: int) -> tuple[int, str]:
        job, process, _, folder = self._running.pop(pipe)
        with os.fdopen(pipe, "rb") as stream:
            answer = stream.read().decode()
        _, status = os.waitpid(process, 0)
        shutil.rmtree(folder, ignore_errors=True)
        if answer.startswith("broken "):
            raise RuntimeError(answer)
        if answer.startswith("done "):
            return job, answer.removeprefix("done ")
        out_of_time = os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGKILL}
        return job, "time" if out_of_time else "died"


def _child(writing: int, folder: Path, limit_s: float, work: Callable[[], str]) -> None:
    """Never returns."""
    answer = "broken "
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        seconds = int(limit_s) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        answer = "done " + work()
    except BaseException:  # noqa: BLE001  # whatever it was, the parent shows it
        answer = "broken " + traceback.format_exc()
    finally:
        os.write(writing, answer.encode()[:60_000])
        os._exit(0)
