import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { baseFor, quoteValue } from '../depth/value.ts'
import {
  type BaseShareTarget,
  type InventoryCourse,
  InventoryWatch,
  type TradedVolume,
} from '../measures/inventory-course.ts'
import type { Holdings } from '../study/arm.ts'
import type { ArmDesk } from './arm-desk.ts'
import { type FailureRule, FailureWatch, type Observed } from './failure.ts'
import type { MarketSession } from './market-session.ts'

const MILLION = 1_000_000n

/** What samples are taken of. */
export interface SampleTerms {
  /** Null if only known at the end. */
  readonly horizonSeconds: number | null
  /** Where base's share should be; null for nowhere. */
  readonly target: BaseShareTarget | null
  readonly bandsPips: readonly number[]
  /** Sizes whose slippage is sampled on both sides, quote atoms. */
  readonly tradeSizesQuote: readonly bigint[]
  readonly failure: readonly FailureRule[]
  /** Steps with stored depth and slippage. A depth rule also evaluates every sample. */
  readonly measuredSteps: Pick<ReadonlySet<number>, 'has'>
  /** Moments stored for fan charts, in steps, ascending. */
  readonly keptSteps: readonly number[]
}

export interface ArmSamples {
  /** Two-sided depth at each measured step per band, quote atoms. */
  readonly depth: readonly { readonly bandPips: number; readonly quote: Float64Array }[]
  /** All-in slippage per size and side at each measured step, pips. */
  readonly slippage: readonly {
    readonly sizeQuote: bigint
    readonly side: Side
    readonly pips: Float64Array
  }[]
  /** First breach time per rule, in rule order; null without a breach. */
  readonly failedAt: readonly (number | null)[]
  /** Breach duration per rule; recorded in full if the horizon is open. */
  readonly brokenSeconds: readonly number[]
  readonly inRangeSamples: number
  readonly samples: number
  readonly inventory: InventoryCourse
  /** Largest fall of net vs hold from its peak, quote atoms. */
  readonly maxDrawdown: bigint
  /** Net vs hold and base share in pips at the stored steps. */
  readonly fan: { readonly netVsHold: Float64Array; readonly baseSharePips: Float64Array }
}

/** An arm at the moment of a sample. */
export interface SampledArm {
  /** Reference price, quote per base. */
  readonly price: Rat
  /** Everything held, fees included, and everything less all fees. */
  readonly inventory: Holdings
  readonly withoutFees: Holdings
  /** As if it left now, quote atoms. */
  readonly netVsHold: bigint
  /** Null for an arm without positions. */
  readonly isInRange: boolean | null
  /** Null for an arm without a market. */
  readonly market: SampledMarket | null
}

/** A market at the moment of a sample. */
export interface SampledMarket {
  /** The thinner side of the depth per band, quote atoms. */
  thinnerDepth(bandsPips: readonly number[]): Map<number, bigint>
  /** All-in slippage against the marginal price, pips, as `slippageTable` has it. */
  slippage(sizeQuote: bigint, side: Side): number
}

export function sampleDesk(desk: ArmDesk): SampledArm {
  const { price, session, inventory, withoutFees, positions } = desk
  const isInRange =
    positions.size === 0 || session === null
      ? null
      : [...positions.keys()].some((id) => session.isInRange(id))
  const market = session === null ? null : sampleMarket(session)
  return { price, inventory, withoutFees, netVsHold: desk.netVsHold(), isInRange, market }
}

function sampleMarket(session: MarketSession): SampledMarket {
  return {
    thinnerDepth: (bandsPips) => {
      const thinner = new Map<number, bigint>()
      for (const { bandPips, quote } of session.depth(bandsPips)) {
        const other = thinner.get(bandPips)
        thinner.set(bandPips, other === undefined || quote < other ? quote : other)
      }
      return thinner
    },
    slippage: (sizeQuote, side) => slippage(session, sizeQuote, side),
  }
}

/** Takes the samples of one arm along one path. */
export class ArmRecorder {
  readonly #terms: SampleTerms
  readonly #capital: bigint
  readonly #watches: FailureWatch[]
  readonly #inventory: InventoryWatch
  readonly #depths: Map<number, number[]>
  /** Bands that are measured, and whether at every sample. */
  readonly #bands: readonly number[]
  readonly #isDepthWatched: boolean
  readonly #slippage: { sizeQuote: bigint; side: Side; pips: number[] }[]
  readonly #netVsHold: number[] = []
  readonly #baseShares: number[] = []
  #inRange = 0
  #samples = 0
  #peak = 0n
  #maxDrawdown = 0n

  /** @param capital worth of the capital at the start, quote atoms */
  constructor(terms: SampleTerms, capital: bigint) {
    this.#terms = terms
    this.#capital = capital
    this.#watches = terms.failure.map((rule) => new FailureWatch(rule, terms.horizonSeconds))
    this.#inventory = new InventoryWatch(terms.target, capital)
    this.#depths = new Map(terms.bandsPips.map((band) => [band, []]))
    const watched = terms.failure.flatMap((rule) =>
      rule.kind === 'DEPTH_BELOW' ? [rule.bandPips] : [],
    )
    this.#isDepthWatched = watched.length > 0
    this.#bands = [...new Set([...terms.bandsPips, ...watched])]
    const sides: Side[] = ['BUY', 'SELL']
    this.#slippage = terms.tradeSizesQuote.flatMap((sizeQuote) =>
      sides.map((side) => ({ sizeQuote, side, pips: [] })),
    )
  }

  sample(arm: SampledArm, step: number, seconds: number): void {
    const { price, market, netVsHold, isInRange, withoutFees } = arm
    if (netVsHold > this.#peak) this.#peak = netVsHold
    const drawdown = this.#peak - netVsHold
    if (drawdown > this.#maxDrawdown) this.#maxDrawdown = drawdown
    this.#samples += 1
    if (isInRange === true) this.#inRange += 1
    const isMeasured = this.#terms.measuredSteps.has(step)
    const { base, quote } = arm.inventory
    const baseSharePips = shareOfBase(base, quote, price)
    this.#inventory.see(seconds, baseSharePips, withoutFees.quote)
    const observed: Observed = {
      seconds,
      depth:
        market !== null && (isMeasured || this.#isDepthWatched)
          ? this.#measureDepth(market, isMeasured)
          : null,
      slippagePips: (size, side) => market?.slippage(size, side) ?? null,
      isInRange,
      quote,
      baseSharePips,
      netVsHold,
      drawdown,
      capital: this.#capital,
      priceX18: (price.num * 10n ** 18n) / price.den,
    }
    for (const watch of this.#watches) watch.see(observed)
    if (market !== null && isMeasured) {
      for (const { sizeQuote, side, pips } of this.#slippage) {
        pips.push(market.slippage(sizeQuote, side))
      }
    }
    if (this.#terms.keptSteps[this.#netVsHold.length] === step) {
      this.#netVsHold.push(Number(netVsHold))
      this.#baseShares.push(baseSharePips)
    }
  }

  /**
   * @param start,end what the arm began and ended with, fees left out
   * @param traded    both sides of all trades of its market
   */
  finish(start: Holdings, end: Holdings, traded: TradedVolume, horizonSeconds: number): ArmSamples {
    return {
      inventory: this.#inventory.finish(start, end, traded),
      depth: [...this.#depths].map(([bandPips, quotes]) => ({
        bandPips,
        quote: Float64Array.from(quotes),
      })),
      slippage: this.#slippage.map((one) => ({ ...one, pips: Float64Array.from(one.pips) })),
      failedAt: this.#watches.map((watch) => watch.firstSeconds(horizonSeconds)),
      brokenSeconds: this.#watches.map((watch) => watch.brokenSeconds),
      inRangeSamples: this.#inRange,
      samples: this.#samples,
      maxDrawdown: this.#maxDrawdown,
      fan: {
        netVsHold: Float64Array.from(this.#netVsHold),
        baseSharePips: Float64Array.from(this.#baseShares),
      },
    }
  }

  #measureDepth(market: SampledMarket, isKept: boolean): Map<number, bigint> {
    const thinner = market.thinnerDepth(this.#bands)
    if (isKept) for (const [band, quote] of thinner) this.#depths.get(band)?.push(Number(quote))
    return thinner
  }
}

/** Base share of the inventory value in pips; zero for an empty inventory. */
export function shareOfBase(base: bigint, quote: bigint, price: Rat): number {
  const inBase = quoteValue(base, price)
  const worth = inBase + quote
  return worth <= 0n ? 0 : Number((inBase * MILLION) / worth)
}

/** All-in slippage of a size against the marginal price, as `slippageTable` has it. */
function slippage(session: MarketSession, sizeQuote: bigint, side: Side): number {
  const mid = session.mid()
  if (side === 'BUY') {
    const plan = session.planInput(true, sizeQuote)
    const worth = plan === null ? 0n : quoteValue(plan.amountOut, mid)
    if (worth === 0n) return 1_000_000
    return clampPips(divideRoundingUp(sizeQuote * MILLION, worth) - MILLION)
  }
  const amountIn = baseFor(sizeQuote, mid)
  const plan = session.planInput(false, amountIn)
  const worth = quoteValue(amountIn, mid)
  if (plan === null || worth === 0n) return 1_000_000
  return clampPips(MILLION - (plan.amountOut * MILLION) / worth)
}

function clampPips(pips: bigint): number {
  return Number(pips < 0n ? 0n : pips > MILLION ? MILLION : pips)
}
