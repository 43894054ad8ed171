import type { Orientation } from '../amm/market.ts'
import { getAmountOut } from '../amm/v2/formulas.ts'
import { cpmmMidPrice } from '../amm/v2/market.ts'
import { burnPair, mintPair, swapPair, transferLiquidity, transferToPair } from '../amm/v2/pair.ts'
import { type CpmmState, PAIR_ACCOUNT } from '../amm/v2/state.ts'
import { divideRoundingUp, integerSquareRoot, type Rat } from '../arithmetic/integer.ts'
import { type Depth, depthLadder } from '../depth/depth-ladder.ts'
import { type Holdings, toHoldings } from '../study/arm.ts'
import type {
  MarketSession,
  PlannedSwap,
  PriceView,
  SettledFees,
  TickRange,
} from './market-session.ts'

const NOTHING: Holdings = { base: 0n, quote: 0n }
const MILLION = 1_000_000n
/** Fractional bits of √k, enough to resolve its growth over one trade. */
const ROOT_BITS = 64n

interface OwnShare {
  liquidity: bigint
  /** √k per unit of liquidity at the last settlement, as a fraction. */
  growth: Rat
}

/** A Uniswap v2 pair under a run. Ranges are ignored: all liquidity is everywhere. */
export class CpmmSession implements MarketSession {
  readonly orientation: Orientation
  #pair: CpmmState
  readonly #own = new Map<string, OwnShare>()

  constructor(state: CpmmState, orientation: Orientation) {
    this.#pair = state
    this.orientation = orientation
  }

  mid(): Rat {
    return cpmmMidPrice(this.#pair, this.orientation)
  }

  grid(): null {
    return null
  }

  /**
   * The input that leaves no profit, in closed form: (isqrt(γ·k·p) − r) / γ. Here r is the input
   * reserve, and p is the price in its units.
   */
  planArbitrage(reference: Rat): PlannedSwap | null {
    const { fee } = this.#pair
    const kept = fee.denominator - fee.numerator
    for (const buysBase of [true, false]) {
      const [reserveIn, reserveOut] = this.#reserves(buysBase)
      // Input units per output unit at the reference.
      const price = buysBase ? reference : { num: reference.den, den: reference.num }
      const target = integerSquareRoot(
        (kept * reserveIn * reserveOut * price.num) / (fee.denominator * price.den),
      )
      if (target <= reserveIn) continue
      const amountIn = ((target - reserveIn) * fee.denominator) / kept
      return this.planInput(buysBase, amountIn)
    }
    return null
  }

  planInput(buysBase: boolean, amountIn: bigint): PlannedSwap | null {
    const [reserveIn, reserveOut] = this.#reserves(buysBase)
    if (amountIn <= 0n || (reserveIn + amountIn) >> 112n !== 0n) return null
    const amountOut = getAmountOut(amountIn, reserveIn, reserveOut, this.#pair.fee)
    return amountOut === 0n ? null : { buysBase, amountIn, amountOut }
  }

  after(plan: PlannedSwap): PriceView {
    const copy = new CpmmSession(this.#pair, this.orientation)
    copy.carryOut(plan)
    return copy
  }

  carryOut({ buysBase, amountIn, amountOut }: PlannedSwap): void {
    const isZeroIn = buysBase !== (this.orientation.base === 0)
    const paid = isZeroIn
      ? transferToPair(this.#pair, amountIn, 0n)
      : transferToPair(this.#pair, 0n, amountIn)
    this.#pair = swapPair(paid, isZeroIn ? 0n : amountOut, isZeroIn ? amountOut : 0n).state
  }

  liquidityFor(_range: TickRange, { base, quote }: Holdings): bigint {
    const { totalSupply } = this.#pair
    const reserves = this.#holdings(this.#pair.reserve0, this.#pair.reserve1)
    const byBase = (base * totalSupply) / reserves.base
    const byQuote = (quote * totalSupply) / reserves.quote
    return byBase < byQuote ? byBase : byQuote
  }

  costOf(_range: TickRange, liquidity: bigint): Holdings {
    const { reserve0, reserve1, totalSupply } = this.#pair
    return this.#holdings(
      divideRoundingUp(liquidity * reserve0, totalSupply),
      divideRoundingUp(liquidity * reserve1, totalSupply),
    )
  }

  open(id: string, range: TickRange, liquidity: bigint): Holdings {
    const paid = this.costOf(range, liquidity)
    const [a0, a1] = this.orientation.base === 0 ? [paid.base, paid.quote] : [paid.quote, paid.base]
    const minted = mintPair(transferToPair(this.#pair, a0, a1), `#${id}`)
    this.#pair = minted.state
    const held = this.#own.get(id)?.liquidity ?? 0n
    this.#own.set(id, { liquidity: held + minted.liquidity, growth: this.#growth() })
    return paid
  }

  close(id: string, liquidity: bigint): Holdings {
    const own = this.#find(id)
    const sent = transferLiquidity(this.#pair, `#${id}`, PAIR_ACCOUNT, liquidity)
    const { state, amount0, amount1 } = burnPair(sent)
    this.#pair = state
    own.liquidity -= liquidity
    own.growth = this.#growth()
    if (own.liquidity === 0n) this.#own.delete(id)
    return this.#holdings(amount0, amount1)
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

  /** Fee income of a share: its holdings × (1 − u_start/u_now), u = √k per unit of liquidity. */
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
    return depthLadder(this.#pair, this.orientation, bandsPips)
  }

  exitOthers(sharePips: number): void {
    const { reserve0, reserve1, totalSupply } = this.#pair
    let ours = 0n
    for (const { liquidity } of this.#own.values()) ours += liquidity
    const leaving = ((totalSupply - ours) * BigInt(sharePips)) / MILLION
    const amount0 = (leaving * reserve0) / totalSupply
    const amount1 = (leaving * reserve1) / totalSupply
    this.#pair = {
      ...this.#pair,
      totalSupply: totalSupply - leaving,
      reserve0: reserve0 - amount0,
      reserve1: reserve1 - amount1,
      balance0: this.#pair.balance0 - amount0,
      balance1: this.#pair.balance1 - amount1,
    }
  }

  followPrice(): void {
    // Liquidity without a range is always in range.
  }

  fork(): CpmmSession {
    const copy = new CpmmSession(this.#pair, this.orientation)
    for (const [id, own] of this.#own) copy.#own.set(id, { ...own })
    return copy
  }

  passTime(seconds: number): void {
    this.#pair = { ...this.#pair, blockTimestamp: this.#pair.blockTimestamp + seconds }
  }

  #growth(): Rat {
    const { reserve0, reserve1, totalSupply } = this.#pair
    return { num: integerSquareRoot((reserve0 * reserve1) << (2n * ROOT_BITS)), den: totalSupply }
  }

  #share(id: string): Holdings {
    const { liquidity } = this.#find(id)
    const { reserve0, reserve1, totalSupply } = this.#pair
    return this.#holdings(
      (liquidity * reserve0) / totalSupply,
      (liquidity * reserve1) / totalSupply,
    )
  }

  #reserves(buysBase: boolean): [reserveIn: bigint, reserveOut: bigint] {
    const { base, quote } = this.#holdings(this.#pair.reserve0, this.#pair.reserve1)
    return buysBase ? [quote, base] : [base, quote]
  }

  #holdings(amount0: bigint, amount1: bigint): Holdings {
    return toHoldings(this.orientation, { amount0, amount1 })
  }

  #find(id: string): OwnShare {
    const own = this.#own.get(id)
    if (own === undefined) throw new RangeError(`no position ${id}`)
    return own
  }
}
