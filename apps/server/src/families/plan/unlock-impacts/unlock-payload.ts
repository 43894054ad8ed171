import type { contract, Encodable } from '@liquidity-os/contract'
import { midPrice } from '@liquidity-os/engine/amm'
import { quoteValue } from '@liquidity-os/engine/depth'
import { peakImpact, type StudiedCase } from '@liquidity-os/engine/vesting'
import { required } from '../../../required.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { HeavyDay } from './freed-by-day.ts'
import type { ReadMarket } from './read-market.ts'
import type { ReadSchedule } from './read-schedules.ts'
import type { SolvedMitigation, UnlockResult } from './unlock-task.ts'

/** The impact before `encode` writes its amounts. */
export type ImpactFigures = Encodable<contract.UnlockImpact>
type Case = 'low' | 'base' | 'high'

const cases = ['low', 'base', 'high'] as const
const maxPips = 10_000_000

/** A share as millionths, rounded up against the issuer. */
const pipsOf = (share: number) => Math.min(maxPips, Math.ceil(share * 1e6 - 1e-9))
const atoms = (value: number) => BigInt(Math.ceil(value))
const dateOf = (from: number, day: number) =>
  new Date(from * 1000 + day * dayMilliseconds).toISOString().slice(0, 10)

const inCases = <T>(of: (name: Case) => T): Record<Case, T> => ({
  low: of('low'),
  base: of('base'),
  high: of('high'),
})

/** Days of the window: the exact unlock, the expected sale and its impact. Empty without a market. */
export function dayFigures(
  from: number,
  freed: readonly bigint[],
  { cases: studied }: UnlockResult,
): ImpactFigures['days'] {
  if (studied.base.curve === null) return []
  return freed.map((unlocked, day) => {
    const impactOf = (one: StudiedCase) => pipsOf(one.curve?.[day]?.impact ?? 0)
    const base = studied.base.curve?.[day]
    return {
      date: dateOf(from, day),
      unlocked,
      expectedSell: inCases((name) => atoms(studied[name].flows[day] ?? 0)),
      impactPips: inCases((name) => impactOf(studied[name])),
      model: base?.model ?? 'SQRT',
      extrapolated: base?.isExtrapolated ?? false,
    }
  })
}

export function peakFigures(
  from: number,
  { cases: studied }: UnlockResult,
): ImpactFigures['peaks'] {
  if (cases.some((name) => studied[name].curve === null)) return null
  return inCases((name) => {
    const curve = studied[name].curve ?? []
    const peak = peakImpact(curve)
    const day = curve.findIndex(({ impact }) => impact === peak)
    return { date: dateOf(from, Math.max(day, 0)), impactPips: pipsOf(peak) }
  })
}

/** Days with unlocks of one schedule of at least 1 % of the window's unlocks. */
export const cliffFigures = (
  from: number,
  labels: readonly string[],
  heavy: readonly HeavyDay[],
): ImpactFigures['cliffs'] =>
  heavy.map(({ day, unlocked, places }) => ({
    date: dateOf(from, day),
    unlocked,
    schedules: places.map((index) => required(labels[index], `label of the schedule ${index}`)),
  }))

const thousandths = (part: bigint, whole: bigint | null) =>
  whole === null || whole === 0n ? null : (part * 1000n + whole - 1n) / whole

/** Unlocks relative to volume and depth, rounded up. */
export function ratioFigures(
  unlocking: bigint,
  sold: bigint,
  { dailyVolume, venues }: ReadMarket,
  { depths }: UnlockResult,
  participationPips: number,
): ImpactFigures['ratios'] {
  const perDay =
    dailyVolume === null ? null : (dailyVolume * BigInt(participationPips)) / 1_000_000n
  const depth = venues.reduce((sum, { venueId, market, orientation }) => {
    const quote = depths.find((one) => one.venueId === venueId)?.quote ?? 0n
    const { num, den } = midPrice(market, orientation)
    return sum + quoteValue(quote, { num: den, den: num })
  }, 0n)
  return {
    daysOfVolumeX3: thousandths(unlocking, dailyVolume),
    depthAtTwoPercentMultipleX3: venues.length === 0 ? null : thousandths(unlocking, depth),
    absorptionDaysX3: thousandths(sold, perDay),
  }
}

/** A mitigation. Its cost in the quote uses the price of the first venue with that quote. */
export function mitigationFigures(
  solved: SolvedMitigation,
  { venues }: ReadMarket,
  quoteKey: string,
): ImpactFigures['mitigations'][number] {
  const { kind, quantity, days, carvedOut, capital, beforePeak, peak } = solved
  const venue = venues.find((one) => one.quoteKey === quoteKey)
  const price = venue && midPrice(venue.market, venue.orientation)
  const ofQuantity = (share: number | null) =>
    price && share !== null
      ? quoteValue(BigInt(Math.ceil(Number(quantity) * share)), price) + 1n
      : null
  const capitalQuote = price && capital ? quoteValue(capital.token, price) + capital.quote : null
  return {
    kind,
    days,
    quantity,
    carvedOut,
    capital,
    beforePeakPips: pipsOf(beforePeak),
    peakImpactPips: peak === null ? null : pipsOf(peak),
    expectedCostPips: solved.expectedCost === null ? null : pipsOf(solved.expectedCost),
    standardDeviationPips:
      solved.standardDeviation === null ? null : Math.ceil(solved.standardDeviation * 1e6),
    costQuote: kind === 'ADD_DEPTH' ? capitalQuote : ofQuantity(solved.expectedCost),
    curve: solved.curve.slice(0, 730).map(pipsOf),
  }
}

export const fundedFigures = (schedules: readonly ReadSchedule[]): ImpactFigures['fundedCheck'] =>
  schedules.flatMap(({ funded }) =>
    funded ? [{ ...funded, isFunded: funded.balance >= funded.owed }] : [],
  )
