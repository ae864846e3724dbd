const patch = `*** Begin Patch
*** Add File: new.py
+n = 1
*** Delete File: old.py
*** Update File: from.py
*** Move to: to.py
@@
-f = 1
+f = 2
*** End Patch
`;

export default {
  nightly: true,
  title: "a new, a deleted and a renamed file are called that in the list of proposals, and are made so",
  files: { "a.py": "a = 1\n", "old.py": "o = 1\n", "from.py": "f = 1\n" },
  turns: [{ reply: { text: patch, stop_reason: "end_turn" } }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Tidy up");
    await w.diff("from.py (renamed to to.py) and 2 more files");
    for (const words of ["new.pynew file", "old.pydeleted", "from.pyrenamed to to.py"]) await w.tree(words).waitFor();
    await w.labelled("File old.py, deleted").waitFor();
    await w.shot();
    await w.command("bodkin: Apply Proposal");
    await w.noProposal();
    await w.onDisk("new.py", "n = 1\n");
    await w.onDisk("old.py", undefined);
    await w.onDisk("from.py", undefined);
    await w.saved("to.py", "f = 2\n");
  },
};
