import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import {
  type ClmmState,
  createClmmPool,
  type PairFee,
  type PoolMarket,
  type TickWindow,
  UNISWAP_V2_FEE,
} from '@liquidity-os/engine/amm'
import { applyOperation } from '@liquidity-os/engine/parity'
import {
  type ClmmPoolTerms,
  type CpmmPoolTerms,
  type FeeStep,
  type PoolEvent,
  type PositionCoverage,
  ReplayInputError,
  readClmmState,
  readPoolTerms,
  showCell,
} from '@liquidity-os/engine/replay'
import { required } from '../../required.ts'
import { parseExactJson } from './exact-json.ts'
import { isAddress, leastMilliseconds, secondsOnly } from './read-rows.ts'

/** Files with the start state of a recording; each is optional. */
export interface StartFiles {
  readonly pool: string | null
  readonly state: string | null
  /** Trading fee and tick spacing given on the command line. */
  readonly feePips: number | null
  readonly tickSpacing: number | null
  /** Trading fee of a v2 fork given on the command line. */
  readonly pairFee: PairFee | null
}

/** Parts of a v3 pool known at the start. The rest cannot be followed to the end. */
export interface KnownAtStart {
  /** Fee growth, of the pool and of its ticks, and protocol fees. */
  readonly fees: boolean
  readonly oracle: boolean
}

/** Start state of a recording. */
export type Start =
  | {
      readonly kind: 'MARKET'
      readonly market: PoolMarket
      readonly positions: PositionCoverage
      readonly reservesKnown: boolean
      readonly feeSteps: readonly FeeStep[]
      /** Ticks the start state lists; null when it lists all. */
      readonly tickWindow: TickWindow | null
      readonly known: KnownAtStart
    }
  | {
      /** Only logs: a swap is checked if it stays in one tick range. */
      readonly kind: 'LOGS_ONLY'
      readonly feePips: number | null
      readonly tickSpacing: number | null
      readonly feeSteps: readonly FeeStep[]
    }

/**
 * Determines the initial market of a recording from its first event. An Initialize event needs only
 * the pool terms; any other needs a state or an initial price. Without either, each raw log is
 * checked alone, and so are event rows if their fee is given.
 *
 * @throws ReplayInputError if the files contradict the first event
 */
export async function resolveStart(
  files: StartFiles,
  first: PoolEvent,
  recording: { readonly file: string; readonly rows: 'EVENT' | 'LOG' },
): Promise<Start> {
  const terms = files.pool === null ? null : readPoolTerms(await readJson(files.pool), files.pool)
  if (isPairEvent(first)) return startOfPair(await pairTerms(files, terms), files.pairFee)
  if (terms?.kind === 'UNISWAP_V2') {
    throw new ReplayInputError({
      file: required(files.pool, 'file of the pool'),
      column: 'kind',
      expected: 'the terms of a v3 pool, because the events have a square-root price',
      found: 'a v2 pair',
    })
  }
  const start = await startOfPool(files, terms, first)
  if (start.kind === 'LOGS_ONLY' && recording.rows === 'EVENT' && files.feePips === null) {
    throw new ReplayInputError({
      file: files.pool ?? recording.file,
      ...(files.pool === null ? {} : { column: 'initialSqrtPriceX96' }),
      expected:
        'a pool file with the initial price, a state file, or an Initialize event first ' +
        '(or --fee, to check only the swaps within one tick range)',
      found: `none, and a first event of type ${first.type}`,
    })
  }
  return start
}

/** A pair's state file has more detail than its pool file; either may be missing. */
async function pairTerms(
  files: StartFiles,
  terms: ClmmPoolTerms | CpmmPoolTerms | null,
): Promise<ClmmPoolTerms | CpmmPoolTerms | null> {
  if (files.state === null) return terms
  const document = await readJson(files.state)
  const isObject = typeof document === 'object' && document !== null
  const fee = terms?.kind === 'UNISWAP_V2' ? terms.pair.fee : UNISWAP_V2_FEE
  const { numerator: feeNumerator, denominator: feeDenominator } = fee
  // The fee of the pool file holds unless the state names its own.
  const named = { kind: 'UNISWAP_V2', feeNumerator: `${feeNumerator}` }
  return readPoolTerms(
    isObject ? { ...named, feeDenominator: `${feeDenominator}`, ...document } : document,
    files.state,
  )
}

function startOfPair(terms: ClmmPoolTerms | CpmmPoolTerms | null, fee: PairFee | null): Start {
  const known = terms?.kind === 'UNISWAP_V2' ? terms : null
  const { pair } =
    known ?? (readPoolTerms({ kind: 'UNISWAP_V2' }, 'the defaults of a pair') as CpmmPoolTerms)
  return {
    kind: 'MARKET',
    market: fee === null ? pair : { ...pair, fee },
    positions: 'COMPLETE',
    reservesKnown: known?.reservesKnown ?? false,
    feeSteps: [],
    tickWindow: null,
    known: { fees: false, oracle: false },
  }
}

async function startOfPool(
  files: StartFiles,
  terms: ClmmPoolTerms | null,
  first: PoolEvent,
): Promise<Start> {
  const feePips = files.feePips ?? terms?.feePips ?? null
  const tickSpacing = files.tickSpacing ?? terms?.tickSpacing ?? null
  const feeSteps = terms?.feeSteps ?? []
  if (files.state !== null) {
    return startOfState(files.state, feePips, tickSpacing, feeSteps)
  }
  const begins = first.type === 'Initialize'
  const price = begins ? null : (terms?.initialSqrtPriceX96 ?? null)
  if (!begins && price === null) return { kind: 'LOGS_ONLY', feePips, tickSpacing, feeSteps }
  if (feePips === null || tickSpacing === null) {
    throw new ReplayInputError({
      file: files.pool ?? 'the command line',
      expected: 'fee and tickSpacing in a pool file, or --fee and --tick-spacing',
      found: 'a recording with an Initialize event, without fee and tick spacing',
    })
  }
  return {
    kind: 'MARKET',
    market: openPool(feePips, tickSpacing, price, terms),
    positions: 'COMPLETE',
    reservesKnown: true,
    feeSteps,
    tickWindow: null,
    // A price without the time it was set at leaves the oracle's first second unknown.
    known: { fees: true, oracle: begins && first.timestamp !== null },
  }
}

async function startOfState(
  file: string,
  feePips: number | null,
  tickSpacing: number | null,
  feeSteps: readonly FeeStep[],
): Promise<Start> {
  const document = await readJson(file)
  const known = {
    ...(feePips === null ? {} : { feePips }),
    ...(tickSpacing === null ? {} : { tickSpacing }),
  }
  const { state, hasFeeGrowth, hasOracle, tickWindow } = readClmmState(document, file, known)
  requireUnits(state, file)
  return {
    kind: 'MARKET',
    market: state,
    // A file seldom lists every position of a pool. A burn identifies the position that it needs.
    positions: 'PARTIAL',
    reservesKnown: true,
    feeSteps,
    tickWindow,
    known: { fees: hasFeeGrowth, oracle: hasOracle },
  }
}

/** @throws ReplayInputError for a time in milliseconds, or an owner that is no address */
function requireUnits({ blockTimestamp, positions }: ClmmState, file: string): void {
  if (blockTimestamp >= leastMilliseconds) {
    throw new ReplayInputError({ file, column: 'blockTimestamp', ...secondsOnly(blockTimestamp) })
  }
  for (const [index, { owner }] of positions.entries()) {
    if (owner === '' || isAddress(owner)) continue
    const column = `positions.${index}.owner`
    throw new ReplayInputError({ file, column, expected: 'an address', found: showCell(owner) })
  }
}

function openPool(
  feePips: number,
  tickSpacing: number,
  sqrtPriceX96: bigint | null,
  terms: ClmmPoolTerms | null,
): ClmmState {
  // Plain transfers to a pool emit no pool event, so a recording does not determine its balances.
  const closed = {
    ...createClmmPool({ feePips, tickSpacing }),
    balance0: null,
    balance1: null,
    feeProtocol0: terms?.feeProtocol0 ?? 0,
    feeProtocol1: terms?.feeProtocol1 ?? 0,
  }
  if (sqrtPriceX96 === null) return closed
  return applyOperation(closed, { kind: 'v3.initialize', timestamp: 0, sqrtPriceX96 }).state
}

/** True if an event belongs to a v2 pair. */
export function isPairEvent(event: PoolEvent): boolean {
  return (
    event.type === 'Sync' ||
    (event.type === 'Swap' && 'amount0In' in event) ||
    ((event.type === 'Mint' || event.type === 'Burn') && !('tickLower' in event))
  )
}

/** Parses a JSON file, gzip or plain. @throws ReplayInputError when it is neither */
export async function readJson(path: string): Promise<unknown> {
  try {
    const bytes = await readFile(path)
    return parseExactJson((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
  } catch (error) {
    throw new ReplayInputError({
      file: path,
      expected: 'a JSON document',
      found: error instanceof Error ? error.message : String(error),
    })
  }
}
