import { type RandomStream, randomStream } from '../random/xoshiro128.ts'
import type { UniswapV3Operation } from './operations.ts'

const OWNERS = ['alice', 'bob', 'carol'] as const
const MAX_TICK = 887272
const MIN_SQRT_LIMIT = 4295128740n
const MAX_SQRT_LIMIT = 1461446703485210103287273052203988822378723970341n
const ONLY_THE_LIMIT_STOPS = (1n << 255n) - 1n

/** Parameters of a generated v3 sequence: pool, length and seed. */
export interface V3SequenceSpec {
  seed: number
  /** operations to draw */
  length: number
  tickSpacing: number
}

interface Draft {
  random: RandomStream
  tickSpacing: number
  centre: number
  timestamp: number
  minted: { owner: string; tickLower: number; tickUpper: number; liquidity: bigint }[]
}

/**
 * A deterministic, adversarial sequence of operations on one v3 pool. Most are plausible, some must
 * revert (wrong price limits, unaligned or inverted ranges, excessive burns, a second
 * initialization).
 *
 * @param spec the same spec always gives the same sequence
 */
export function randomV3Sequence(spec: V3SequenceSpec): UniswapV3Operation[] {
  const random = randomStream(spec.seed)
  const wide = random.below(6) === 0
  const centre = signedBelow(random, wide ? 800_000 : 90_000)
  // One sequence in eight runs across the wrap of the oracle's 32-bit clock.
  const start = random.below(8) === 0 ? 2 ** 32 - 3000 : 1_700_000_000
  const draft: Draft = {
    random,
    tickSpacing: spec.tickSpacing,
    centre,
    timestamp: start,
    minted: [],
  }
  const operations: UniswapV3Operation[] = []
  if (random.below(40) === 0) operations.push(drawOperation(draft))
  operations.push({
    kind: 'v3.initialize',
    timestamp: draft.timestamp,
    sqrtPriceX96: roughSqrtPrice(centre) + random.bits(40),
  })
  for (let count = 0; count < 2; count++) operations.push(drawMint(draft))
  while (operations.length < spec.length) {
    draft.timestamp += drawPause(random)
    operations.push(drawOperation(draft))
  }
  return operations.slice(0, spec.length)
}

function drawPause(random: RandomStream): number {
  const choice = random.below(10)
  if (choice < 4) return 0
  if (choice < 9) return 1 + random.below(90)
  return random.below(400_000)
}

function drawOperation(draft: Draft): UniswapV3Operation {
  const choice = draft.random.below(100)
  if (choice < 46) return drawSwap(draft)
  if (choice < 68) return drawMint(draft)
  if (choice < 82) return drawBurn(draft)
  if (choice < 89) return drawCollect(draft)
  if (choice < 93) return drawFlash(draft)
  return drawAdministration(draft, choice)
}

function drawSwap({ random, centre, timestamp }: Draft): UniswapV3Operation {
  const zeroForOne = random.below(2) === 0
  const size = random.below(25) === 0 ? ONLY_THE_LIMIT_STOPS : random.bits(1 + random.below(96))
  const open = zeroForOne ? MIN_SQRT_LIMIT : MAX_SQRT_LIMIT
  const limited = size === ONLY_THE_LIMIT_STOPS || random.below(4) === 0
  // Usually beyond the price in the direction of the swap, sometimes on the wrong side.
  const reach = random.below(6) === 0 ? -random.below(3000) : random.below(9000)
  const limit = limited
    ? roughSqrtPrice(centre + (zeroForOne ? -reach : reach)) + random.bits(30)
    : open
  return {
    kind: 'v3.swap',
    timestamp,
    zeroForOne,
    amountSpecified: random.below(3) === 0 ? -size : size,
    sqrtPriceLimitX96: limit,
  }
}

function drawMint(draft: Draft): UniswapV3Operation {
  const { random, timestamp } = draft
  const range = drawRange(draft)
  const owner = OWNERS[random.below(OWNERS.length)]!
  const liquidity = random.bits(random.below(30) === 0 ? 128 : 20 + random.below(80))
  draft.minted.push({ owner, ...range, liquidity })
  return { kind: 'v3.mint', timestamp, owner, ...range, liquidity }
}

function drawRange({ random, tickSpacing, centre }: Draft): {
  tickLower: number
  tickUpper: number
} {
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  const choice = random.below(20)
  if (choice === 0) return { tickLower: -highest, tickUpper: highest }
  if (choice === 1) {
    const tickLower = centre + signedBelow(random, 900_000)
    return { tickLower, tickUpper: tickLower + signedBelow(random, 2000) }
  }
  const reach = choice < 14 ? 2000 : 40_000
  const middle = Math.floor((centre + signedBelow(random, reach)) / tickSpacing)
  const width = 1 + random.below(choice < 14 ? 20 : 600)
  const clamp = (tick: number) => Math.max(-highest, Math.min(highest, tick * tickSpacing))
  return { tickLower: clamp(middle), tickUpper: clamp(middle + width) }
}

function drawBurn(draft: Draft): UniswapV3Operation {
  const { random, timestamp, minted } = draft
  const target = minted[random.below(minted.length || 1)]
  if (target === undefined) return drawMint(draft)
  const { owner, tickLower, tickUpper } = target
  const choice = random.below(8)
  const liquidity =
    choice === 0
      ? 0n
      : choice < 4
        ? target.liquidity
        : choice === 4
          ? target.liquidity + 1n + random.bits(20)
          : (target.liquidity * BigInt(random.below(1000))) / 1000n
  return { kind: 'v3.burn', timestamp, owner, tickLower, tickUpper, liquidity }
}

function drawCollect({ random, timestamp, minted }: Draft): UniswapV3Operation {
  const target = minted[random.below(minted.length || 1)]
  const whole = random.below(3) !== 0
  return {
    kind: 'v3.collect',
    timestamp,
    owner: target?.owner ?? 'alice',
    tickLower: target?.tickLower ?? 0,
    tickUpper: target?.tickUpper ?? 0,
    amount0Requested: whole ? (1n << 128n) - 1n : random.bits(50),
    amount1Requested: whole ? (1n << 128n) - 1n : random.bits(50),
  }
}

function drawFlash({ random, timestamp }: Draft): UniswapV3Operation {
  const amount0 = random.below(3) === 0 ? 0n : random.bits(1 + random.below(60))
  const amount1 = random.below(3) === 0 ? 0n : random.bits(1 + random.below(60))
  // A hundredth covers every fee tier; a donation on top is legal, an underpayment must revert.
  const generous = random.below(5) !== 0
  const paid = (amount: bigint) => (generous ? amount / 50n + random.bits(30) : amount / 100_000n)
  return {
    kind: 'v3.flash',
    timestamp,
    amount0,
    amount1,
    paid0: paid(amount0),
    paid1: paid(amount1),
  }
}

function drawAdministration(
  { random, timestamp, centre }: Draft,
  choice: number,
): UniswapV3Operation {
  if (choice < 95) {
    const share = () => (random.below(3) === 0 ? 0 : 3 + random.below(9))
    return {
      kind: 'v3.setFeeProtocol',
      timestamp,
      feeProtocol0: share(),
      feeProtocol1: share(),
    }
  }
  if (choice < 97) {
    const requested = random.below(2) === 0 ? (1n << 128n) - 1n : random.bits(40)
    return {
      kind: 'v3.collectProtocol',
      timestamp,
      amount0Requested: requested,
      amount1Requested: requested,
    }
  }
  if (choice < 99) {
    return {
      kind: 'v3.increaseObservationCardinalityNext',
      timestamp,
      observationCardinalityNext: random.below(12),
    }
  }
  return { kind: 'v3.initialize', timestamp, sqrtPriceX96: roughSqrtPrice(centre) }
}

function signedBelow(random: RandomStream, bound: number): number {
  return random.below(2 * bound + 1) - bound
}

/**
 * An approximate root price near a tick. It only has to be deterministic and plausible. It computes
 * 1.0001^tick by squaring in Q96, with an error far below one tick.
 */
function roughSqrtPrice(tick: number): bigint {
  const bounded = Math.max(-MAX_TICK + 1, Math.min(MAX_TICK - 1, tick))
  let power = BigInt(Math.abs(bounded))
  let base = (10_000n << 192n) / 10_001n
  let ratio = 1n << 192n
  for (; power > 0n; power >>= 1n) {
    if ((power & 1n) === 1n) ratio = (ratio * base) >> 192n
    base = (base * base) >> 192n
  }
  if (bounded > 0) ratio = (1n << 384n) / ratio
  return integerRoot(ratio)
}

function integerRoot(value: bigint): bigint {
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}
