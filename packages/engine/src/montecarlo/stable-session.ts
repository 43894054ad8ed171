import type { Dir, Orientation } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { exchangeStable } from '../amm/stableswap/exchange.ts'
import {
  addStableLiquidity,
  invariantOf,
  removeStableLiquidity,
} from '../amm/stableswap/liquidity.ts'
import { stableSwapToPrice } from '../amm/stableswap/market.ts'
import { stableMidPrice } from '../amm/stableswap/price.ts'
import { FEE_DENOMINATOR, type StableState } from '../amm/stableswap/state.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { type Depth, depthLadder } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import type { Holdings } from '../study/arm.ts'
import type {
  MarketSession,
  PlannedSwap,
  PriceView,
  SettledFees,
  TickRange,
} from './market-session.ts'

const NOTHING: Holdings = { base: 0n, quote: 0n }
const MILLION = 1_000_000n
/** Each leaves two thirds: 64 find the input to a part in 10^11 of the bound. */
const SEARCH_ROUNDS = 64

interface OwnShare {
  liquidity: bigint
  /** Invariant per unit of liquidity at the last settlement, as a fraction. */
  growth: Rat
}

/**
 * A mutable StableSwap pool of two coins. All liquidity covers the whole curve. Deposits and
 * withdrawals are proportional. Arbitrage finds its input by bisection over the exact exchange.
 */
export class StableSession implements MarketSession {
  readonly orientation: Orientation
  #pool: StableState
  readonly #own = new Map<string, OwnShare>()

  /** @throws RangeError for a pool of more coins: a position in it holds more than base and quote */
  constructor(state: StableState, orientation: Orientation) {
    if (state.balances.length !== 2) {
      throw new RangeError(`a pool of ${state.balances.length} coins; expected 2`)
    }
    this.#pool = state
    this.orientation = orientation
  }

  mid(): Rat {
    return stableMidPrice(this.#pool, this.orientation)
  }

  grid(): null {
    return null
  }

  planArbitrage(reference: Rat): PlannedSwap | null {
    const mid = this.mid()
    const kept = FEE_DENOMINATOR - this.#pool.feeX10
    const low = { num: reference.num * kept, den: reference.den * FEE_DENOMINATOR }
    const high = { num: reference.num * FEE_DENOMINATOR, den: reference.den * kept }
    const isBelow = mid.num * low.den < low.num * mid.den
    const isAbove = mid.num * high.den > high.num * mid.den
    if (!isBelow && !isAbove) return null
    const swap = stableSwapToPrice(this.#pool, this.orientation, isBelow ? low : high)
    if (swap.amountOut === 0n) return null
    // NG charges more away from the peg, so its band is wider than the base fee implies.
    if (this.#pool.variant === 'NG') return this.#mostProfitable(isBelow, swap.amountIn, reference)
    return { buysBase: isBelow, amountIn: swap.amountIn, amountOut: swap.amountOut }
  }

  /** The input up to a bound that gains the most at the reference, by ternary search on the exact swap. */
  #mostProfitable(buysBase: boolean, bound: bigint, reference: Rat): PlannedSwap | null {
    const gainOf = (amountIn: bigint): bigint => {
      const plan = this.planInput(buysBase, amountIn)
      if (plan === null) return 0n
      return buysBase
        ? quoteValue(plan.amountOut, reference) - amountIn
        : plan.amountOut - quoteValue(amountIn, reference)
    }
    let [low, high] = [0n, bound]
    for (let round = 0; round < SEARCH_ROUNDS && high - low > 2n; round++) {
      const third = (high - low) / 3n
      const [left, right] = [low + third, high - third]
      if (gainOf(left) < gainOf(right)) low = left
      else high = right
    }
    const amountIn = (low + high) / 2n
    return gainOf(amountIn) > 0n ? this.planInput(buysBase, amountIn) : null
  }

  planInput(buysBase: boolean, amountIn: bigint): PlannedSwap | null {
    if (amountIn <= 0n) return null
    try {
      const { amountOut } = exchangeStable(this.#pool, this.#way(buysBase), amountIn)
      return amountOut === 0n ? null : { buysBase, amountIn, amountOut }
    } catch (error) {
      if (error instanceof PoolRevertError) return null
      throw error
    }
  }

  after(plan: PlannedSwap): PriceView {
    const copy = new StableSession(this.#pool, this.orientation)
    copy.carryOut(plan)
    return copy
  }

  carryOut({ buysBase, amountIn }: PlannedSwap): void {
    this.#pool = exchangeStable(this.#pool, this.#way(buysBase), amountIn).state
  }

  liquidityFor(_range: TickRange, funds: Holdings): bigint {
    const { totalSupply } = this.#pool
    const held = this.#byRole(this.#pool.balances)
    const byBase = (funds.base * totalSupply) / held.base
    const byQuote = (funds.quote * totalSupply) / held.quote
    return byBase < byQuote ? byBase : byQuote
  }

  costOf(_range: TickRange, liquidity: bigint): Holdings {
    const { balances, totalSupply } = this.#pool
    return this.#byRole(balances.map((held) => divideRoundingUp(liquidity * held, totalSupply)))
  }

  open(id: string, range: TickRange, liquidity: bigint): Holdings {
    const paid = this.costOf(range, liquidity)
    const { base } = this.orientation
    const amounts = base === 0 ? [paid.base, paid.quote] : [paid.quote, paid.base]
    const added = addStableLiquidity(this.#pool, amounts)
    this.#pool = added.state
    const held = this.#own.get(id)?.liquidity ?? 0n
    this.#own.set(id, { liquidity: held + added.liquidity, growth: this.#growth() })
    return paid
  }

  close(id: string, liquidity: bigint): Holdings {
    const own = this.#find(id)
    // The pool rounds minted liquidity. So the last withdrawal takes the actual liquidity, not the
    // requested amount.
    const leaving = liquidity < own.liquidity ? liquidity : own.liquidity
    const removed = removeStableLiquidity(this.#pool, leaving)
    this.#pool = removed.state
    own.liquidity -= leaving
    own.growth = this.#growth()
    if (own.liquidity === 0n) this.#own.delete(id)
    return this.#byRole(removed.amounts)
  }

  settleFees(id: string): SettledFees {
    const compounded = this.accrued(id)
    this.#find(id).growth = this.#growth()
    return { paidOut: NOTHING, compounded }
  }

  principal(id: string): Holdings {
    const whole = this.#share(id)
    const fees = this.accrued(id)
    return { base: whole.base - fees.base, quote: whole.quote - fees.quote }
  }

  /** Fee income of a share: its holdings × (1 − u_start/u_now), u = D per unit of liquidity. */
  accrued(id: string): Holdings {
    const { growth } = this.#find(id)
    const now = this.#growth()
    const whole = this.#share(id)
    const kept = growth.num * now.den
    const all = growth.den * now.num
    if (all <= kept) return NOTHING
    return {
      base: (whole.base * (all - kept)) / all,
      quote: (whole.quote * (all - kept)) / all,
    }
  }

  isInRange(): boolean {
    return true
  }

  depth(bandsPips: readonly number[]): Depth[] {
    return depthLadder(this.#pool, this.orientation, bandsPips)
  }

  exitOthers(sharePips: number): void {
    let ours = 0n
    for (const { liquidity } of this.#own.values()) ours += liquidity
    const leaving = ((this.#pool.totalSupply - ours) * BigInt(sharePips)) / MILLION
    this.#pool = removeStableLiquidity(this.#pool, leaving).state
  }

  followPrice(): void {
    // Liquidity without a range is always in range.
  }

  fork(): StableSession {
    const copy = new StableSession(this.#pool, this.orientation)
    for (const [id, own] of this.#own) copy.#own.set(id, { ...own })
    return copy
  }

  passTime(seconds: number): void {
    this.#pool = { ...this.#pool, blockTimestamp: this.#pool.blockTimestamp + seconds }
  }

  #growth(): Rat {
    return { num: invariantOf(this.#pool, this.#pool.balances), den: this.#pool.totalSupply }
  }

  #share(id: string): Holdings {
    const { liquidity } = this.#find(id)
    const { balances, totalSupply } = this.#pool
    return this.#byRole(balances.map((held) => (held * liquidity) / totalSupply))
  }

  #way(buysBase: boolean): Dir {
    const { base, quote } = this.orientation
    return buysBase ? { from: quote, to: base } : { from: base, to: quote }
  }

  #byRole(amounts: readonly bigint[]): Holdings {
    // There are two coins, and the orientation names both.
    return { base: amounts[this.orientation.base]!, quote: amounts[this.orientation.quote]! }
  }

  #find(id: string): OwnShare {
    const own = this.#own.get(id)
    if (own === undefined) throw new RangeError(`no position ${id}`)
    return own
  }
}
