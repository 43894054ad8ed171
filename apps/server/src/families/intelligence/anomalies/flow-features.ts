import {
  flowImbalance,
  identicalSizeShares,
  integerMedian,
  isFlowQualified,
  jitShare,
  largestExcursion,
  turnover,
  usersOf,
  type WashParty,
  washTrades,
} from '@liquidity-os/engine/detection'
import { sandwichTrades } from '@liquidity-os/engine/scoring'
import { limits } from '../../../limits.ts'
import { fundingGaps, originsUnknown, washTradesUnseen } from '../../../market/flow-gaps.ts'
import { fundingOfVenues } from '../../../market/trader-funding.ts'
import { textOrEmpty } from '../../../texts.ts'
import { daySeconds, hourSeconds } from '../../../units.ts'
import {
  type Contributor,
  type Feature,
  type FeatureInputs,
  materialOf,
  missing,
  type Question,
  TrailingSum,
  TrailingWindow,
} from './feature.ts'
import type { Reading, VenueMaterial, VenueTrade } from './venue-material.ts'

const MILLION = 1_000_000n

const notObserved = () => missing('NOT_OBSERVED', 'The venue was not observed.')
const volumeOf = (trades: readonly { volumeQuote: bigint }[]) =>
  trades.reduce((sum, { volumeQuote }) => sum + volumeQuote, 0n)

/** Readings with complete observations for the given number of seconds before them. */
function wholeReadings({ readings }: VenueMaterial, seconds: number): Reading[] {
  return [...readings.values()].filter(({ at, since }) => at - since >= seconds)
}

/** |buy − sell| over all volume of the hour before. */
export function flowFeature(inputs: FeatureInputs, question: Question): Feature {
  const material = materialOf(inputs, question)
  if (material === null) return notObserved()
  if (material.trades.some(({ origin }) => origin === null)) {
    return missing(originsUnknown.code, originsUnknown.detail)
  }
  const { trades } = material
  const all = new TrailingSum(trades, hourSeconds, ({ volumeQuote }) => volumeQuote)
  const buys = new TrailingSum(trades, hourSeconds, (trade) =>
    trade.base > 0n ? trade.volumeQuote : 0n,
  )
  const volumes: bigint[] = []
  const samples = wholeReadings(material, hourSeconds).map(({ at }) => {
    const [volume, bought] = [all.at(at).sum, buys.at(at).sum]
    if (at >= inputs.at - inputs.baselineSeconds && at <= inputs.at - 2 * inputs.cadenceSeconds) {
      volumes.push(volume)
    }
    return { at, value: flowImbalance(bought, volume - bought) }
  })
  const last = samples.at(-1)?.at
  const latest = last === undefined ? [] : new TrailingWindow(trades, hourSeconds).at(last)
  const traders = new Set(latest.map(({ origin }) => origin)).size
  const flow = { volumeQuote: volumeOf(latest), trades: latest.length, traders }
  const isQualified = volumes.length > 0 && isFlowQualified(flow, integerMedian(volumes))
  return {
    unit: 'PIPS',
    samples,
    isQualified,
    words: `the hourly flow imbalance (${flow.trades} trades by ${traders} traders)`,
    indicators: isQualified ? [] : ['FLOW_TOO_THIN'],
    contributors: () => tradersOf(latest),
  }
}

/** Account with the largest net purchase (positive) or sale, quote atoms. */
function tradersOf(trades: readonly VenueTrade[]): Contributor[] {
  const net = new Map<string, bigint>()
  for (const { origin, base, volumeQuote } of trades) {
    // Trades of unknown origin count as one group.
    const key = textOrEmpty(origin)
    net.set(key, (net.get(key) ?? 0n) + (base > 0n ? volumeQuote : -volumeQuote))
  }
  const size = (amount: bigint) => (amount < 0n ? -amount : amount)
  return [...net]
    .toSorted(([, a], [, b]) => (size(a) < size(b) ? 1 : size(a) > size(b) ? -1 : 0))
    .slice(0, limits.anomalyTradesNamed)
    .map(([ref, amount]) => ({ kind: 'NET_BOUGHT', ref, amount }))
}

/** Daily volume over time-weighted TVL. */
export function turnoverFeature(inputs: FeatureInputs, question: Question): Feature {
  const material = materialOf(inputs, question)
  if (material === null) return notObserved()
  const trades = new TrailingSum(material.trades, daySeconds, ({ volumeQuote }) => volumeQuote)
  const locked = new TrailingSum(
    [...material.readings.values()].flatMap(({ at, valueLocked }) =>
      valueLocked === null ? [] : [{ at, valueLocked }],
    ),
    daySeconds,
    ({ valueLocked }) => valueLocked,
  )
  let parts = { volume: 0n, mean: 0n }
  const samples = wholeReadings(material, daySeconds).flatMap(({ at }) => {
    const { sum, count } = locked.at(at)
    if (count === 0) return []
    parts = { volume: trades.at(at).sum, mean: sum / BigInt(count) }
    return parts.mean === 0n ? [] : [{ at, value: turnover(parts.volume, parts.mean) }]
  })
  const { venueId: ref } = material.history
  return {
    unit: 'PIPS',
    samples,
    words: 'the daily turnover (volume / TVL)',
    gaps: [
      {
        code: 'POLICY_NOT_COMPARED',
        detail:
          'The baseline is the usual level of the market. Policy checks assess policy limits.',
      },
    ],
    contributors: () => [
      { kind: 'VOLUME_24H', ref, amount: parts.volume },
      { kind: 'VALUE_LOCKED', ref, amount: parts.mean },
    ],
  }
}

type Sized = Pick<VenueTrade, 'at' | 'volumeQuote'>

const indicators = [
  'SANDWICH',
  'ROUND_TRIP',
  'EXCURSION',
  'JUST_IN_TIME',
  'IDENTICAL_SIZE',
] as const
export type Indicator = (typeof indicators)[number]

/** One feature per manipulation indicator, over the hour before each reading. */
export function manipulationFeatures(
  inputs: FeatureInputs,
  question: Question,
): { indicator: Indicator; feature: Feature }[] {
  const material = materialOf(inputs, question)
  if (material === null) return []
  const isSigned = material.trades.every(({ origin }) => origin !== null)
  const signed = material.trades.flatMap((trade) =>
    trade.origin === null ? [] : [{ ...trade, origin: trade.origin }],
  )
  const sandwiched = isSigned ? sandwichTrades(material.trades) : new Set<VenueTrade>()
  const washed = isSigned
    ? washTrades(signed, usersEverywhere(inputs), fundingOfVenues([material.history]).funding)
    : new Map<(typeof signed)[number], WashParty>()
  const excursions = largestWithin(material)
  const measures: Record<Indicator, () => (at: number) => bigint> = {
    SANDWICH: () => shareOver(material.trades, (trade) => sandwiched.has(trade)),
    ROUND_TRIP: () => shareOver(signed, (trade) => washed.has(trade)),
    EXCURSION: () => (at) => excursions(at)?.sizePips ?? 0n,
    JUST_IN_TIME: () =>
      over(material.actions, (first, next) => jitShare(material.actions.slice(first, next))),
    IDENTICAL_SIZE: () => over(material.trades, identicalSizeShares(material.trades)),
  }
  const needsSigners = new Set<Indicator>(['SANDWICH', 'ROUND_TRIP'])
  const readings = wholeReadings(material, hourSeconds)
  const last = excursions(inputs.at)
  return indicators
    .filter((indicator) => isSigned || !needsSigners.has(indicator))
    .map((indicator) => {
      const measure = measures[indicator]()
      const samples = readings.map(({ at }) => ({ at, value: measure(at) }))
      const breaks = last !== null && last.sizePips >= 200_000n && last.blocks <= 3
      return {
        indicator,
        feature: {
          unit: 'PIPS',
          samples,
          absoluteBreach: indicator === 'EXCURSION' && breaks,
          words: `${wordsOf[indicator]} in the preceding hour (an indicator, not proof)`,
          gaps: gapsOf(indicator, isSigned, material),
        },
      }
    })
}

function gapsOf(
  indicator: Indicator,
  isSigned: boolean,
  { history, trades }: VenueMaterial,
): NonNullable<Feature['gaps']> {
  if (!isSigned) return [originsUnknown]
  if (indicator !== 'ROUND_TRIP') return []
  return [washTradesUnseen, ...fundingGaps([history], trades)]
}

const wordsOf: Record<Indicator, string> = {
  SANDWICH: 'the share of sandwich attacks in volume',
  ROUND_TRIP: 'the share of wash trades in volume',
  EXCURSION: 'the largest price excursion that reversed',
  JUST_IN_TIME: 'the share of volume served by just-in-time liquidity',
  IDENTICAL_SIZE: 'the share of repeated trade sizes in volume',
}

const usersKnown = new WeakMap<FeatureInputs, ReturnType<typeof usersOf>>()

/**
 * Contract users across all venues. A router with few users on one venue may be public elsewhere.
 */
function usersEverywhere(inputs: FeatureInputs): ReturnType<typeof usersOf> {
  const users = usersKnown.get(inputs) ?? usersOf(inputs.materials.flatMap(({ trades }) => trades))
  usersKnown.set(inputs, users)
  return users
}

/** Share of the selected trades in the volume of the preceding hour, in pips; 0 without volume. */
function shareOver<Trade extends Sized>(
  trades: readonly Trade[],
  isOne: (trade: Trade) => boolean,
): (at: number) => bigint {
  const all = new TrailingSum(trades, hourSeconds, ({ volumeQuote }) => volumeQuote)
  const part = new TrailingSum(trades, hourSeconds, (trade) =>
    isOne(trade) ? trade.volumeQuote : 0n,
  )
  return (at) => {
    const [some, whole] = [part.at(at).sum, all.at(at).sum]
    return whole === 0n ? 0n : (some * MILLION) / whole
  }
}

/**
 * A measure over the items of the preceding hour. Calls must be in ascending order. The last value
 * is cached.
 */
function over<Item extends { readonly at: number }>(
  items: readonly Item[],
  measure: (first: number, next: number) => bigint,
): (at: number) => bigint {
  const window = new TrailingWindow(items, hourSeconds)
  let known: { first: number; next: number; value: bigint } | null = null
  return (at) => {
    const { first, next } = window.placesAt(at)
    if (known === null || known.first !== first || known.next !== next) {
      known = { first, next, value: measure(first, next) }
    }
    return known.value
  }
}

function largestWithin({ prices }: VenueMaterial) {
  const hasAny = prices.some(({ spotX36, averageX36 }) => {
    const gap = spotX36 > averageX36 ? spotX36 - averageX36 : averageX36 - spotX36
    return gap * 20n >= averageX36
  })
  // The measure is a ratio, so both prices only need the same scale.
  const away = (at: number) =>
    prices
      .filter((place) => place.at > at - hourSeconds && place.at <= at)
      .map(({ block, spotX36, averageX36 }) => ({
        block,
        spotX18: spotX36,
        averageX18: averageX36,
      }))
  return (at: number) => (hasAny ? largestExcursion(away(at)) : null)
}
