import type { Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import {
  type BaseShareTarget,
  type InventoryCourse,
  type TradedVolume,
  targetOf,
} from '../measures/inventory-course.ts'
import { type Markout, MarkoutLedger } from '../measures/markout-ledger.ts'
import { SHOCK_BAND_PIPS, type ShockRecovery, ShockWatch } from '../measures/shock-recovery.ts'
import { ArmRecorder, type SampledArm } from '../montecarlo/arm-recorder.ts'
import type { MonteCarloArm } from '../montecarlo/arms.ts'
import type { FailureRule } from '../montecarlo/failure.ts'
import type { SwapEvent } from '../replay/events.ts'
import type { Holdings } from './arm.ts'
import type { ArmRun } from './arm-run.ts'

/** Measures of a replay in addition to the two P&L breakdowns. */
export interface ReplayMeasureTerms {
  /** Sizes whose slippage is sampled on both sides, quote atoms. */
  readonly tradeSizesQuote: readonly bigint[]
  readonly failure: readonly FailureRule[]
  /** Target base share of arms without their own target. */
  readonly targetBaseShare?: BaseShareTarget
}

/** Slippage of one size and side over time, pips, by nearest rank; the worst are the highest. */
export interface SlippageOverTime {
  readonly sizeQuote: bigint
  readonly side: Side
  readonly samples: number
  readonly median: number
  readonly worst5: number
  readonly worst1: number
}

/** What became of a rule in the one history there is. */
export interface RuleOutcome {
  readonly kind: FailureRule['kind']
  readonly failed: boolean
  /** Share of the time that ended in a sample which broke the rule, pips, rounded down. */
  readonly timeSharePips: number
  /**
   * First sample that broke the rule, and the latest block at or before it; null without a breach.
   */
  readonly block: number | null
  readonly timestamp: number | null
}

/**
 * Measures of one arm under one flow model. Samples need times; a recording without times has no
 * samples.
 */
export interface ReplayMeasures {
  readonly samples: number
  readonly failure: readonly RuleOutcome[]
  /** Slippage of the whole pool, including the arm's liquidity. */
  readonly slippage: readonly SlippageOverTime[]
  /** Largest fall of net vs hold from its peak, quote atoms. */
  readonly maxDrawdown: bigint
  readonly recovery: {
    readonly shocks: number
    readonly after: readonly {
      readonly seconds: number
      readonly n: number
      readonly medianPips: number
      readonly lowestPips: number
    }[]
  } | null
  readonly inventory: InventoryCourse
  /** Markouts of all trades by others in the arm's pool; empty for an arm without a pool. */
  readonly markouts: readonly Markout[]
}

/** Shocks that are followed in one run. */
export const MOST_FOLLOWED = 1024

/** Both sides of the recorded trades of a pool: the window's volume-weighted average price. */
export function addRecordedTrade(volume: TradedVolume, event: SwapEvent, base: number): void {
  const [inBase, inQuote] =
    base === 0 ? [event.amount0, event.amount1] : [event.amount1, event.amount0]
  volume.base += inBase < 0n ? -inBase : inBase
  volume.quote += inQuote < 0n ? -inQuote : inQuote
}

/** Measures from trades and measures from samples. */
type MeasuredTrades = Pick<ReplayMeasures, 'recovery' | 'markouts'>
type MeasuredSamples = Omit<ReplayMeasures, keyof MeasuredTrades>

/** Merges both, in output order. */
export function joinMeasures(
  { samples, failure, slippage, maxDrawdown, inventory }: MeasuredSamples,
  { recovery, markouts }: MeasuredTrades,
): ReplayMeasures {
  return { samples, failure, slippage, maxDrawdown, recovery, inventory, markouts }
}

/** Takes the samples of one arm under one flow model. */
export class SampleMeasures {
  readonly #failure: readonly FailureRule[]
  readonly #recorder: ArmRecorder
  readonly #blocks = new Map<number, { block: number; timestamp: number }>()
  readonly #startTime: number
  #steps = 0

  /**
   * @param capital   worth of the capital at the start, quote atoms
   * @param startTime of the first event
   */
  constructor(arm: MonteCarloArm, terms: ReplayMeasureTerms, capital: bigint, startTime: number) {
    this.#failure = terms.failure
    this.#startTime = startTime
    this.#recorder = new ArmRecorder(
      {
        horizonSeconds: null,
        target: targetOf(arm, terms.targetBaseShare ?? null),
        bandsPips: [],
        tradeSizesQuote: terms.tradeSizesQuote,
        failure: terms.failure,
        measuredSteps: { has: () => true },
        keptSteps: [],
      },
      capital,
    )
  }

  /** @param block latest block at or before the moment */
  sample(arm: SampledArm, block: number, timestamp: number): void {
    const seconds = timestamp - this.#startTime
    if (!this.#blocks.has(seconds)) this.#blocks.set(seconds, { block, timestamp })
    this.#recorder.sample(arm, this.#steps++, seconds)
  }

  /**
   * @param start,end what the arm began and ended with, fees left out
   * @param traded    both sides of the recorded trades of the window
   * @param endTime   of the last event
   */
  finish(start: Holdings, end: Holdings, traded: TradedVolume, endTime: number): MeasuredSamples {
    const horizon = endTime - this.#startTime
    const samples = this.#recorder.finish(start, end, traded, horizon)
    return {
      samples: samples.samples,
      failure: this.#failure.map(({ kind }, rule) => {
        const at = samples.failedAt[rule] ?? null
        const place = at === null ? undefined : this.#blocks.get(at)
        const { block = null, timestamp = null } = place ?? {}
        const broken = samples.brokenSeconds[rule] ?? 0
        const timeSharePips = horizon === 0 ? 0 : Math.floor((broken * 1_000_000) / horizon)
        return { kind, failed: at !== null, timeSharePips, block, timestamp }
      }),
      slippage: samples.slippage
        .filter(({ pips }) => pips.length > 0)
        .map(({ sizeQuote, side, pips }) => ({ sizeQuote, side, ...ranked(pips) })),
      maxDrawdown: samples.maxDrawdown,
      inventory: samples.inventory,
    }
  }
}

/** Measures the trades of one arm under one flow model along a replay. */
export class TradeMeasures {
  readonly #shocks: ShockWatch | null
  readonly #markouts = new MarkoutLedger()
  #now: number

  /** @param startTime of the first event */
  constructor(run: ArmRun, startTime: number) {
    this.#now = startTime
    const { session } = run
    if (session === null) {
      this.#shocks = null
      return
    }
    const thinnerSide = () => {
      const sides = session.depth([SHOCK_BAND_PIPS]).map(({ quote }) => quote)
      return sides.reduce((least, quote) => (quote < least ? quote : least))
    }
    const shocks = new ShockWatch(thinnerSide, MOST_FOLLOWED)
    this.#shocks = shocks
    run.observer = {
      before: (baseIn, base, quote) => {
        shocks.before(quote)
        if (baseIn) this.#markouts.add(this.#now, base, -quote)
        else this.#markouts.add(this.#now, -base, quote)
      },
      after: () => shocks.after(this.#now),
    }
  }

  /** Time of the last event. */
  get now(): number {
    return this.#now
  }

  /**
   * Advances to the time of the next event. Market and reference price were constant until then.
   */
  passTo(timestamp: number, price: Rat): void {
    if (timestamp > this.#now) {
      this.#shocks?.passTo(timestamp - 1)
      this.#markouts.passTo(timestamp - 1, price)
    }
    this.#now = timestamp
  }

  /** A sample is about to be taken. */
  refresh(): void {
    this.#shocks?.refresh()
  }

  /** @param price last reference price */
  finish(price: Rat): MeasuredTrades {
    this.#shocks?.passTo(this.#now)
    this.#markouts.passTo(this.#now, price)
    if (this.#shocks === null) return { recovery: null, markouts: [] }
    return { recovery: recoveryOf(this.#shocks.finish()), markouts: this.#markouts.finish() }
  }
}

/**
 * Median and lowest depth at each delay after a shock, over shocks whose delay ended within the
 * run.
 */
export function recoveryOf({ shocks, after }: ShockRecovery): ReplayMeasures['recovery'] {
  return {
    shocks,
    after: after
      .filter(({ depthPips }) => depthPips.length > 0)
      .map(({ seconds, depthPips }) => {
        const sorted = [...depthPips].sort((a, b) => a - b)
        const medianPips = sorted[Math.ceil(sorted.length / 2) - 1]!
        return { seconds, n: sorted.length, medianPips, lowestPips: sorted[0]! }
      }),
  }
}

function ranked(pips: Float64Array) {
  const sorted = pips.toSorted()
  // A size is only listed with samples, so every rank exists.
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  return { samples: sorted.length, median: rank(0.5), worst5: rank(0.95), worst1: rank(0.99) }
}
