import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { delegateDigest } from '@liquidity-os/localchain'
import { type Address, type Hex, recoverAddress } from 'viem'

interface Queued {
  readonly nonce: string
  readonly isExecuted?: boolean
  readonly transactionHash?: string | null
  readonly confirmations: readonly {
    readonly owner: string
    readonly signature: string | null
  }[]
}

interface Delegate {
  readonly safe: string | null
  readonly delegate: string
  readonly delegator: string
  readonly label: string
}

interface Posted {
  readonly contractTransactionHash: string
  readonly nonce: string
  readonly sender: string
  readonly signature: string
}

export interface SafeServiceServer {
  readonly url: string
  /** Chain that it reports. */
  chainId: number
  /** Transactions by Safe hash. */
  readonly queue: Map<string, Queued>
  /** Delegates that owners registered with their signatures. */
  readonly delegates: Delegate[]
  /** Bodies of added transactions. */
  readonly posted: Posted[]
  /** Authorization headers of the requests. */
  readonly authorizations: (string | undefined)[]
  /** Replaces every response, for example by an error page. */
  broken: { readonly status: number; readonly body: string } | null
  readonly stop: () => Promise<void>
}

/** A server with the requests of the Safe Transaction Service that the product sends. */
export async function startSafeService(): Promise<SafeServiceServer> {
  const server = createServer((request, response) => {
    const { url = '', headers, method } = request
    service.authorizations.push(headers.authorization)
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (service.broken) return send(service.broken.status, service.broken.body)
    const { pathname } = new URL(url, 'http://service')
    if (pathname === '/api/v1/about/ethereum-rpc/') {
      return send(200, { version: 'anvil', block_number: 1, chain_id: service.chainId })
    }
    if (pathname === '/api/v2/delegates/') {
      const { searchParams } = new URL(url, 'http://service')
      if (method === 'POST') {
        void text(request).then(async (body) => {
          const posted = JSON.parse(body) as Delegate & { signature: Hex }
          const { signature, ...delegate } = posted
          const digest = delegateDigest(
            service.chainId,
            delegate.delegate as Address,
            Date.now() / 1000,
          )
          const signer = await recoverAddress({ hash: digest, signature })
          if (signer !== delegate.delegator) return send(400, { nonFieldErrors: ['signature'] })
          service.delegates.push(delegate)
          return send(201, delegate)
        })
        return
      }
      // Exact filters, as `DelegateListFilter` of the service: `safe` excludes delegates of all Safes.
      const filters = (['safe', 'delegate', 'delegator', 'label'] as const).flatMap((name) => {
        const value = searchParams.get(name)
        return value === null ? [] : [{ name, value }]
      })
      if (filters.length === 0) return send(400, { nonFieldErrors: ['At least one query param'] })
      const found = service.delegates
        .filter((one) => filters.every(({ name, value }) => one[name] === value))
        .map((one) => ({ ...one, expiryDate: null }))
      const [offset, limit] = [searchParams.get('offset'), searchParams.get('limit')].map(Number)
      const end = offset! + Math.min(limit || 50, 100)
      const next = end < found.length ? `${service.url}${pathname}?offset=${end}` : null
      const results = found.slice(offset, end)
      return send(200, { count: found.length, next, previous: null, results })
    }
    if (method === 'POST') {
      void text(request).then((body) => {
        const posted = JSON.parse(body) as Posted
        const { contractTransactionHash, nonce, sender, signature } = posted
        service.posted.push(posted)
        service.queue.set(contractTransactionHash, {
          nonce,
          confirmations: [{ owner: sender, signature }],
        })
        send(201, {})
      })
      return
    }
    const [, hash] = /^\/api\/v2\/multisig-transactions\/(0x[0-9a-f]{64})\/$/.exec(pathname) ?? []
    const found = hash === undefined ? undefined : service.queue.get(hash)
    if (found) return send(200, shown(`${hash}`, found))
    if (/^\/api\/v2\/safes\/0x[0-9a-fA-F]{40}\/multisig-transactions\/$/.test(pathname)) {
      const waiting = [...service.queue].filter(([, one]) => !one.isExecuted)
      const results = waiting.map(([safeTxHash, one]) => shown(safeTxHash, one))
      return send(200, { count: results.length, next: null, previous: null, results })
    }
    return send(404, { detail: 'No MultisigTransaction matches the given query.' })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const service: SafeServiceServer = {
    url: `http://127.0.0.1:${port}`,
    chainId: 31_337,
    queue: new Map(),
    delegates: [],
    posted: [],
    authorizations: [],
    broken: null,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return service
}

const shown = (safeTxHash: string, queued: Queued) => ({
  safeTxHash,
  nonce: queued.nonce,
  isExecuted: queued.isExecuted ?? false,
  transactionHash: queued.transactionHash ?? null,
  confirmations: queued.confirmations.map(({ owner, signature }) => ({
    owner,
    submissionDate: '2026-01-05T12:00:00.000000Z',
    transactionHash: null,
    signature,
    signatureType: 'EOA',
  })),
})
