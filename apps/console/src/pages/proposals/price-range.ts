import type { Asset } from '../../fields/units.tsx'

/** Ticks of a full range are near these limits; the spacing of a pool decides how near. */
const maxTick = 887_272
const widestSpacing = 200

/** Price at a tick with six significant digits, in units of the second token per first token. */
const priceAt = (tick: number, first: Asset, second: Asset) =>
  new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 }).format(
    1.0001 ** tick * 10 ** (first.decimals - second.decimals),
  )

/** The price range of a position as a sentence. */
export function priceRange(
  tickLower: string,
  tickUpper: string,
  first: Asset | null,
  second: Asset | null,
): string {
  const [lower, upper] = [Number(tickLower), Number(tickUpper)]
  if (lower <= widestSpacing - maxTick && upper >= maxTick - widestSpacing)
    return 'It covers all prices.'
  if (!first || !second) return `Price range: ticks ${lower} to ${upper}.`
  return `Price range: ${priceAt(lower, first, second)} to ${priceAt(upper, first, second)} ${second.symbol} per ${first.symbol}.`
}
