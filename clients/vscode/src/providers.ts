// The providers that can be chosen, and what each must be told. Pure.
export interface Provider {
  id: string;
  label: string;
  place: string; // where the code goes
  needsKey: boolean;
  needsAddress?: true; // it has no host of its own
}

export const providers: readonly Provider[] = [
  { id: "anthropic", label: "Anthropic", place: "api.anthropic.com", needsKey: true },
  { id: "openai", label: "OpenAI", place: "api.openai.com", needsKey: true },
  { id: "gemini", label: "Google Gemini", place: "generativelanguage.googleapis.com", needsKey: true },
  { id: "openrouter", label: "OpenRouter", place: "openrouter.ai", needsKey: true },
  { id: "deepseek", label: "DeepSeek", place: "api.deepseek.com", needsKey: true },
  { id: "mistral", label: "Mistral", place: "api.mistral.ai", needsKey: true },
  { id: "groq", label: "Groq", place: "api.groq.com", needsKey: true },
  { id: "azure", label: "Azure OpenAI", place: "at your own address", needsKey: true, needsAddress: true },
  { id: "ollama", label: "Ollama", place: "on this machine", needsKey: false },
  { id: "openai-compatible", label: "Another OpenAI-compatible server", place: "at your own address", needsKey: false, needsAddress: true },
];

// The address that was typed, with its scheme as bodkin.model.endpoint has it; nothing if it is none.
export function addressOf(typed: string): string | undefined {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(typed.trim());
  const address = typed.includes("://") ? typed.trim() : `${isLocal ? "http" : "https"}://${typed.trim()}`;
  try {
    return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
