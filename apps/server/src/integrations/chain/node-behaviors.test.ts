import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type FaultyNode, startFaultyNode } from '@liquidity-os/localchain/faulty-node'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ChainError } from './chain-error.ts'
import { assertChains, type ChainClient, chainClient } from './client.ts'
import { agreeOnCurrentHead, agreeOnFinalizedHead, pinBlock } from './finalized.ts'
import { readInChunks } from './index-logs.ts'
import { digestOfLogs, findDisagreement, readMatchingLogs } from './log-digest.ts'
import { hasLogs, probeProvider } from './probe.ts'
import type { Markets } from './testing/markets.ts'
import { ReorganizedError, readPool as readMarket, tradedPool } from './testing/pool-behind-node.ts'
import { virtualPace } from './testing/virtual-pace.ts'

let chain: Localchain
let markets: Markets
const nodes: FaultyNode[] = []
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await tradedPool(chain)
})
afterEach(() => Promise.all(nodes.splice(0).map((node) => node.stop())))
afterAll(() => chain.stop())

const key = 'aB3dE6gH9jK2'

/** A client of a node with named behaviors, in virtual time. */
async function clientOf(behaviors: readonly string[], timeoutMs = 2000) {
  const virtual = virtualPace()
  const node = await startFaultyNode(chain.rpcUrl, { behaviors, now: virtual.clock.now })
  nodes.push(node)
  const client = chainClient({
    endpoint: `${node.url}/v2/${key}`,
    chainId: 31337,
    fetch,
    timeoutMs,
    pace: virtual.pace,
    maximumWaitMs: 60_000,
    isWaitRefilled: true,
  })
  return { ...virtual, node, client }
}

/** Events and finalized block of the pool. */
const readPool = (client: ChainClient) => readMarket(client, markets)

const readDirect = () =>
  readPool(chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000, chainId: 31337 }))

interface Learned {
  /** Largest number of calls per request in the end. */
  readonly batch?: number
  /** Largest number of blocks per log request in the end. */
  readonly width?: number
  readonly isPaused?: boolean
}

const served: readonly (readonly [string, Learned])[] = [
  ['free-tier', { batch: 3, isPaused: true }],
  ['batch-limit:3', { batch: 3 }],
  ['batch-none', { batch: 1 }],
  ['batch-truncate:4', { batch: 4 }],
  ['batch-reorder', {}],
  ['batch-string-ids', {}],
  ['batch-mixed-errors', { isPaused: true }],
  ['rate-429:5', { isPaused: true }],
  ['rate-429-no-header:5', { isPaused: true }],
  ['rate-429-http-date:5', { isPaused: true }],
  ['rate-32005:5', { isPaused: true }],
  ['rate-in-items:20', { isPaused: true }],
  ['rate-403-retry-after:5', { isPaused: true }],
  ['range-limit:50', { width: 50 }],
  ['range-limit:1', { width: 1 }],
  ['range-data-only:50', { width: 50 }],
  ['range-as-block-not-found:50', {}],
  ['range-413:50', {}],
  ['results-limit:3', {}],
  ['no-proof', {}],
  ['no-simulate', {}],
  ['no-hash-pin', {}],
  ['pruned-state', {}],
  ['zero-bloom', {}],
  ['batch-limit:3,range-limit:50,rate-429:5', { batch: 3, width: 50, isPaused: true }],
]

describe('a pool behind a node', () => {
  it.each(served)('with %s is read as from the node itself', async (name, learned) => {
    const { client, pace, waits } = await clientOf(name.split(','))
    expect(await readPool(client)).toEqual(await readDirect())
    if (learned.batch) expect(pace.batchCalls).toBeLessThanOrEqual(learned.batch)
    if (learned.width) expect(pace.logBlocks).toBeLessThanOrEqual(learned.width)
    expect(waits.length > 0).toBe(learned.isPaused === true)
  })

  it.each([
    ['quota-day:5', 'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED', 'QUOTA_EXHAUSTED'],
    ['auth-401', 'LIQUIDITY_CHAIN_REQUEST_REFUSED', 'REQUEST_REFUSED'],
    ['html-502', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'HTTP_STATUS'],
    ['cut-body', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'NETWORK'],
    ['timeout', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'TIMEOUT'],
    ['wrong-chain', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'INCONSISTENT_ANSWER'],
    ['extra-log', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'INCONSISTENT_ANSWER'],
    ['forged-log', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'INCONSISTENT_ANSWER'],
    ['drip', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'TIMEOUT'],
    ['gzip-bomb', 'LIQUIDITY_CHAIN_UNAVAILABLE', 'ANSWER_TOO_LARGE'],
    ['pruned-logs', 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', 'STATE_PRUNED'],
    ['no-finalized:1', 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', 'UNKNOWN_BLOCK'],
    ['no-finalized:2', 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', 'UNKNOWN_BLOCK'],
    ['no-finalized:3', 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', 'UNKNOWN_BLOCK'],
    ['no-finalized:4', 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', 'UNKNOWN_BLOCK'],
  ])('with %s is not read, for a known reason', async (name, code, reason) => {
    const { client } = await clientOf([name], name === 'gzip-bomb' ? 5000 : 200)
    await expect(readPool(client)).rejects.toMatchObject({ code, facts: { reason } })
  })

  it('is read in smaller ranges if wide ones have no response', async () => {
    const { client } = await clientOf(['range-hang:200'], 300)
    expect(await readPool(client)).toEqual(await readDirect())
  })

  it('with a chain that was replaced is noticed as reorganized', async () => {
    const { client } = await clientOf(['wrong-hash'])
    await expect(readPool(client)).rejects.toBeInstanceOf(ReorganizedError)
    const { client: later } = await clientOf(['reorg:2'])
    await expect(readPool(later)).rejects.toBeInstanceOf(ReorganizedError)
  })

  it.each(['drop-log', 'truncate-20:5'])('with %s differs from another node', async (name) => {
    const [faulty, other] = [await clientOf([name]), await clientOf([])]
    const { head, events } = await readPool(faulty.client)
    expect(events.length).toBeLessThan((await readDirect()).events.length)
    const query = { address: markets.pool.address }
    const range = { from: 0, to: head.number, logChunkBlocks: 1000 }
    const logs = await readInChunks(faulty.client, range, (from, to) =>
      readMatchingLogs(faulty.client, query, from, to),
    )
    const reported = { fromBlock: 0, to: head, digest: digestOfLogs(logs) }
    expect(await findDisagreement(other.client, query, reported)).toMatch(
      /^the logs of blocks 0 to/,
    )
  })

  it('that lags far behind is left out while two others are current', async () => {
    const behind = await clientOf(['lag:100'])
    const [current, second] = [await clientOf([]), await clientOf([])]
    const clients = [behind.client, current.client, second.client] as const
    const agreed = await agreeOnCurrentHead(clients, 'finalized', Date.now())
    const direct = await readDirect()
    expect(agreed.head.number).toBe(direct.head.number)
    expect(agreed.clients).toEqual([current.client, second.client])
    // Without a second current provider, both agree on the block of the provider that is behind.
    const pair = await agreeOnCurrentHead([behind.client, current.client], 'finalized', Date.now())
    expect(pair.agreeing).toBe(2)
    expect(pair.head.number).toBeLessThan(direct.head.number - 64)
    // A few blocks are no lag: both providers agree on the lower block.
    const late = await clientOf(['lag:3'])
    const both = await agreeOnCurrentHead([late.client, current.client], 'finalized', Date.now())
    expect(both.agreeing).toBe(2)
    expect(both.head.number).toBeLessThan(direct.head.number)
  })

  it('whose quota is used up is left out, unless it is the only one', async () => {
    const [exhausted, other] = [await clientOf(['quota-day:1']), await clientOf([])]
    await assertChains([exhausted.client])
    const agreed = await agreeOnCurrentHead(
      [exhausted.client, other.client],
      'finalized',
      Date.now(),
    )
    expect([agreed.clients, agreed.limitations]).toEqual([[other.client], ['SINGLE_RPC_PROVIDER']])
    await expect(
      agreeOnCurrentHead([exhausted.client], 'finalized', Date.now()),
    ).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED',
    })
  })
})

it('capabilities that a node lacks are found by its probe', async () => {
  const names = ['no-finalized', 'no-hash-pin', 'no-proof', 'no-simulate', 'pruned-state']
  const { client } = await clientOf(names)
  const { capabilities, facts } = await probeProvider(client, { chainId: 31337, finality: 2 })
  expect(capabilities).toEqual([])
  expect(facts).toMatchObject({ proofs: 'NOT_SERVED', simulateV1: 'NOT_SERVED' })
  const whole = await clientOf([])
  const direct = await probeProvider(whole.client, { chainId: 31337, finality: 'finalized' })
  expect(direct.capabilities).toEqual(['FINALIZED_TAG', 'EIP_1898', 'ARCHIVE'])
  const final = Number(direct.facts.finalizedBlock)
  expect(direct.facts).toMatchObject({
    proofs: 'SERVED',
    simulateV1: 'SERVED',
    stateDepthBlocks: `${final - 1}`,
    logDepthBlocks: `${final - 1}`,
  })
  const pruned = await clientOf([`pruned-logs:${final - 130}`, 'pruned-state'])
  const shallow = await probeProvider(pruned.client, { chainId: 31337, finality: 'finalized' })
  expect(shallow.facts).toMatchObject({ stateDepthBlocks: '127', logDepthBlocks: '127' })
  expect(await hasLogs(pruned.client, 1)).toBe(false)
})

it.each([
  [56, 15],
  [137, 256],
  [31337, 64],
])(
  'a node of chain %i without finalized blocks fails its probe, which proposes %i',
  async (chainId, depth) => {
    for (const form of [1, 2, 3, 4, 5]) {
      const { client } = await clientOf([`no-finalized:${form}`])
      const { checks } = await probeProvider(client, { chainId, finality: 'finalized' })
      expect(checks.find(({ code }) => code === 'FINALIZED_BLOCK')).toMatchObject({
        ok: false,
        observed: `NOT_OBTAINABLE: the node has no finalized blocks; set configuration.finality to ${depth}`,
      })
    }
  },
)

it('a key that a node repeats is nowhere in the error', async () => {
  const { client } = await clientOf(['secret-echo'])
  const error = await readPool(client).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(ChainError)
  const { message, stack, facts, cause } = error as ChainError
  expect(facts.providerText).toContain('No access with key')
  expect(JSON.stringify([message, stack, facts, `${cause}`])).not.toContain(key)
  const lines: string[] = []
  pino({}, { write: (line) => lines.push(line) }).warn({ err: error }, 'The chain was not read.')
  expect(lines.join('')).toContain('REQUEST_REFUSED')
  expect(lines.join('')).not.toContain(key)
})

it('behaviors change while the node runs, and its calls can be read', async () => {
  const { client, node } = await clientOf(['auth-401'])
  await expect(assertChains([client])).rejects.toMatchObject({ facts: { httpStatus: 401 } })
  const change = (names: unknown) =>
    fetch(`${node.url}/__behaviors`, { method: 'PUT', body: JSON.stringify(names) })
  expect((await change(['batch-limit:2'])).status).toBe(200)
  await assertChains([client])
  const refused = await change(['batch-limit:zero'])
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: expect.stringContaining('Unknown behavior batch-limit:zero') },
  ])
  const calls = (await (await fetch(`${node.url}/__requests`)).json()) as { method: string }[]
  expect(calls.map(({ method }) => method)).toEqual(['eth_chainId'])
  const head = await agreeOnFinalizedHead([client], 'finalized')
  expect(await pinBlock(client, head.head)).toMatchObject({ form: 'HASH' })
})
