import { MAX_UINT128, MAX_UINT160, MAX_UINT256 } from '../../../arithmetic/integer.ts'
import { findStateFault } from '../pool.ts'
import type { ClmmState, Observation, PositionState, TickState } from '../state.ts'
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from '../tick-math.ts'
import type { ClmmMemory } from './memory.ts'
import type { ClmmExports } from './module.ts'

/** Field offsets in a tick's slot; must match `assembly/pool.ts`. */
const TICK = {
  price: 8,
  net: 32,
  gross: 48,
  growth0: 64,
  growth1: 96,
  cumulative: 128,
  secondsPerLiquidity: 136,
  seconds: 160,
}
/** As `assembly/oracle.ts`. */
const OBSERVATION = { initialized: 4, cumulative: 8, secondsPerLiquidity: 16, bytes: 40 }
/** As `assembly/liquidity.ts`. */
const POSITION = { growth0: 16, growth1: 48, owed0: 80, owed1: 96 }

const isUint = (value: bigint, most: bigint) => value >= 0n && value <= most
const isInt = (value: bigint, bits: number) => BigInt.asIntN(bits, value) === value
const isUint32 = (value: number) => value >>> 0 === value

/**
 * Why a state does not fit fixed-width fields, or null. Every state that the contract can reach
 * fits. A hand-made state can have a price that contradicts its tick, or a number beyond its type.
 */
export function findUnfit(state: ClmmState): string | null {
  const { sqrtPriceX96, tick, observations, balance0, balance1 } = state
  const fault = findStateFault(state)
  if (fault !== null) return fault
  if (tick < MIN_TICK - 1 || tick >= MAX_TICK) return `tick ${tick} is out of range`
  if (sqrtPriceX96 !== 0n) {
    const low = tick < MIN_TICK ? 0n : sqrtRatioAtTick(tick)
    if (sqrtPriceX96 < low || sqrtPriceX96 > sqrtRatioAtTick(tick + 1)) {
      return 'the price does not match the tick'
    }
    if (observations[state.observationIndex] === undefined)
      return 'the current observation is missing'
    if (!isUint32(state.observationCardinality) || state.observationCardinality === 0) {
      return 'the oracle has no slots'
    }
  }
  const promised = Math.max(state.observationCardinality, state.observationCardinalityNext)
  if (observations.length < promised || observations.length > 65_535) {
    return 'the oracle slots do not match its cardinality'
  }
  const amounts = [state.feeGrowthGlobal0X128, state.feeGrowthGlobal1X128]
  if (!amounts.every((amount) => isUint(amount, MAX_UINT256))) return 'a fee growth is too large'
  const balances = [balance0 ?? 0n, balance1 ?? 0n]
  // Headroom for all swaps of a long-lived pool: no swap moves more than 2^192.
  if (!balances.every((amount) => isUint(amount, MAX_UINT256 >> 16n)))
    return 'a balance is too large'
  const narrow = [state.liquidity, state.protocolFees0, state.protocolFees1]
  if (!narrow.every((amount) => isUint(amount, MAX_UINT128))) return 'an amount is too large'
  if (!state.ticks.every(isTickFit)) return 'a tick has a number out of range'
  if (!state.positions.every(isPositionFit)) return 'a position has a number out of range'
  return observations.every(isObservationFit) ? null : 'an observation has a number out of range'
}

function isTickFit(tick: TickState): boolean {
  return (
    tick.index >= MIN_TICK &&
    tick.index <= MAX_TICK &&
    isUint(tick.liquidityGross, MAX_UINT128) &&
    isInt(tick.liquidityNet, 128) &&
    isUint(tick.feeGrowthOutside0X128, MAX_UINT256) &&
    isUint(tick.feeGrowthOutside1X128, MAX_UINT256) &&
    isInt(tick.tickCumulativeOutside, 56) &&
    isUint(tick.secondsPerLiquidityOutsideX128, MAX_UINT160) &&
    isUint32(tick.secondsOutside)
  )
}

function isPositionFit(position: PositionState): boolean {
  return (
    isUint(position.liquidity, MAX_UINT128) &&
    isUint(position.feeGrowthInside0LastX128, MAX_UINT256) &&
    isUint(position.feeGrowthInside1LastX128, MAX_UINT256) &&
    isUint(position.tokensOwed0, MAX_UINT128) &&
    isUint(position.tokensOwed1, MAX_UINT128) &&
    Math.abs(position.tickLower) < 2 ** 31 &&
    Math.abs(position.tickUpper) < 2 ** 31
  )
}

function isObservationFit(observation: Observation | undefined): boolean {
  return (
    observation !== undefined &&
    isUint32(observation.blockTimestamp) &&
    isInt(observation.tickCumulative, 56) &&
    isUint(observation.secondsPerLiquidityCumulativeX128, MAX_UINT160)
  )
}

/** The fields of a pool outside its lists. */
export type ClmmScalars = Omit<ClmmState, 'kind' | 'ticks' | 'positions' | 'observations'>

/** Writes the amounts a flash, a collection or an initialisation changes. */
export function writeScalars(x: ClmmExports, m: ClmmMemory, state: ClmmScalars): void {
  m.write192(x.PRICE.value, state.sqrtPriceX96)
  m.write128(x.LIQUIDITY.value, state.liquidity)
  m.write256(x.FEE_GROWTH.value, state.feeGrowthGlobal0X128)
  m.write256(x.FEE_GROWTH.value + 32, state.feeGrowthGlobal1X128)
  m.write128(x.PROTOCOL_FEES.value, state.protocolFees0)
  m.write128(x.PROTOCOL_FEES.value + 16, state.protocolFees1)
  m.write256(x.BALANCES.value, state.balance0 ?? 0n)
  m.write256(x.BALANCES.value + 32, state.balance1 ?? 0n)
}

/** Writes what decides how swaps run. */
export function writeTerms(x: ClmmExports, state: ClmmScalars): void {
  const known = (state.balance0 === null ? 0 : 1) | (state.balance1 === null ? 0 : 2)
  const { tick, tickSpacing, feeProtocol0, feeProtocol1 } = state
  x.setTerms(tick, tickSpacing, feeProtocol0, feeProtocol1, known)
}

export function writeTicks(x: ClmmExports, m: ClmmMemory, ticks: readonly TickState[]): void {
  for (const tick of ticks) {
    const slot = x.insertTick(tick.index)
    m.write128(slot + TICK.net, tick.liquidityNet)
    m.write128(slot + TICK.gross, tick.liquidityGross)
    m.write256(slot + TICK.growth0, tick.feeGrowthOutside0X128)
    m.write256(slot + TICK.growth1, tick.feeGrowthOutside1X128)
    m.words[(slot + TICK.cumulative) >> 3] = tick.tickCumulativeOutside
    m.write192(slot + TICK.secondsPerLiquidity, tick.secondsPerLiquidityOutsideX128)
    m.writeNumber(slot + TICK.seconds, tick.secondsOutside)
  }
}

export function readTicks(x: ClmmExports, m: ClmmMemory): TickState[] {
  return Array.from({ length: x.tickCount.value }, (_, place) => {
    const slot = x.slotAt(place)
    return {
      index: m.readNumber(slot),
      liquidityGross: m.read128(slot + TICK.gross),
      liquidityNet: BigInt.asIntN(128, m.read128(slot + TICK.net)),
      feeGrowthOutside0X128: m.read256(slot + TICK.growth0),
      feeGrowthOutside1X128: m.read256(slot + TICK.growth1),
      tickCumulativeOutside: BigInt.asIntN(64, m.read64(slot + TICK.cumulative)),
      secondsPerLiquidityOutsideX128: m.read192(slot + TICK.secondsPerLiquidity),
      secondsOutside: m.readNumber(slot + TICK.seconds) >>> 0,
    }
  })
}

export function writeObservations(
  x: ClmmExports,
  m: ClmmMemory,
  observations: readonly Observation[],
): void {
  const first = x.growObservations(observations.length)
  for (const [slot, observation] of observations.entries()) {
    const at = first + slot * OBSERVATION.bytes
    m.writeNumber(at, observation.blockTimestamp)
    m.writeNumber(at + OBSERVATION.initialized, observation.initialized ? 1 : 0)
    m.words[(at + OBSERVATION.cumulative) >> 3] = observation.tickCumulative
    m.write192(at + OBSERVATION.secondsPerLiquidity, observation.secondsPerLiquidityCumulativeX128)
  }
}

export function readObservations(x: ClmmExports, m: ClmmMemory): Observation[] {
  const count = x.observationCount.value
  const first = x.growObservations(0)
  return Array.from({ length: count }, (_, slot) => {
    const at = first + slot * OBSERVATION.bytes
    return {
      blockTimestamp: m.readNumber(at) >>> 0,
      tickCumulative: BigInt.asIntN(64, m.read64(at + OBSERVATION.cumulative)),
      secondsPerLiquidityCumulativeX128: m.read192(at + OBSERVATION.secondsPerLiquidity),
      initialized: m.readNumber(at + OBSERVATION.initialized) !== 0,
    }
  })
}

export function writePosition(m: ClmmMemory, at: number, position: PositionState): void {
  m.write128(at, position.liquidity)
  m.write256(at + POSITION.growth0, position.feeGrowthInside0LastX128)
  m.write256(at + POSITION.growth1, position.feeGrowthInside1LastX128)
  m.write128(at + POSITION.owed0, position.tokensOwed0)
  m.write128(at + POSITION.owed1, position.tokensOwed1)
}

export function readPosition(
  m: ClmmMemory,
  at: number,
): Omit<PositionState, 'owner' | 'tickLower' | 'tickUpper'> {
  return {
    liquidity: m.read128(at),
    feeGrowthInside0LastX128: m.read256(at + POSITION.growth0),
    feeGrowthInside1LastX128: m.read256(at + POSITION.growth1),
    tokensOwed0: m.read128(at + POSITION.owed0),
    tokensOwed1: m.read128(at + POSITION.owed1),
  }
}
