const usdDecimals = 8

/** US dollars in units of 10^-8, rounded down. @param text decimal number without sign */
export function usdAtoms(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, usdDecimals).padEnd(usdDecimals, '0'))
}

/** Exact sum of decimal numbers; null if none is known. */
export function sumOfDecimals(texts: readonly (string | null)[]): string | null {
  const known = texts.filter((text) => text !== null)
  if (known.length === 0) return null
  const places = Math.max(...known.map((text) => text.split('.')[1]?.length ?? 0))
  const sum = known.reduce((total, text) => {
    const [whole = '0', fraction = ''] = text.split('.')
    return total + BigInt(whole + fraction.padEnd(places, '0'))
  }, 0n)
  const digits = sum.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
