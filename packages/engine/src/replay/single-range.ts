import { amountsForLiquidity, roundingDown, roundingUp } from '../amm/v3/liquidity.ts'
import { loadPool, type Pool, setPoolFee } from '../amm/v3/pool.ts'
import {
  amount0RoundingDown,
  amount0RoundingUp,
  amount1RoundingDown,
  amount1RoundingUp,
} from '../amm/v3/sqrt-price-math.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import {
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '../amm/v3/tick-math.ts'
import { describeDifference } from './clmm-replay.ts'
import type { ClmmEvent, LiquidityEvent, SwapEvent } from './events.ts'
import {
  compareFields,
  type Fidelity,
  FidelityTally,
  type Mismatch,
  type Verdict,
} from './fidelity.ts'
import { amountsOf, directionOf, recoverOnPool } from './recover-swap.ts'

/** Spacing of the ticks by fee, on Uniswap's factory and PancakeSwap's; it only decides word edges here. */
const USUAL_SPACING: Readonly<Record<number, number>> = {
  100: 1,
  500: 10,
  2500: 50,
  3000: 60,
  10000: 200,
}
/** Below this input a pip of fee is less than an atom or two, and an inferred fee would be a guess. */
const SMALLEST_TELLING_INPUT = 10_000_000n

/**
 * Checks the logs of a v3 pool without a start state. Each swap begins at the price, tick and
 * liquidity of the previous swap, corrected by mints and burns in range. It is exact if a call
 * gives amounts, price, liquidity and tick. Swaps across a tick are refused, because the ticks are
 * unknown. Exceptions are logs that no swap can produce.
 */
export class SingleRangeReplay {
  readonly #pool: Pool
  readonly #tally = new FidelityTally()
  #anchored = false
  #feeKnown: boolean
  readonly #spacingGiven: boolean

  /**
   * @param feePips     null to infer it from the first swap that pins it down
   * @param tickSpacing null for the usual one of the fee
   */
  constructor(feePips: number | null, tickSpacing: number | null) {
    const spacing = tickSpacing ?? USUAL_SPACING[feePips ?? -1] ?? 1
    const state = createClmmPool({ feePips: feePips ?? 0, tickSpacing: spacing })
    this.#pool = loadPool({ ...state, balance0: null, balance1: null })
    this.#feeKnown = feePips !== null
    this.#spacingGiven = tickSpacing !== null
  }

  /** The fee in use, or null while it is not known. */
  get feePips(): number | null {
    return this.#feeKnown ? this.#pool.feePips : null
  }

  /** Applies the next event, in chain order. */
  apply(event: ClmmEvent): Verdict {
    const verdict = this.#judge(event)
    this.#tally.add(event, verdict)
    return verdict
  }

  fidelity(): Fidelity {
    return this.#tally.report()
  }

  /** Price, tick and liquidity after the last swap, and the mints and burns since. */
  final(): { sqrtPriceX96: bigint; tick: number; liquidity: bigint } {
    const { sqrtPriceX96, tick, liquidity } = this.#pool
    return { sqrtPriceX96, tick, liquidity }
  }

  #judge(event: ClmmEvent): Verdict {
    if (event.type === 'Swap') {
      const verdict = this.#judgeSwap(event)
      this.#pool.sqrtPriceX96 = event.sqrtPriceX96
      this.#pool.tick = event.tick
      this.#pool.liquidity = event.liquidity
      this.#anchored = true
      return verdict
    }
    if (event.type === 'FeeChange') {
      setPoolFee(this.#pool, event.feePips)
      this.#feeKnown = true
      return { status: 'EXACT' }
    }
    if (event.type === 'Mint' || event.type === 'Burn') {
      // The union of the two log types is one shape.
      return this.#judgeLiquidity(event as LiquidityEvent)
    }
    return { status: 'REFUSED', reason: 'STATE_BEFORE_UNKNOWN' }
  }

  #judgeSwap(event: SwapEvent): Verdict {
    if (!this.#anchored) return { status: 'REFUSED', reason: 'STATE_BEFORE_UNKNOWN' }
    const impossible = findContradiction(this.#pool, event)
    if (impossible !== null) return { status: 'DIFFERENT', mismatches: [impossible] }
    if (event.liquidity !== this.#pool.liquidity)
      return { status: 'REFUSED', reason: 'TICK_CROSSED' }
    if (!this.#feeKnown && !this.#inferFee(event)) {
      return { status: 'REFUSED', reason: 'FEE_UNKNOWN' }
    }
    const recovered = recoverOnPool(this.#pool, event)
    if (recovered !== null) return { status: 'EXACT', mode: recovered.call.mode }
    // Both sides off by more than rounding: the liquidity was not the same all the way.
    const far = this.#passesTick(event) ? this.#farFromConstantLiquidity(event) : null
    if (far?.input && far.output) return { status: 'REFUSED', reason: 'TICK_CROSSED' }
    return describeDifference(this.#pool, event)
  }

  /** Whether a tick of the spacing lies between the price before and the logged one. */
  #passesTick({ tick }: SwapEvent): boolean {
    const { tick: before, tickSpacing } = this.#pool
    return Math.floor(before / tickSpacing) !== Math.floor(tick / tickSpacing)
  }

  /**
   * Whether the logged amounts differ much from a swap with constant liquidity between the prices.
   */
  #farFromConstantLiquidity(event: SwapEvent): { input: boolean; output: boolean } {
    const { sqrtPriceX96, liquidity, fee, feeComplement } = this.#pool
    const down = directionOf(this.#pool, event)
    const low = event.sqrtPriceX96 < sqrtPriceX96 ? event.sqrtPriceX96 : sqrtPriceX96
    const high = event.sqrtPriceX96 < sqrtPriceX96 ? sqrtPriceX96 : event.sqrtPriceX96
    const net = (down ? amount0RoundingUp : amount1RoundingUp)(low, high, liquidity)
    const output = (down ? amount1RoundingDown : amount0RoundingDown)(low, high, liquidity)
    const input = net + (net * fee) / feeComplement
    const { amountIn, amountOut } = amountsOf(event, down)
    const far = (a: bigint, b: bigint) => (a > b ? a - b : b - a) > 1n + b / 1_000_000n
    return { input: far(amountIn, input), output: far(amountOut, output) }
  }

  /** Takes the fee that reproduces the swap, if the swap is large enough to single it out. */
  #inferFee(event: SwapEvent): boolean {
    const down = directionOf(this.#pool, event)
    const amountIn = down ? event.amount0 : event.amount1
    if (amountIn < SMALLEST_TELLING_INPUT) return false
    const { sqrtPriceX96, liquidity } = this.#pool
    const net = down
      ? amount0RoundingUp(event.sqrtPriceX96, sqrtPriceX96, liquidity)
      : amount1RoundingUp(sqrtPriceX96, event.sqrtPriceX96, liquidity)
    const estimate = Number(((amountIn - net) * 1_000_000n) / amountIn)
    for (const feePips of [estimate, estimate + 1, estimate - 1]) {
      if (feePips < 0 || feePips >= 1_000_000) continue
      setPoolFee(this.#pool, feePips)
      if (!this.#spacingGiven) this.#pool.tickSpacing = USUAL_SPACING[feePips] ?? 1
      if (recoverOnPool(this.#pool, event) !== null) {
        this.#feeKnown = true
        return true
      }
    }
    return false
  }

  #judgeLiquidity(event: LiquidityEvent): Verdict {
    if (!this.#anchored) return { status: 'REFUSED', reason: 'STATE_BEFORE_UNKNOWN' }
    const rounding = event.type === 'Mint' ? roundingUp : roundingDown
    const amounts = amountsForLiquidity(this.#pool, event, event.liquidity, rounding)
    const { tick } = this.#pool
    if (event.tickLower <= tick && tick < event.tickUpper) {
      this.#pool.liquidity += event.type === 'Mint' ? event.liquidity : -event.liquidity
    }
    return compareFields({ amount0: event.amount0, amount1: event.amount1 }, { ...amounts })
  }
}

/**
 * A contradiction in a Swap log, regardless of the crossed ticks, or null. Examples are a price or
 * liquidity out of range, tokens that move against the price, or a tick without the price.
 */
function findContradiction(pool: Pool, event: SwapEvent): Mismatch | null {
  const { sqrtPriceX96: price, liquidity, tick } = event
  if (price < MIN_SQRT_RATIO || price >= MAX_SQRT_RATIO) {
    const computed = 'a square-root price in the tick range'
    return { field: 'sqrtPriceX96', recorded: `${price}`, computed }
  }
  if (liquidity < 0n || liquidity >= 1n << 128n) {
    return { field: 'liquidity', recorded: `${liquidity}`, computed: 'a liquidity below 2^128' }
  }
  const down = directionOf(pool, event)
  const { amountIn, amountOut } = amountsOf(event, down)
  const isAgainst = down ? price > pool.sqrtPriceX96 : price < pool.sqrtPriceX96
  // Inputs are rounded up, so an output requires an input.
  if (isAgainst || amountIn < 0n || amountOut < 0n || (amountIn === 0n && amountOut > 0n)) {
    return { field: 'outcome', recorded: 'success', computed: 'no call is possible' }
  }
  const computed = tickAtSqrtRatio(price)
  // A swap that ends exactly on a tick from above has crossed it. A swap without a move preserves
  // this state.
  const mayBeBelow = down || price === pool.sqrtPriceX96
  const isBelow = mayBeBelow && tick === computed - 1 && price === sqrtRatioAtTick(computed)
  if (tick === computed || isBelow) return null
  return { field: 'tick', recorded: `${tick}`, computed: `${computed}` }
}
