import { edits } from "../model.mjs";

export default {
  title: "a change whose text has changed says so at its place, comes back with the editor's undo, and is never counted as applied",
  nightly: true,
  files: { "a.py": "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n" },
  turns: [edits(["a.py", "b = 2\n", "b = 22\n"], ["a.py", "d = 4\n", "d = 44\n"], ["a.py", "f = 6\n", "f = 66\n"])],
  async run(w) {
    const key = (name) => w.page.keyboard.press(name);
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Double digits");
    await w.proposed("a.py");
    await w.front("a.py");
    await w.lenses("Apply", 3);
    await w.goTo(4);
    await w.type("x");
    await w.drawn("out of date: the text here has changed");
    await w.lenses("Retry (out of date)", 1);
    await w.lenses("Apply", 2);
    await w.labelled("Line 4: out of date").waitFor();
    await w.said("1 of 3 changes out of date, 2 left");
    await w.conversation.locator("#spoken p", { hasText: "is out of date" }).waitFor();
    await w.shot();
    // To take it is refused, and said why.
    await w.goTo(4);
    await key("Control+Alt+Enter");
    await w.notification("nothing applied: the change is out of date");
    await w.command("bodkin: Show Proposal as One Diff");
    await w.shows("line 4: out of date");
    await w.shot();
    await w.front("a.py");
    // What was typed is taken back: it can be applied again.
    await w.goTo(4);
    await key("Delete");
    await w.lenses("Apply", 3);
    await w.lenses("Retry (out of date)", 0);
    // One is applied, one is typed by hand: both are in the text, and only those are counted.
    await w.lens("Apply", 0);
    await w.lenses("Apply", 2);
    await w.said("1 of 3 changes applied, 2 left");
    await w.goTo(6);
    await key("End");
    await w.type("6");
    await w.said("2 of 3 changes applied, 1 left");
    // The last is applied, and the editor's undo makes it pending again.
    await w.lens("Apply", 0);
    await w.noProposal();
    await w.shows("d = 44");
    await w.page.locator(".view-line", { hasText: "d = 44" }).first().click();
    await key("Control+z");
    await w.lenses("Apply", 1);
    await w.status("bodkin: 1 proposal");
    await w.said("2 of 3 changes applied, 1 left");
    await w.tree("Line 4").waitFor();
    await w.shot();
    await w.command("bodkin: Discard Proposal");
    await w.noProposal();
    await w.saved("a.py", "a = 1\nb = 22\nc = 3\nd = 4\ne = 5\nf = 66\n");
  },
};
