import type { Localchain } from '@liquidity-os/localchain'
import {
  type Behaviour,
  type FaultyNode,
  startFaultyNode,
} from '@liquidity-os/localchain/faulty-node'
import { assertChains, type ChainClient, chainClient } from '../client.ts'
import { agreeOnFinalizedHead, pinBlock } from '../finalized.ts'
import { indexEvents } from '../index-events.ts'
import type { RpcPace } from '../rpc-pace.ts'
import { deployMarkets, type Markets } from './markets.ts'
import { virtualPace } from './virtual-pace.ts'

/** A pool with trades over several hundred blocks. */
export async function tradedPool(chain: Localchain): Promise<Markets> {
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  for (let swap = 0; swap < 10; swap += 1) {
    await markets.swap(swap % 3 === 0, 10n ** 15n)
    if (swap % 3 === 0) await chain.mine(100)
  }
  await chain.mine(3)
  return markets
}

export class ReorganizedError extends Error {}

/** Events and finalized block of a pool, as an index job reads them. */
export async function readPool(client: ChainClient, { pool: { address } }: Markets) {
  await assertChains([client])
  const { head } = await agreeOnFinalizedHead([client], 'finalized')
  await pinBlock(client, head)
  const range = { fromBlock: 0, to: head, logChunkBlocks: 1000 }
  const events: unknown[] = []
  for await (const step of indexEvents(client, { kind: 'UNISWAP_V3', address, ...range })) {
    if (step.outcome !== 'EVENTS') throw new ReorganizedError()
    events.push(...step.events)
  }
  return { head, events }
}

export interface NodeRun {
  readonly client: ChainClient
  readonly pace: RpcPace
  /** Pauses in ms. */
  readonly waits: readonly number[]
}

/** A node with changing behaviors, in virtual time, with remembered responses of the chain. */
export async function startChangingNode(chain: Localchain) {
  const responses = new Map<string, Promise<{ result?: unknown }>>()
  let now = () => 0
  const remember: Behaviour = (call, forward) => {
    const key = JSON.stringify([call.method, call.params])
    const response = responses.get(key) ?? forward(call)
    responses.set(key, response)
    return response
  }
  const node: FaultyNode = await startFaultyNode(chain.rpcUrl, {
    behave: remember,
    now: () => now(),
  })
  /** A new client, whose node has the behaviors. */
  const run = (behaviors: readonly string[], timeoutMs: number): NodeRun => {
    const { pace, waits, clock } = virtualPace()
    now = clock.now
    node.setBehaviors(behaviors)
    const client = chainClient({
      endpoint: `${node.url}/v2/aB3dE6gH9jK2`,
      chainId: 31337,
      fetch,
      timeoutMs,
      pace,
      maximumWaitMs: 60_000,
      isWaitRefilled: true,
    })
    return { client, pace, waits }
  }
  return { node, run }
}
