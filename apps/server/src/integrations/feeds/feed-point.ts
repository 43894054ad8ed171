import { FeedError } from './feed-error.ts'

/** A price as a source told it. */
export interface FeedPoint {
  /** Unix seconds at which it was the price. */
  readonly at: number
  /** Quote atoms per base atom, times 10^36. */
  readonly priceX36: bigint
  /** How far it may be off, millionths of it. */
  readonly errorPips: number
  /** What the source signed, where it did; kept with the price. */
  readonly proof?: string
}

/** Units of the two assets of a price. */
export interface PairDecimals {
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

const decimalText = /^(0|[1-9][0-9]{0,39})(?:\.([0-9]{1,60}))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/**
 * A price in quote units per base unit, written as a decimal number, in quote atoms per base atom times 10^36: p·10^(36 + quote
 * decimals − base decimals), rounded down.
 *
 * @param text as it stood in the answer; a float would lose its digits
 * @throws FeedError for a text that is no such number, and where nothing is left of it
 */
export function x36OfText(text: string, decimals: PairDecimals): bigint {
  const [, whole, fraction = '', exponent = '0'] = decimalText.exec(text) ?? []
  if (whole === undefined) throw FeedError.refused('SHAPE', 'a price is no decimal number')
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
  if (whole === undefined) throw FeedError.refused('SHAPE', 'an amount is no decimal number')
  const power = decimals - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
}

/**
 * A price that is an integer with so many decimals, as `x36OfText` gives it.
 *
 * @throws FeedError where it is zero or less, or nothing is left of it
 */
export function x36OfAnswer(
  answer: bigint,
  answerDecimals: number,
  { baseDecimals, quoteDecimals }: PairDecimals,
): bigint {
  if (answer <= 0n) throw FeedError.refused('CLAMPED', 'a price is not above zero')
  const power = 36 + quoteDecimals - baseDecimals - answerDecimals
  const priceX36 = power >= 0 ? answer * 10n ** BigInt(power) : answer / 10n ** BigInt(-power)
  if (priceX36 > 0n && priceX36 < 2n ** 256n) return priceX36
  throw FeedError.refused('SHAPE', 'a price is beyond what 10^36 of an atom and 2^256 can say')
}
