export default {
  nightly: true,
  title: "without an open file a request is about the folder",
  files: { "a.py": "a = 1\n" },
  turns: [{ expect: ["What is here?"], reply: { text: "One file.", stop_reason: "end_turn" } }],
  async run(w) {
    await w.command("bodkin: Ask Agent…");
    await w.request("What is here?");
    await w.said("One file.");
  },
};
