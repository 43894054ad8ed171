import { PoolRevertError } from '../src/amm/pool-revert.ts'
import { flashLoan, setProtocolShare } from '../src/amm/v3/administration.ts'
import { burnLiquidity, collectOwed, mintLiquidity } from '../src/amm/v3/liquidity.ts'
import { loadPool, type Pool, setPoolFee } from '../src/amm/v3/pool.ts'
import type { ClmmState, PositionKey } from '../src/amm/v3/state.ts'
import { commitSwap, openLimit, walkSwap } from '../src/amm/v3/swap.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../src/amm/v3/tick-math.ts'
import { type RandomStream, randomStream } from '../src/random/xoshiro128.ts'
import type { ClmmEvent, EventPlace } from '../src/replay/events.ts'
import type { StudyArm } from '../src/study/arm.ts'
import type { ReferencePrice } from '../src/study/outside-prices.ts'
import type { ReplayStudy } from '../src/study/recorded-study.ts'
import type { ReplayMeasureTerms } from '../src/study/replay-measures.ts'
import { drawPlace, drawPool, drawRange, drawRules, type Place, pick } from './random-studies.ts'
import { rule, strategy } from './strategies.ts'

type DrawnEvent = ClmmEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, keyof EventPlace>
    : never
  : never

/** A recording in progress: the current pool, and the positions by holder. */
interface Draft {
  readonly random: RandomStream
  readonly pool: Pool
  readonly place: Place
  readonly held: (PositionKey & { liquidity: bigint })[]
}

function drawSwap({ random, pool, place }: Draft): DrawnEvent {
  const zeroForOne = random.below(3) === 0 ? random.below(2) === 0 : pool.tick > place.tick
  const root = Number(pool.sqrtPriceX96) / 2 ** 96
  const usual = Number(place.liquidity) * (zeroForOne ? 1 / root : root)
  const share = pick(random, [1e-6, 1e-4, 1e-3, 1e-2, 0.3])
  const amount = BigInt(Math.ceil(usual * share)) + BigInt(random.below(1000))
  const isPlain = random.below(4) > 0
  const near = (pool.sqrtPriceX96 * BigInt(zeroForOne ? 990 : 1010)) / 1000n
  const isLegal = near > MIN_SQRT_RATIO && near < MAX_SQRT_RATIO
  const walk = walkSwap(pool, {
    zeroForOne,
    amountSpecified: random.below(4) === 0 ? -amount : amount,
    sqrtPriceLimitX96: isPlain || !isLegal ? openLimit(zeroForOne) : near,
  })
  commitSwap(pool, walk)
  const { sqrtPriceX96, liquidity, tick } = pool
  return {
    type: 'Swap',
    amount0: zeroForOne ? walk.amountIn : -walk.amountOut,
    amount1: zeroForOne ? -walk.amountOut : walk.amountIn,
    sqrtPriceX96,
    liquidity,
    tick,
  }
}

function drawMint({ random, pool, place, held }: Draft): DrawnEvent {
  const key = { owner: `lp${random.below(3)}`, ...drawRange(random, place) }
  const liquidity = 1n + (place.liquidity * BigInt(random.below(3000))) / 1000n
  const amounts = mintLiquidity(pool, key, liquidity)
  held.push({ ...key, liquidity })
  return { type: 'Mint', ...key, liquidity, ...amounts }
}

function drawBurn(draft: Draft): DrawnEvent {
  const { random, pool, held } = draft
  const index = random.below(held.length || 1)
  const one = held[index]
  if (one === undefined) return drawMint(draft)
  const { owner, tickLower, tickUpper } = one
  const liquidity = pick(random, [0n, one.liquidity, one.liquidity, one.liquidity / 2n])
  const amounts = burnLiquidity(pool, one, liquidity)
  one.liquidity -= liquidity
  if (one.liquidity === 0n) held.splice(index, 1)
  return { type: 'Burn', owner, tickLower, tickUpper, liquidity, ...amounts }
}

function drawOther(draft: Draft): DrawnEvent {
  const { random, pool, held } = draft
  switch (random.below(5)) {
    case 0: {
      const feePips = pick(random, [0, 300, 3000, 12_345])
      setPoolFee(pool, feePips)
      return { type: 'FeeChange', feePips }
    }
    case 1: {
      const shares = [pick(random, [0, 4, 10]), pick(random, [0, 7])] as const
      setProtocolShare(pool, ...shares)
      return { type: 'SetFeeProtocol', feeProtocol0: shares[0], feeProtocol1: shares[1] }
    }
    case 2: {
      const amount = draft.place.liquidity / 100n
      const loan = { amount0: amount, amount1: amount }
      const paid = { amount0: amount, amount1: amount + 5n }
      if (pool.liquidity === 0n) return drawMint(draft)
      flashLoan(pool, loan, paid)
      return { type: 'Flash', ...loan, paid0: paid.amount0, paid1: paid.amount1 }
    }
    case 3: {
      const one = held[random.below(held.length || 1)]
      if (one === undefined) return drawMint(draft)
      const { owner, tickLower, tickUpper } = one
      const amounts = collectOwed(pool, one, { amount0: 10n ** 9n, amount1: 10n ** 9n })
      return { type: 'Collect', owner, tickLower, tickUpper, ...amounts }
    }
    default:
      return { type: 'IncreaseObservationCardinalityNext', observationCardinalityNext: 4 }
  }
}

/** Falsifies an event: another price, other amounts, or a burn of missing liquidity. */
function tamper(random: RandomStream, event: ClmmEvent): ClmmEvent {
  if (event.type === 'Burn') return { ...event, liquidity: event.liquidity * 3n + 1n }
  if (event.type !== 'Swap') return event
  const { amount0, amount1, sqrtPriceX96, liquidity } = event
  return {
    ...event,
    ...pick(random, [
      { amount0: amount0 + 1n },
      { amount0: 0n, amount1: 0n },
      { amount0: amount0 < 0n ? -amount0 : amount0, amount1: amount1 < 0n ? -amount1 : amount1 },
      { sqrtPriceX96: sqrtPriceX96 + 12_345n },
      { liquidity: random.below(2) === 0 ? 0n : liquidity + 1n },
    ]),
  }
}

/** Result of a draw. If the pool rejects it, returns an event without effect. */
function drawEvent(draft: Draft, draw: (draft: Draft) => DrawnEvent): DrawnEvent {
  try {
    return draw(draft)
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    return { type: 'CollectProtocol', amount0: 0n, amount1: 0n }
  }
}

function drawEvents(draft: Draft, pause: number, count: number): ClmmEvent[] {
  const { random } = draft
  const isTimed = random.below(12) > 0
  const isTampered = random.below(5) === 0
  const events: ClmmEvent[] = []
  let block = 100
  let timestamp = 1_700_000_000
  for (let index = 0; index < count; index++) {
    if (random.below(3) > 0) {
      block += 1 + random.below(3)
      timestamp += random.below(pause)
      if (random.below(60) === 0) timestamp -= random.below(4000)
    }
    const choice = random.below(20)
    const draw =
      choice < 14 ? drawSwap : choice < 16 ? drawMint : choice < 18 ? drawBurn : drawOther
    const isUntimed = !isTimed || random.below(80) === 0
    const drawn = { ...drawEvent(draft, draw), block, timestamp: isUntimed ? null : timestamp }
    // Every draw gives the members of one kind of event.
    const event = { ...drawn, logIndex: null, line: null } as ClmmEvent
    events.push(isTampered && random.below(10) === 0 ? tamper(random, event) : event)
  }
  return events
}

function drawArms(random: RandomStream, place: Place): StudyArm[] {
  const leaves = { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 600 } as const
  const definition = strategy({ rules: [rule(leaves, { kind: 'RECENTER', swap: true })] })
  const arms: StudyArm[] = [
    { armId: 'hold', kind: 'HOLD' },
    { armId: 'near', kind: 'V3_RANGE', ...drawRange(random, place) },
    { armId: 'far', kind: 'V3_RANGE', ...drawRange(random, place) },
    { armId: 'full', kind: 'FULL_RANGE' },
    { armId: 'acts', kind: 'STRATEGY', definition },
  ]
  const some = arms.filter(({ kind }) => random.below(kind === 'STRATEGY' ? 5 : 2) === 0)
  return some.length === 0 ? arms.slice(1, 2) : some
}

/** External prices near the pool's prices; some the pool never reached. */
function drawReferences(random: RandomStream, events: readonly ClmmEvent[], base: number) {
  return events.flatMap((event): ReferencePrice[] => {
    if (event.type !== 'Swap' || event.timestamp === null || event.sqrtPriceX96 === 0n) return []
    const square = event.sqrtPriceX96 * event.sqrtPriceX96
    const x36 = 10n ** 36n
    const price = base === 0 ? (square * x36) >> 192n : (x36 << 192n) / square
    const priceX36 = (price * BigInt(970 + random.below(61))) / 1000n
    return priceX36 === 0n || random.below(3) === 0 ? [] : [{ at: event.timestamp, priceX36 }]
  })
}

function drawMeasures(random: RandomStream, quote: bigint): ReplayMeasureTerms {
  return {
    tradeSizesQuote: pick(random, [[], [quote], [quote * 50n, 1n, quote]]),
    failure: drawRules(random, quote),
    ...(random.below(3) === 0 ? { targetBaseShare: { pips: 500_000, tolerancePips: 20_000 } } : {}),
  }
}

function drawGas(random: RandomStream, quote: bigint): Partial<ReplayStudy> {
  if (random.below(3) === 0) return {}
  const baseFee = { kind: 'CONSTANT', baseFeeWei: 10n ** 9n } as const
  const gas = { baseFee, tipWei: 3n, l1DataFeeWei: 7n, nativePriceX18: quote / 1000n }
  if (random.below(2) === 0) return { gas }
  const baseFees = Array.from({ length: 9 }, (_, index) => ({
    block: 95 + 13 * index,
    wei: 10n ** BigInt(7 + random.below(4)),
  }))
  return { gas, baseFees }
}

/**
 * A random study on a recording, with all features, small enough for the TypeScript engine too. It
 * has LP changes, flash loans, fee changes, unexplained swaps, external prices and tick windows.
 * Some events have no time or are out of order.
 */
export function drawReplayStudy(seed: number): ReplayStudy {
  const random = randomStream(seed)
  const place = drawPlace(random)
  const start = drawPool(random, place)
  const pool = loadPool({ ...start, balance0: null, balance1: null })
  const pause = pick(random, [2, 40, 900])
  const draft = { random, pool, place, held: [] }
  const events = drawEvents(draft, pause, 20 + random.below(180))
  const base = random.below(2)
  const root = 1.0001 ** ((base === 0 ? place.tick : -place.tick) / 2)
  const quote = BigInt(Math.ceil(Number(place.liquidity) * root * 0.01)) + 1n
  const ownBase = BigInt(Math.ceil((Number(place.liquidity) / root) * 0.01)) + 1n
  const references = random.below(3) === 0 ? drawReferences(random, events, base) : []
  const isPartial = random.below(4) === 0
  const study: ReplayStudy = {
    start: isPartial ? withoutPositions(start) : start,
    events,
    orientation: { base, quote: 1 - base },
    capital: {
      base: random.below(5) === 0 ? 0n : ownBase * BigInt(1 + random.below(100)),
      quote: quote * BigInt(1 + random.below(100)),
      normalization: pick(random, ['AS_GIVEN', 'EQUAL_VALUE'] as const),
    },
    arms: drawArms(random, place),
    bandsPips: pick(random, [[], [20_000], [10_000, 19_900, 1_000_000]]),
    sampleSeconds: pause * pick(random, [1, 9, 50]),
    ...(random.below(2) === 0 ? { arbitrageCostQuote: pick(random, [1n, quote / 100n]) } : {}),
    ...drawGas(random, quote),
    ...(random.below(4) > 0 ? { measures: drawMeasures(random, quote) } : {}),
    ...(random.below(2) === 0 ? { benchmarks: true } : {}),
    ...(isPartial ? { positions: 'PARTIAL' } : {}),
    ...(references.length > 0 ? { references } : {}),
  }
  if (random.below(4) > 0) return study
  const reach = pick(random, [50, 3000])
  return { ...study, tickWindow: { lowest: pool.tick - reach, highest: pool.tick + reach } }
}

/** As a start is read that does not list who provides. */
function withoutPositions(state: ClmmState): ClmmState {
  return { ...state, positions: [] }
}
