import { midPrice, mint, swapExactIn } from '../amm/swap.ts'
import { quoteValue } from '../depth/value.ts'
import type { PairAmounts, PlanStep, TargetShare, World } from './plan.ts'
import { isEmpty } from './simulate-plan.ts'

type Worlds = Readonly<Record<string, World>>
type SwapStep = Extract<PlanStep, { kind: 'SWAP' }>

const SCALE = 10n ** 30n
/**
 * Probe liquidity used to read the token ratio of a range; larger values give a more precise ratio.
 */
const PROBE = 10n ** 21n
const ROUNDS = 64
/**
 * Maximum surplus of one token without a swap, as a share of the wallet: a swap would cost more.
 */
const RATIO_TOLERANCE_PIPS = 1000n

/**
 * Required ratio of both tokens at the targets' prices. Each target gets its share of the value.
 *
 * @returns one entry per target; only ratios are meaningful
 */
export function wantsOf(worlds: Worlds, targets: readonly TargetShare[]): PairAmounts[] {
  return targets.map((target) => {
    const world = worlds[target.world] ?? target.opened
    if (world === null) throw new RangeError(`the target has an unknown market, ${target.world}`)
    const { amounts, worth } = proportionOf(world, target)
    const share = BigInt(target.sharePips) * SCALE
    return { base: (amounts.base * share) / worth, quote: (amounts.quote * share) / worth }
  })
}

function proportionOf(world: World, { position, opened }: TargetShare) {
  const { market, orientation } = world
  // A pool that does not exist yet uses its opening price.
  const priced = isEmpty(market) && opened?.price ? opened.price : midPrice(market, orientation)
  const amounts = ((): PairAmounts => {
    if (market.kind !== 'UNISWAP_V3') return { base: priced.den, quote: priced.num }
    const { amount0, amount1 } = mint(market, { ...position, owner: 'probe' }, PROBE)
    return orientation.base === 0
      ? { base: amount0, quote: amount1 }
      : { base: amount1, quote: amount0 }
  })()
  return { amounts, worth: quoteValue(amounts.base, priced) + amounts.quote }
}

/**
 * The swap that brings the wallet to the token ratio of the targets, in the market with the best
 * output. Bisects over exact swaps and never exceeds the ratio.
 *
 * @param source the market whose price values the wallet
 * @returns null if the surplus is too small for a swap, or no market takes it
 */
export function balancingSwap(
  worlds: Worlds,
  targets: readonly TargetShare[],
  held: PairAmounts,
  source: string,
): SwapStep | null {
  const excess = excessOf(worlds, targets, held)
  const side = excess > 0n ? 'SELL' : 'BUY'
  const rough = roughAmount(worlds, targets, held, source, excess)
  if (rough === null) return null
  const world = bestMarket(worlds, side, rough)
  if (world === null) return null
  const isPast = (amountIn: bigint) => {
    const after = swapped(worlds, held, { kind: 'SWAP', world, side, amountIn })
    if (after === null) return true
    const left = excessOf(after.worlds, targets, after.held)
    return side === 'SELL' ? left < 0n : left > 0n
  }
  let low = 0n
  let high = side === 'SELL' ? held.base : held.quote
  for (let round = 0; round < ROUNDS && low < high; round++) {
    const middle = (low + high + 1n) / 2n
    if (isPast(middle)) high = middle - 1n
    else low = middle
  }
  return low === 0n ? null : { kind: 'SWAP', world, side, amountIn: low }
}

/** Above zero where too much base is held for the proportion, below it too much quote. */
function excessOf(worlds: Worlds, targets: readonly TargetShare[], held: PairAmounts): bigint {
  const wants = totalOf(wantsOf(worlds, targets))
  return held.base * wants.quote - held.quote * wants.base
}

/** Estimated swap amount at the mid price; null if negligible. */
function roughAmount(
  worlds: Worlds,
  targets: readonly TargetShare[],
  held: PairAmounts,
  source: string,
  excess: bigint,
): bigint | null {
  const world = worlds[source]
  if (world === undefined || excess === 0n) return null
  const price = midPrice(world.market, world.orientation)
  const wants = totalOf(wantsOf(worlds, targets))
  const whole = wants.quote * price.den + wants.base * price.num
  if (whole === 0n) return null
  const amount = excess > 0n ? (excess * price.den) / whole : (-excess * price.num) / whole
  const surplus = excess > 0n ? quoteValue(amount, price) : amount
  const worth = quoteValue(held.base, price) + held.quote
  return surplus * 1_000_000n <= worth * RATIO_TOLERANCE_PIPS ? null : amount
}

function bestMarket(worlds: Worlds, side: 'BUY' | 'SELL', amountIn: bigint): string | null {
  let best: { name: string; out: bigint } | null = null
  for (const [name, { market, orientation }] of Object.entries(worlds)) {
    if (isEmpty(market) || amountIn <= 0n) continue
    const { base, quote } = orientation
    const d = side === 'BUY' ? { from: quote, to: base } : { from: base, to: quote }
    const { amountOut, exhausted } = swapExactIn(market, d, amountIn)
    if (exhausted || amountOut === 0n) continue
    if (best === null || amountOut > best.out) best = { name, out: amountOut }
  }
  return best?.name ?? null
}

function swapped(worlds: Worlds, held: PairAmounts, { world: name, side, amountIn }: SwapStep) {
  const world = worlds[name]!
  const { base, quote } = world.orientation
  const d = side === 'BUY' ? { from: quote, to: base } : { from: base, to: quote }
  const { state, amountOut, exhausted } = swapExactIn(world.market, d, amountIn)
  if (exhausted) return null
  return {
    worlds: { ...worlds, [name]: { ...world, market: state } },
    held:
      side === 'BUY'
        ? { base: held.base + amountOut, quote: held.quote - amountIn }
        : { base: held.base - amountIn, quote: held.quote + amountOut },
  }
}

function totalOf(amounts: readonly PairAmounts[]): PairAmounts {
  return amounts.reduce(
    (sum, { base, quote }) => ({ base: sum.base + base, quote: sum.quote + quote }),
    { base: 0n, quote: 0n },
  )
}
