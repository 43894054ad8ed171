/**
 * Brings back the integers of a market or event that was written as JSON with decimal strings: the inverse
 * of the engine's `toJsonSafe`. Names and hashes begin with a letter or 0x, so no text is mistaken.
 */
export function fromJsonSafe(value: unknown): unknown {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(fromJsonSafe)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fromJsonSafe(member)]),
  )
}
