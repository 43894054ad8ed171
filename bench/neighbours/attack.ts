import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { contract } from '../../packages/contract/src/index.ts'
import { type ProductServer, productHeaders, productUrl } from '../http/mutations.ts'
import { venueBody } from '../http/workload.ts'

export type AttackName = 'provider' | 'streams' | 'receivers' | 'studies' | 'documents' | 'bodies'

/** Load of one organization on the service; runs until it is stopped. */
const [name, server, port] = [
  process.argv[2] as AttackName,
  JSON.parse(process.argv[3] ?? '') as ProductServer,
  Number(process.argv[4]),
]
const root = `http://127.0.0.1:${server.port}`
const outside = `http://127.0.0.1:${port}`

async function listen(answer: RequestListener): Promise<void> {
  const server = createServer(answer)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

async function post(path: string, body: string, signal?: AbortSignal): Promise<void> {
  const answer = await fetch(productUrl(server, path), {
    method: 'POST',
    headers: { ...productHeaders(server), 'idempotency-key': randomUUID() },
    body,
    ...(signal ? { signal } : {}),
  })
  await answer.arrayBuffer()
}

/** Runs the work in this number of endless loops. */
function keepDoing(places: number, work: (turn: number) => Promise<unknown>): void {
  let turn = 0
  const again = async (): Promise<never> => {
    for (;;) await work(turn++).catch(() => {})
  }
  for (let index = 0; index < places; index += 1) void again()
}

const brackets = Buffer.from(`[${'[],'.repeat(8_000_000)}[]]`)

const attacks: Readonly<Record<AttackName, () => Promise<void>>> = {
  provider: async () => {
    await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(brackets)
    })
    keepDoing(4, (turn) => {
      const payload = {
        providerId: `hostile-${turn}`,
        kind: 'CHAIN_RPC',
        displayName: 'Hostile',
        endpoint: outside,
        configuration: { chainId: 1, finality: 'finalized' },
      }
      return post('/providers', JSON.stringify({ payload, reason: 'For the benchmark' }))
    })
  },
  streams: async () => {
    const path = `/auth/organizations/${server.organizationId}/job-events`
    keepDoing(70, async () => {
      const left = new AbortController()
      const answer = await fetch(root + path, {
        headers: { cookie: server.cookie },
        signal: left.signal,
      })
      left.abort()
      return answer
    })
  },
  receivers: async () => {
    // Accepts the request and never responds.
    await listen(() => {})
    for (let receiver = 0; receiver < 12; receiver += 1) {
      const payload = { url: `${outside}/${receiver}`, eventKinds: ['*'] }
      await post('/webhooks', JSON.stringify({ payload, reason: 'For the benchmark' }))
    }
    const body = venueBody()
    keepDoing(2, () => {
      const address = randomBytes(20).toString('hex')
      return post('/venues', body.replace('@NUMBER@', address))
    })
  },
  studies: async () => {
    const body = JSON.stringify(contract.runNonCustodialSandboxStudy.example.body)
    const { path } = contract.runNonCustodialSandboxStudy
    keepDoing(60, () => post(path, body))
  },
  documents: async () => {
    keepDoing(1, async (turn) => {
      const urls = [`${root}/docs/api/js/scalar.js`, productUrl(server, '/openapi.json')]
      void fetch(urls[turn % 2] ?? '', { headers: { 'accept-encoding': 'identity' } })
        .then((answer) => answer.arrayBuffer())
        .catch(() => {})
      await new Promise((done) => setTimeout(done, 50))
    })
  },
  bodies: async () => {
    const members = Object.fromEntries(
      Array.from({ length: 60_000 }, (_, index) => [`member${index}`, 1]),
    )
    const body = JSON.stringify({ payload: members, reason: 'For the benchmark' })
    keepDoing(8, () => post('/venues', body))
  },
}

await attacks[name]()
process.stdout.write('{}\n')
