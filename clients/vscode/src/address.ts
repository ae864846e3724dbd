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
