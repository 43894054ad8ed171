import {
  amountsForLiquidity,
  feeGrowthInside,
  mintLiquidity,
  roundingDown,
} from '../amm/v3/liquidity.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import { type PositionCoverage, replayClmmEvent } from '../replay/clmm-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import {
  type Deposit,
  type Holdings,
  planDeposit,
  rangeOf,
  type StudyArm,
  type StudyCapital,
  toHoldings,
} from './arm.ts'
import { applyFlow, type FlowCounts, type FlowTerms } from './flow.ts'
import { closeHolder, closeMaker, type HolderWaterfall, type MakerWaterfall } from './waterfall.ts'

/** Name under which a study holds its positions; no address can be it. */
const STUDY_OWNER = '#study'

/** What a run ends with. */
export interface ArmOutcome {
  readonly deposit: Deposit | null
  /** Position without fees, and idle tokens. */
  readonly end: Holdings
  readonly fees: Holdings
  readonly counts: FlowCounts
  readonly secondsInRange: number
  readonly seconds: number
  readonly holder: HolderWaterfall
  readonly maker: MakerWaterfall
}

/** One arm under one flow model: a copy of the pool with the arm's position in it. */
export class ArmRun {
  readonly pool: Pool
  readonly #terms: FlowTerms
  readonly #capital: StudyCapital
  readonly #positions: PositionCoverage
  readonly #deposit: Deposit | null
  readonly #start: Holdings
  readonly #startPrice: Rat
  readonly #growthAtStart: { growth0X128: bigint; growth1X128: bigint } | null
  readonly #counts: FlowCounts = {
    swaps: 0,
    volumeQuote: 0n,
    arbitrages: 0,
    arbitrageVolumeQuote: 0n,
  }
  /** Holdings without fees and fees so far at the last change, and the reference price then. */
  #held: Holdings
  #fees: Holdings = { base: 0n, quote: 0n }
  #priceAtChange: Rat
  #deltaPnl = 0n
  #lvr = 0n
  #feesAtAccrual = 0n
  #valuations = 2
  #lastTime: number | null = null
  #seconds = 0
  #secondsInRange = 0

  /** @throws RangeError for an impossible range; PoolRevertError when the pool refuses the deposit */
  constructor(
    start: ClmmState,
    arm: StudyArm,
    capital: StudyCapital,
    terms: FlowTerms,
    positions: PositionCoverage,
  ) {
    this.pool = loadPool({ ...start, balance0: null, balance1: null })
    this.#terms = terms
    this.#capital = capital
    this.#positions = positions
    const price = clmmMidPrice(start.sqrtPriceX96, terms.orientation)
    const range = rangeOf(arm, start.tickSpacing)
    this.#deposit =
      range === null ? null : planDeposit(this.pool, range, terms.orientation, capital, price)
    if (this.#deposit !== null && this.#deposit.liquidity > 0n) {
      mintLiquidity(this.pool, { owner: STUDY_OWNER, ...this.#deposit }, this.#deposit.liquidity)
    }
    const { deposited, idle } = this.#deposit ?? {
      deposited: { base: 0n, quote: 0n },
      idle: capital,
    }
    this.#start = { base: deposited.base + idle.base, quote: deposited.quote + idle.quote }
    this.#startPrice = price
    this.#priceAtChange = price
    this.#held = this.#start
    this.#growthAtStart = this.#deposit === null ? null : feeGrowthInside(this.pool, this.#deposit)
    // What the mint rounded up stays with the pool from the first moment.
    this.#account(price)
  }

  /**
   * Applies the counterfactual of one historical event.
   *
   * @param reference root price of the reference after the event
   */
  apply(event: ClmmEvent, reference: bigint, referencePrice: Rat): void {
    this.#passTime(event.timestamp)
    if (event.type === 'Swap') {
      if (event.timestamp !== null) this.pool.blockTimestamp = event.timestamp
      applyFlow(this.pool, event, this.#terms, reference, referencePrice, this.#counts)
    } else {
      replayClmmEvent(this.pool, event, this.#positions)
    }
    if (event.type === 'Swap' || event.type === 'Flash') this.#account(referencePrice)
  }

  /** The position's ticks and liquidity; null for an arm that only holds. */
  get deposit(): Deposit | null {
    return this.#deposit
  }

  /** All that is held, fees included, in quote at a price. */
  worth(price: Rat): bigint {
    const base = this.#held.base + this.#fees.base
    return quoteValue(base, price) + this.#held.quote + this.#fees.quote
  }

  /** Closes the books at the last reference price. @throws WaterfallError when they do not balance */
  finish(endPrice: Rat): ArmOutcome {
    this.#revalue(endPrice)
    const held = this.#held
    const fees = this.#fees
    const capitalBefore = quoteValue(this.#capital.base, this.#startPrice) + this.#capital.quote
    const net = this.worth(endPrice) - capitalBefore
    const none = { rewards: 0n, gas: 0n, rebalanceCost: 0n, net }
    const gain = (base: bigint) => quoteValue(base, endPrice) - quoteValue(base, this.#startPrice)
    const holder = closeHolder(
      {
        hold: gain(this.#capital.base),
        exposureDrift: gain(this.#start.base - this.#capital.base),
        divergenceLoss:
          quoteValue(this.#start.base, endPrice) +
          this.#start.quote -
          quoteValue(held.base, endPrice) -
          held.quote,
        fees: quoteValue(fees.base, endPrice) + fees.quote,
        ...none,
      },
      9,
    )
    const lines = { deltaPnl: this.#deltaPnl, lvr: this.#lvr, fees: this.#feesAtAccrual, ...none }
    return {
      deposit: this.#deposit,
      end: held,
      fees,
      counts: { ...this.#counts },
      secondsInRange: this.#secondsInRange,
      seconds: this.#seconds,
      holder,
      // Two more for the net result itself, and two for the start value of converted capital.
      maker: closeMaker(lines, this.#valuations + 4),
    }
  }

  /** Books what the last event did to the position: trades at the reference, and fees as they accrue. */
  #account(price: Rat): void {
    const deposit = this.#deposit
    if (deposit === null || this.#growthAtStart === null) return
    const o = this.#terms.orientation
    const inside = toHoldings(
      o,
      amountsForLiquidity(this.pool, deposit, deposit.liquidity, roundingDown),
    )
    const held = { base: inside.base + deposit.idle.base, quote: inside.quote + deposit.idle.quote }
    const now = feeGrowthInside(this.pool, deposit)
    const earned = (growth: bigint, before: bigint) =>
      (BigInt.asUintN(256, growth - before) * deposit.liquidity) >> 128n
    const fees = toHoldings(o, {
      amount0: earned(now.growth0X128, this.#growthAtStart.growth0X128),
      amount1: earned(now.growth1X128, this.#growthAtStart.growth1X128),
    })
    const traded = held.base !== this.#held.base || held.quote !== this.#held.quote
    const accrued = fees.base !== this.#fees.base || fees.quote !== this.#fees.quote
    if (!traded && !accrued) return
    this.#revalue(price)
    this.#lvr -= quoteValue(held.base - this.#held.base, price) + held.quote - this.#held.quote
    this.#feesAtAccrual += quoteValue(fees.base - this.#fees.base, price)
    this.#feesAtAccrual += fees.quote - this.#fees.quote
    this.#valuations += 2
    this.#held = held
    this.#fees = fees
  }

  /** The gain of the inventory held since the last change, up to a price. */
  #revalue(price: Rat): void {
    const inventory = this.#held.base + this.#fees.base
    this.#deltaPnl += quoteValue(inventory, price) - quoteValue(inventory, this.#priceAtChange)
    this.#valuations += 2
    this.#priceAtChange = price
  }

  #passTime(timestamp: number | null): void {
    if (timestamp === null) return
    const passed = this.#lastTime === null ? 0 : timestamp - this.#lastTime
    this.#lastTime = timestamp
    this.#seconds += passed
    const range = this.#deposit
    if (range === null) return
    const { tick } = this.pool
    if (range.tickLower <= tick && tick < range.tickUpper) this.#secondsInRange += passed
  }
}
