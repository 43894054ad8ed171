const capitalShown = 1_000_000n
const x18 = 10n ** 18n

/**
 * Presentation of amounts: in atoms, or relative to the capital. Input and output are decimal
 * strings.
 */
export interface Amounts {
  unit: 'ATOMS' | 'MILLIONTHS_OF_CAPITAL'
  capital: { base: string; quote: string }
  quote: (atoms: string) => string
  base: (atoms: string) => string
}

/** Amounts in atoms. */
export function amountsAsGiven(capital: { base: string; quote: string }): Amounts {
  const same = (atoms: string) => atoms
  const { base, quote } = capital
  return { unit: 'ATOMS', capital: { base, quote }, quote: same, base: same }
}

/**
 * Scales every amount to its value at the start price, with a capital of 1,000,000:
 *
 *     quote q ↦ q·10^18·10^6 / W,   base b ↦ b·p·10^6 / W,   W = quote·10^18 + base·p
 *
 * Each amount is rounded once, to the nearest, halves away from zero. For the capital, the base is
 * rounded and the quote is the rest, so that the sum is 1,000,000.
 *
 * @param capital capital per arm, atoms
 * @param startPriceX18 quote atoms for a base atom, times 10^18, at the start of the study; null
 * without a price
 * @returns null if the value of the capital is zero or unknown, so that no scale exists
 */
export function amountsOfCapital(
  capital: { base: string; quote: string },
  startPriceX18: string | null,
): Amounts | null {
  if (startPriceX18 === null) return null
  const price = BigInt(startPriceX18)
  const worth = BigInt(capital.quote) * x18 + BigInt(capital.base) * price
  if (worth === 0n) return null
  const scaled = (worthX18: bigint) => nearest(worthX18 * capitalShown, worth)
  const quote = (atoms: string) => scaled(BigInt(atoms) * x18).toString()
  const base = (atoms: string) => scaled(BigInt(atoms) * price).toString()
  const ofBase = BigInt(base(capital.base))
  return {
    unit: 'MILLIONTHS_OF_CAPITAL',
    capital: { base: `${ofBase}`, quote: `${capitalShown - ofBase}` },
    quote,
    base,
  }
}

/** A quotient to the nearest integer, halves away from zero; the divisor is above zero. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}
