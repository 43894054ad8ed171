/**
 * Symbols are untrusted text. Any symbol that could be misleading is dropped: digits, punctuation or
 * a unit such as `k` would change the meaning of an amount next to it.
 */
export const plainSymbol = (text: string | null): string | null =>
  text !== null && /^[A-Za-z][A-Za-z0-9.$+_-]{1,15}$/.test(text) ? text : null
