import type { JsonSafe } from '../amm/market-json.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Depth, Side } from '../depth/depth-ladder.ts'
import type { SampledArm } from '../montecarlo/arm-recorder.ts'
import type { Deposit } from './deposit.ts'
import { DepthSamples, type OwnDepth } from './own-depth.ts'
import type { SampleMeasures } from './replay-measures.ts'

/** A sampling moment for all runs of a study. */
export interface Moment {
  /** Unix seconds. */
  readonly at: number
  /** Latest block at or before it. */
  readonly block: number
  /** Reference price, quote per base, and the same times 10^18 as text, rounded down. */
  readonly price: Rat
  readonly priceX18: string
  /** Tick of the unchanged pool. */
  readonly historyTick: number
}

/** A run at such a moment. */
export interface SampledRun {
  readonly arm: SampledArm
  /** Price and tick of the pool; null for an arm without a pool. */
  readonly place: { readonly sqrtPriceX96: bigint; readonly tick: number } | null
  readonly positions: readonly Deposit[]
}

export class RunRecord {
  readonly series: JsonSafe[] = []
  readonly depth = new DepthSamples()
  readonly measures: SampleMeasures | null
  readonly #ownDepth: OwnDepth

  constructor(ownDepth: OwnDepth, measures: SampleMeasures | null) {
    this.#ownDepth = ownDepth
    this.measures = measures
  }

  take(moment: Moment, { arm, place, positions }: SampledRun): void {
    const { at, block, priceX18, historyTick } = moment
    const ladder = place === null ? [] : this.#ownDepth.measure(place, positions)
    this.depth.add(ladder)
    this.measures?.sample(arm, block, at)
    const { base, quote } = arm.inventory
    this.series.push({
      timestamp: at,
      priceX18,
      netVsHold: `${arm.netVsHold}`,
      tick: place?.tick ?? historyTick,
      base: `${base}`,
      quote: `${quote}`,
      buyQuote: sideOf(ladder, 'BUY'),
      sellQuote: sideOf(ladder, 'SELL'),
    })
  }
}

/** Depth of one side, in the order of the bands. */
function sideOf(ladder: readonly Depth[], side: Side): string[] {
  return ladder.filter((one) => one.side === side).map(({ quote }) => `${quote}`)
}
