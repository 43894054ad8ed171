import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { limits as usual } from './limits.ts'
import { announce, print } from './print.ts'
import { exitCodeOf, runUpgrade, type Settings } from './run.ts'
import type { Stage, Target } from './stage.ts'

/** A fraction of a second of load. */
const settings: Settings = {
  before: 'b'.repeat(40),
  after: 'a'.repeat(40),
  seconds: 1,
  rate: 150,
  seed: 24,
}
const limits = { ...usual, before: 100, alone: 100, again: 100, answer: 2_000 }

interface Reply {
  readonly status: number
  readonly body: string
}

/** The data of a service that two nodes share. */
class FakeService {
  readonly #replies = new Map<string, Reply>()
  readonly #records = new Map<string, { id: string; resourceVersion: string; status: string }>()
  readonly #emails = new Set<string>()

  /** A node; `spoil` may answer in its stead. */
  async listen(name: Target['name'], spoil: Spoil): Promise<Target> {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      if (spoil(name, request, response)) return
      const key = request.headers['idempotency-key'] as string | undefined
      const known = key === undefined ? undefined : this.#replies.get(key)
      const reply = known ?? this.#reply(request.method ?? '', request.url ?? '', body)
      if (key !== undefined) this.#replies.set(key, this.#repeated(reply))
      const replayed = known ? { 'idempotency-replayed': 'true' } : {}
      response.writeHead(reply.status, replayed).end(reply.body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return { name, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  #reply(method: string, url: string, body: string): Reply {
    const path = new URL(url, 'http://service').pathname
    const last = decodeURIComponent(path.split('/').at(-1) ?? '')
    if (path.includes('/members')) return this.#member(method, last, body)
    if (method === 'GET') {
      if (!/_\d+$/.test(last)) return { status: 200, body: '{"data":[]}' }
      const record = this.#records.get(last)
      return record ? replyWith(200, record) : replyWith(404, null)
    }
    if (method === 'DELETE') {
      this.#records.delete(last)
      return { status: 204, body: '' }
    }
    const isNew = method === 'POST'
    const id = isNew ? `${last}_${this.#records.size + 1_000 * this.#replies.size}` : last
    const status = JSON.parse(body).status ?? 'ACTIVE'
    const record = { id, resourceVersion: `version_${this.#replies.size}`, status }
    this.#records.set(id, record)
    if (isNew && last === 'webhooks') return replyWith(201, { webhook: record, secret: 'whsec' })
    if (isNew && last === 'developer-credentials') {
      return replyWith(201, { credential: record, secret: 'key' })
    }
    return replyWith(isNew ? 201 : 200, record)
  }

  #member(method: string, last: string, body: string): Reply {
    if (method === 'POST') this.#emails.add(JSON.parse(body).email)
    if (method === 'DELETE') this.#emails.delete(last)
    const members = [...this.#emails].map((email) => ({ email, status: 'ACTIVE' }))
    return method === 'POST' ? replyWith(201, { status: 'ACTIVE' }) : replyWith(200, members)
  }

  /** What the key of a request returns from then on. */
  #repeated(reply: Reply): Reply {
    const data = reply.body === '' ? null : JSON.parse(reply.body).data
    if (!data?.secret) return reply
    const error = { code: 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED' }
    const metadata = { resourceId: (data.webhook ?? data.credential).id }
    return { status: 409, body: JSON.stringify({ error, metadata }) }
  }
}

/** As a node without a mail server prints it. */
const mail = `${'-'.repeat(60)}\nTo: member@example.org\n${'-'.repeat(60)}\n`

/** True if it has answered. */
type Spoil = (node: Target['name'], request: IncomingMessage, response: ServerResponse) => boolean

const replyWith = (status: number, data: unknown): Reply => ({
  status,
  body: JSON.stringify({ data }),
})

async function stageOf(spoil: Spoil = () => false, change: Partial<Stage> = {}): Promise<Stage> {
  const service = new FakeService()
  const old = await service.listen('old', spoil)
  let schema = '0001-before'
  return {
    owner: { baseUrl: old.baseUrl, organizationId: 'org_a' },
    old,
    readSchema: async () => schema,
    migrate: async () => {
      schema = '0002-after'
    },
    startNew: () => service.listen('new', spoil),
    stopOld: async () => {},
    startOldAgain: async () => {},
    verify: async () => [],
    printed: () => ({ old: `${mail}the statement that failed\n${mail}`, new: '' }),
    stop: async () => {},
    ...change,
  }
}

const parts = { limits, findChangedMigrations: () => [] }
const runOn = (startStage: () => Promise<Stage>) => runUpgrade(settings, { ...parts, startStage })

it('reports no violation if both nodes agree, and counts what each of them answered', async () => {
  const report = await runOn(() => stageOf())
  expect(report.violations).toEqual([])
  expect(exitCodeOf(report)).toBe(0)
  expect(report.changes).toBeGreaterThan(50)
  const printed = print(report)
  expect(printed).toContain(`before: commit ${settings.before}, schema 0001-before`)
  expect(printed).toContain(`after: commit ${settings.after}, schema 0002-after`)
  expect(printed).toMatch(/old createVenues 201: \d+/)
  expect(printed).toMatch(/new supersedeVenues 200: \d+/)
  expect(printed).toContain('violations: 0')
  expect(printed).not.toContain('the statement that failed')
  expect(announce(settings)).toContain(
    `npm run upgrade -- --before ${settings.before} --seconds 1 --rate 150 --seed 24`,
  )
})

it('exits with 1 if the old node returns 500 for a change, and prints the response', async () => {
  let failed = 0
  const report = await runOn(() =>
    stageOf((node, request, response) => {
      if (node !== 'old' || request.method !== 'PATCH' || failed > 0) return false
      failed += 1
      response.writeHead(500).end('{"error":{"code":"LIQUIDITY_INTERNAL_ERROR"}}')
      return true
    }),
  )
  expect(report.violations).toEqual([
    expect.stringMatching(
      /^old node: supersede\w+: 500 LIQUIDITY_INTERNAL_ERROR, once; request: {.*}; answer: {"error"/,
    ),
  ])
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('the statement that failed')
  expect(print(report)).not.toContain('member@example.org\n')
})

it('accepts that the store is unavailable while the migration runs, and not after it', async () => {
  const locked = '{"error":{"code":"LIQUIDITY_STORE_UNAVAILABLE"}}'
  const runWith = (isAccepted: boolean) => {
    let isLocked = !isAccepted
    const met = Promise.withResolvers<void>()
    const spoil: Spoil = (_, __, response) => {
      if (!isLocked) return false
      isLocked = false
      response.writeHead(503).end(locked)
      met.resolve()
      return true
    }
    const migrate = async () => {
      isLocked = true
      await met.promise
    }
    return runOn(() => stageOf(spoil, isAccepted ? { migrate } : {}))
  }
  expect((await runWith(true)).violations).toEqual([])
  expect((await runWith(false)).violations).toEqual([
    expect.stringContaining('503 LIQUIDITY_STORE_UNAVAILABLE, once'),
  ])
})

it('reports another answer under the same key, and a change that the other node does not see', async () => {
  let spoiled = 0
  const report = await runOn(() =>
    stageOf((node, request, response) => {
      const isVenue = /\/venues\/venues_\d+$/.test(request.url ?? '') && request.method === 'GET'
      if (node === 'new' && isVenue) {
        response.end('{"data":{"resourceVersion":"an earlier one"}}')
        return true
      }
      if (node !== 'old' || request.method !== 'PATCH') return false
      spoiled += 1
      response.end(replyWith(200, { id: 'venues_1', resourceVersion: String(spoiled) }).body)
      return true
    }),
  )
  const kinds = report.violations.map((violation) => violation.split(';')[0])
  expect(kinds).toContainEqual(
    expect.stringMatching(/^old node: supersedeVenues: another answer under the same key/),
  )
  expect(kinds).toContainEqual(
    expect.stringMatching(/^new node: createVenues is not seen as version_\d+/),
  )
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a migration that fails, faults of the history, and an interruption', async () => {
  const migrate = () => Promise.reject(new Error('column "epoch" exists'))
  const broken = await runOn(() => stageOf(undefined, { migrate }))
  expect(broken.violations).toEqual(['the run ended early: column "epoch" exists'])
  expect(print(broken)).toContain('schema not reached')

  const verify = async (command: string) => (command === 'verify-log' ? ['a missing leaf'] : [])
  const faulty = await runOn(() => stageOf(undefined, { verify }))
  expect(faulty.violations).toEqual(['verify-log: a missing leaf'])

  const signal = AbortSignal.abort(new Error('SIGINT ended the run'))
  const ended = await runUpgrade(settings, { ...parts, startStage: () => stageOf(), signal })
  expect(ended.violations).toEqual(['the run ended early: SIGINT ended the run'])
  expect(exitCodeOf(ended)).toBe(1)
})
