import { createClmmPool, createCpmmPair, type PoolMarket } from '@liquidity-os/engine/amm'
import {
  applyOperation,
  listStorage,
  type OperationOutcome,
  type UniswapV2Operation,
  type UniswapV3Operation,
} from '@liquidity-os/engine/parity'
import { type Abi, type Address, decodeEventLog } from 'viem'
import {
  decodeRevert,
  type SimulatedBlock,
  type SimulatedCall,
  type SimulatedResult,
  simulateBlocks,
  v2PairAbi,
  v3PoolAbi,
} from '../../src/index.ts'
import { v2Call, v3Call } from './calls.ts'
import { parseReadings, readingsCall, v2Readings, v3Readings } from './observed.ts'
import { holderAddress, payerAddress, type Stage } from './stage.ts'

/** A sequence and the market it runs on. */
export type Trial =
  | { readonly kind: 'v3'; readonly pool: number; readonly operations: UniswapV3Operation[] }
  | { readonly kind: 'v2'; readonly operations: UniswapV2Operation[] }

export type Divergence = {
  /** Index of the operation, or the sequence's length for a storage field at the end. */
  readonly index: number
  readonly subject: string
  readonly engine: string
  readonly bytecode: string
}

export type Comparison = {
  readonly divergence: Divergence | null
  readonly operations: number
  readonly events: number
  readonly reverts: number
  readonly fields: number
  /** How often each kind of operation ended how, e.g. `v3.mint LO`. */
  readonly outcomes: ReadonlyMap<string, number>
}

export type Apply = typeof applyOperation

/** Enough for a swap that walks every bitmap word of a pool with tick spacing 1. */
const gasPerCall = 200_000_000n

/**
 * Runs one sequence on the genuine bytecode and on the engine and compares every event and revert of
 * every operation, then every storage field.
 */
export async function compareTrial(
  stage: Stage,
  trial: Trial,
  apply: Apply = applyOperation,
): Promise<Comparison> {
  const { calls, readings, address, abi, start, aliases } = prepare(stage, trial)
  const { operations } = trial
  const blocks = groupByTime(operations, calls, readingsCall(stage, readings))
  const simulated = await simulateBlocks(stage.chain.publicClient, blocks, gasPerCall)
  const results = simulated.flat()
  const outcomes = new Map<string, number>()
  let state = start
  let divergence: Divergence | null = null
  const counts = { events: 0, reverts: 0 }
  for (const [index, operation] of operations.entries()) {
    const step = apply(state, operation)
    state = step.state
    const expected = describeOutcome(step.outcome, aliases)
    const seen = describeResult(results[index]!, address, abi, step.outcome)
    count(outcomes, `${operation.kind} ${step.outcome.reverted ? step.outcome.reason : 'done'}`)
    if (step.outcome.reverted) counts.reverts += 1
    else counts.events += step.outcome.logs.length
    if (expected !== seen) {
      divergence ??= { index, subject: operation.kind, engine: expected, bytecode: seen }
    }
  }
  const observed = parseReadings(readings, results.at(-1)!.returnData)
  const listed = listStorage(state)
  divergence ??= compareFields(operations.length, listed, observed)
  return { divergence, operations: operations.length, ...counts, fields: observed.size, outcomes }
}

function prepare(stage: Stage, trial: Trial) {
  if (trial.kind === 'v3') {
    const pool = stage.pools[trial.pool]!
    const start: PoolMarket = createClmmPool(pool)
    return {
      start,
      address: pool.address,
      abi: v3PoolAbi as Abi,
      calls: trial.operations.map((operation) => v3Call(stage, pool, operation)),
      readings: v3Readings(stage, pool, trial.operations),
      aliases: (name: string) => payerAddress(stage, name),
    }
  }
  const start: PoolMarket = createCpmmPair({})
  return {
    start,
    address: stage.pair.address,
    abi: v2PairAbi as Abi,
    calls: trial.operations.map((operation) => v2Call(stage, operation)),
    readings: v2Readings(stage, trial.operations),
    aliases: (name: string) => holderAddress(stage, name),
  }
}

function groupByTime(
  operations: readonly { readonly timestamp: number }[],
  calls: readonly SimulatedCall[],
  last: SimulatedCall,
): SimulatedBlock[] {
  const blocks: { timestamp: number; calls: SimulatedCall[] }[] = []
  for (const [index, { timestamp }] of operations.entries()) {
    if (blocks.at(-1)?.timestamp !== timestamp) blocks.push({ timestamp, calls: [] })
    blocks.at(-1)!.calls.push(calls[index]!)
  }
  blocks.at(-1)!.calls.push(last)
  return blocks
}

function describeOutcome(outcome: OperationOutcome, addressOf: (name: string) => Address): string {
  if (outcome.reverted) return `reverts “${outcome.reason}”`
  const logs = outcome.logs.map(({ name, args }) => {
    const named = Object.entries(args).map(([key, value]) => {
      const isAccount = key === 'owner' || key === 'to'
      return `${key}=${isAccount ? addressOf(String(value)).toLowerCase() : value}`
    })
    return `${name}(${named.sort().join(' ')})`
  })
  return logs.join(' ') || 'no events'
}

/** The same text from the bytecode's result, with the arguments the engine states. */
function describeResult(
  result: SimulatedResult,
  address: Address,
  abi: Abi,
  engine: OperationOutcome,
): string {
  if (!result.succeeded) return `reverts “${revertReason(result)}”`
  const stated = engine.reverted ? [] : engine.logs
  const own = result.logs.filter((log) => log.address.toLowerCase() === address.toLowerCase())
  const decoded = own.map(({ topics, data }) => decodeEventLog({ abi, topics, data }))
  const compared = decoded.filter(({ eventName }) => eventName !== 'Transfer')
  const logs = compared.map(({ eventName, args }, index) => {
    const facts = Object.entries((args ?? {}) as Record<string, unknown>)
    const names = stated[index]?.args
    const named = facts.flatMap(([key, value]) =>
      names === undefined || key in names ? [`${key}=${String(value).toLowerCase()}`] : [],
    )
    return `${eventName}(${named.sort().join(' ')})`
  })
  return logs.join(' ') || 'no events'
}

function revertReason({ returnData, gasUsed }: SimulatedResult): string {
  if (returnData !== '0x') return decodeRevert(returnData)
  // Only an assertion consumes all gas, except the sixty-fourth that a forwarding payer retains.
  return gasUsed > (gasPerCall * 9n) / 10n ? 'INVALID' : ''
}

function compareFields(
  index: number,
  engine: ReadonlyMap<string, string>,
  bytecode: ReadonlyMap<string, string>,
): Divergence | null {
  for (const subject of new Set([...engine.keys(), ...bytecode.keys()])) {
    const stated = engine.get(subject) ?? 'absent'
    const seen = bytecode.get(subject) ?? 'absent'
    if (stated === seen || (isZero(stated) && isZero(seen))) continue
    return { index, subject, engine: stated, bytecode: seen }
  }
  return null
}

/** A field that one side leaves out because it was never written. */
function isZero(value: string): boolean {
  return value === 'absent' || value === '0' || value === 'false'
}

function count(outcomes: Map<string, number>, key: string): void {
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
}
