"""Permissions and questions while an ask runs."""
import json
import re
import subprocess

from case import QUESTION, Terminal, history, without_progress
from cli_support import READ, TEXT, WIDE, WIDER, check, edit, turn


def a_permission_is_asked_for_on_the_terminal(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    screen = case.terminal(WIDER, "Wider, please.")
    before = screen.until("Allow it? [y]es, for this [s]ession or [w]orkspace, [n]o, no, with a [r]eason ")
    check("not trusted" not in before, before)  # no command was wanted
    screen.type("?")
    explained = screen.until(" [r]eason ")
    check(all("\n%s  " % key in explained for key in "yswnr") and "permissions.json" in explained, explained)
    screen.type("why is that?\r")  # w is a key, but a word is no choice
    screen.until("Unknown key")
    screen.until(" [r]eason ")
    screen.type("w")
    screen.until("w: press Enter if you mean it. ")
    screen.type("no")
    screen.until("Unknown key")
    screen.until(" [r]eason ")
    check(not (case.home / ".local/state/bodkin/permissions.json").exists(), "it was stored")
    screen.type("w\r")
    said = screen.until(QUESTION).replace("\r\n  ", " ")
    check("to revoke it, remove it from" in said and "permissions.json" in said, said)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())


def what_was_allowed_in_the_workspace_is_not_asked_again(case):
    a_permission_is_asked_for_on_the_terminal(case)
    case.put("a.c", TEXT)
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, done.err)


def a_refusal_with_a_reason_is_told_to_the_model(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    told = turn("Then I leave them.", expect=["Reason: ints are fine"])
    screen = case.terminal([READ, turn("", [edit("int b;", "long b;")]), told], "Wider, please.")
    screen.until(" [r]eason ")
    screen.type("r")
    screen.until("Why not? ")
    screen.type("ints are fine\r")
    text = screen.end()
    check("Then I leave them." in text and case.get() == TEXT, text)


def a_question_about_a_command_comes_before_it_and_says_it_once(case):
    case.settings(**{"workspace.trusted": [str(case.root)]})
    command = "echo " + "word " * 30 + "; ls last"
    screen = case.terminal([turn("", [{"name": "run_command", "arguments": {"command": command}}])], "List.")
    asked = without_progress(screen.until(" [r]eason "))
    check("- Running" not in asked and asked.count("; ls last") == 1, asked)
    check(re.search(r"The model wants to run( \(sandbox, no network\))?: ", asked), asked)
    check(max(map(len, asked.splitlines()[:-1])) < 80, asked)
    screen.type("n")
    said = without_progress(screen.end()).replace("\r\n  ", " ")
    check("Permission denied: Running echo word" in said and "ls last" in said and "The user" not in said, said)


def a_plan_says_how_it_is_carried_out(case):
    done = case.run([turn("1. Widen b.")], "--plan", "Wider, please.")
    check("To carry the plan out: bodkin ask --session " in done.err, done.err)


def the_home_folder_is_not_searched(case):
    done = case.run([turn("Fine.")], "--root", str(case.home), "Hello.")
    check(done.returncode == 0 and "This is your home folder, which is not searched" in done.err, done.err)


def a_history_is_not_cleared_without_being_asked(case):
    case.run([turn("Fine.")], "Hello.")
    done = subprocess.run([case.program, "history", "clear"], env=case.environment, capture_output=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 1 and b"--yes removes 1 session" in done.stderr, str(done))
    check(len(json.loads(history(case, "--json", "list"))) == 1, "it was removed")
    done = subprocess.run([case.program, "history", "clear", "--yes"], env=case.environment, capture_output=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 0 and json.loads(history(case, "--json", "list")) == [], str(done))


def calls_are_told_in_words(case):
    case.run(WIDER, "Wider, please.")
    shown = history(case, "show", "last")
    check("  edit a.c  +1 \u22121\n" in shown and "  read_file a.c\n" in shown and "{" not in shown, shown)
    screen = Terminal([case.program, "history"], case.root, case.environment, 60)
    check(max(map(len, screen.end().splitlines())) < 60 or str(case.root) in screen.text, screen.text)


def broken_settings_are_the_only_news_of_a_check(case):
    (case.home / ".config/bodkin/settings.json").write_text('{"bodkin.agent.mode": }')
    done = subprocess.run([case.program, "check"], cwd=case.root, env=case.environment, capture_output=True, text=True)
    check(done.returncode == 1 and done.stdout.count("settings   ") == 1 and "No model" not in done.stdout, done.stdout)


def a_program_that_reads_standard_input_says_so_in_a_terminal(case):
    screen = Terminal([case.program, "complete"], case.root, case.environment, 80)
    screen.until('{"messages": [{"role": "user", "content": "hi"}]}')
    screen.type("\x04")
    screen.end()
    check(screen.code == 1, screen.text)


def a_limit_is_raised_by_a_key(case):
    case.settings(**{"agent.maxTurns": 2})
    screen = case.terminal(WIDER, "Wider, please.")
    before = without_progress(screen.until("Continue for 2 more requests? (2 requests to the model so far) [y]es, [n]o "))
    check(before.count("Stopped after 2 requests") == 1 and before.count("so far") == 1, before)
    screen.type("y")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())
    case.put("a.c", TEXT)
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until("so far) [y]es, [n]o ")
    screen.type("n")
    screen.until(QUESTION)
    screen.type("d")
    screen.end()
    check(case.get() == TEXT, case.get())


def the_mode_auto_writes_what_no_check_objects_to_and_human_asks_no_model(case):
    done = case.run(WIDER, "--mode", "auto", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, done.err)
    check(case.run(WIDER, "--mode", "wild", "Wider.").returncode == 2, "an unknown mode was taken")
    case.put("a.c", TEXT)
    screen = Terminal([case.program, "ask", "--provider", "openai", "--mode", "human", "By myself."], case.root,
                      case.environment, 80)  # without a key
    screen.until("> ")
    screen.type("\r")
    screen.end()
    check(screen.code == 0 and case.get() == TEXT, screen.text)


def in_the_mode_human_an_edit_has_several_lines_and_a_command_a_mark(case):
    case.settings(**{"workspace.trusted": [str(case.root)]})
    screen = case.terminal([], "--mode", "human", "By myself.")
    screen.until("> ")
    screen.type("touch pasted1\rtouch pasted2\r.\r")  # what was pasted is not run
    screen.until("No edit was found in it.")
    screen.until("> ")
    screen.type("a.c\r<<<<<<< SEARCH\rint b;\r=======\rlong b;\r>>>>>>> REPLACE\r.\r")
    screen.until("+1")
    screen.until("> ")
    screen.type("!grep -c long a.c; echo 'int n;' >n.c\r")
    screen.until("1\r\n")
    screen.until("> ")
    screen.type("\r")
    before = screen.until(QUESTION)
    check("+long b;" in before and "+int n;" in before and "pasted" not in before, before)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get("n.c") == "int n;\n" and not (case.root / "pasted1").exists(), screen.text)
