import type { Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { Holdings } from '../study/arm.ts'
import {
  closeHolder,
  closeMaker,
  type HolderWaterfall,
  type MakerWaterfall,
} from '../study/waterfall.ts'
import { type ActionKind, transactionOf } from './gas-table.ts'
import type { MarketSession, TickRange } from './market-session.ts'

/** Counts of executed actions by kind, and of refusals by guard. */
export interface ActionCounts {
  readonly done: Partial<Record<ActionKind, number>>
  readonly refused: Record<string, number>
}

/** Receives executed and refused actions of an arm. */
export interface DeskObserver {
  done(action: ActionKind): void
  refused(guard: string): void
}

/** Ledger of a desk at one moment: tokens, and sums in quote atoms. */
export interface DeskBooks {
  /** Idle tokens that are principal. */
  readonly idle: Holdings
  /** All fees ever settled, and the share that became principal. */
  readonly settled: Holdings
  readonly compounded: Holdings
  /** Principal and fees at the last booking. */
  readonly held: Holdings
  readonly fees: Holdings
  /** Principal at the last action. */
  readonly segmentStart: Holdings
  readonly deltaPnl: bigint
  readonly lvr: bigint
  readonly feesAtAccrual: bigint
  readonly divergence: bigint
  readonly drift: bigint
  readonly rebalanceCost: bigint
  readonly gas: bigint
  readonly rewards: bigint
  /** How many times an amount was valued and cut to an atom. */
  readonly valuations: number
}

/** Both P&L breakdowns of an arm, and its net result. */
export interface DeskAccounts {
  readonly holder: HolderWaterfall
  readonly maker: MakerWaterfall
  readonly net: bigint
}

const NOTHING: Holdings = { base: 0n, quote: 0n }

/**
 * The desk of one arm: tokens, market positions and two exact ledgers, in atoms.
 *
 * Inventory is idle tokens, position principal and earned fees. An action closes a segment of the
 * holder's ledger. Any value lost at the reference price is the rebalancing cost.
 */
export class ArmDesk {
  readonly session: MarketSession | null
  readonly counts: ActionCounts = { done: {}, refused: {} }
  observer: DeskObserver | null = null
  readonly #capital: Holdings
  readonly #startPrice: Rat
  readonly #gasOf: (action: ActionKind, step: number) => bigint
  readonly #positions = new Map<string, TickRange & { liquidity: bigint }>()
  #nextId = 0
  #step = 0
  #price: Rat
  /** Idle tokens that are principal, and fees that were paid out and not put to work. */
  #idle: Holdings
  #pocket: Holdings = NOTHING
  /** All fees ever settled, and the share that became principal. */
  #settled: Holdings = NOTHING
  #compounded: Holdings = NOTHING
  /** Principal and fees at the last booking. */
  #held: Holdings
  #fees: Holdings = NOTHING
  #segmentStart: Holdings
  #segmentPrice: Rat
  #deltaPnl = 0n
  #lvr = 0n
  #feesAtAccrual = 0n
  #divergence = 0n
  #drift = 0n
  #rebalanceCost = 0n
  #gas = 0n
  #rewards = 0n
  #ownVolume = 0n
  #valuations = 4

  /**
   * @param session null for an arm that never touches the market
   * @param capital the capital that defines the arm's result
   * @param start initial inventory of equal value
   * @param gasOf quote atoms of an action at a step
   */
  constructor(
    session: MarketSession | null,
    capital: Holdings,
    start: Holdings,
    startPrice: Rat,
    gasOf: (action: ActionKind, step: number) => bigint,
  ) {
    this.session = session
    this.#capital = capital
    this.#startPrice = startPrice
    this.#price = startPrice
    this.#gasOf = gasOf
    this.#idle = start
    this.#held = start
    this.#segmentStart = start
    this.#segmentPrice = startPrice
  }

  get idle(): Holdings {
    return this.#idle
  }

  /** Reference price of the present step, quote per base. */
  get price(): Rat {
    return this.#price
  }

  get positions(): ReadonlyMap<string, TickRange & { readonly liquidity: bigint }> {
    return this.#positions
  }

  /** Everything held, fees included. */
  get inventory(): Holdings {
    const { base, quote } = this.#held
    return {
      base: base + this.#fees.base - this.#compounded.base,
      quote: quote + this.#fees.quote - this.#compounded.quote,
    }
  }

  /** Principal in positions and idle tokens, without fees. */
  get principal(): Holdings {
    return this.#held
  }

  /** Inventory minus all fees ever earned, including compounded ones. */
  get withoutFees(): Holdings {
    return minus(this.#held, this.#compounded)
  }

  /** All fees that were ever earned. */
  get fees(): Holdings {
    return this.#fees
  }

  /** Quote that moved in the arm's own swaps. */
  get ownVolumeQuote(): bigint {
    return this.#ownVolume
  }

  /**
   * Value of the inventory minus gas plus rewards, minus the HODL value, all at the reference
   * price. Includes the gas of an immediate exit, because HODL has its tokens available.
   */
  netVsHold(): bigint {
    const { base, quote } = this.inventory
    const more = quoteValue(base - this.#capital.base, this.#price)
    return more + quote - this.#capital.quote - this.#gas - this.exitGas() + this.#rewards
  }

  /**
   * Gas cost to close every position now, quote atoms. The pools charge no fee for an exit in both
   * tokens.
   */
  exitGas(): bigint {
    if (this.session === null || this.#positions.size === 0) return 0n
    const each = this.gasOf('DECREASE_ALL') + this.gasOf('COLLECT')
    return each * BigInt(this.#positions.size)
  }

  /** The reference price moves; the inventory gains or loses. */
  moveTo(price: Rat, step: number): void {
    this.#step = step
    const { base } = this.inventory
    this.#deltaPnl += quoteValue(base, price) - quoteValue(base, this.#price)
    this.#valuations += 2
    this.#price = price
  }

  /** Books what the market did to the positions since the last booking. */
  book(): void {
    if (this.session === null || this.#positions.size === 0) return
    const { held, fees } = this.#count()
    this.#bookFees(fees)
    if (held.base !== this.#held.base || held.quote !== this.#held.quote) {
      this.#lvr -= quoteValue(held.base - this.#held.base, this.#price)
      this.#lvr -= held.quote - this.#held.quote
      this.#valuations += 1
      this.#held = held
    }
  }

  /**
   * Opens a position from idle tokens. @returns its name, or null if the funds are too small for
   * any liquidity
   */
  open(range: TickRange, liquidity: bigint): string | null {
    if (liquidity <= 0n) return null
    const id = `arm${this.#nextId++}`
    this.#act(() => {
      const paid = this.#market().open(id, range, liquidity)
      this.#idle = minus(this.#idle, paid)
      this.#positions.set(id, { ...range, liquidity })
    })
    return id
  }

  /** Adds liquidity to a position; its fees are paid out first. */
  increase(id: string, liquidity: bigint): void {
    if (liquidity <= 0n) return
    const position = this.#find(id)
    this.#act(() => {
      this.#settle(id)
      this.#idle = minus(this.#idle, this.#market().open(id, position, liquidity))
      position.liquidity += liquidity
    })
  }

  /** Removes liquidity from a position, by default all. Pays out its fees first. */
  close(id: string, liquidity?: bigint): void {
    const position = this.#find(id)
    const leaving = liquidity ?? position.liquidity
    this.#act(() => {
      this.#settle(id)
      this.#idle = plus(this.#idle, this.#market().close(id, leaving))
      position.liquidity -= leaving
      if (position.liquidity === 0n) this.#positions.delete(id)
    })
  }

  /**
   * Pays out the fees of a position. They stay separate from the principal until they are
   * compounded.
   */
  collect(id: string): void {
    this.#act(() => this.#settle(id))
  }

  /** Fees that were paid out become principal. */
  compound(): void {
    this.#act(() => {
      this.#idle = plus(this.#idle, this.#pocket)
      this.#compounded = plus(this.#compounded, this.#pocket)
      this.#pocket = NOTHING
    })
  }

  /**
   * Swaps idle tokens in the market, own impact included. @returns output, null if the swap is
   * impossible
   */
  swap(buysBase: boolean, amountIn: bigint): bigint | null {
    const plan = this.#market().planInput(buysBase, amountIn)
    if (plan === null) return null
    this.#act(() => {
      this.#market().carryOut(plan)
      const traded = buysBase
        ? { base: plan.amountOut, quote: -plan.amountIn }
        : { base: -plan.amountIn, quote: plan.amountOut }
      this.#idle = plus(this.#idle, traded)
      this.#ownVolume += buysBase ? plan.amountIn : plan.amountOut
    })
    return plan.amountOut
  }

  /** Trades idle tokens at the reference price without cost, for the rebalancing portfolio. */
  exchangeAtReference(base: bigint): void {
    this.#act(() => {
      this.#idle = plus(this.#idle, { base, quote: -quoteValue(base, this.#price) })
    })
  }

  /** Pays the gas of an action, with this market's transaction type. */
  payGas(action: ActionKind): void {
    const transaction = this.#transactionOf(action)
    if (transaction === null) return
    this.#gas += this.#gasOf(transaction, this.#step)
    this.counts.done[transaction] = (this.counts.done[transaction] ?? 0) + 1
    this.observer?.done(transaction)
  }

  /** Current gas cost of an action, quote atoms. */
  gasOf(action: ActionKind): bigint {
    const transaction = this.#transactionOf(action)
    return transaction === null ? 0n : this.#gasOf(transaction, this.#step)
  }

  /** Books a reward at its value when it accrued, quote atoms. */
  reward(quote: bigint): void {
    this.#rewards += quote
  }

  /** Counts an action that a guard refused. */
  refuse(guard: string): void {
    this.counts.refused[guard] = (this.counts.refused[guard] ?? 0) + 1
    this.observer?.refused(guard)
  }

  /**
   * Closes both books, the gas of leaving among what was paid.
   *
   * @throws WaterfallError when they do not balance
   */
  finish(): DeskAccounts {
    this.book()
    this.#closeSegment()
    const prices = { start: this.#startPrice, end: this.#price }
    return closeBooks(this.books(), this.#capital, prices, this.exitGas())
  }

  books(): DeskBooks {
    return {
      idle: this.#idle,
      settled: this.#settled,
      compounded: this.#compounded,
      held: this.#held,
      fees: this.#fees,
      segmentStart: this.#segmentStart,
      deltaPnl: this.#deltaPnl,
      lvr: this.#lvr,
      feesAtAccrual: this.#feesAtAccrual,
      divergence: this.#divergence,
      drift: this.#drift,
      rebalanceCost: this.#rebalanceCost,
      gas: this.#gas,
      rewards: this.#rewards,
      valuations: this.#valuations,
    }
  }

  /** Does something to the inventory between two segments and books what it gave away. */
  #act(work: () => void): void {
    this.book()
    this.#closeSegment()
    const before = this.#held
    const compounded = this.#compounded
    work()
    const { held, fees } = this.#count()
    this.#bookFees(fees)
    const grown = minus(this.#compounded, compounded)
    const base = before.base + grown.base - held.base
    this.#rebalanceCost += quoteValue(base, this.#price) + before.quote + grown.quote - held.quote
    this.#valuations += 1
    this.#held = held
    this.#segmentStart = held
    this.#segmentPrice = this.#price
  }

  #closeSegment(): void {
    const start = this.#segmentStart
    const held = this.#held
    const extra = start.base - this.#capital.base - this.#compounded.base
    this.#drift += quoteValue(extra, this.#price) - quoteValue(extra, this.#segmentPrice)
    this.#divergence += quoteValue(start.base - held.base, this.#price) + start.quote - held.quote
    this.#valuations += 3
    this.#segmentStart = held
    this.#segmentPrice = this.#price
  }

  #bookFees(fees: Holdings): void {
    if (fees.base === this.#fees.base && fees.quote === this.#fees.quote) return
    const base = fees.base - this.#fees.base
    this.#feesAtAccrual += quoteValue(base, this.#price) + fees.quote - this.#fees.quote
    this.#valuations += 1
    this.#fees = fees
  }

  /** Principal and all fees ever earned, recomputed. */
  #count(): { held: Holdings; fees: Holdings } {
    let held = this.#idle
    let fees = this.#settled
    for (const id of this.#positions.keys()) {
      held = plus(held, this.#market().principal(id))
      fees = plus(fees, this.#market().accrued(id))
    }
    return { held, fees }
  }

  #settle(id: string): void {
    const { paidOut, compounded } = this.#market().settleFees(id)
    this.#pocket = plus(this.#pocket, paidOut)
    this.#compounded = plus(this.#compounded, compounded)
    this.#settled = plus(plus(this.#settled, paidOut), compounded)
  }

  #transactionOf(action: ActionKind): ActionKind | null {
    return transactionOf(action, this.session?.grid() !== null)
  }

  #market(): MarketSession {
    if (this.session === null) throw new RangeError('a candidate without a market has no positions')
    return this.session
  }

  #find(id: string): TickRange & { liquidity: bigint } {
    const position = this.#positions.get(id)
    if (position === undefined) throw new RangeError(`no position ${id}`)
    return position
  }
}

/**
 * The two accounts of books whose last segment is closed.
 *
 * @param exitGas what leaving costs, quote atoms
 * @throws WaterfallError when they do not balance
 */
export function closeBooks(
  books: DeskBooks,
  capital: Holdings,
  prices: { readonly start: Rat; readonly end: Rat },
  exitGas: bigint,
): DeskAccounts {
  const { held, fees, compounded, rewards, rebalanceCost, valuations } = books
  const { start, end } = prices
  const inventory = minus(plus(held, fees), compounded)
  const gas = books.gas + exitGas
  const capitalBefore = quoteValue(capital.base, start) + capital.quote
  const worth = quoteValue(inventory.base, end) + inventory.quote
  const net = worth - capitalBefore - gas + rewards
  const costs = { rewards, gas, rebalanceCost, net }
  const lines = {
    hold: quoteValue(capital.base, end) - quoteValue(capital.base, start),
    divergenceLoss: books.divergence,
    exposureDrift: books.drift,
    fees: quoteValue(fees.base, end) + fees.quote,
  }
  const made = { deltaPnl: books.deltaPnl, lvr: books.lvr, fees: books.feesAtAccrual }
  return {
    net,
    holder: closeHolder({ ...lines, ...costs }, valuations),
    maker: closeMaker({ ...made, ...costs }, valuations),
  }
}

function plus(a: Holdings, b: Holdings): Holdings {
  return { base: a.base + b.base, quote: a.quote + b.quote }
}

function minus(a: Holdings, b: Holdings): Holdings {
  return { base: a.base - b.base, quote: a.quote - b.quote }
}
