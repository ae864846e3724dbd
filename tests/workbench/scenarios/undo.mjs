const before = "def area(r):\n    return 3.14 * r * r\n";
const text = `mathlib/pi.py
<<<<<<< SEARCH
=======
PI = 3.14159
>>>>>>> REPLACE

shapes.py
<<<<<<< SEARCH
def area(r):
    return 3.14 * r * r
=======
from mathlib.pi import PI


def area(r):
    return PI * r * r
>>>>>>> REPLACE
`;

export default {
  title: "what was applied is undone by the command, with the file that it created, and is rejected then; the next command applies it again",
  files: { "shapes.py": before },
  turns: [{ reply: { text, stop_reason: "end_turn" } }],
  async run(w) {
    await w.open("shapes.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Give pi a name");
    await w.diff("shapes.py (proposed) and 1 more file");
    await w.titleAction("Apply All");
    await w.noProposal();
    await w.saved("shapes.py", "from mathlib.pi import PI\n\n\ndef area(r):\n    return PI * r * r\n");
    await w.onDisk("mathlib/pi.py", "PI = 3.14159\n");
    await w.command("bodkin: Undo Applied Proposal");
    await w.shot();
    await w.saved("shapes.py", before);
    await w.onDisk("mathlib/pi.py", undefined);
    await w.noProposal();
    await w.command("bodkin: Redo Undone or Discarded Proposal");
    await w.saved("shapes.py", "from mathlib.pi import PI\n\n\ndef area(r):\n    return PI * r * r\n");
    await w.command("bodkin: Undo Applied Proposal");
    await w.saved("shapes.py", before);
  },
};
