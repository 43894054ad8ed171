import { clmmMidPrice } from '../amm/v3/market.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { type ActionCounts, ArmDesk } from '../montecarlo/arm-desk.ts'
import type { MonteCarloArm } from '../montecarlo/arms.ts'
import { ClmmSession } from '../montecarlo/clmm-session.ts'
import type { ActionKind } from '../montecarlo/gas-table.ts'
import { type PositionCoverage, replayClmmEvent } from '../replay/clmm-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import type { Holdings, StudyCapital } from './arm.ts'
import { ArmCourse } from './arm-course.ts'
import type { Deposit } from './deposit.ts'
import { applyFlow, type FlowCounts, type FlowTerms, type TradeObserver } from './flow.ts'
import type { HolderWaterfall, MakerWaterfall } from './waterfall.ts'

/** Deposits of an arm at its start, and its idle tokens. */
export interface Opening {
  readonly positions: readonly Deposit[]
  readonly deposited: Holdings
  readonly idle: Holdings
}

export interface ArmOutcome {
  /** Positions without fees, and idle tokens. */
  readonly end: Holdings
  readonly fees: Holdings
  readonly counts: FlowCounts
  readonly actions: ActionCounts
  readonly ownVolumeQuote: bigint
  readonly secondsInRange: number
  readonly seconds: number
  readonly holder: HolderWaterfall
  readonly maker: MakerWaterfall
}

/** Parameters common to all runs of a study. */
export interface RunTerms extends FlowTerms {
  readonly positions: PositionCoverage
  /** Quote atoms of an action in a block. */
  readonly gasOf: (action: ActionKind, block: number) => bigint
}

/** One arm under one flow model: a copy of the pool with the arm's positions in it. */
export class ArmRun {
  readonly desk: ArmDesk
  readonly opening: Opening
  readonly course: ArmCourse
  readonly #arm: MonteCarloArm
  readonly #session: ClmmSession | null
  readonly #terms: RunTerms
  readonly #startTime: number | null
  readonly #counts: FlowCounts = {
    swaps: 0,
    volumeQuote: 0n,
    arbitrages: 0,
    arbitrageVolumeQuote: 0n,
  }
  /** Initial inventory. */
  readonly start: Holdings
  /** Sees the trades of the arm's pool. */
  observer: TradeObserver | null = null
  #price: Rat
  #looks = 0
  #lastTime: number | null
  #seconds = 0
  #secondsInRange = 0

  /**
   * @param place block and time of the run's start
   * @throws PoolRevertError if the pool rejects the arm's deposit
   */
  constructor(
    start: ClmmState,
    arm: MonteCarloArm,
    capital: StudyCapital,
    terms: RunTerms,
    place: { block: number; timestamp: number | null },
  ) {
    this.#arm = arm
    this.#terms = terms
    this.#startTime = place.timestamp
    this.#lastTime = place.timestamp
    this.#session = arm.usesMarket ? new ClmmSession(start, terms.orientation) : null
    const price = clmmMidPrice(start.sqrtPriceX96, terms.orientation)
    this.#price = price
    const held = arm.start(this.#session, capital, price)
    this.start = held
    this.desk = new ArmDesk(this.#session, capital, held, price, terms.gasOf)
    this.desk.moveTo(price, place.block)
    this.course = new ArmCourse(place)
    this.desk.observer = this.course
    arm.open(this.desk)
    this.course.noteLayout(this.desk)
    const { idle, positions } = this.desk
    this.opening = {
      positions: [...positions.values()].map((position) => ({ ...position })),
      deposited: { base: held.base - idle.base, quote: held.quote - idle.quote },
      idle,
    }
  }

  /** Tick of the arm's pool; null for an arm without a pool. */
  get tick(): number | null {
    return this.#session?.pool.tick ?? null
  }

  /** The pool including the arm's liquidity; null for an arm without a pool. */
  get session(): ClmmSession | null {
    return this.#session
  }

  /** Applies the counterfactual of one historical event. @param reference root price after the event */
  apply(event: ClmmEvent, reference: bigint, referencePrice: Rat): void {
    this.#passTime(event.timestamp)
    if (this.#price !== referencePrice) {
      this.desk.moveTo(referencePrice, event.block)
      this.#price = referencePrice
    }
    const session = this.#session
    if (session === null) return
    const { pool } = session
    if (event.type === 'Swap') {
      if (event.timestamp !== null) pool.blockTimestamp = event.timestamp
      const { observer } = this
      applyFlow(pool, event, this.#terms, reference, referencePrice, this.#counts, observer)
    } else {
      replayClmmEvent(pool, event, this.#terms.positions)
    }
    if (event.type === 'Swap' || event.type === 'Flash') this.desk.book()
  }

  /**
   * Lets the arm observe and act, on the market after the last block.
   *
   * @param block block of the action
   */
  look(block: number, timestamp: number | null): void {
    if (this.#arm.onStep === undefined || timestamp === null) return
    this.desk.moveTo(this.#price, block)
    const seconds = timestamp - (this.#startTime ?? timestamp)
    this.#looks += 1
    this.course.moveTo(block, timestamp)
    this.#arm.onStep({ step: this.#looks, seconds, reference: this.#price }, this.desk)
    this.course.noteLayout(this.desk)
  }

  /** Closes the books at the last reference price. @throws WaterfallError when they do not balance */
  finish(): ArmOutcome {
    const { holder, maker } = this.desk.finish()
    return {
      end: this.desk.principal,
      fees: this.desk.fees,
      counts: { ...this.#counts },
      actions: this.desk.counts,
      ownVolumeQuote: this.desk.ownVolumeQuote,
      secondsInRange: this.#secondsInRange,
      seconds: this.#seconds,
      holder,
      maker,
    }
  }

  #passTime(timestamp: number | null): void {
    if (timestamp === null) return
    const passed = this.#lastTime === null ? 0 : timestamp - this.#lastTime
    this.#lastTime = timestamp
    this.#seconds += passed
    const session = this.#session
    if (session === null || passed === 0) return
    const isInRange = [...this.desk.positions.keys()].some((id) => session.isInRange(id))
    if (isInRange) this.#secondsInRange += passed
  }
}
