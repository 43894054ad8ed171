import { isDeepStrictEqual } from 'node:util'
import {
  type Address,
  decodeFunctionResult,
  getAddress,
  type Hex,
  hexToBigInt,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem'
import { CallRevertedError, ChainError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { blockArgument, type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { revertWords } from './revert-words.ts'
import type { SafeAccount } from './safe-account.ts'
import {
  controlTopics,
  executionData,
  type SafeCall,
  safeTransactionHash,
} from './safe-executions.ts'
import {
  approvalSignatures,
  approvedBySome,
  balanceCode,
  type StateOverrides,
} from './safe-overrides.ts'
import { transferTopic } from './transfer-topic.ts'

export type SimulationMethod = 'eth_simulateV1' | 'debug_traceCall' | 'eth_call'

export interface SimulatedTransaction {
  readonly outcome: 'SUCCESS' | 'REVERTED' | 'UNKNOWN'
  readonly gasUsed: bigint | null
  readonly revert: string | null
  /** Change of the Safe's balances, by token and `native`; null if unknown. */
  readonly net: ReadonlyMap<string, bigint> | null
  /** True if the Safe logged a change of control; null if logs are unavailable. */
  readonly changesControl: boolean | null
}

export interface SafeSimulation {
  readonly method: SimulationMethod | null
  readonly transactions: readonly SimulatedTransaction[]
  readonly agreeing: number
}

/** Safe transactions with consecutive nonces, and the block to simulate them on. */
export interface SimulatedSeries {
  readonly chainId: number
  readonly safe: Pick<SafeAccount, 'address' | 'owners' | 'threshold'>
  readonly firstNonce: bigint
  readonly calls: readonly SafeCall[]
}

/**
 * Maximum gas of one transaction.
 *
 * @see EIP-7825
 */
const maxGas = 16_777_216n
const unusedAddress: Address = '0x000000000000000000000000000000000000bEEF'
const probe: Address = '0x00000000000000000000000000000000BA1A4cE0'
const executionResult = parseAbi(['function execTransaction() returns (bool success)'])

interface Log {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
}
interface Result {
  readonly status: Hex
  readonly returnData: Hex
  readonly gasUsed: Hex
  readonly logs?: readonly Log[]
  readonly error?: { readonly data?: Hex }
}

/**
 * Simulates consecutive Safe transactions on top of a block. Runs the Safe's own code, including
 * guards and batches, as if enough owners had approved exactly these hashes.
 *
 * Uses `eth_simulateV1` if available. Else `debug_traceCall`, which simulates only the first of
 * several. Else `eth_call`, which reports no effects. Providers with the same method must agree.
 *
 * @throws ChainError PROVIDERS_DISAGREE, or if a read fails
 */
export async function simulateSafe(
  clients: readonly [ChainClient, ...ChainClient[]],
  block: Header,
  series: SimulatedSeries,
): Promise<SafeSimulation> {
  const all = await Promise.all(
    clients.map((client) => readAtBlock(client, block, (pin) => simulateBy(client, pin, series))),
  )
  for (const method of ['eth_simulateV1', 'debug_traceCall', 'eth_call'] as const) {
    const [first, ...others] = all.filter((one) => one?.method === method)
    if (!first) continue
    if (others.some((other) => !isDeepStrictEqual(other?.transactions, first.transactions))) {
      const code = 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE'
      throw new ChainError({ code, reason: 'ANSWERS_DIFFER', method })
    }
    return { ...first, agreeing: 1 + others.length }
  }
  return { method: null, transactions: series.calls.map(() => unknown), agreeing: 0 }
}

const unknown: SimulatedTransaction = {
  outcome: 'UNKNOWN',
  gasUsed: null,
  revert: null,
  net: null,
  changesControl: null,
}

type Simulated = Pick<SafeSimulation, 'method' | 'transactions'> | null

async function simulateBy(
  client: ChainClient,
  pin: Pin,
  series: SimulatedSeries,
): Promise<Simulated> {
  const overrides = overridesOf(series)
  return (
    (await unlessRefused(() => simulated(client, pin, series, overrides))) ??
    (await unlessRefused(() => traced(client, pin, series, overrides))) ??
    (await unlessRefused(() => called(client, pin, series, overrides)))
  )
}

/** Null if the node does not support the method or its arguments. */
async function unlessRefused<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    const isRefused =
      error instanceof ChainError &&
      (error.facts.reason === 'REQUEST_REFUSED' || error.facts.reason === 'INCONSISTENT_ANSWER')
    if (!isRefused) throw error
    return null
  }
}

function overridesOf({ chainId, safe, firstNonce, calls }: SimulatedSeries): StateOverrides {
  const hashes = calls.map((call, index) =>
    safeTransactionHash(chainId, safe.address, call, firstNonce + BigInt(index)),
  )
  return {
    ...approvedBySome(safe, firstNonce, hashes),
    [probe]: { code: balanceCode(safe.address) },
  }
}

const requestOf = ({ safe }: SimulatedSeries, call: SafeCall) => ({
  from: unusedAddress,
  to: safe.address,
  gas: numberToHex(maxGas),
  data: executionData(call, approvalSignatures(safe)),
})

async function simulated(
  client: ChainClient,
  pin: Pin,
  series: SimulatedSeries,
  stateOverrides: StateOverrides,
): Promise<Simulated> {
  const look = { from: unusedAddress, to: probe, gas: numberToHex(100_000n) }
  const calls = [look, ...series.calls.flatMap((call) => [requestOf(series, call), look])]
  const results = await simulateCalls(client, pin, calls, stateOverrides)
  const transactions: SimulatedTransaction[] = []
  for (const [index, call] of series.calls.entries()) {
    const [before, own, after] = results.slice(2 * index, 2 * index + 3)
    if (!before || !own || !after) throw inconsistentSimulation()
    const isDone = own.status === '0x1' && isTrue(own.returnData)
    const revert = isDone
      ? null
      : ((await failingCall(client, pin, series.safe.address, call)) ??
        revertWords(own.error?.data ?? own.returnData))
    const coin = hexToBigInt(after.returnData) - hexToBigInt(before.returnData)
    const logs = own.logs ?? []
    transactions.push({
      outcome: isDone ? 'SUCCESS' : 'REVERTED',
      revert,
      gasUsed: BigInt(own.gasUsed),
      net: isDone ? netOf(logs, series.safe.address, coin) : new Map(),
      changesControl: isDone && changesControl(logs, series.safe.address),
    })
  }
  return { method: 'eth_simulateV1', transactions }
}

async function simulateCalls(
  client: ChainClient,
  pin: Pin,
  calls: readonly object[],
  stateOverrides: StateOverrides,
): Promise<readonly Result[]> {
  const blockOverrides = { gasLimit: numberToHex(maxGas * BigInt(calls.length + 1)) }
  const blockStateCalls = [{ blockOverrides, stateOverrides, calls }]
  const answer = await ask<readonly { readonly calls: readonly Result[] }[]>(
    client,
    'eth_simulateV1',
    [{ blockStateCalls, validation: false, traceTransfers: false }, blockArgument(pin)],
  )
  const results = answer[0]?.calls
  if (results?.length !== calls.length) throw inconsistentSimulation()
  return results
}

const inconsistentSimulation = () =>
  new ChainError({
    code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
    reason: 'INCONSISTENT_ANSWER',
    method: 'eth_simulateV1',
  })

/**
 * A Safe does not report which call failed. This makes each call separately from the Safe and
 * returns the first failure.
 */
async function failingCall(
  client: ChainClient,
  pin: Pin,
  safe: Address,
  { to, value, data, operation }: SafeCall,
): Promise<string | null> {
  if (operation === 1) return null
  const call = { from: safe, to, data, value: numberToHex(value), gas: numberToHex(maxGas) }
  const [result] = await simulateCalls(client, pin, [call], {})
  if (!result || result.status === '0x1') return null
  return revertWords(result.error?.data ?? result.returnData)
}

function isTrue(data: Hex): boolean {
  return size(data) === 32 && decodeFunctionResult({ abi: executionResult, data })
}

function changesControl(logs: readonly Log[], safe: Address): boolean {
  return logs.some(
    ({ address, topics: [kind] }) =>
      getAddress(address) === safe && kind !== undefined && controlTopics.includes(kind),
  )
}

/** Balance changes per token by Transfer logs, plus the native coin; omits zero changes. */
function netOf(logs: readonly Log[], safe: Address, coin: bigint): ReadonlyMap<string, bigint> {
  const net = new Map<string, bigint>()
  for (const { address, topics, data } of logs) {
    const [kind, from, to] = topics
    // A token of another standard logs its id as a fourth topic, and no amount.
    if (kind !== transferTopic || topics.length !== 3 || size(data) !== 32) continue
    const amount = hexToBigInt(data)
    const asset = getAddress(address)
    const add = (signed: bigint) => net.set(asset, (net.get(asset) ?? 0n) + signed)
    if (from && addressOf(from) === safe) add(-amount)
    if (to && addressOf(to) === safe) add(amount)
  }
  if (coin !== 0n) net.set('native', coin)
  return new Map([...net].filter(([, delta]) => delta !== 0n))
}

const addressOf = (topic: Hex): Address => getAddress(slice(topic, 12))

interface Frame {
  readonly type: string
  readonly from: Address
  readonly to?: Address
  readonly value?: Hex
  readonly gasUsed: Hex
  readonly output?: Hex
  readonly error?: string
  readonly calls?: readonly Frame[]
  readonly logs?: readonly Log[]
}

async function traced(
  client: ChainClient,
  pin: Pin,
  series: SimulatedSeries,
  stateOverrides: StateOverrides,
): Promise<Simulated> {
  const [call, ...others] = series.calls
  if (!call) return null
  const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true }, stateOverrides }
  const frame = await ask<Frame>(client, 'debug_traceCall', [
    ...[requestOf(series, call), blockArgument(pin), tracer],
  ])
  const isDone = frame.error === undefined && isTrue(frame.output ?? '0x')
  const frames = collectSucceeded(frame)
  const logs = frames.flatMap((one) => one.logs ?? [])
  const { address } = series.safe
  const first: SimulatedTransaction = {
    outcome: isDone ? 'SUCCESS' : 'REVERTED',
    gasUsed: BigInt(frame.gasUsed),
    revert: isDone ? null : revertWords(frame.output ?? '0x'),
    net: isDone ? netOf(logs, address, coinOf(frames, address)) : new Map(),
    changesControl: isDone && changesControl(logs, address),
  }
  return { method: 'debug_traceCall', transactions: [first, ...others.map(() => unknown)] }
}

/** Calls that were not reverted. */
function collectSucceeded(frame: Frame): Frame[] {
  if (frame.error !== undefined) return []
  return [frame, ...(frame.calls ?? []).flatMap(collectSucceeded)]
}

function coinOf(frames: readonly Frame[], safe: Address): bigint {
  return frames.reduce((sum, { type, from, to, value }) => {
    // A delegate call repeats the value of its caller without moving funds.
    if (type === 'DELEGATECALL' || type === 'CALLCODE' || value === undefined) return sum
    const amount = BigInt(value)
    const out = getAddress(from) === safe ? amount : 0n
    const into = to !== undefined && getAddress(to) === safe ? amount : 0n
    return sum + into - out
  }, 0n)
}

async function called(
  client: ChainClient,
  pin: Pin,
  series: SimulatedSeries,
  stateOverrides: StateOverrides,
): Promise<Simulated> {
  const [call, ...others] = series.calls
  if (!call) return null
  const request = [requestOf(series, call), blockArgument(pin), stateOverrides]
  let isDone: boolean
  try {
    isDone = isTrue(await ask<Hex>(client, 'eth_call', request))
  } catch (error) {
    if (!(error instanceof CallRevertedError)) throw error
    isDone = false
  }
  const first: SimulatedTransaction = isDone
    ? { ...unknown, outcome: 'SUCCESS' }
    : { ...unknown, outcome: 'REVERTED', revert: 'The Safe reverted the whole transaction.' }
  return { method: 'eth_call', transactions: [first, ...others.map(() => unknown)] }
}
