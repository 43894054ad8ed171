import { findStateFault } from '../../amm/v3/pool.ts'
import type { ClmmState, Observation, PositionState, TickState } from '../../amm/v3/state.ts'
import { maxLiquidityPerTickFor } from '../../amm/v3/tick-math.ts'
import {
  asNode,
  failJson,
  type JsonNode,
  pick,
  readBigint,
  readBigintOr,
  readInteger,
  readList,
} from './json-fields.ts'

/** A pool state read from a file, and what the file says about its own gaps. */
export interface ReadClmmState {
  readonly state: ClmmState
  /** Whether fees, protocol and oracle were given; otherwise they start at zero. */
  readonly hasFeeGrowth: boolean
  readonly hasOracle: boolean
  readonly hasPositions: boolean
}

/** Fields the state file may leave to the pool file. */
export interface ClmmTerms {
  readonly feePips?: number
  readonly tickSpacing?: number
}

/**
 * Reads a v3 pool state. The fields may lie at the top, under `data`, or under `state` and
 * `state.scalars`, in camelCase or snake_case; price and tick may lie in `slot0`.
 *
 * @param document parsed JSON
 * @throws ReplayInputError naming the path of what is missing or malformed
 */
export function readClmmState(
  document: unknown,
  file: string,
  terms: ClmmTerms = {},
): ReadClmmState {
  const { lists, scalars, slot0 } = locate(document, file)
  const tickSpacing =
    pick(scalars, 'tickSpacing', 'tick_spacing') === undefined && terms.tickSpacing !== undefined
      ? terms.tickSpacing
      : readInteger(scalars, 'tickSpacing', 'tick_spacing')
  const feePips =
    pick(scalars, 'fee', 'feePips') === undefined && terms.feePips !== undefined
      ? terms.feePips
      : readInteger(scalars, 'fee', 'feePips')
  const ticks = readList(lists, 'ticks').map(readTick)
  const observations = readList(lists, 'observations').map(readObservation)
  const cardinality = Number(
    readBigintOr(slot0, BigInt(observations.length || 1), 'observationCardinality'),
  )
  const protocolFees = asNode(file, 'protocolFees.', pick(scalars, 'protocolFees') ?? {})
  const feeProtocol = Number(readBigintOr(slot0, 0n, 'feeProtocol'))
  const state: ClmmState = {
    kind: 'UNISWAP_V3',
    feePips,
    tickSpacing,
    maxLiquidityPerTick: maxLiquidityPerTickFor(tickSpacing),
    blockTimestamp: Number(readBigintOr(scalars, 0n, 'blockTimestamp', 'block_timestamp')),
    sqrtPriceX96: readBigint(slot0, 'sqrtPriceX96', 'sqrt_price_x96'),
    tick: readInteger(slot0, 'tick'),
    observationIndex: Number(readBigintOr(slot0, 0n, 'observationIndex')),
    observationCardinality: cardinality,
    observationCardinalityNext: Number(
      readBigintOr(slot0, BigInt(cardinality), 'observationCardinalityNext'),
    ),
    feeProtocol0: feeProtocol % 16,
    feeProtocol1: feeProtocol >> 4,
    feeGrowthGlobal0X128: readBigintOr(scalars, 0n, 'feeGrowthGlobal0X128'),
    feeGrowthGlobal1X128: readBigintOr(scalars, 0n, 'feeGrowthGlobal1X128'),
    protocolFees0: readBigintOr(protocolFees, 0n, 'token0'),
    protocolFees1: readBigintOr(protocolFees, 0n, 'token1'),
    liquidity: readBigint(scalars, 'liquidity'),
    // A recording shows what the pool moved, but not every transfer to it.
    balance0: null,
    balance1: null,
    ticks: ticks.sort((a, b) => a.index - b.index),
    positions: readList(lists, 'positions').map(readPosition),
    observations: observations.length > 0 ? observations : [EMPTY_OBSERVATION],
  }
  const fault = findStateFault(state)
  if (fault !== null)
    failJson(file, 'ticks', 'ascending ticks of the spacing with liquidity', fault)
  return {
    state,
    hasFeeGrowth: pick(scalars, 'feeGrowthGlobal0X128') !== undefined,
    hasOracle: observations.length > 0,
    hasPositions: pick(lists, 'positions') !== undefined,
  }
}

const EMPTY_OBSERVATION: Observation = {
  blockTimestamp: 0,
  tickCumulative: 0n,
  secondsPerLiquidityCumulativeX128: 0n,
  initialized: true,
}

/** The three places a field can be in: with the lists, with the scalars, with price and tick. */
function locate(document: unknown, file: string) {
  const root = asNode(file, '', document)
  const name = ['data', 'state'].find((key) => pick(root, key) !== undefined)
  const lists = name === undefined ? root : asNode(file, `${name}.`, pick(root, name))
  const inner = pick(lists, 'scalars')
  const scalars = inner === undefined ? lists : asNode(file, `${lists.path}scalars.`, inner)
  const slot = pick(scalars, 'slot0')
  const slot0 = slot === undefined ? scalars : asNode(file, `${scalars.path}slot0.`, slot)
  return { lists, scalars, slot0 }
}

function readTick(node: JsonNode): TickState {
  return {
    index: readInteger(node, 'tick', 'index'),
    liquidityGross: readBigint(node, 'liquidityGross', 'liquidity_gross'),
    liquidityNet: readBigint(node, 'liquidityNet', 'liquidity_net'),
    feeGrowthOutside0X128: readBigintOr(node, 0n, 'feeGrowthOutside0X128'),
    feeGrowthOutside1X128: readBigintOr(node, 0n, 'feeGrowthOutside1X128'),
    tickCumulativeOutside: readBigintOr(node, 0n, 'tickCumulativeOutside'),
    secondsPerLiquidityOutsideX128: readBigintOr(node, 0n, 'secondsPerLiquidityOutsideX128'),
    secondsOutside: Number(readBigintOr(node, 0n, 'secondsOutside')),
  }
}

function readPosition(node: JsonNode): PositionState {
  return {
    owner: String(pick(node, 'owner') ?? ''),
    tickLower: readInteger(node, 'tickLower'),
    tickUpper: readInteger(node, 'tickUpper'),
    liquidity: readBigint(node, 'liquidity'),
    feeGrowthInside0LastX128: readBigintOr(node, 0n, 'feeGrowthInside0LastX128'),
    feeGrowthInside1LastX128: readBigintOr(node, 0n, 'feeGrowthInside1LastX128'),
    tokensOwed0: readBigintOr(node, 0n, 'tokensOwed0'),
    tokensOwed1: readBigintOr(node, 0n, 'tokensOwed1'),
  }
}

function readObservation(node: JsonNode): Observation {
  return {
    blockTimestamp: readInteger(node, 'blockTimestamp'),
    tickCumulative: readBigint(node, 'tickCumulative'),
    secondsPerLiquidityCumulativeX128: readBigint(node, 'secondsPerLiquidityCumulativeX128'),
    initialized: pick(node, 'initialized') !== false,
  }
}
