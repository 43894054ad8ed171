import { depegPips, largestDisagreement, type PriceSource } from '@liquidity-os/engine/detection'
import { limits } from '../../../limits.ts'
import { priceAt } from '../../../market/prices/price-course.ts'
import { type Feature, type FeatureInputs, missing, type Question } from './feature.ts'
import { averageOf, meanSeconds, type VenueMaterial } from './venue-material.ts'

const X36 = 10n ** 36n
const X18 = 10n ** 18n
const noOracle = {
  code: 'ORACLE_UNAVAILABLE',
  detail: 'No PRICE_ORACLE or MARKET_DATA provider has a price feed for the pair.',
}

/** Gap to report if no price feed covers the pair. */
const withoutFeeds = ({ feeds }: FeatureInputs) => (feeds.length === 0 ? [noOracle] : [])

const kindOf = (ref: string) => (ref.startsWith('feed:') ? 'FEED_PRICE_X18' : 'PRICE_X18')

/** |median price / peg − 1| over all venues and feeds with a price. */
export function depegFeature(inputs: FeatureInputs, question: Question): Feature {
  const { materials, moments, at, feeds } = inputs
  if (question.pegX18 === null) return missing('PEG_UNKNOWN', 'The subject has no peg.')
  const pegX36 = BigInt(question.pegX18) * X18
  const chosen = materials.filter(
    ({ history }) => question.venueId === null || history.venueId === question.venueId,
  )
  const pricesAt = (moment: number) => [
    ...chosen.flatMap(({ history, readings }) => {
      const price = priceOf(readings.get(moment)?.priceX36 ?? null, question)
      return price === null ? [] : [{ ref: history.venueId, price }]
    }),
    ...feeds.flatMap(({ name, course }) => {
      const price = priceOf(priceAt(course, moment)?.priceX36 ?? null, question)
      return price === null ? [] : [{ ref: name, price }]
    }),
  ]
  const samples = moments.flatMap((moment) => {
    const prices = pricesAt(moment).map(({ price }) => price)
    return prices.length === 0 ? [] : [{ at: moment, value: depegPips(middle(prices), pegX36) }]
  })
  const last = pricesAt(at)
  return {
    unit: 'PIPS',
    samples,
    ...(last.length < 2 ? { cap: 'WARNING' as const } : {}),
    indicators: last.length < 2 ? ['SINGLE_SOURCE'] : [],
    words: `the deviation of the median price of ${last.length} venue(s) and feed(s) from the peg`,
    gaps: withoutFeeds(inputs),
    contributors: () =>
      last.map(({ ref, price }) => ({ kind: kindOf(ref), ref, amount: price / X18 })),
  }
}

function priceOf(price: bigint | null, { asset }: Question): bigint | null {
  if (price === null || price === 0n) return null
  return asset === 'BASE' ? price : (X36 * X36) / price
}

/** The middle value; for an even count, the rounded-down mean of the middle two. */
function middle(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2n
}

/**
 * Largest gap between spot prices, half-hour means of the venues and feed prices, beyond fees and
 * errors of both.
 */
export function disagreementFeature(inputs: FeatureInputs, question: Question): Feature {
  const { materials, moments, at } = inputs
  const found = (moment: number) =>
    largestDisagreement([...sourcesAt(materials, question, moment), ...feedsAt(inputs, moment)])
  const samples = moments.flatMap((moment) => {
    const gap = found(moment)
    return gap === null ? [] : [{ at: moment, value: gap.pips }]
  })
  const last = found(at)
  const stale = (last?.stale ?? []).map((name) => ({
    code: 'SOURCE_STALE',
    detail: `${name} was not observed at the assessed time and is excluded.`,
  }))
  return {
    unit: 'PIPS',
    samples,
    words: `the largest price gap beyond fees${last ? ` (now ${last.between.join(' vs ')})` : ''}`,
    gaps: [...withoutFeeds(inputs), ...stale.slice(0, limits.anomalySourcesNamed)],
    contributors: () =>
      last === null ? [] : last.between.map((ref) => ({ kind: 'SOURCE', ref, amount: last.pips })),
  }
}

/** The tolerance of a feed is its error, as the tolerance of a venue is its fee. */
function feedsAt({ feeds }: FeatureInputs, moment: number): PriceSource[] {
  return feeds.map(({ name, course }) => {
    const found = priceAt(course, moment)
    if (found === null) return { name, feePips: 0, priceX18: 1n, isStale: true }
    return { name, feePips: found.errorPips, priceX18: found.priceX36, isStale: false }
  })
}

/** Callers use only ratios of these prices, so the scale can be 10^36. */
function sourcesAt(
  materials: readonly VenueMaterial[],
  { venueId }: Question,
  moment: number,
): PriceSource[] {
  return materials.flatMap(({ history, readings }) => {
    const reading = readings.get(moment)
    const isOwn = venueId === null || history.venueId === venueId
    const base = { feePips: reading?.feePips ?? history.feePips, isStale: false }
    const spot = `spot:${history.venueId}`
    if (!reading || reading.priceX36 === null) {
      return [{ ...base, name: spot, priceX18: 1n, isStale: true }]
    }
    const { priceX36, lnPrice, lnMean } = reading
    // The own venue adds its mean price to its spot price. Other venues add only the spot price.
    if (!isOwn || lnPrice === null || lnMean === null) {
      return [{ ...base, name: spot, priceX18: priceX36 }]
    }
    return [
      { ...base, name: spot, priceX18: priceX36 },
      {
        ...base,
        name: `mean-${meanSeconds}:${history.venueId}`,
        priceX18: averageOf(priceX36, lnPrice - lnMean),
      },
    ]
  })
}
