import { edits } from "../model.mjs";

export default {
  title: "a folder may not choose the program, the model, or where code goes; what the server says of a setting can be read whole",
  settings: { "bodkin.agent.mode": "nonsense" },
  files: {
    "a.py": "a = 1\n",
    ".vscode/settings.json": JSON.stringify({
      "bodkin.server.path": "/bin/false",
      "bodkin.model.provider": "openai-compatible",
      "bodkin.model.endpoint": "http://127.0.0.1:1/",
      "bodkin.model.name": "theirs",
      "bodkin.model.apiKeyEnv": "HOME",
    }),
  },
  turns: [edits(["a.py", "a = 1\n", "a = 2\n"])],
  async run(w) {
    await w.open("a.py");
    await w.press("agent.mode", "OK");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 2\n");
  },
};
