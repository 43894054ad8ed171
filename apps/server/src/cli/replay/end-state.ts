import {
  type ClmmState,
  type CpmmState,
  type Market,
  marketToJson,
  type PairFee,
  type PositionState,
} from '@liquidity-os/engine/amm'
import {
  asNode,
  type PositionCoverage,
  type ReadClmmState,
  ReplayInputError,
  readBigint,
  readPairFee,
  readRecordedClmmState,
} from '@liquidity-os/engine/replay'
import { H } from '@liquidity-os/evidence'
import type { EndState } from './result.ts'
import type { KnownAtStart } from './start.ts'

const STATE_DOMAIN = 'replay-state/v1'

/** The hash of a market after a replay; two replays with the same hash agree in every field. */
export function hashMarket(market: Market): string {
  return H(STATE_DOMAIN, marketToJson(market))
}

/** Expected values at the end of a replay. */
export interface RecordedEnd {
  readonly document: unknown
  readonly file: string
  /** Initial state of the replay, and its known parts. */
  readonly start: ClmmState
  readonly positions: PositionCoverage
  readonly known: KnownAtStart
  readonly tickWindow: { lowest: number; highest: number } | null
}

/** A comparison, with notes on fields of the recorded state that the replay cannot determine. */
export interface ComparedEnd {
  readonly endState: EndState
  readonly notes: readonly string[]
}

type Check = (field: string, want: unknown, got: unknown) => void

/**
 * Compares the end state of a v3 replay with all fields of a recorded state, including zeros and
 * empty lists. The comparison covers only parts known at the start. These are ticks within the
 * window read, and positions listed at the start or opened during the recording. Pool balances and
 * owed tokens are excluded: they require every transfer and every Collect.
 */
export function compareEndState(reached: ClmmState, recorded: RecordedEnd): ComparedEnd {
  const { feePips, tickSpacing } = reached
  const wanted = readRecordedClmmState(withPlainFeeGrowth(recorded.document), recorded.file, {
    feePips,
    tickSpacing,
  })
  const fields: { field: string; recorded: string; computed: string }[] = []
  let compared = 0
  const check: Check = (field, want, got) => {
    compared += 1
    if (want !== got) fields.push({ field, recorded: `${want}`, computed: `${got}` })
  }
  for (const name of ['sqrtPriceX96', 'tick', 'liquidity'] as const) {
    check(name, wanted.state[name], reached[name])
  }
  const scalars = ['feePips', 'tickSpacing'] as const
  for (const name of scalars) {
    if (wanted.given.has(name)) check(name, wanted.state[name], reached[name])
  }
  if (wanted.given.has('ticks')) compareTicks(reached, wanted, recorded, check)
  if (recorded.known.fees) compareFees(reached, wanted, check)
  if (recorded.known.oracle) compareOracle(reached, wanted, check)
  const isOwned = reached.positions.every(({ owner }) => owner !== '')
  if (wanted.given.has('positions') && isOwned) comparePositions(reached, wanted, recorded, check)
  const endState = { hash: hashMarket(reached), reached: fields.length === 0, compared, fields }
  const notes = listUnknown(wanted, recorded.known)
  if (wanted.given.has('positions') && !isOwned) {
    notes.push('end positions were not compared: the events do not contain their owners')
  }
  return { endState, notes }
}

/** Optional fields of a pair's end state, compared if present. */
const PAIR_MEMBERS = [
  'reserve0',
  'reserve1',
  'totalSupply',
  'kLast',
  'price0CumulativeLast',
  'price1CumulativeLast',
  'blockTimestampLast',
] as const

/**
 * Compares the end state of a v2 replay with the fields of a recorded state. Skips fields that the
 * recording did not determine.
 */
export function compareEndOfPair(
  reached: CpmmState,
  undetermined: readonly string[],
  recorded: { document: unknown; file: string },
): ComparedEnd {
  const root = asNode(recorded.file, '', recorded.document)
  const inner = root.value.state ?? root.value.data
  const node = inner === undefined ? root : asNode(recorded.file, 'state.', inner)
  const named = PAIR_MEMBERS.filter((name) => node.value[name] !== undefined)
  const isFeeNamed = node.value.feeNumerator !== undefined
  if (named.length === 0 && !isFeeNamed) {
    throw new ReplayInputError({
      file: recorded.file,
      expected: `a field of a pair: ${PAIR_MEMBERS.join(', ')} or feeNumerator`,
      found: Object.keys(node.value).join(', ') || 'an empty object',
    })
  }
  const known = named.filter((name) => !undetermined.includes(name))
  const fields: { field: string; recorded: string; computed: string }[] = known.flatMap((name) => {
    const want = readBigint(node, name)
    const got = BigInt(reached[name])
    return want === got ? [] : [{ field: name, recorded: `${want}`, computed: `${got}` }]
  })
  if (isFeeNamed) fields.push(...compareFee(reached.fee, readPairFee(node)))
  const compared = known.length + (isFeeNamed ? 1 : 0)
  const unknown = named.filter((name) => undetermined.includes(name))
  return {
    endState: {
      hash: hashMarket(reached),
      reached: compared === 0 ? null : fields.length === 0,
      compared,
      fields,
    },
    notes: unknown.map(
      (name) => `${name} at the end was not compared: the events do not contain it`,
    ),
  }
}

/** Equal fractions are equal fees, even with different denominators. */
function compareFee(got: PairFee, want: PairFee) {
  if (got.numerator * want.denominator === want.numerator * got.denominator) return []
  const show = ({ numerator, denominator }: PairFee) => `${numerator}/${denominator}`
  return [{ field: 'feeNumerator', recorded: show(want), computed: show(got) }]
}

/**
 * Like `compareEndState`, for logs without a start state: only price, tick and active liquidity are
 * known.
 */
export function compareEndOfLogs(
  reached: { sqrtPriceX96: bigint; tick: number; liquidity: bigint },
  recorded: { document: unknown; file: string },
  terms: { feePips: number | null; tickSpacing: number | null },
  hash: string,
): ComparedEnd {
  const { state } = readRecordedClmmState(recorded.document, recorded.file, {
    feePips: terms.feePips ?? 0,
    tickSpacing: terms.tickSpacing ?? 1,
  })
  const names = ['sqrtPriceX96', 'tick', 'liquidity'] as const
  const fields = names
    .filter((name) => state[name] !== reached[name])
    .map((name) => ({ field: name, recorded: `${state[name]}`, computed: `${reached[name]}` }))
  const endState = { hash, reached: fields.length === 0, compared: names.length, fields }
  return {
    endState,
    notes: ['without a start state, only price, tick and liquidity of the end were compared'],
  }
}

function listUnknown({ given }: ReadClmmState, known: KnownAtStart): string[] {
  const notes: string[] = []
  if (!known.fees && (given.has('feeGrowthGlobal0X128') || given.has('protocolFees0'))) {
    notes.push('end fees were not compared: the start state does not contain them')
  }
  if (!known.oracle && (given.has('observations') || given.has('observationIndex'))) {
    notes.push('the end oracle was not compared: the start state does not contain it')
  }
  return notes
}

function compareFees(reached: ClmmState, { state, given }: ReadClmmState, check: Check): void {
  const names = [
    'feeGrowthGlobal0X128',
    'feeGrowthGlobal1X128',
    'protocolFees0',
    'protocolFees1',
  ] as const
  for (const name of names) if (given.has(name)) check(name, state[name], reached[name])
  if (!given.has('feeProtocol')) return
  check('feeProtocol0', state.feeProtocol0, reached.feeProtocol0)
  check('feeProtocol1', state.feeProtocol1, reached.feeProtocol1)
}

/** Tick fields. The value names the initial data, fees or oracle, that a field requires. */
const TICK_MEMBERS = {
  liquidityGross: null,
  liquidityNet: null,
  feeGrowthOutside0X128: 'fees',
  feeGrowthOutside1X128: 'fees',
  tickCumulativeOutside: 'oracle',
  secondsPerLiquidityOutsideX128: 'oracle',
  secondsOutside: 'oracle',
} as const

function compareTicks(
  reached: ClmmState,
  { state, given }: ReadClmmState,
  { tickWindow, known }: RecordedEnd,
  check: Check,
): void {
  const { lowest, highest } = tickWindow ?? { lowest: -Infinity, highest: Infinity }
  const inWindow = <T extends { index: number }>(ticks: readonly T[]) =>
    ticks.filter(({ index }) => index >= lowest && index <= highest)
  const mine = new Map(reached.ticks.map((tick) => [tick.index, tick]))
  check('initialized ticks', inWindow(state.ticks).length, inWindow(reached.ticks).length)
  for (const tick of inWindow(state.ticks)) {
    const other = mine.get(tick.index)
    for (const [name, needs] of Object.entries(TICK_MEMBERS)) {
      const member = name as keyof typeof TICK_MEMBERS
      const isBasic = needs === null
      if (!isBasic && !(known[needs] && given.has(`ticks.${name}`))) continue
      check(`ticks[${tick.index}].${name}`, tick[member], other?.[member])
    }
  }
}

function compareOracle(reached: ClmmState, { state, given }: ReadClmmState, check: Check): void {
  const scalars = [
    'observationIndex',
    'observationCardinality',
    'observationCardinalityNext',
  ] as const
  for (const name of scalars) if (given.has(name)) check(name, state[name], reached[name])
  if (!given.has('observations')) return
  if (!given.has('observations.blockTimestamp')) {
    check('observations', 0, reached.observations.length)
    return
  }
  state.observations.forEach((observation, slot) => {
    const other = reached.observations[slot]
    for (const [name, value] of Object.entries(observation)) {
      check(`observations[${slot}].${name}`, value, other?.[name as keyof typeof observation])
    }
  })
}

/**
 * A position is known when the start listed it or when the pool was followed from its creation. Of others
 * the replay knows only the fee growth, once an event touched them.
 */
function comparePositions(
  reached: ClmmState,
  { state, given }: ReadClmmState,
  { file, start, positions, known }: RecordedEnd,
  check: Check,
): void {
  const before = byName(start.positions)
  const mine = byName(reached.positions)
  const listed = byName(state.positions)
  if (listed.size < state.positions.length) {
    const expected = 'each position once, by owner and ticks'
    const found = `${state.positions.length} entries of ${listed.size} positions`
    throw new ReplayInputError({ file, column: 'positions', expected, found })
  }
  for (const key of new Set([...listed.keys(), ...mine.keys()])) {
    const [earlier, got, want] = [before.get(key), mine.get(key), listed.get(key)]
    const isKnown = positions === 'COMPLETE' || earlier !== undefined
    const isGiven = want === undefined || given.has('positions.liquidity')
    // Positions without liquidity may be missing in the contract and in a recording.
    if (isKnown && isGiven) {
      check(`positions[${key}].liquidity`, want?.liquidity ?? 0n, got?.liquidity ?? 0n)
    }
    if (want === undefined || !known.fees || (got === undefined && !isKnown)) continue
    const isTouched = earlier?.feeGrowthInside0LastX128 !== got?.feeGrowthInside0LastX128
    if (!isKnown && !isTouched) continue
    for (const field of ['feeGrowthInside0LastX128', 'feeGrowthInside1LastX128'] as const) {
      if (!given.has(`positions.${field}`)) continue
      // The contract returns zero for a position that was never opened.
      check(`positions[${key}].${field}`, want[field], got?.[field] ?? 0n)
    }
  }
}

function byName(positions: readonly PositionState[]): Map<string, PositionState> {
  return new Map(
    positions.map((p) => [`${p.owner.toLowerCase()},${p.tickLower},${p.tickUpper}`, p]),
  )
}

/**
 * Some forks send part of the fees elsewhere. Their recordings name the plain value
 * `…_ifAllFeesToLps`. The engine computes that value.
 */
function withPlainFeeGrowth(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document
  const suffix = '_ifAllFeesToLps'
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name.replace(suffix, ''), value]),
  )
}
