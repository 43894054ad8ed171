import { sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import {
  inactiveShare,
  integerMedian,
  inventoryChange,
  principalAt,
  splitInventoryChange,
} from '@liquidity-os/engine/detection'
import { ln } from '@liquidity-os/engine/numerics'
import { daySeconds } from '../../../units.ts'
import {
  type Contributor,
  type Feature,
  type FeatureInputs,
  materialOf,
  missing,
  type Question,
} from './feature.ts'
import type { OwnedRange, Reading, VenueMaterial } from './venue-material.ts'

const X36 = 10n ** 36n
const walletUnknown = {
  code: 'WALLET_NOT_OBSERVED',
  detail:
    'Only liquidity in positions counts. Wallets, transfers between them and uncollected fees are not observed.',
}

interface Holdings {
  range: OwnedRange
  base: bigint
  value: bigint
}

/** Holdings per owned range at a reading. Null without a price, or before the token was read. */
function holdingsAt(
  { history }: VenueMaterial,
  ranges: readonly { range: OwnedRange; place: number }[],
  { place, priceX36, owned }: Reading,
): Holdings[] | null {
  if (place === null || priceX36 === null) return null
  if (ranges.some((range) => owned[range.place] === null)) return null
  return ranges.map(({ range, place: index }) => {
    const { amount0, amount1 } = principalAt({ ...range, liquidity: owned[index] ?? 0n }, place)
    const [base, quote] = history.orientation.base === 0 ? [amount0, amount1] : [amount1, amount0]
    return { range, base, value: quote + (base * priceX36) / X36 }
  })
}

/** The owned ranges in question, with their indexes in the readings. */
function rangesOf(owned: readonly OwnedRange[], { positions }: Question) {
  return owned.flatMap((range, index) =>
    positions.includes(range.ref) ? [{ range, place: index }] : [],
  )
}

const missingPositions = () =>
  missing('OWN_POSITIONS_UNKNOWN', 'The venue lists no owned position with liquidity.')

/** Share of the value of owned ranges that lies outside the active tick. */
export function inactiveFeature(
  inputs: FeatureInputs,
  question: Question,
  owned: readonly OwnedRange[],
): Feature {
  const material = materialOf(inputs, question)
  if (material === null) return missing('NOT_OBSERVED', 'The venue was not observed.')
  const ranges = rangesOf(owned, question)
  let last: { holdings: Holdings[]; tick: number } | null = null
  const samples = [...material.readings.values()].flatMap((reading) => {
    const holdings = holdingsAt(material, ranges, reading)
    if (holdings === null || reading.place === null) return []
    if (holdings.every(({ value }) => value === 0n)) return []
    const { tick } = reading.place
    if (reading.at === inputs.at) last = { holdings, tick }
    const monitored = holdings.map(({ range, value }) => ({ ...range, valueQuote: value }))
    return [{ at: reading.at, value: inactiveShare(monitored, tick) }]
  })
  if (samples.length === 0) return missingPositions()
  const isNear = isNearEdge(material, ranges, inputs.at)
  return {
    unit: 'PIPS',
    samples,
    indicators: isNear ? ['EDGE_WITHIN_DAILY_SIGMA'] : [],
    isEarlyWarning: isNear,
    words: 'the share of own liquidity that is out of range',
    contributors: () =>
      (last?.holdings ?? [])
        .filter(({ range }) => last!.tick < range.tickLower || last!.tick >= range.tickUpper)
        .map(({ range, value }) => ({
          kind: 'OUT_OF_RANGE_VALUE',
          ref: range.ref,
          amount: value,
        })),
  }
}

/** True if an active range has an edge within one daily standard deviation. */
function isNearEdge(
  { readings }: VenueMaterial,
  ranges: readonly { range: OwnedRange; place: number }[],
  at: number,
): boolean {
  const now = readings.get(at)
  if (!now?.place) return false
  const recent = [...readings.values()].filter((one) => one.at > at - daySeconds && one.at <= at)
  if (at - now.since < daySeconds) return false
  let squares = 0
  for (const [index, { lnPrice }] of recent.entries()) {
    const before = recent[index - 1]?.lnPrice
    if (lnPrice !== null && before !== undefined && before !== null)
      squares += (lnPrice - before) ** 2
  }
  const sigma = Math.sqrt(squares)
  const { sqrtPriceX96, tick } = now.place
  return ranges.some(({ range, place: itemIndex }) => {
    if ((now.owned[itemIndex] ?? 0n) === 0n || tick < range.tickLower || tick >= range.tickUpper) {
      return false
    }
    const distance = (edge: number) =>
      Math.abs(2 * ln(Number(sqrtRatioAtTick(edge)) / Number(sqrtPriceX96)))
    return Math.min(distance(range.tickLower), distance(range.tickUpper)) < sigma
  })
}

/** |change of the own base over a day| over its median. */
export function inventoryFeature(
  inputs: FeatureInputs,
  question: Question,
  owned: readonly OwnedRange[],
): Feature {
  const material = materialOf(inputs, question)
  if (material === null) return missing('NOT_OBSERVED', 'The venue was not observed.')
  const ranges = rangesOf(owned, question)
  const books = [...material.readings.values()].flatMap((reading) => {
    const holdings = holdingsAt(material, ranges, reading)
    if (holdings === null) return []
    const base = holdings.reduce((sum, one) => sum + one.base, 0n)
    const value = holdings.reduce((sum, one) => sum + one.value, 0n)
    const quote = value - (base * (reading.priceX36 ?? 0n)) / X36
    return [{ ...reading, base, value, quote }]
  })
  const from = inputs.at - inputs.baselineSeconds
  const baseline = books.filter(({ at }) => at >= from && at <= inputs.at)
  if (baseline.every(({ value }) => value === 0n)) return missingPositions()
  const median = integerMedian(baseline.map(({ base }) => base))
  if (median === 0n) return missing('NO_BASE_INVENTORY', 'The owned positions held no base tokens.')
  const byTime = new Map(books.map((book) => [book.at, book]))
  const samples = books.flatMap(({ at, base, stretch }) => {
    const before = byTime.get(at - daySeconds)
    return before?.stretch === stretch
      ? [{ at, value: inventoryChange(base - before.base, median) }]
      : []
  })
  const now = byTime.get(inputs.at)
  const share = now && now.value > 0n ? ((now.value - now.quote) * 1_000_000n) / now.value : null
  const isOneSided = share !== null && (share >= 950_000n || share <= 50_000n)
  return {
    unit: 'PIPS',
    samples,
    absoluteBreach: isOneSided,
    indicators: isOneSided ? ['BASE_SHARE_EXTREME'] : [],
    words: 'the daily change of the own base inventory',
    gaps: [walletUnknown],
    contributors: () => causesOf(material, ranges, inputs.at),
  }
}

/** Splits the change of one day into causes with an exact total. */
function causesOf(
  material: VenueMaterial,
  ranges: readonly { range: OwnedRange; place: number }[],
  at: number,
): Contributor[] {
  const [then, now] = [material.readings.get(at - daySeconds), material.readings.get(at)]
  if (!then?.place || !now?.place || then.stretch !== now.stretch) return []
  const [from, to] = [then.place, now.place]
  let [moved, transferred] = [0n, 0n]
  const segments = ranges.flatMap(({ range, place: index }) => {
    const { tickLower, tickUpper } = range
    const cuts = []
    let [liquidity, start] = [then.owned[index] ?? 0n, from]
    for (const change of material.ownedChanges) {
      if (change.range !== index || change.at <= then.at || change.at > at) continue
      cuts.push({ tickLower, tickUpper, liquidity, from: start, to: change.place })
      liquidity += change.liquidity
      start = change.place
      if (change.isTransfer) transferred += change.base
      else moved += change.base
    }
    return [...cuts, { tickLower, tickUpper, liquidity, from: start, to }]
  })
  const baseAt = (reading: Reading) =>
    (holdingsAt(material, ranges, reading) ?? []).reduce((sum, { base }) => sum + base, 0n)
  const cause = splitInventoryChange({
    base: material.history.orientation.base === 0 ? 0 : 1,
    before: baseAt(then),
    after: baseAt(now),
    segments,
    swapped: moved,
    transferred,
    fees: 0n,
  })
  const { venueId: ref } = material.history
  return [
    { kind: 'CURVE', ref, amount: cause.curve },
    { kind: 'REBALANCE', ref, amount: cause.rebalance },
    { kind: 'TRANSFER', ref, amount: cause.transfer },
    { kind: 'FEES', ref, amount: cause.fees },
    { kind: 'UNEXPLAINED', ref, amount: cause.unexplained },
  ]
}
