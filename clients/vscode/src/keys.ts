// The keys of model providers, in VS Code's secret store. They go to the server when it asks for
// one, and nowhere else: never into settings, messages or the trace.
import * as vscode from "vscode";
import { askAddress, chooseModelOf } from "./choose_model.ts";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import { redacted } from "./redacted.ts";
import type { Run } from "./review.ts";
import { inform } from "./said.ts";

const entry = (provider: string) => `bodkin.apiKey.${provider}`;

// The server of a key in a person's words: "Another OpenAI-compatible server at http://127.0.0.1:8080".
function namedOf(server: string, providers: readonly own.Provider[]): string {
  const [provider, address] = server.split("@");
  const name = providers.find((each) => each.provider === provider)?.title ?? provider;
  return address ? `${name} at ${address}` : name;
}

export class Keys {
  private readonly served = new Set<string>();
  private wanted = ""; // what the server asked for last

  constructor(private readonly store: vscode.SecretStorage) {}

  // `provider`: "openai", or "openai@https://proxy:8080" for a host that is not its own.
  async forServer(provider: string): Promise<string | null> {
    const key = (await this.store.get(entry(provider))) ?? null;
    this.wanted = provider;
    if (key) this.served.add(key);
    return key;
  }

  // All models and providers. The server asks for each key, and no request is made with one of them.
  async models(run: Run): Promise<own.Models | undefined> {
    const { wanted } = this;
    try {
      return await run<own.Models>(own.commands.selectModel, {});
    } finally {
      this.wanted = wanted;
    }
  }

  // The command "Set API Key…"; then a model of that provider can be chosen. `forFailed`: the key that the server asked for last,
  // without a question for its provider and address, if it is known that the request was for that one. Returns whether a key is
  // stored now.
  async set(run: Run, forFailed = false): Promise<boolean> {
    const isKnown = forFailed && (await this.isOfRequest(this.wanted));
    const providers = (await this.models(run))?.providers;
    if (isKnown) return this.take(this.wanted, namedOf(this.wanted, providers ?? []));
    if (!providers) return false;
    const items = await Promise.all(
      providers.filter(({ needsKey, needsAddress }) => needsKey || needsAddress).map(async (provider) => ({
        label: provider.title,
        description: (await this.store.get(entry(provider.provider))) ? "a key is stored" : "",
        provider,
      })),
    );
    const picked = await vscode.window.showQuickPick(items, { placeHolder: "API key for which provider?" });
    if (!picked) return false;
    const { provider } = picked;
    const endpoint = provider.needsAddress ? await askAddress(provider) : undefined;
    if (provider.needsAddress && !endpoint) return false;
    if (!(await this.ask(provider, endpoint))) return false;
    if (forFailed) return chooseModelOf(run, provider, this, endpoint);
    const choose = "Choose a Model";
    const answer = await inform(`bodkin: stored the key for ${provider.title} in VS Code's secret store.`, choose);
    if (answer === choose) await chooseModelOf(run, provider, this, endpoint);
    return true;
  }

  // Asks for the key of a provider, of the server at this address if it has none of its own. Returns whether one is stored now.
  // `why`: what the server has said of the one that it was given.
  ask(provider: own.Provider, endpoint?: string, why = ""): Promise<boolean> {
    // A key is kept for the server that it was given for.
    return this.take(endpoint ? `${provider.provider}@${new URL(endpoint).origin}` : provider.provider, provider.title, why);
  }

  // A server that looks for any provider with a key has asked for several: the last one is its provider's if it was found.
  private async isOfRequest(server: string): Promise<boolean> {
    const chosen = vscode.workspace.getConfiguration("bodkin.model").get<string>("provider");
    return server !== "" && (server.split("@")[0] === chosen || (await this.store.get(entry(server))) !== undefined);
  }

  private async take(server: string, title: string, why = ""): Promise<boolean> {
    const name = entry(server);
    const where = (await this.store.get(name)) ? "Leave it empty to delete the stored key." : "It is kept in VS Code's secret store, and sent to this provider only.";
    const key = await vscode.window.showInputBox({
      title: plain(`bodkin: API key for ${title}`),
      placeHolder: "Paste your key",
      prompt: plain(why ? `${why} ${where}` : where),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return false;
    if (key.trim()) {
      await this.store.store(name, key.trim());
      return true;
    }
    await this.store.delete(name);
    void inform(`bodkin: deleted the key for ${title}.`);
    return false;
  }

  // A channel for the trace, which must not show keys.
  redacting(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
    const trace = (message: string, ...rest: unknown[]) => channel.trace(redacted(message, this.served), ...rest);
    return new Proxy(channel, {
      get: (target, name) => {
        const member = name === "trace" ? trace : Reflect.get(target, name, target);
        return typeof member === "function" && name !== "trace" ? member.bind(target) : member;
      },
    });
  }
}
