#!/usr/bin/env python3
"""Holds what a release says of itself against the version in CMakeLists.txt, and what a hosting service reads against
the files that it names.

    python3 tests/release.py [--write | --notes]

The version is that of project() in CMakeLists.txt. The program, its manual and the packages take it from there when they
are built; package.json and the documents repeat it, which is checked here, and written with --write. CHANGELOG.md has a
section of at most 120 lines for each version, the newest first; --notes prints the one of this version. Workflows, forms
and CODEOWNERS in .github have what their readers require, and run only what exists. The last line is: N passed, N failed,
N skipped.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_LINES = 120  # of a section
# What stands before the version where it is repeated: the packages' names, and the extension's manifest.
REPEATED = (("*.md", r"(bodkin[-_])(\d+\.\d+\.\d+)(?=[-/])"),
            ("clients/nvim/doc/bodkin.txt", r"(bodkin[-_])(\d+\.\d+\.\d+)(?=[-/])"),
            ("clients/vscode/package.json", r'(^  "version": ")(.*?)(?=")'),
            ("clients/vscode/package-lock.json", r'(^(?:  |      )"name": "bodkin",\n +"version": ")(.*?)(?=")'))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


VERSION = re.search(r"^project\(bodkin VERSION (\d+\.\d+\.\d+) ", read("CMakeLists.txt"), re.M)[1]


def repeated():
    """(path, the pattern, its text) of each file that may repeat the version."""
    for named, pattern in REPEATED:
        for path in subprocess.check_output(["git", "ls-files", named], cwd=ROOT, text=True).split():
            if path != "CHANGELOG.md":
                yield path, pattern, read(path)


def write():
    for path, pattern, text in repeated():
        now = re.sub(pattern, r"\g<1>" + VERSION, text, flags=re.M)
        if now != text:
            print("changed " + path)
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(now)


def other_versions():
    found = 0
    for path, pattern, text in repeated():
        for match in re.finditer(pattern, text, re.M):
            found += 1
            if match[2] != VERSION:
                yield "%s says %s, and CMakeLists.txt %s; `python3 tests/release.py --write` mends it" % (path, match[2], VERSION)
    if found < 5:
        yield "only %d places that repeat the version are found" % found


def sections():
    """(version, the rest of its heading, its text) of each section of the changelog."""
    parts = re.split(r"^## \[(.+?)\](.*)\n", read("CHANGELOG.md"), flags=re.M)
    return list(zip(parts[1::3], parts[2::3], parts[3::3]))


def notes():
    return [text.strip() + "\n" for name, _, text in sections() if name == VERSION]


def wrong_changelog():
    all_sections = sections()
    versions = [name for name, _, _ in all_sections if name != "Unreleased"]
    if not versions or versions[0] != VERSION:
        yield "CHANGELOG.md: the newest version is %s, and CMakeLists.txt says %s" % (versions[:1], VERSION)
    if versions != sorted(set(versions), key=lambda each: [int(part) for part in each.split(".")], reverse=True):
        yield "CHANGELOG.md: the versions are in no order: %s" % versions
    for name, rest, text in all_sections:
        if text.count("\n") > MOST_LINES:
            yield "CHANGELOG.md: [%s] has %d lines, at most %d are meant" % (name, text.count("\n"), MOST_LINES)
        if name != "Unreleased" and not re.fullmatch(r" - \d{4}-\d\d-\d\d", rest):
            yield "CHANGELOG.md: [%s] has no date" % name
        for heading in re.findall(r"^### (.*)", text, re.M):
            if heading not in ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"):
                yield "CHANGELOG.md: [%s] has the heading %s" % (name, heading)


def scripts_of(commands):
    """The scripts of ours that shell commands run."""
    return re.findall(r"\b(?:sh|python3|\.) ((?:\.ci|clients|tests)/[\w./-]+|\.ci/\w+)", commands)


def wrong_commands(path, commands):
    found = subprocess.run(["sh", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "X", commands), text=True, capture_output=True)
    if found.returncode != 0:
        yield "%s: %s" % (path, found.stderr.strip())
    for script in scripts_of(commands):
        if not os.path.exists(os.path.join(ROOT, script)):
            yield "%s: %s does not exist" % (path, script)


def wrong_workflow(path):
    """What GitHub Actions requires, and that the steps are ours: no action of others, pinned, few rights."""
    workflow = yaml.safe_load(read(path))
    # YAML 1.1 reads the key `on` as true.
    for key in ("name", True, "permissions", "jobs"):
        if key not in workflow:
            yield "%s: it has no %s" % (path, "on" if key is True else key)
    for key in set(workflow) - {"name", True, "permissions", "jobs", "concurrency", "env"}:
        yield "%s: %s is no key of a workflow that we use" % (path, key)
    ran = []
    for name, job in workflow.get("jobs", {}).items():
        where = "%s, %s" % (path, name)
        if "runs-on" not in job or "timeout-minutes" not in job or not job.get("steps"):
            yield "%s: runs-on, timeout-minutes or steps are missing" % where
        for key in set(job) - {"name", "runs-on", "timeout-minutes", "permissions", "steps", "needs", "if", "env", "container", "strategy"}:
            yield "%s: %s is no key of a job that we use" % (where, key)
        needed = job.get("needs", [])
        for each in [needed] if isinstance(needed, str) else needed:
            if each not in workflow["jobs"]:
                yield "%s: it needs %s, which does not exist" % (where, each)
        for step in job.get("steps", []):
            if ("uses" in step) == ("run" in step):
                yield "%s: a step has either uses or run: %s" % (where, step)
            for key in set(step) - {"name", "uses", "run", "with", "env", "if", "id"}:
                yield "%s: %s is no key of a step that we use" % (where, key)
            if "uses" in step and not re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]):
                yield "%s: %s is not of GitHub's own, with its version" % (where, step["uses"])
            if "run" in step:
                yield from wrong_commands(where, step["run"])
                ran += scripts_of(step["run"])
    if not ran:
        yield "%s: it runs no script of ours" % path


# Of each element of an issue form: what its attributes may be, and which of them it needs.
ELEMENTS = {"markdown": ({"value"}, {"value"}),
            "textarea": ({"label", "description", "placeholder", "value", "render"}, {"label"}),
            "input": ({"label", "description", "placeholder", "value"}, {"label"}),
            "dropdown": ({"label", "description", "multiple", "options", "default"}, {"label", "options"}),
            "checkboxes": ({"label", "description", "options"}, {"label", "options"})}


def wrong_form(path):
    form = yaml.safe_load(read(path))
    for key in ("name", "description", "body"):
        if not form.get(key):
            yield "%s: it has no %s" % (path, key)
    for key in set(form) - {"name", "description", "body", "title", "labels", "assignees"}:
        yield "%s: %s is no key of a form" % (path, key)
    ids, labels = [], []
    for element in form.get("body", []):
        kind, attributes = element.get("type"), element.get("attributes", {})
        if kind not in ELEMENTS:
            yield "%s: there is no element of type %s" % (path, kind)
            continue
        may, must = ELEMENTS[kind]
        if set(element) - {"type", "id", "attributes", "validations"} or set(attributes) - may or must - set(attributes):
            yield "%s: %s has other or fewer members than a %s" % (path, element.get("id", kind), kind)
        if kind == "markdown":
            continue
        ids.append(element.get("id"))
        labels.append(attributes["label"])
        if not re.fullmatch(r"[\w-]+", str(element.get("id"))):
            yield "%s: %s has no id" % (path, attributes["label"])
        for option in attributes.get("options", []):
            if kind == "checkboxes" and not (isinstance(option, dict) and option.get("label")):
                yield "%s: an option of %s has no label" % (path, element["id"])
            if kind == "dropdown" and not isinstance(option, str):
                yield "%s: an option of %s is no text" % (path, element["id"])
    if len(ids) != len(set(ids)) or len(labels) != len(set(labels)) or not ids:
        yield "%s: ids and labels must differ" % path


def wrong_bug_form():
    """What is asked for exists: the command, and the option that makes the file."""
    text = read(".github/ISSUE_TEMPLATE/bug.yml")
    for wanted in ("bodkin check", "bodkin ask --record", "bodkin --version"):
        if wanted not in text:
            yield "the form for bugs does not ask for `%s`" % wanted
    declared = read("lsp/cli/subcommands.cpp")
    for command in ('add("check"', '"--record"', '"replay"'):
        if command not in re.sub(r"\(\s*", "(", declared):
            yield "the form for bugs asks for %s, which does not exist" % command


def wrong_chooser():
    config = yaml.safe_load(read(".github/ISSUE_TEMPLATE/config.yml"))
    if set(config) - {"blank_issues_enabled", "contact_links"} or not isinstance(config["blank_issues_enabled"], bool):
        yield ".github/ISSUE_TEMPLATE/config.yml has other keys than the chooser knows"


def wrong_owners():
    for line in read(".github/CODEOWNERS").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pattern, *owners = line.split()
        if not owners or not all(re.fullmatch(r"@[\w/-]+|\S+@\S+\.\S+", owner) for owner in owners):
            yield ".github/CODEOWNERS: who owns %s?" % pattern
        if pattern != "*" and not glob.glob(os.path.join(ROOT, pattern.strip("/"))):
            yield ".github/CODEOWNERS: %s does not exist" % pattern


def main():
    if sys.argv[1:] == ["--write"]:
        return write()
    if sys.argv[1:] == ["--notes"]:
        found = notes()
        sys.stdout.write("".join(found))
        return 0 if found else "CHANGELOG.md has no section for %s" % VERSION
    global yaml  # Debian's python3-yaml; the packages are made without it
    import yaml
    checks = [("the version", other_versions, ()), ("the changelog", wrong_changelog, ()), ("the form for bugs", wrong_bug_form, ()),
              ("the chooser", wrong_chooser, ()), ("the owners", wrong_owners, ())]
    for named, check in (("workflows/*.yml", wrong_workflow), ("ISSUE_TEMPLATE/*.yml", wrong_form)):
        paths = [os.path.relpath(each, ROOT) for each in glob.glob(os.path.join(ROOT, ".github", named))]
        assert paths, named
        checks += [(path, check, (path,)) for path in sorted(paths) if not path.endswith("/config.yml")]
    failed = 0
    for name, check, arguments in checks:
        wrong = list(check(*arguments))
        failed += bool(wrong)
        for each in wrong:
            print("FAIL  %s: %s" % (name, each))
    print("%d passed, %d failed, 0 skipped" % (len(checks) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
