import { findStateFault } from '../../amm/v3/pool.ts'
import type { ClmmState, Observation, PositionState, TickState } from '../../amm/v3/state.ts'
import {
  describeTickFaults,
  findTickFaults,
  setBits,
  type TickWindow,
} from '../../amm/v3/tick-ledger.ts'
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  maxLiquidityPerTickFor,
} from '../../amm/v3/tick-math.ts'
import { ReplayInputError } from './input-error.ts'
import {
  asNode,
  failJson,
  type JsonNode,
  pick,
  readBigint,
  readBigintOr,
  readInteger,
  readIntegerOr,
  readList,
} from './json-fields.ts'
import {
  readFeePips,
  readProtocolShares,
  readTickSpacing,
  refuseUnknownKind,
} from './pool-terms.ts'

/** A pool state read from a file, with the file's declared gaps. */
export interface ReadClmmState {
  readonly state: ClmmState
  /** Whether fees and oracle were given; otherwise they start at zero. */
  readonly hasFeeGrowth: boolean
  readonly hasOracle: boolean
  /**
   * Every field in the file, including zero or empty ones. Names are those of `ClmmState`, and for
   * list entries for example `ticks.secondsOutside`.
   */
  readonly given: ReadonlySet<string>
  /** The range of listed ticks, if the file declares an incomplete list. */
  readonly tickWindow: TickWindow | null
}

/** Fields the state file may leave to the pool file. */
export interface ClmmTerms {
  readonly feePips?: number
  readonly tickSpacing?: number
}

/**
 * Reads a v3 pool state as a starting point: price, liquidity, ticks, bitmap and positions must be
 * consistent. The fields can be at the top, under `data`, or under `state` and `state.scalars`, in
 * camelCase or snake_case. Price and tick can be in `slot0`.
 *
 * @param document parsed JSON
 * @throws ReplayInputError with the path of a missing, malformed or contradictory field
 */
export function readClmmState(
  document: unknown,
  file: string,
  terms: ClmmTerms = {},
): ReadClmmState {
  const read = readRecordedClmmState(document, file, terms)
  const { lists } = locate(document, file)
  const bitmap = readBitmap(lists, read.state.tickSpacing)
  const faults = findTickFaults(read.state, { window: read.tickWindow, bitmap })
  if (faults.length > 0) {
    const expected = 'ticks that match price, liquidity, positions and bitmap'
    throw new ReplayInputError({
      file,
      column: `${lists.path}ticks`,
      expected,
      found: describeTickFaults(faults),
    })
  }
  return read
}

/**
 * Reads a v3 pool state without consistency checks, for comparison with a replay.
 *
 * @throws ReplayInputError with the path of a missing or malformed field
 */
export function readRecordedClmmState(
  document: unknown,
  file: string,
  terms: ClmmTerms = {},
): ReadClmmState {
  const { lists, scalars, slot0 } = locate(document, file)
  refuseUnknownKind(scalars)
  const tickSpacing =
    pick(scalars, 'tickSpacing', 'tick_spacing') === undefined && terms.tickSpacing !== undefined
      ? terms.tickSpacing
      : readTickSpacing(scalars)
  const feePips =
    pick(scalars, 'fee', 'feePips') === undefined && terms.feePips !== undefined
      ? terms.feePips
      : readFeePips(scalars)
  const ticks = readList(lists, 'ticks').map(readTick)
  const observations = readList(lists, 'observations').map(readObservation)
  const cardinality = readIntegerOr(slot0, observations.length || 1, 'observationCardinality')
  const protocolFees = asNode(file, 'protocolFees.', pick(scalars, 'protocolFees') ?? {})
  const protocol = readProtocolShares(
    pick(slot0, ...PROTOCOL_SHARES) === undefined ? scalars : slot0,
    ...PROTOCOL_SHARES,
  )
  const state: ClmmState = {
    kind: 'UNISWAP_V3',
    feePips,
    tickSpacing,
    maxLiquidityPerTick: maxLiquidityPerTickFor(tickSpacing),
    blockTimestamp: readIntegerOr(scalars, 0, 'blockTimestamp', 'block_timestamp'),
    sqrtPriceX96: readBigint(slot0, 'sqrtPriceX96', 'sqrt_price_x96'),
    tick: readInteger(slot0, 'tick'),
    observationIndex: readIntegerOr(slot0, 0, 'observationIndex'),
    observationCardinality: cardinality,
    observationCardinalityNext: readIntegerOr(slot0, cardinality, 'observationCardinalityNext'),
    feeProtocol0: protocol.feeProtocol0,
    feeProtocol1: protocol.feeProtocol1,
    feeGrowthGlobal0X128: readBigintOr(scalars, 0n, 'feeGrowthGlobal0X128'),
    feeGrowthGlobal1X128: readBigintOr(scalars, 0n, 'feeGrowthGlobal1X128'),
    protocolFees0: readBigintOr(protocolFees, 0n, 'token0'),
    protocolFees1: readBigintOr(protocolFees, 0n, 'token1'),
    liquidity: readBigint(scalars, 'liquidity'),
    // A recording contains the pool's own moves, but not every transfer to it.
    balance0: null,
    balance1: null,
    ticks: ticks.sort((a, b) => a.index - b.index),
    positions: readList(lists, 'positions').map(readPosition),
    observations: observations.length > 0 ? observations : [EMPTY_OBSERVATION],
  }
  const fault = findStateFault(state)
  if (fault !== null)
    failJson(
      file,
      `${lists.path}ticks`,
      'ascending ticks with liquidity, at multiples of the spacing',
      fault,
    )
  assertPrice(state, slot0)
  const given = listGiven({ lists, scalars, slot0, protocolFees })
  return {
    state,
    hasFeeGrowth: given.has('feeGrowthGlobal0X128') && given.has('feeGrowthGlobal1X128'),
    hasOracle: observations.length > 0,
    given,
    tickWindow: readTickWindow(lists),
  }
}

/** Range of a partial tick reading; null for a full one. */
function readTickWindow(lists: JsonNode): TickWindow | null {
  const window = pick(lists, 'tickWindow', 'tick_window')
  if (window === undefined) return null
  const node = asNode(lists.file, `${lists.path}tickWindow.`, window)
  return { lowest: readInteger(node, 'lowest'), highest: readInteger(node, 'highest') }
}

/** Ticks whose bits are set in a bitmap given by words; null without a bitmap. */
function readBitmap(lists: JsonNode, tickSpacing: number): number[] | null {
  const words = pick(lists, 'tickBitmap', 'tick_bitmap')
  if (words === undefined) return null
  const node = asNode(lists.file, `${lists.path}tickBitmap.`, words)
  return Object.keys(node.value).flatMap((name) => {
    const bits = readBigint(node, name)
    const word = Number(name)
    if (!Number.isInteger(word) || word < -32_768 || word > 32_767 || bits < 0n || bits >> 256n) {
      failJson(node.file, `${node.path}${name}`, 'a word of 256 bits under its position', `${bits}`)
    }
    return setBits(bits, word, tickSpacing)
  })
}

/** Scalar members by their names in the state, with the names a file may give them. */
const SCALARS = {
  feePips: ['fee', 'feePips'],
  tickSpacing: ['tickSpacing', 'tick_spacing'],
  feeGrowthGlobal0X128: ['feeGrowthGlobal0X128'],
  feeGrowthGlobal1X128: ['feeGrowthGlobal1X128'],
} as const
const IN_SLOT0 = {
  observationIndex: ['observationIndex'],
  observationCardinality: ['observationCardinality'],
  observationCardinalityNext: ['observationCardinalityNext'],
} as const
/** In slot 0 as the contract calls it, or as the pool file does. */
const PROTOCOL_SHARES = ['feeProtocol', 'fee_protocol', 'protocolFee'] as const
const LISTS = ['ticks', 'positions', 'observations'] as const

function listGiven(nodes: Record<'lists' | 'scalars' | 'slot0' | 'protocolFees', JsonNode>) {
  const given = new Set<string>()
  const look = (node: JsonNode, members: Readonly<Record<string, readonly string[]>>) => {
    for (const [name, aliases] of Object.entries(members)) {
      if (pick(node, ...aliases) !== undefined) given.add(name)
    }
  }
  look(nodes.scalars, SCALARS)
  look(nodes.slot0, { ...IN_SLOT0, feeProtocol: PROTOCOL_SHARES })
  look(nodes.scalars, { feeProtocol: PROTOCOL_SHARES })
  look(nodes.protocolFees, { protocolFees0: ['token0'], protocolFees1: ['token1'] })
  for (const list of LISTS) {
    if (pick(nodes.lists, list) === undefined) continue
    given.add(list)
    for (const entry of readList(nodes.lists, list)) {
      for (const name of Object.keys(entry.value)) given.add(`${list}.${name}`)
    }
  }
  return given
}

function assertPrice({ sqrtPriceX96, tick, liquidity }: ClmmState, slot0: JsonNode): void {
  const isOpen = sqrtPriceX96 >= MIN_SQRT_RATIO && sqrtPriceX96 < MAX_SQRT_RATIO
  if (!isOpen && sqrtPriceX96 !== 0n) {
    const expected = 'a square-root price in the tick range, or 0'
    failJson(slot0.file, `${slot0.path}sqrtPriceX96`, expected, `${sqrtPriceX96}`)
  }
  if (tick < MIN_TICK || tick > MAX_TICK) {
    failJson(slot0.file, `${slot0.path}tick`, `a tick in ${MIN_TICK}..${MAX_TICK}`, tick)
  }
  if (liquidity < 0n || liquidity >= 1n << 128n) {
    failJson(slot0.file, `${slot0.path}liquidity`, 'a liquidity below 2^128', `${liquidity}`)
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
    secondsOutside: readIntegerOr(node, 0, 'secondsOutside'),
  }
}

function readPosition(node: JsonNode): PositionState {
  return {
    owner: String(pick(node, 'owner') ?? '').trim(),
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
