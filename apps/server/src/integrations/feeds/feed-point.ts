import { FeedError } from './feed-error.ts'

export interface FeedPoint {
  /** Time of the price, in Unix seconds. */
  readonly at: number
  /** Quote atoms per base atom, times 10^36. */
  readonly priceX36: bigint
  /** Maximum error, in pips of the price. */
  readonly errorPips: number
  /** The signed message of the source, if any; stored with the price. */
  readonly proof?: string
}

/** Units of the two assets of a price. */
export interface PairDecimals {
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

const decimalText = /^(0|[1-9][0-9]{0,39})(?:\.([0-9]{1,60}))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/**
 * Converts a decimal price in quote units per base unit into quote atoms per base atom times 10^36.
 * The result is p·10^(36 + quote decimals − base decimals). It is rounded down and never zero.
 *
 * @param text as received; a float would lose digits
 * @throws FeedError if the text or result is invalid
 */
export function x36OfText(text: string, decimals: PairDecimals): bigint {
  const [, whole, fraction = '', exponent = '0'] = decimalText.exec(text) ?? []
  if (whole === undefined) throw FeedError.refused('SHAPE', 'a price is not a decimal number')
  const digits = BigInt(whole + fraction)
  return x36OfAnswer(digits, fraction.length - Number(exponent), decimals)
}

/**
 * An amount in units of an asset, written as a decimal number, in its atoms; rounded down.
 *
 * @throws FeedError for a text that is no such number
 */
export function atomsOfText(text: string, decimals: number): bigint {
  const [, whole, fraction = '', exponent = '0'] = decimalText.exec(text) ?? []
  if (whole === undefined) throw FeedError.refused('SHAPE', 'an amount is not a decimal number')
  const power = decimals - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
}

/**
 * Converts an integer price with the given decimals, like `x36OfText`.
 *
 * @throws FeedError if the price is zero or negative, or the result is zero
 */
export function x36OfAnswer(
  answer: bigint,
  answerDecimals: number,
  { baseDecimals, quoteDecimals }: PairDecimals,
): bigint {
  if (answer <= 0n) throw FeedError.refused('CLAMPED', 'a price is not positive')
  const power = 36 + quoteDecimals - baseDecimals - answerDecimals
  const priceX36 = power >= 0 ? answer * 10n ** BigInt(power) : answer / 10n ** BigInt(-power)
  if (priceX36 > 0n && priceX36 < 2n ** 256n) return priceX36
  throw FeedError.refused(
    'SHAPE',
    'a price is outside the representable range (10^-36 of an atom to 2^256)',
  )
}
