import type { ExitVenue } from '@liquidity-os/engine/stress'
import { executionPlan, exitDepth, poolMove, riskAversionFor } from '@liquidity-os/engine/stress'
import {
  carveOut,
  type ImpactTerms,
  impactCurve,
  linearise,
  peakImpact,
  type SellBehaviour,
  type StudiedCase,
  studyUnlocks,
} from '@liquidity-os/engine/vesting'
import { daySeconds } from '../../../units.ts'
import { depthToAdd } from './depth-to-add.ts'
import { type FreeTerms, freedOf, type HeavyDay, heavyDays, sumOf } from './freed-by-day.ts'

/** A null quantity means the amount that the base behavior sells in the window. */
export type RequestedMitigation =
  | { readonly kind: 'LINEARISE'; readonly quantity: bigint | null }
  | {
      readonly kind: 'OTC_CARVE_OUT'
      readonly quantity: bigint | null
      readonly days: number | null
    }
  | { readonly kind: 'ADD_DEPTH' }
  | { readonly kind: 'AC_PROGRAM'; readonly quantity: bigint | null; readonly days: number }

type Mitigation =
  | { readonly kind: 'LINEARISE'; readonly quantity: bigint }
  | { readonly kind: 'OTC_CARVE_OUT'; readonly quantity: bigint; readonly days: number | null }
  | { readonly kind: 'ADD_DEPTH' }
  | { readonly kind: 'AC_PROGRAM'; readonly quantity: bigint; readonly days: number }

export interface UnlockTask {
  readonly schedules: readonly { readonly terms: FreeTerms; readonly behaviour: SellBehaviour }[]
  /** First moment of the days before the window. */
  readonly begin: number
  /** End of the window, unix seconds, exclusive. It can lie within the last day. */
  readonly end: number
  readonly windowDays: number
  readonly leadDays: number
  readonly anticipationDays: number
  readonly halfLifeDays: number
  readonly y: number
  readonly participation: number
  /** Null if volume or σ is unknown. */
  readonly volume: { readonly daily: number; readonly volatility: number } | null
  readonly venues: readonly ExitVenue[]
  readonly limit: number
  /** The quote of the study: added depth is in a pool against it. */
  readonly quoteKey: string
  readonly mitigations: readonly RequestedMitigation[]
}

export interface SolvedMitigation {
  readonly kind: Mitigation['kind']
  /** Atoms. */
  readonly quantity: bigint
  readonly days: number | null
  /** Atoms, rounded up. */
  readonly carvedOut: bigint | null
  readonly capital: { readonly token: bigint; readonly quote: bigint } | null
  readonly beforePeak: number
  readonly peak: number | null
  readonly expectedCost: number | null
  readonly standardDeviation: number | null
  readonly curve: readonly number[]
}

export interface UnlockResult {
  /** Atoms that unlock on each day of the window. */
  readonly freed: readonly bigint[]
  /** Atoms of each schedule that unlock in the window. */
  readonly inWindow: readonly bigint[]
  readonly heavy: readonly HeavyDay[]
  /** Amount sold in the base behavior, in atoms rounded up. */
  readonly sold: bigint
  readonly cases: Readonly<Record<'low' | 'base' | 'high', StudiedCase>>
  readonly depths: readonly { readonly venueId: string; readonly quote: bigint }[]
  readonly mitigations: readonly SolvedMitigation[]
  /** Mitigations with a higher peak than without them. */
  readonly worse: readonly SolvedMitigation[]
  readonly limit: number
}

/**
 * Without a known volume the square-root law has no impact: it assumes infinite volume, so only the
 * pools count.
 */
const noLaw = { dailyVolume: Number.MAX_VALUE, dailyVolatility: 0 }

/** Computes unlock impacts. The result is the same in every thread. */
export default (task: UnlockTask): UnlockResult => {
  const { volume, venues, halfLifeDays, y, windowDays, leadDays, anticipationDays } = task
  const move = poolMove(venues)
  const curveMove = move && ((quantity: number) => move(BigInt(Math.floor(quantity))))
  const law = volume ? { dailyVolume: volume.daily, dailyVolatility: volume.volatility } : noLaw
  const market = { ...law, halfLifeDays, ...(curveMove ? { curveMove } : {}) }
  const isKnown = volume !== null || move !== null
  const windowEnd = leadDays + windowDays
  // The last day of the window can be shorter; the days after it begin at its end.
  const boundaries = Array.from({ length: windowEnd + anticipationDays + 1 }, (_, day) =>
    day < windowEnd ? task.begin + day * daySeconds : task.end + (day - windowEnd) * daySeconds,
  )
  const schedules = task.schedules.map(({ terms, behaviour }) => ({
    behaviour,
    freed: freedOf(terms, boundaries),
  }))
  const window = schedules.map(({ freed }) => freed.slice(leadDays, leadDays + windowDays))
  const inWindow = window.map(sumOf)
  const sold = sumOf(
    inWindow.map((freed, index) => soldOf(freed, schedules[index]?.behaviour.sellPips.base ?? 0)),
  )
  const cases = studyUnlocks(schedules, {
    windowDays,
    leadDays,
    anticipationDays,
    y,
    market: isKnown ? market : null,
  })
  const solve = (one: RequestedMitigation) => {
    const quantity = 'quantity' in one ? (one.quantity ?? sold) : null
    // Without sales no mitigation is possible.
    if (quantity === 0n) {
      return { ...none, kind: one.kind, quantity, beforePeak: peakImpact(cases.base.curve ?? []) }
    }
    const requested = (quantity === null ? one : { ...one, quantity }) as Mitigation
    return solved(requested, task, { ...market, y }, cases.base)
  }
  const all = isKnown ? task.mitigations.map(solve) : []
  const isWorse = (one: SolvedMitigation, index: number) =>
    isOfWindow(task.mitigations[index]) && one.peak !== null && one.peak > one.beforePeak + 1e-12
  return {
    worse: all.filter(isWorse),
    limit: task.limit,
    freed: Array.from({ length: windowDays }, (_, day) =>
      sumOf(window.map((freed) => freed[day] ?? 0n)),
    ),
    inWindow,
    heavy: heavyDays(window),
    sold,
    cases,
    depths: exitDepth(venues, []),
    mitigations: all.filter((one, index) => !isWorse(one, index)),
  }
}

/** True if a mitigation is of the sales in the window, so that these are the case without it. */
const isOfWindow = (one: RequestedMitigation | undefined): boolean =>
  one !== undefined && !('quantity' in one && one.quantity !== null)

/** Millionths of an amount, rounded up. */
const soldOf = (amount: bigint, pips: number): bigint =>
  (amount * BigInt(pips) + 999_999n) / 1_000_000n

const none = {
  days: null,
  carvedOut: null,
  capital: null,
  peak: null,
  expectedCost: null,
  standardDeviation: null,
  curve: [],
}

function solved(
  mitigation: Mitigation,
  task: UnlockTask,
  market: ImpactTerms,
  base: StudiedCase,
): SolvedMitigation {
  const { limit, windowDays } = task
  const expected = peakImpact(base.curve ?? [])
  const evenCurve = (quantity: number, days: number) =>
    impactCurve(new Array<number>(days).fill(quantity / days), market).map(({ impact }) => impact)
  switch (mitigation.kind) {
    case 'LINEARISE': {
      const { kind, quantity } = mitigation
      const days = linearise(Number(quantity), limit, market, 730)
      const curve = days === null ? [] : evenCurve(Number(quantity), days)
      const peak = days === null ? null : Math.max(...curve)
      return { ...none, kind, quantity, days, curve, peak, beforePeak: expected }
    }
    case 'OTC_CARVE_OUT': {
      const { kind, quantity, days } = mitigation
      const curveOf = (share: number) =>
        days === null
          ? impactCurve(
              base.flows.map((flow) => flow * share),
              market,
              // Sales before the window cannot be moved any more.
              base.before,
            ).map(({ impact }) => impact)
          : evenCurve(Number(quantity) * share, days)
      const beforePeak = Math.max(0, ...curveOf(1))
      const share = remainingShare(curveOf, limit, 1 - carveOut(1, limit, beforePeak))
      if (share === null) return { ...none, kind, quantity, days, beforePeak }
      const curve = curveOf(share)
      const remaining = (quantity * BigInt(Math.floor(share * 1e15))) / 10n ** 15n
      const carvedOut = quantity - remaining
      return {
        ...none,
        kind,
        quantity,
        days,
        carvedOut,
        curve,
        beforePeak,
        peak: Math.max(...curve),
      }
    }
    case 'ADD_DEPTH': {
      const weights = (base.curve ?? []).map(({ pressure }) => pressure)
      const quantity = BigInt(Math.ceil(Math.max(0, ...weights)))
      const paid = task.venues.filter(({ quoteId }) => quoteId === task.quoteKey)
      const capital = depthToAdd(paid, quantity, limit)
      const byLaw = impactCurve(base.flows, { ...market, curveMove: () => 0 }, base.before)
      // The added depth limits the impact of the pools. The square-root law does not depend on
      // pools.
      const curve = byLaw.map(({ impact }, day) =>
        Math.max(impact, Math.min(limit, base.curve?.[day]?.impact ?? 0)),
      )
      const peak = capital === null ? null : Math.max(0, ...curve)
      return { ...none, kind: 'ADD_DEPTH', quantity, capital, curve, beforePeak: expected, peak }
    }
    case 'AC_PROGRAM':
      return program(mitigation, task, market, { expected, windowDays })
  }
}

/**
 * Largest share of a sale that keeps the limit: never above it. The square-root law has it in closed
 * form; pools and earlier sales need a search.
 *
 * @returns null if even no sale exceeds the limit
 */
function remainingShare(
  curveOf: (share: number) => readonly number[],
  limit: number,
  candidate: number,
): number | null {
  const peakOf = (share: number) => Math.max(0, ...curveOf(share))
  const peak = peakOf(candidate)
  const isTight = candidate === 1 || peak >= limit * (1 - 1e-9)
  if (isTight && peak <= limit * (1 + 1e-12)) return candidate
  if (peakOf(0) > limit) return null
  let [low, high] = [0, 1]
  for (let step = 0; step < 24; step += 1) {
    const middle = (low + high) / 2
    if (peakOf(middle) <= limit) low = middle
    else high = middle
  }
  return low
}

function program(
  { kind, quantity, days }: Extract<Mitigation, { kind: 'AC_PROGRAM' }>,
  { participation, volume }: UnlockTask,
  market: ImpactTerms,
  { expected }: { readonly expected: number; readonly windowDays: number },
): SolvedMitigation {
  const base = { ...none, kind, quantity, days, beforePeak: expected }
  if (volume === null || volume.volatility === 0) return base
  const { daily: dailyVolume, volatility: dailyVolatility } = volume
  const terms = {
    quantity: Number(quantity),
    days,
    price: 1,
    dailyVolume,
    dailyVolatility,
    participation,
    y: market.y ?? 1,
  }
  try {
    const plan = executionPlan({ ...terms, riskAversion: riskAversionFor(terms, 5) })
    let held = terms.quantity
    const flows = plan.holdings.map((holding) => {
      const sold = held - holding
      held = holding
      return sold
    })
    const curve = impactCurve(flows, market).map(({ impact }) => impact)
    return {
      ...base,
      curve,
      peak: Math.max(...curve),
      expectedCost: plan.expectedCost / terms.quantity,
      standardDeviation: plan.standardDeviation / terms.quantity,
    }
  } catch (error) {
    // At high participation and low Y the model has no trajectory.
    if (error instanceof RangeError) return base
    throw error
  }
}
