"""What `bodkin ask` shows, checks and writes in a script."""
import json
import subprocess

from cli_support import READ, TEXT, WIDE, WIDER, check, edit, turn


def skills_are_told_of_in_trusted_folders_only(case):
    (case.root / ".agents/skills/release").mkdir(parents=True)
    case.put(".agents/skills/release/SKILL.md", "---\nname: release-it\ndescription: How a release is made\n---\nTag it.\n")
    named = "release-it (.agents/skills/release/SKILL.md): How a release is made"
    done = case.run([turn("Done.", absent=["release-it"])], "Release it.")
    check(done.returncode == 0, str(done))
    case.settings(**{"workspace.trusted": [str(case.root)]})
    look = turn("", [{"name": "read_file", "arguments": {"path": ".agents/skills/release/SKILL.md"}}], expect=[named], absent=["Tag it."])
    done = case.run([look, turn("Done.", expect=["Tag it."])], "Release it.")
    check(done.returncode == 0, str(done))


def into_a_pipe_goes_the_diff_alone_and_nothing_is_written(case):
    done = case.run(WIDER, "Wider, please.", "a.c:2")
    check(done.returncode == 0 and case.get() == TEXT, done.err)
    check(done.out.startswith("--- a/a.c\n+++ b/a.c\n") and "\x1b" not in done.out + done.err, done.out)
    for wanted in ("- Reading a.c\n", "b and g are wider.", "Would change a.c (+2 \u22122). ? only the syntax was checked: no language server for C is set up. 3 turns, 3,030 tokens",
                   "bodkin ask: Nothing was written; use --yes to write it.\n"):
        check(wanted in done.err, done.err)
    check("" not in [line.strip("- ") for line in done.err.splitlines()], done.err)
    patched = subprocess.run(["git", "apply"], cwd=case.root, input=done.stdout)
    check(patched.returncode == 0 and case.get() == WIDE, "git cannot apply it")


def yes_writes_it(case):
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE and "changed a.c\n" in done.err, done.err)


def a_file_in_another_encoding_is_shown_and_written_in_it(case):
    for charset, coding, old, new, lacking in (
            ("latin1", "latin-1", "naïve", "été", "日"), ("shift_jis", "shift_jis", "表示", "追加", "é"),
            ("gbk", "gbk", "模块", "相加", "\U0001F600"), ("koi8-r", "koi8-r", "привет", "слово", "日")):
        case.put(".editorconfig", "root = true\n[*.c]\ncharset = %s\n" % charset)
        before = "// %s\nint b;\n" % old
        (case.root / "x.c").write_bytes(before.encode(coding))
        ask = lambda text: case.run([turn("", [edit("int b;", "int b; // " + text, "x.c")], expect=["// " + old]),
                                     turn("Done.")], "--yes", "Say it.", "x.c")
        done = ask(lacking)
        check(done.returncode == 1 and 'x.c cannot be written in its encoding: %s has no "%s"' % (charset, lacking)
              in " ".join(done.err.split()), done.err)
        check((case.root / "x.c").read_bytes() == before.encode(coding), "it was written")
        done = ask(new)
        check(done.returncode == 0, done.err)
        check((case.root / "x.c").read_bytes() == before.replace("b;", "b; // " + new).encode(coding), done.err)


def no_file_is_guessed_for_a_path_outside_of_the_folder(case):
    for path in ("/other/place/a.c", "file:///other/place/a.c", "~/place/a.c", "../place/a.c"):
        bad = turn("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % path)
        done = case.run([bad] * 6, "--yes", "Wider.")
        check(done.returncode == 1 and case.get() == TEXT, str(done))
        check(path.removeprefix("file://") + " is outside the folder " in done.err, done.err)


def yes_does_not_write_what_a_check_objects_to(case):
    done = case.run([READ, turn("", [edit("int b;", "int b")]), turn("Done."), turn("Done."), turn("Done.")],
                    "--yes", "Narrower.")
    check(done.returncode == 1 and case.get() == TEXT, str(done))
    check("Not written: " in done.err and "syntax error" in done.err, done.err)


def a_real_server_checks_what_is_shown_and_yes_does_not_write_new_errors(case):
    case.settings(**{"verify.servers": {}})
    wrong = [READ, turn("", [edit("int b;", "int b = missing;")]), turn("Done."),
             turn("I cannot.", expect=["clangd now reports", "missing"])]
    done = case.run(wrong, "--json", "--yes", "Set it.")
    end = json.loads(done.out.splitlines()[-1])
    check(done.returncode == 1 and not end["written"] and case.get() == TEXT, str(done))
    check(end["checked"] == "✗ clangd: 1 new error" and end["check"]["state"] == "problems", str(end))
    problem = end["check"]["new"][0]
    check(problem["path"] == "a.c" and problem["line"] == 2 and problem["severity"] == "error", str(problem))
    check(end["notes"][0].startswith("a.c, line 2: "), str(end["notes"]))
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, str(done))
    check("Would change a.c (+2 \u22122). ✓ clangd: no new errors." in done.err, done.err)


def auto_does_not_write_what_silences_its_checker(case):
    case.settings(**{"verify.servers": {}})
    silenced = edit("int b;", '#pragma GCC diagnostic ignored "-Wimplicit-int"\nint b;')
    done = case.run([READ, turn("", [silenced]), turn("Done.")], "--mode", "auto", "Quiet it.")
    check(done.returncode == 1 and case.get() == TEXT, str(done))
    check("line 2 of a.c silences the checker: pragma diagnostic" in " ".join(done.err.split()) and "✓" not in done.err, done.err)


def fix_shows_the_model_what_a_server_reports(case):
    case.settings(**{"verify.servers": {}})
    case.put("a.c", "int b = missing;\n")
    fixed = [turn("", [edit("missing", "0")], expect=["Problems that clangd reports in a.c:", "line 1: error: ", "missing"]),
             turn("Done.")]
    done = case.run(fixed, "--yes", "/fix", "a.c")
    check(done.returncode == 0 and case.get() == "int b = 0;\n", str(done))
    check("✓ clangd: 1 fixed" in done.err, done.err)


def what_is_private_does_not_come_back_through_a_server(case):
    case.settings(**{"verify.servers": {}})
    case.put(".env", "hunter2pw\n")
    (case.home / "out.txt").write_text("hunter2pw\n")
    for path in (".env", "../out.txt", str(case.home / "out.txt")):
        unseen = {"absent": ["hunter2pw"]}
        case.put("a.c", 'int a =\n#include "%s"\n;\n' % path)
        done = case.run([turn("Nothing.", **unseen)], "/fix", "a.c")
        check(done.returncode == 0, str(done))
        case.put("a.c", TEXT)
        tells = {"name": "diagnostics", "arguments": {"path": "a.c"}}
        done = case.run([READ, turn("", [edit("int b;", 'int b =\n#include "%s"\n;' % path)], **unseen), turn("", [tells], **unseen),
                         turn("Done.", **unseen), turn("Done.", **unseen), turn("Done.", **unseen)], "Set it.")
        check("the request must not contain" not in done.err and "✓" not in done.err, str(done))


def yes_does_not_write_what_could_not_be_checked(case):
    trusted = {"workspace.trusted": [str(case.root)]}
    for settings in (dict(trusted, **{"verify.command": ["false"]}),  # it fails without the edit, too
                     dict(trusted, **{"verify.command": ["nonesuch"]}),
                     dict(trusted, **{"verify.command": ["sleep", "60"], "verify.commandTimeoutMs": 200}),
                     {"verify.command": ["true"]}):  # the folder is not trusted
        case.settings(**settings)
        done = case.run(WIDER, "--yes", "Wider, please.")
        check(done.returncode == 1 and case.get() == TEXT, "%s: %s" % (settings, done))
        check("Not written: only the syntax was checked: " in done.err, done.err)


def yes_does_not_write_what_runs_commands(case):
    case.put("setup.py", TEXT)
    done = case.run([turn("", [{"name": "read_file", "arguments": {"path": "setup.py"}}]),
                     turn("", [edit("int b;", "long;", "setup.py")]), turn("Done.")], "--yes", "Wider, please.")
    check(done.returncode == 1 and case.get("setup.py") == TEXT and "Not written: " in done.err, str(done))


def json_says_why_nothing_was_written_and_how_it_can_be(case):
    for path, more, why in (("setup.py", ["--yes"], "Not written: setup.py: "), ("a.ini", ["--yes"], "Not written: a.ini: "),
                            ("b.c", [], "Nothing was written; use --yes to write it.")):
        case.put(path, TEXT)
        done = case.run([turn("", [{"name": "read_file", "arguments": {"path": path}}]),
                         turn("", [edit("int b;", "long;", path)]), turn("Done.")], "--json", *more, "Wider, please.")
        end = json.loads(done.out.splitlines()[-1])
        check(end["end"] == "proposal" and not end["written"] and case.get(path) == TEXT, str(end))
        check(end["reason"].startswith(why) and end["redo"] == "bodkin redo " + end["proposal"] and end["undo"] is None, str(end))
    end = json.loads(case.run(WIDER, "--json", "--yes", "Wider.").out.splitlines()[-1])
    check(end["written"] and end["reason"] == "" and end["redo"] is None, str(end))
