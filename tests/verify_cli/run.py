"""bodkin verify: its contract, hostile language servers, and real ones on right and wrong edits.

  python3 tests/verify_cli/run.py [--judge | --speed] [BODKIN] [PROJECT…]

Prints the figures of the real servers that are installed (the others are skipped), and ends with
"N passed, N failed, N skipped". --judge lets the compilers say what is right, instead of expected.json, and writes that.
--speed only measures a verdict on a warm C++ file of 1,000 lines.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import doubts
import environments
import new_syntax
import ordinary
import ordinary_projects
import staged
import contract
import hidden
import hostile
from support import CASES, Counts, EXPECTED, GIVEN, HERE, PROJECTS, SERVERS, Verifier, block_of, digest, each, judge, language, make_project, reply_of, write

def run_project(program, project, expected, counts, figures):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        make_project(project, folder)
        before = digest(folder)
        # What runs a folder's code checks trusted ones only.
        verifier = Verifier(program, settings={"bodkin.workspace.trusted": [str(folder)]})
        for case_project, title, opened, edits in CASES:
            if case_project != project:
                continue
            want = expected[f"{project}: {title}"]
            began = time.monotonic()
            got = verifier.ask(folder, reply_of(project, edits), opened)
            took = time.monotonic() - began
            right = got["state"] == want or (title.endswith("?") and got["state"] == "not_checked")
            figures.append((project, title, want, got["state"], took))
            counts.add(right)
            if not right or "-v" in sys.argv:
                kind = "FALSE CLEAN" if got["state"] == "clean" and not right else "ok" if right else "wrong"
                print(f"{kind}: {project}: {title}: wants {want}, got {json.dumps(got)}")
        verifier.close()
        unchanged = digest(folder) == before
        counts.add(unchanged)
        if not unchanged:
            print(f"{project}: the project's files have changed")


# What each hostile server makes of a right and of a wrong edit: whatever happens, never a false "clean".


def run_environments(program, counts):
    """Without what the build needs, that a server finds no error proves nothing; trusted and not."""
    def run(item):
        server, title, files, path, reason = item
        if not shutil.which(server):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            write(folder, files)
            before = digest(folder)
            line = next(line for line in files[path].splitlines() if "n * 2" in line)
            reply = f"{path}\n<<<<<<< SEARCH\n{line}\n=======\n{line.replace('n * 2', 'n + n')}\n>>>>>>> REPLACE\n"
            for options in ([], ["--untrusted"]):
                verifier = Verifier(program, *options)
                got = verifier.ask(folder, reply)
                verifier.close()
                # Where go build may not run, Go is not checked.
                state = "clean" if reason is None and not (options and server == "gopls") else "not_checked"
                right = got["state"] == state and (reason or "") in (got["reason"] or "") and digest(folder) == before
                counts.add(right)
                if not right or "-v" in sys.argv:
                    print(f"environment: {server}: {title} {options}: got {json.dumps(got)}")

    each(environments.ENVIRONMENTS, run)


def run_doubts(program, counts):
    """Each doubt says of an edit that it is not checked, and no other does."""
    def run(item):
        doubt, server, files, path, old, new, options = item
        if not shutil.which(server):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve() / "project"
            write(folder, {file: text.replace("{root}", str(folder)) for file, text in files.items() if not text.startswith("-> ")})
            for file, text in files.items():
                if text.startswith("-> "):
                    (folder / file).symlink_to(text[3:])
            before = digest(folder)
            servers = {"bodkin.verify.servers": {word: setting for one in options if isinstance(one, dict) for word, setting in one.items()}}
            verifier = Verifier(program, *(one for one in options if isinstance(one, str)), settings=servers)
            got = verifier.ask(folder, block_of(path, (folder / path).read_text(), old, new))
            verifier.close()
            right = (got["state"], got["doubt"]) == ("not_checked", doubt) and digest(folder) == before
            counts.add(right)
            if not right or "-v" in sys.argv:
                print(f"doubts: {doubt}: got {json.dumps(got)}")

    each(doubts.DOUBTS, run)


def run_new_syntax(program, counts):
    """Where no server is asked, what a grammar or an interpreter is too old for is no error."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        verifier = Verifier(program, settings={"bodkin.verify.servers": {"*": []}})
        for path, before, after in new_syntax.NEW_SYNTAX:
            write(folder, {path: before})
            got = verifier.ask(folder, f"{path}\n<<<<<<< SEARCH\n{before}=======\n{after}>>>>>>> REPLACE\n")
            counts.add(got["state"] in ("clean", "not_checked"))
            if got["state"] == "problems" or "-v" in sys.argv:
                print(f"new syntax: {path}: got {json.dumps(got)}")
        verifier.close()


def run_ordinary(program, counts):
    """Where people work: no false clean, and right edits are answered. ordinary.py has the figures."""
    servers = dict(zip(ordinary_projects.NAMES, ("clangd", "clangd", "pyright-langserver", "typescript-language-server",
                                                 "typescript-language-server", "gopls", "cargo", "bash-language-server")))
    def run(project):
        if not shutil.which(servers[project]):
            counts.skip()
            return
        with tempfile.TemporaryDirectory() as name:
            ordinary_projects.make(project, Path(name).resolve())
            count, reasons, _ = ordinary.measure(program, str(Path(name).resolve()), most=1)
        is_plain = project == "tide"  # plain JavaScript is never clean
        right = (count["right"] == count["answered"] and not count["false clean"] and
                 count["errors found"] == count["planted errors"] and
                 count["right edits called clean"] >= (1 if is_plain else count["right edits"]))
        counts.add(right)
        if not right or "-v" in sys.argv:
            print(f"ordinary: {project}: {ordinary.told(count)}; {dict(reasons)}")

    each(ordinary_projects.NAMES, run)


def run_waiting(program, counts):
    """Waiting for its input it ends at once, and says nothing of the kind of "not checked"."""
    for option in ([], ["--json"], ["--jsonl"]):
        process = subprocess.Popen([program, "verify", *option], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.wait(10)  # for its input it would wait for ever
        said = process.communicate()[0]
        right = process.returncode == 130 and not said
        counts.add(right)
        if not right:
            print(f"waiting {option}: exit {process.returncode}, {said}")


def run_speed(program):
    """The time of a verdict on a warm C++ file of 1,000 lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        functions = [f"""static int work_{i}(const std::vector<std::string>& all, std::map<std::string, int>& counts) {{
  int sum = {i};
  for (const std::string& one : all) {{
    counts[one] += static_cast<int>(one.size());
    if (one.empty()) continue;
    sum += counts[one];
  }}
  return sum + {i};
}}
""" for i in range(99)]
        write(folder, {"big.cc": "#include <algorithm>\n#include <map>\n#include <string>\n#include <vector>\n\n" + "\n".join(functions)})
        (folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": name, "file": "big.cc", "command": "g++ -std=c++17 -c big.cc"}]))
        verifier = Verifier(program)
        times = []
        for i in range(41):
            new = "sum" if i % 2 else "total"
            got = verifier.ask(folder, f"big.cc\n<<<<<<< SEARCH\n  return sum + {i};\n=======\n  return {new} - {i};\n>>>>>>> REPLACE\n")
            assert got["state"] == ("clean" if i % 2 else "problems"), got
            times.append(got["ms"])
        verifier.close()
        warm = sorted(times[1:])
        print(f"a C++ file of {len((folder / 'big.cc').read_text().splitlines())} lines: first {times[0]} ms, warm p50 "
              f"{warm[20]} ms, p95 {warm[38]} ms")


def doubts_of_table():
    """The names in agent/checkers/doubts.h."""
    return re.findall(r"constexpr Doubt (\w+)\{", (HERE / "../../agent/checkers/doubts.h").read_text())


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    program = os.path.abspath(words[0] if words else "build/release/bin/bodkin")
    projects = words[1:] or list(PROJECTS)
    counts = Counts()
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    if "--judge" in sys.argv:
        for project, title, _, edits in CASES:
            if project in projects:
                expected[f"{project}: {title}"] = judge(project, edits)
        EXPECTED.write_text(json.dumps(expected, indent=2) + "\n")
    figures = []
    if "--speed" in sys.argv:
        return run_speed(program)
    if not words[1:]:
        contract.run_contract(program, counts)
        staged.run(program, counts, write)
        run_new_syntax(program, counts)
        run_ordinary(program, counts)
        run_waiting(program, counts)
        hostile.run_hostile(program, counts)
        hostile.run_views(program, counts)
        hostile.run_forged(program, counts)
        hidden.run_hidden(program, counts)
        run_environments(program, counts)
        run_doubts(program, counts)
        hidden.run_late_secrets(program, counts)
        hidden.run_linked_build(program, counts)
        hidden.run_writer(program, counts)
        hidden.run_tools(program, counts)
    for project in projects:
        if not shutil.which(SERVERS[language(project)]):
            print(f"skipped: {SERVERS[language(project)]} is not installed")
            counts.skip()
    each([project for project in projects if shutil.which(SERVERS[language(project)])],
         lambda project: run_project(program, project, expected, counts, figures))
    answered = [figure for figure in figures if figure[3] != "not_checked"]
    false_clean = [figure for figure in answered if figure[3] == "clean" and figure[2] != "clean"]
    right = [figure for figure in answered if figure[2] == figure[3]]
    if figures:
        times = sorted(figure[4] for figure in figures)
        print(f"{len(figures)} edits: {len(false_clean)} false clean, {len(right)} of {len(answered)} answered right, "
              f"{100 * len(answered) / len(figures):.0f} % answered, p50 {times[len(times) // 2] * 1000:.0f} ms, "
              f"p95 {times[len(times) * 95 // 100] * 1000:.0f} ms")
    if not words[1:]:
        given = {name: len(GIVEN[name]) for name in doubts_of_table()}
        print("doubts given: " + ", ".join(f"{name} {count}" for name, count in given.items() if count))
        print("never: " + ", ".join(name for name, count in given.items() if not count))
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
