import type { ClmmState, Observation, PositionKey, PositionState, TickState } from './state.ts'
import { MAX_TICK, MIN_TICK, maxLiquidityPerTickFor, sqrtRatioAtTick } from './tick-math.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A tick with its root price at hand. */
export type PoolTick = Mutable<TickState> & { readonly sqrtPriceX96: bigint }
export type PoolPosition = Mutable<PositionState>

/**
 * The mutable working form of a v3 pool: the fields of `ClmmState`, with sorted ticks and cached
 * tick prices. Replays and studies run on it; the public functions load it and take a snapshot. A
 * failed operation leaves the state unchanged.
 */
export interface Pool
  extends Mutable<Omit<ClmmState, 'kind' | 'ticks' | 'positions' | 'observations' | 'feePips'>> {
  readonly feePips: number
  /** The fee in pips, and 1,000,000 minus the fee, as bigints. */
  readonly fee: bigint
  readonly feeComplement: bigint
  readonly ticks: PoolTick[]
  /** How many entries of `ticks` are at or below `tick`. */
  cursor: number
  readonly positions: Map<string, PoolPosition>
  readonly observations: Observation[]
  /** Root prices of the bitmap word edges met so far. */
  readonly edgePrices: Map<number, bigint>
}

/** Builds the working form of a state, which stays untouched. */
export function loadPool(state: ClmmState): Pool {
  const { kind, ticks, positions, observations, ...fields } = state
  const pool: Pool = {
    ...fields,
    fee: BigInt(state.feePips),
    feeComplement: BigInt(1_000_000 - state.feePips),
    ticks: ticks.map((tick) => ({ ...tick, sqrtPriceX96: sqrtRatioAtTick(tick.index) })),
    cursor: 0,
    positions: new Map(positions.map((position) => [positionKey(position), { ...position }])),
    observations: observations.slice(),
    edgePrices: new Map(),
  }
  pool.cursor = countTicksUpTo(pool.ticks, pool.tick)
  return pool
}

/** The pool as a value, independent of later changes to the working form. */
export function snapshotPool(pool: Pool): ClmmState {
  const { fee, feeComplement, cursor, edgePrices, ticks, positions, observations, ...fields } = pool
  return {
    kind: 'UNISWAP_V3',
    ...fields,
    ticks: ticks.map(({ sqrtPriceX96, ...tick }) => tick),
    positions: [...positions.values()].map((position) => ({ ...position })).sort(byPositionKey),
    observations: observations.slice(),
  }
}

/**
 * Changes the trading fee, which forks of v3 allow and Uniswap's own pools do not.
 *
 * @param feePips 0..999,999
 */
export function setPoolFee(pool: Pool, feePips: number): void {
  if (!Number.isInteger(feePips) || feePips < 0 || feePips >= 1_000_000) {
    throw new RangeError(`a fee of ${feePips} pips; expected a whole number in 0..999999`)
  }
  Object.assign(pool, {
    feePips,
    fee: BigInt(feePips),
    feeComplement: BigInt(1_000_000 - feePips),
  })
}

/** Text form of a position's name, unique per pool. */
export function positionKey(key: PositionKey): string {
  return `${key.owner}:${key.tickLower}:${key.tickUpper}`
}

/** Number of ticks whose index is at most `tick`; `ticks` ascend. */
export function countTicksUpTo(ticks: readonly { readonly index: number }[], tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    // middle is below high, so the entry exists.
    if (ticks[middle]!.index <= tick) low = middle + 1
    else high = middle
  }
  return low
}

/** The tick with this index, or undefined if it is not initialized. */
export function findTick(pool: Pick<Pool, 'ticks'>, index: number): PoolTick | undefined {
  const tick = pool.ticks[countTicksUpTo(pool.ticks, index) - 1]
  return tick?.index === index ? tick : undefined
}

/** Puts a freshly initialised tick into its place. */
export function insertTick(pool: Pool, tick: PoolTick): void {
  pool.ticks.splice(countTicksUpTo(pool.ticks, tick.index), 0, tick)
  if (tick.index <= pool.tick) pool.cursor += 1
}

/** Forgets a tick that no position references any more. */
export function removeTick(pool: Pool, index: number): void {
  pool.ticks.splice(countTicksUpTo(pool.ticks, index) - 1, 1)
  if (index <= pool.tick) pool.cursor -= 1
}

/** Root price of a tick that need not be initialised, remembered for the next time. */
export function edgePrice(pool: Pick<Pool, 'edgePrices'>, tick: number): bigint {
  let price = pool.edgePrices.get(tick)
  if (price === undefined) {
    price = sqrtRatioAtTick(tick)
    pool.edgePrices.set(tick, price)
  }
  return price
}

/**
 * Checks that the contract could have this state. Returns a description of the first problem, or
 * null.
 */
export function findStateFault(state: ClmmState): string | null {
  if (state.maxLiquidityPerTick !== maxLiquidityPerTickFor(state.tickSpacing)) {
    return `maxLiquidityPerTick does not match tick spacing ${state.tickSpacing}`
  }
  let previous = Number.NEGATIVE_INFINITY
  for (const { index, liquidityGross } of state.ticks) {
    if (index <= previous) return `tick ${index} is out of order`
    if (index < MIN_TICK || index > MAX_TICK) return `tick ${index} is out of range`
    if (index % state.tickSpacing !== 0) return `tick ${index} is not a multiple of the spacing`
    if (liquidityGross <= 0n) return `tick ${index} is listed without liquidity`
    previous = index
  }
  return null
}

function byPositionKey(a: PositionKey, b: PositionKey): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1
  return a.tickLower - b.tickLower || a.tickUpper - b.tickUpper
}
