export default {
  title: "without a model, an ask says what to do",
  files: { "a.py": "a = 1\n" },
  settings: { "bodkin.model.provider": "openai" },
  async run(w) {
    await w.open("a.py");
    await w.command("Bodkin: Ask Agent…");
    await w.answer("Another number");
    await w.notification("OPENAI_API_KEY");
    await w.noNotification("bodkin: Another number");
  },
};
