const plain = /^(?:[A-Z]|(?!\d+(?:[.eEx]\d*)*$)[A-Za-z0-9][A-Za-z0-9.$+_-]{1,15})$/

/**
 * Symbols are untrusted text. Any symbol that could be misleading is dropped: numbers such as `000`
 * or `1e9`, punctuation, or a unit such as `k` would change the meaning of an amount next to it.
 */
export const plainSymbol = (text: string | null): string | null =>
  text !== null && plain.test(text) ? text : null
