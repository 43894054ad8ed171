import { PoolRevertError } from '../pool-revert.ts'
import { findTick, type Pool } from './pool.ts'
import type { Observation } from './state.ts'
import { assertTickRange } from './tick-range.ts'

/** The two accumulators of the oracle at one moment. */
export interface OracleReading {
  /** int56 */
  tickCumulative: bigint
  /** uint160, Q128 */
  secondsPerLiquidityCumulativeX128: bigint
}

/** The first observation, written by the initialisation. */
export function initializeOracle(pool: Pool): void {
  pool.observations[0] = {
    blockTimestamp: pool.blockTimestamp >>> 0,
    tickCumulative: 0n,
    secondsPerLiquidityCumulativeX128: 0n,
    initialized: true,
  }
  pool.observationIndex = 0
  pool.observationCardinality = 1
  pool.observationCardinalityNext = 1
}

/**
 * Writes an observation of the tick and liquidity that held until now, at most one per second of
 * block time. The buffer grows to the promised size only when its last slot was just used.
 *
 * @see Uniswap v3 whitepaper, §5
 */
export function writeObservation(pool: Pool): void {
  const now = pool.blockTimestamp >>> 0
  const last = observationAt(pool, pool.observationIndex)
  if (last.blockTimestamp === now) return
  const { observationIndex, observationCardinality, observationCardinalityNext } = pool
  const grows =
    observationCardinalityNext > observationCardinality &&
    observationIndex === observationCardinality - 1
  const cardinality = grows ? observationCardinalityNext : observationCardinality
  const index = (observationIndex + 1) % cardinality
  pool.observations[index] = advance(last, now, pool.tick, pool.liquidity)
  pool.observationIndex = index
  pool.observationCardinality = cardinality
}

/** The accumulators now, as crossing and initialising ticks record them. */
export function readOracleNow(pool: Pool): OracleReading {
  const last = observationAt(pool, pool.observationIndex)
  const now = pool.blockTimestamp >>> 0
  return last.blockTimestamp === now ? last : advance(last, now, pool.tick, pool.liquidity)
}

/**
 * Promises more slots to the oracle; they come into use when the ring next wraps.
 *
 * @param next uint16
 * @throws PoolRevertError LOK before initialisation
 */
export function increaseObservationCardinalityNext(pool: Pool, next: number): void {
  if (pool.sqrtPriceX96 === 0n) throw new PoolRevertError({ reason: 'LOK' })
  for (let slot = pool.observationCardinalityNext; slot < next; slot++) {
    // The contract pays for the slots early by a non-zero, uninitialised entry.
    pool.observations[slot] = {
      blockTimestamp: 1,
      tickCumulative: 0n,
      secondsPerLiquidityCumulativeX128: 0n,
      initialized: false,
    }
  }
  if (next > pool.observationCardinalityNext) pool.observationCardinalityNext = next
}

/**
 * The accumulators at past moments, interpolated between the two surrounding observations.
 *
 * @param secondsAgos uint32 each
 * @throws PoolRevertError OLD if a moment is older than the buffer; I before initialization
 */
export function observe(pool: Pool, secondsAgos: readonly number[]): OracleReading[] {
  if (pool.observationCardinality === 0) throw new PoolRevertError({ reason: 'I' })
  return secondsAgos.map((secondsAgo) => observeAt(pool, secondsAgo))
}

/** Accumulated values of a range. Only differences between two readings are meaningful. */
export interface CumulativesInside {
  tickCumulativeInside: bigint
  secondsPerLiquidityInsideX128: bigint
  secondsInside: number
}

/**
 * Cumulative tick, seconds per liquidity and seconds inside a range of initialised ticks.
 *
 * @throws PoolRevertError TLU, TLM or TUM for a range that cannot be, and without a reason when an end
 *         is not initialised
 */
export function snapshotCumulativesInside(
  pool: Pool,
  tickLower: number,
  tickUpper: number,
): CumulativesInside {
  assertTickRange(tickLower, tickUpper)
  const lower = findTick(pool, tickLower)
  const upper = findTick(pool, tickUpper)
  if (lower === undefined || upper === undefined) throw new PoolRevertError({ reason: '' })
  const difference = (
    a: { ticks: bigint; liquidity: bigint; seconds: number },
    b: { ticks: bigint; liquidity: bigint; seconds: number },
  ) => ({
    ticks: BigInt.asIntN(56, a.ticks - b.ticks),
    liquidity: BigInt.asUintN(160, a.liquidity - b.liquidity),
    seconds: (a.seconds - b.seconds) >>> 0,
  })
  const outside = (tick: typeof lower) => ({
    ticks: tick.tickCumulativeOutside,
    liquidity: tick.secondsPerLiquidityOutsideX128,
    seconds: tick.secondsOutside,
  })
  let inside = difference(outside(lower), outside(upper))
  if (pool.tick >= tickUpper) inside = difference(outside(upper), outside(lower))
  else if (pool.tick >= tickLower) {
    const now = readOracleNow(pool)
    const total = {
      ticks: now.tickCumulative,
      liquidity: now.secondsPerLiquidityCumulativeX128,
      seconds: pool.blockTimestamp >>> 0,
    }
    inside = difference(difference(total, outside(lower)), outside(upper))
  }
  return {
    tickCumulativeInside: inside.ticks,
    secondsPerLiquidityInsideX128: inside.liquidity,
    secondsInside: inside.seconds,
  }
}

/** Extends an observation over a period of constant tick and liquidity. */
function advance(last: Observation, now: number, tick: number, liquidity: bigint): Observation {
  const elapsed = (now - last.blockTimestamp) >>> 0
  return {
    blockTimestamp: now,
    tickCumulative: BigInt.asIntN(56, last.tickCumulative + BigInt(tick * elapsed)),
    secondsPerLiquidityCumulativeX128: BigInt.asUintN(
      160,
      last.secondsPerLiquidityCumulativeX128 +
        (BigInt(elapsed) << 128n) / (liquidity > 0n ? liquidity : 1n),
    ),
    initialized: true,
  }
}

function observeAt(pool: Pool, secondsAgo: number): OracleReading {
  if (secondsAgo === 0) return readOracleNow(pool)
  const now = pool.blockTimestamp >>> 0
  const target = (now - secondsAgo) >>> 0
  const [before, after] = surroundingObservations(pool, now, target)
  if (target === before.blockTimestamp) return before
  if (target === after.blockTimestamp) return after
  const span = BigInt((after.blockTimestamp - before.blockTimestamp) >>> 0)
  const passed = BigInt((target - before.blockTimestamp) >>> 0)
  const liquidityDelta = BigInt.asUintN(
    160,
    after.secondsPerLiquidityCumulativeX128 - before.secondsPerLiquidityCumulativeX128,
  )
  // The contract divides before it multiplies; both divisions cut towards zero.
  return {
    tickCumulative: BigInt.asIntN(
      56,
      before.tickCumulative + ((after.tickCumulative - before.tickCumulative) / span) * passed,
    ),
    secondsPerLiquidityCumulativeX128: BigInt.asUintN(
      160,
      before.secondsPerLiquidityCumulativeX128 + (liquidityDelta * passed) / span,
    ),
  }
}

/** The observations at or before and at or after `target`; the later one may be made up for now. */
function surroundingObservations(
  pool: Pool,
  now: number,
  target: number,
): [Observation, Observation] {
  const newest = observationAt(pool, pool.observationIndex)
  if (notAfter(now, newest.blockTimestamp, target)) {
    if (newest.blockTimestamp === target) return [newest, newest]
    return [newest, advance(newest, target, pool.tick, pool.liquidity)]
  }
  const cardinality = pool.observationCardinality
  let oldestSlot = (pool.observationIndex + 1) % cardinality
  if (!pool.observations[oldestSlot]?.initialized) oldestSlot = 0
  if (!notAfter(now, observationAt(pool, oldestSlot).blockTimestamp, target)) {
    throw new PoolRevertError({ reason: 'OLD' })
  }
  // Slots from the oldest on are in order of time, so the last one not after the target is found by halving.
  const count = (pool.observationIndex - oldestSlot + cardinality) % cardinality
  let low = 0
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    const slot = (oldestSlot + middle) % cardinality
    if (notAfter(now, observationAt(pool, slot).blockTimestamp, target)) low = middle
    else high = middle
  }
  return [
    observationAt(pool, (oldestSlot + low) % cardinality),
    observationAt(pool, (oldestSlot + high) % cardinality),
  ]
}

/** Whether moment `a` is at or before `b` on a 32-bit clock that reads `now` and may have wrapped once. */
function notAfter(now: number, a: number, b: number): boolean {
  const unwrap = (moment: number) => (moment > now ? moment : moment + 2 ** 32)
  return a <= now && b <= now ? a <= b : unwrap(a) <= unwrap(b)
}

function observationAt(pool: Pool, slot: number): Observation {
  const observation = pool.observations[slot]
  if (observation === undefined) throw new PoolRevertError({ reason: 'I' })
  return observation
}
