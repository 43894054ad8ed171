/** Decimal without anything around it: what nearly every recording writes. */
const PLAIN = /^-?[0-9]+$/
/** Also hex with 0x, in any case, a sign, and spaces around it. */
const ANY = /^\s*([+-]?)(0x[0-9a-f]+|[0-9]+)\s*$/i

/** An integer in a recording's notation, or null for other text. */
export function parseWhole(text: string): bigint | null {
  if (PLAIN.test(text)) return BigInt(text)
  const match = ANY.exec(text)
  if (match === null) return null
  // Both groups take part in every match.
  const magnitude = BigInt(match[2]!.toLowerCase())
  return match[1] === '-' ? -magnitude : magnitude
}

/** As `parseWhole`, as a JSON number; null as well when it is above 2^53. */
export function parseSmall(text: string): number | null {
  const value = PLAIN.test(text) ? Number(text) : Number(parseWhole(text) ?? Number.NaN)
  return Number.isSafeInteger(value) ? value : null
}
