import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { type Client, createClient } from '@liquidity-os/client'
import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import type { Benchmark } from './benchmark.ts'
import type { ProductServer } from './http/mutations.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const tokens = 24
/**
 * Each round uses two of the nine accounts of the chain, because holdings of an account belong to
 * its comparison.
 */
const holders = 2
/** Concurrent requests of the replay. */
const replayed = 8

/**
 * RPC calls of the treasury: entering holdings with proofs, and reconciling all of them. Limit:
 * the same requests sent again to the node without processing.
 */
export const books: Benchmark = {
  name: 'books',
  title: `${tokens * holders} holdings of ${tokens} tokens in ${holders} accounts: entered one by one, and compared with the chain`,
  units: {
    entry: 'ms',
    entryRaw: 'ms',
    entryCalls: '',
    preview: 'ms',
    previewRaw: 'ms',
    previewCalls: '',
  },
  comparisons: [
    { name: 'an entry / its requests', of: 'entry', to: 'entryRaw', mark: { atMost: 3 } },
    {
      name: 'a reconciliation / its requests',
      of: 'preview',
      to: 'previewRaw',
      mark: { atMost: 3 },
    },
  ],
  open: async () => {
    const chain = await startLocalchain()
    const node = await recordingNode(chain.rpcUrl)
    const folder = temporaryFolder()
    const product = await startProgram<ProductServer>('bench/http/product-server.ts', {
      DATA_DIR: folder.path,
      OUTBOUND_ALLOW: new URL(node.url).host,
    })
    const { port, organizationId, cookie, origin } = product.said
    const [cookieName = '', value = ''] = cookie.split('=')
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      organizationId,
      auth: { kind: 'session', cookieName, cookie: value, origin },
    })
    await registerNode(client, node.url)
    return {
      round: async (index) => {
        const holdings = await newHoldings(chain, index)
        const entered = await node.measure(async () => {
          for (const holding of holdings) await enter(client, holding)
        })
        const compared = await node.measure(() => compare(client))
        const each = holdings.length
        return {
          entry: entered.product / each,
          entryRaw: entered.raw / each,
          entryCalls: entered.calls / each,
          preview: compared.product,
          previewRaw: compared.raw,
          previewCalls: compared.calls,
        }
      },
      close: async () => {
        await product.stop()
        await node.stop()
        await chain.stop()
        folder.remove()
      },
    }
  },
}

/** A node that forwards every request and records it. */
async function recordingNode(target: string) {
  let requests: string[] = []
  const forward = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body })
    return answer.text()
  }
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      requests.push(body)
      response.setHeader('content-type', 'application/json')
      response.end(await forward(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    await answer.text()
  }
  return {
    url,
    /** Milliseconds of the work, and of its RPC requests alone. */
    measure: async (work: () => Promise<void>) => {
      requests = []
      const start = performance.now()
      await work()
      const product = performance.now() - start
      const bodies = requests
      requests = []
      const again = performance.now()
      let next = 0
      const worker = async () => {
        for (let place = next++; place < bodies.length; place = next++) await send(bodies[place]!)
      }
      await Promise.all(Array.from({ length: replayed }, worker))
      return { product, raw: performance.now() - again, calls: bodies.length }
    },
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

interface Holding {
  readonly asset: string
  readonly chainId: number
  readonly address: string
}

/** New tokens in every round, so each is entered for the first time. */
async function newHoldings(chain: Localchain, round: number): Promise<Holding[]> {
  const { chainId } = chain
  const found: Holding[] = []
  for (let token = 0; token < tokens; token += 1) {
    for (let holder = 1; holder <= holders; holder += 1) {
      const account = chain.accounts[round * holders + holder]
      if (!account) throw new Error('The chain has accounts for four rounds.')
      const { address } = account
      const terms = { name: `Token ${token}`, symbol: 'T', supply: 1000n }
      const deployed = await chain.deployToken(terms, address)
      found.push({ asset: `eip155:${chainId}/erc20:${deployed.toLowerCase()}`, chainId, address })
    }
  }
  await chain.mine(70)
  return found
}

async function enter(client: Client, { asset, chainId, address }: Holding): Promise<void> {
  await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Reserve',
        asset,
        purpose: 'RUNWAY_RESERVE',
        container: { kind: 'EOA', chainId, address },
      },
      reason: 'For the benchmark',
    },
  })
}

/** Compares every entry with the chain; all must agree. */
async function compare(client: Client): Promise<void> {
  const { body } = await client.previewTreasuryReconciliation({
    body: { scope: { kind: 'ENTRIES', entries: await newest(client) } } as never,
  })
  if (body.data.agreement !== 'AGREED') throw new Error(`The books are ${body.data.agreement}.`)
}

async function newest(client: Client) {
  const { body } = await client.listTreasuryEntries({ query: { limit: tokens * holders } })
  return body.data.map(({ resourceType, id, resourceVersion }) => ({
    resourceType,
    id,
    resourceVersion,
  }))
}

async function registerNode(client: Client, endpoint: string): Promise<void> {
  await client.putOperatingSystemProvider({
    body: {
      payload: {
        providerId: 'node',
        kind: 'CHAIN_RPC',
        displayName: 'Node',
        endpoint,
        configuration: { chainId: 31_337, finality: 'finalized', timeoutMilliseconds: 15_000 },
      },
      reason: 'For the benchmark',
    },
  })
}
