import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorCodesByStatus, type Operation, operationById } from '@liquidity-os/contract'
import { expect, it, onTestFinished } from 'vitest'
import { operationOf } from '../../apps/server/test/support/conforming-fetch.ts'
import type { Clock } from '../chaos/clock.ts'
import { limits } from './limits.ts'
import { announce, print } from './print.ts'
import { exitCodeOf, type Parts, type Report, runFuzz, type Settings } from './run.ts'
import type { Stage } from './stage.ts'

const settings: Settings = { requests: 60, seed: 24, scenes: 0, only: [] }

const operations = [
  'createVenues',
  'listVenues',
  'getVenues',
  'supersedeVenues',
  'createStudies',
  'getStudies',
  'listStudies',
  'listEvents',
  'getOperatingSystemStatus',
  'createWebhooks',
].map((id) => {
  const operation = operationById.get(id)
  if (!operation) throw new Error(`Operation ${id} does not exist.`)
  return operation
})

/** Answers one request to an operation. */
type Answering = (operation: Operation, ...http: Parameters<RequestListener>) => void

function send(
  [, response]: Parameters<RequestListener>,
  status: number,
  body: object | string,
): void {
  const type = { 'content-type': 'application/json', 'x-correlation-id': 'test' }
  response.writeHead(status, type).end(typeof body === 'string' ? body : JSON.stringify(body))
}

const refusal = (code: string) => ({
  error: { code, message: 'Refused.', retryable: false, correlationId: 'test' },
})

/** A refusal that the operation declares. */
const refuse: Answering = (operation, ...http) => {
  const refusals = [...errorCodesByStatus(operation)].filter(([status]) => status < 500)
  const [status = 0, [code = ''] = []] = refusals[0] ?? []
  send(http, status, refusal(code))
}

/** A run against a server that imitates the service. */
async function run(
  answering: Answering,
  parts: Partial<Parts> = {},
  { scenes = [], ...change }: Partial<Stage> = {},
): Promise<Report> {
  const server = createServer((...http) => {
    const [{ method = '', url = '' }] = http
    const operation = operationOf(method, new URL(url, 'http://test').pathname)
    if (operation) answering(operation, ...http)
    else send(http, 404, refusal('LIQUIDITY_RESOURCE_NOT_FOUND'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let organizations = 0
  const stage: Stage = {
    scenes,
    addOrganization: async () => {
      organizations += 1
      const organizationId = `org_${String(organizations).padStart(32, '0')}`
      const userId = `user_${String(organizations).padStart(32, '0')}`
      return { organizationId, userId, options: { baseUrl, organizationId } }
    },
    addScene: () => Promise.reject(new Error('the chain stopped')),
    advance: () => {},
    verifyHistory: async () => ({ records: 0, events: 0, faults: [] }),
    stop: async () => {},
    ...change,
  }
  return runFuzz(
    { ...settings, scenes: scenes.length },
    {
      operations,
      startStage: async () => stage,
      ...parts,
    },
  )
}

const namesOf = ({ findings }: Report) =>
  findings.map(({ operation, kind }) => `${operation}: ${kind}`).sort()

it('reports nothing if every answer is right', async () => {
  const report = await run(refuse)
  expect(report.findings).toEqual([])
  expect(report.errors).toEqual([])
  expect(report.sent).toBe(60)
  expect(report.prepared).toBe(40)
  expect(exitCodeOf(report)).toBe(0)
})

it('reports a 500, a hang and a wrong answer once each', async () => {
  const report = await run(
    (operation, ...http) => {
      if (operation.id === 'listVenues') send(http, 500, refusal('LIQUIDITY_INTERNAL_ERROR'))
      else if (operation.id === 'getStudies') return
      else if (operation.id === 'listEvents') send(http, 200, { data: 'no list' })
      else refuse(operation, ...http)
    },
    // Other answers arrive in time on a busy machine too.
    { limits: { ...limits, answer: 2_000, maxUnansweredOfOperation: 2 } },
  )
  expect(namesOf(report)).toEqual([
    'getStudies: no answer within 2 s',
    'listEvents: 200 does not match the contract',
    'listVenues: 500 LIQUIDITY_INTERNAL_ERROR',
  ])
  expect(report.findings.every(({ times }) => times > 1)).toBe(true)
  expect(report.leftOut).toEqual(['getStudies'])
  expect(report.errors).toEqual([])
  expect(report.sent).toBe(60)
  expect(exitCodeOf(report)).toBe(1)
  const lines = print(report).split('\n')
  for (const operation of ['getStudies', 'listEvents', 'listVenues']) {
    const found = lines.filter((line) => line.startsWith(`${' '.repeat(14)}${operation}: `))
    expect(found).toEqual([expect.stringMatching(/, \d+ times; .*example: /)])
  }
  expect(lines).toContain('  seed        24')
  expect(lines).toContain('  repeat      npm run fuzz -- --requests 60 --scenes 0 --seed 24')
})

it('removes changes from a request only for the first example of a finding', async () => {
  const keys: string[] = []
  const report = await run(
    (_, ...http) => {
      const key = String(http[0].headers['idempotency-key'])
      keys.push(key)
      // The requests that prepare a run have other keys.
      if (key.startsWith('fuzz-')) send(http, 500, refusal('LIQUIDITY_INTERNAL_ERROR'))
      else send(http, 401, refusal('LIQUIDITY_AUTHENTICATION_REQUIRED'))
    },
    { operations: operations.filter(({ id }) => id === 'createVenues') },
  )
  const changed = keys.filter((key) => key.includes('-smaller-'))
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.every((key) => key.startsWith('fuzz-24-1-'))).toBe(true)
  expect(report.findings.map(({ times, example }) => [times, example.number])).toEqual([[60, 1]])
})

it('reports a finding of the preparation', async () => {
  let answered = 0
  const report = await run((operation, ...http) => {
    answered += 1
    if (answered === 1) send(http, 500, refusal('LIQUIDITY_INTERNAL_ERROR'))
    else refuse(operation, ...http)
  })
  expect(namesOf(report)).toEqual(['createVenues: 500 LIQUIDITY_INTERNAL_ERROR'])
  expect(print(report)).toContain('1 times; example: while preparing')
  expect(exitCodeOf(report)).toBe(1)
})

it('ends a run with a stopped service', async () => {
  const report = await run((_, request) => request.socket.destroy())
  expect(report.errors).toEqual(['the run ended early: 20 requests got no answer'])
  expect(report.findings[0]?.kind).toBe('no connection')
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('not verified')
})

it('reports a broken history', async () => {
  let verified = 0
  const fault = { organizationId: 'org_a', text: 'a hash differs' }
  const report = await run(
    refuse,
    {},
    {
      verifyHistory: async () => {
        verified += 1
        return { records: 1, events: 1, faults: verified === 1 ? [] : [fault] }
      },
    },
  )
  expect(report.history?.faults).toEqual([fault])
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('a hash differs')
})

it('reports a history that cannot be verified', async () => {
  const broken = () => Promise.reject(new Error('a row has no body'))
  const report = await run(refuse, {}, { verifyHistory: broken })
  expect(report.errors).toEqual(['the run ended early: a row has no body'])
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a failing scene and continues', async () => {
  const report = await run(refuse, {}, { scenes: ['createVenues'] })
  expect(report.errors).toEqual(['setting up the scene of createVenues failed: the chain stopped'])
  expect(report.sent).toBe(60)
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a service that never starts', async () => {
  let now = 0
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
      await new Promise(setImmediate)
    },
  }
  const report = await runFuzz(settings, { clock, startStage: () => new Promise(() => {}) })
  expect(report.errors[0]).toBe(
    'the run ended early: the start of the service did not end within 300 s',
  )
  expect(exitCodeOf(report)).toBe(1)
  expect(announce(settings)).toContain('--seed 24')
})

it('reports an interruption with the findings so far', async () => {
  const controller = new AbortController()
  const report = await run(
    (operation, ...http) => {
      if (operation.id === 'listVenues') send(http, 500, refusal('LIQUIDITY_INTERNAL_ERROR'))
      else refuse(operation, ...http)
      if (operation.id === 'createWebhooks') controller.abort(new Error('SIGINT ended the run'))
    },
    { signal: controller.signal },
  )
  expect(report.errors).toEqual(['the run ended early: SIGINT ended the run'])
  expect(namesOf(report)).toEqual(['listVenues: 500 LIQUIDITY_INTERNAL_ERROR'])
  expect(exitCodeOf(report)).toBe(1)
})
