import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '@liquidity-os/client'
import type { Benchmark } from './benchmark.ts'
import { blockOf, swapsPerBlock } from './indexing/swap-stream.ts'
import { startProgram, temporaryFolder } from './processes.ts'
import type { Caller } from './start-product.ts'

/** Swaps of one round, and the maximum over all rounds. */
const swapsPerRound = 100_000
const allSwaps = 1_000_000
const blocksAtOnce = 2000
const headersAtOnce = 100

/**
 * An index job through the API, from the request to its end: logs, headers, signers, replay, sealing, writing.
 * Limit: the same node asked for the same logs and headers and nothing done with them. Each round goes on where
 * the last ended, so its peak memory tells what a longer history costs.
 */
export const indexing: Benchmark = {
  name: 'indexing',
  title: `an index job of ${swapsPerRound} swaps, ${swapsPerBlock} a block, from a node that generates them`,
  units: { product: 'events/min', node: 'events/min', peakMemory: 'MB', firstPeak: 'MB' },
  comparisons: [
    { name: 'events a minute', of: 'product', mark: { atLeast: 50_000 } },
    { name: 'job / logs and headers', of: 'product', to: 'node', mark: null },
    { name: 'peak / peak of round one', of: 'peakMemory', to: 'firstPeak', mark: { atMost: 1.5 } },
  ],
  open: async () => {
    const folder = temporaryFolder()
    const node = await startProgram<{ url: string; address: string }>(
      'bench/indexing/swap-node.ts',
      {},
      [`${allSwaps}`],
    )
    const { url, address } = node.said
    const environment = { DATA_DIR: folder.path, OUTBOUND_ALLOW: new URL(url).host }
    const product = await startProgram<Said>('bench/indexing/indexing-server.ts', environment, [
      address,
    ])
    const { baseUrl, caller, venueId, pid } = product.said
    const client = createClient({ baseUrl, ...caller })
    await registerNode(client, url)
    let firstPeak = 0
    return {
      round: async (index) => {
        const [first, last] = [index * swapsPerRound, (index + 1) * swapsPerRound - 1]
        if (last >= allSwaps) throw new Error('The node has swaps for ten rounds.')
        const range = { from: index === 0 ? 1 : blockOf(first), to: blockOf(last) }
        const alone = await timed(() => readAlone(url, address, range))
        const whole = await timed(() => indexTo(client, venueId, range.to))
        const peakMemory = peakOf(pid)
        firstPeak ||= peakMemory
        const rate = (seconds: number) => (swapsPerRound / seconds) * 60
        return { product: rate(whole), node: rate(alone), peakMemory, firstPeak }
      },
      close: async () => {
        await product.stop()
        await node.stop()
        folder.remove()
      },
    }
  },
}

interface Said {
  baseUrl: string
  caller: Caller
  venueId: string
  pid: number
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Peak resident set of a process, in megabytes. */
function peakOf(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? Number.NaN) / 1024
}

async function registerNode(client: Client, endpoint: string): Promise<void> {
  await client.putOperatingSystemProvider({
    body: {
      payload: {
        providerId: 'swap-node',
        kind: 'CHAIN_RPC',
        displayName: 'Swaps of the benchmark',
        endpoint,
        configuration: { chainId: 31337, finality: 'finalized', timeoutMilliseconds: 15_000 },
      },
      reason: 'For the benchmark',
    },
  })
}

/** Runs an index job to a block and waits for its end. */
async function indexTo(client: Client, id: string, toBlock: number): Promise<void> {
  const payload = { mode: 'FULL', toBlock } as const
  const queued = await client.queueVenueIndex({
    params: { id },
    body: { payload, reason: 'For the benchmark' },
  })
  for (;;) {
    const { body } = await client.listOperatingSystemJobs()
    const job = body.data.find((some) => some.id === queued.body.data.id)
    if (job?.status === 'COMPLETED') return
    if (job?.status === 'FAILED') throw new Error(JSON.stringify(job))
    await wait(200)
  }
}

/** The logs of a range in chunks, and the header of every block in it, as a job asks for them. */
async function readAlone(
  url: string,
  address: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const hex = (value: number) => `0x${value.toString(16)}`
  const ask = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.json()
  }
  for (let start = from; start <= to; start += blocksAtOnce) {
    const end = Math.min(to, start + blocksAtOnce - 1)
    const filter = { address, fromBlock: hex(start), toBlock: hex(end) }
    await ask({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] })
    for (let block = start; block <= end; block += headersAtOnce) {
      const count = Math.min(headersAtOnce, end - block + 1)
      const method = 'eth_getBlockByNumber'
      await ask(
        Array.from({ length: count }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method,
          params: [hex(block + id), false],
        })),
      )
    }
  }
}
