import {
  type ClmmState,
  createClmmPool,
  PoolRevertError,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '@liquidity-os/engine/amm'
import { applyOperation, type OperationOutcome } from '@liquidity-os/engine/parity'
import { asNode, ReplayInputError, readFeePips, readTickSpacing } from '@liquidity-os/engine/replay'
import { asList, asObject, field, flag, text, whole } from './json-input.ts'
import { KindTally, type RecordingResult } from './result.ts'
import { readJson } from './start.ts'

/** Swaps on freshly built pools, and tick prices, with the results of the contract. */
export interface VectorRecording {
  readonly kind: 'VECTORS'
  readonly name: string
  readonly swaps: string | null
  readonly ticks: string | null
}

/**
 * Runs recorded swaps and compares every recorded result. Each swap runs on a fresh copy of its
 * pool.
 *
 * @throws ReplayInputError with file and path of a missing or malformed value
 */
export async function replayVectors(recording: VectorRecording) {
  const tally = new KindTally()
  if (recording.swaps !== null) {
    const file = recording.swaps
    const pools = asList(file, '$', await readJson(file))
    pools.forEach((pool, index) => {
      runPool(asObject(file, `$[${index}]`, pool), file, `$[${index}]`, tally)
    })
  }
  if (recording.ticks !== null) {
    runTicks(
      asObject(recording.ticks, '$', await readJson(recording.ticks)),
      recording.ticks,
      tally,
    )
  }
  const result: RecordingResult = {
    name: recording.name,
    market: 'UNISWAP_V3',
    fee: null,
    kinds: tally.kinds,
    modes: {},
    refusals: tally.refusals,
    firstDifference: tally.firstDifference,
    endState: null,
    notes: ['every swap starts from a fresh copy of its pool'],
  }
  const events = Object.values(tally.kinds).reduce((sum, { total }) => sum + total, 0)
  return { result, events }
}

type JsonObject = Readonly<Record<string, unknown>>

function runPool(pool: JsonObject, file: string, path: string, tally: KindTally): void {
  const start = buildPool(pool, file, path)
  const poolName = text(file, path, pool, 'name')
  asList(file, `${path}.swaps`, field(file, path, pool, 'swaps')).forEach((item, index) => {
    const at = `${path}.swaps[${index}]`
    const swap = asObject(file, at, item)
    const { state, outcome } = applyOperation(start, {
      kind: 'v3.swap',
      timestamp: 0,
      zeroForOne: flag(file, at, swap, 'zeroForOne'),
      amountSpecified: whole(file, at, swap, 'amountSpecified'),
      sqrtPriceLimitX96: whole(file, at, swap, 'sqrtPriceLimitX96'),
    })
    const wanted = asObject(file, `${at}.expect`, field(file, at, swap, 'expect'))
    const fields = compare(wanted, observe(start, state, outcome))
    const kind = wanted.revert === undefined ? 'swaps' : 'reverts'
    if (fields.length === 0) tally.exact(kind)
    else {
      const subject = `${text(file, at, swap, 'name')}, pool of ${poolName}`
      tally.different(kind, { subject, file, line: null, fields })
    }
  })
}

function buildPool(pool: JsonObject, file: string, path: string): ClmmState {
  const node = asNode(file, `${path}.`, pool)
  const [feePips, tickSpacing] = [readFeePips(node), readTickSpacing(node)]
  let state = run(createClmmPool({ feePips, tickSpacing }), file, path, {
    kind: 'v3.initialize',
    timestamp: 0,
    sqrtPriceX96: whole(file, path, pool, 'sqrtPriceX96'),
  })
  asList(file, `${path}.positions`, field(file, path, pool, 'positions')).forEach((item, index) => {
    const at = `${path}.positions[${index}]`
    const position = asObject(file, at, item)
    state = run(state, file, at, {
      kind: 'v3.mint',
      timestamp: 0,
      owner: 'minter',
      tickLower: Number(whole(file, at, position, 'tickLower')),
      tickUpper: Number(whole(file, at, position, 'tickUpper')),
      liquidity: whole(file, at, position, 'liquidity'),
    })
  })
  return state
}

/** Runs a step of the set-up, which must succeed. */
function run(
  state: ClmmState,
  file: string,
  path: string,
  operation: Parameters<typeof applyOperation>[1],
): ClmmState {
  const { state: next, outcome } = applyOperation(state, operation)
  if (!outcome.reverted) return next
  throw new ReplayInputError({
    file,
    column: path,
    expected: 'a setup that the contract accepts',
    found: `a setup that it rejects with ${outcome.reason || 'no reason'}`,
  })
}

/** All fields that a vector can record about a swap, under their file names. */
function observe(before: ClmmState, after: ClmmState, outcome: OperationOutcome): JsonObject {
  if (outcome.reverted) return { revert: outcome.reason }
  const args = outcome.logs[0]?.args ?? {}
  return {
    amount0: `${args.amount0}`,
    amount1: `${args.amount1}`,
    tickBefore: `${before.tick}`,
    tickAfter: `${after.tick}`,
    sqrtPriceX96: `${after.sqrtPriceX96}`,
    liquidity: `${after.liquidity}`,
    feeGrowthGlobal0X128: `${after.feeGrowthGlobal0X128}`,
    feeGrowthGlobal1X128: `${after.feeGrowthGlobal1X128}`,
    poolBalance0Before: `${before.balance0}`,
    poolBalance1Before: `${before.balance1}`,
  }
}

/** Fields of the vector that the engine knows and computes differently. */
function compare(wanted: JsonObject, computed: JsonObject) {
  return Object.entries(wanted)
    .map(([name, value]) => ({
      field: name,
      recorded: `${value}`,
      computed: `${computed[name] ?? (name === 'revert' ? 'success' : 'nothing')}`,
    }))
    .filter(({ recorded, computed: value }) => recorded !== value)
}

function runTicks(document: JsonObject, file: string, tally: KindTally): void {
  const check = (
    list: string,
    given: string,
    result: string,
    compute: (value: bigint) => string,
  ) => {
    if (document[list] === undefined) return
    asList(file, list, document[list]).forEach((item, index) => {
      const at = `${list}[${index}]`
      const row = asObject(file, at, item)
      const input = whole(file, at, row, given)
      const recorded = `${whole(file, at, row, result)}`
      const computed = compute(input)
      if (computed === recorded) tally.exact('tick values')
      else {
        const fields = [{ field: result, recorded, computed }]
        tally.different('tick values', { subject: `${list}(${input})`, file, line: null, fields })
      }
    })
  }
  check('getSqrtRatioAtTick', 'tick', 'sqrtPriceX96', (tick) =>
    settle(() => `${sqrtRatioAtTick(Number(tick))}`),
  )
  check('getTickAtSqrtRatio', 'sqrtPriceX96', 'tick', (price) =>
    settle(() => `${tickAtSqrtRatio(price)}`),
  )
}

function settle(compute: () => string): string {
  try {
    return compute()
  } catch (error) {
    if (error instanceof PoolRevertError) return `revert ${error.reason}`
    throw error
  }
}
