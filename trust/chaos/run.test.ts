import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { AnswerLog, FaultTimes } from './answer-log.ts'
import { Clients } from './clients.ts'
import type { Clock } from './clock.ts'
import { limits } from './limits.ts'
import { observedFetch } from './observed-fetch.ts'
import { announce, print } from './print.ts'
import { exitCodeOf, runChaos } from './run.ts'

const settings = {
  database: 'embedded',
  seconds: 1,
  clients: 1,
  seed: 24,
  isPatient: false,
  only: [],
} as const

/** A clock on which every wait takes no time, and that remembers the waits. */
function fastClock() {
  let now = 0
  const waits: number[] = []
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      now += milliseconds
      await new Promise(setImmediate)
    },
  }
  return { clock, waits }
}

/** The address of a server that answers as told. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const refusal = (code: string) => JSON.stringify({ error: { code } })
const ownerAt = (baseUrl: string) => ({ baseUrl, organizationId: 'org_a' })

it('reports the seed and an error while the fleet starts', async () => {
  const report = await runChaos(settings, {
    startFleet: () => Promise.reject(new Error('no port is free')),
  })
  expect(report.violations).toEqual(['the run ended before its checks did: no port is free'])
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('the run ended before its checks did: no port is free')
  expect(print(report)).toContain('seed        24')
  expect(announce(settings)).toContain('--seed 24')
})

it('reports a fleet that never starts', async () => {
  const report = await runChaos(settings, {
    clock: fastClock().clock,
    startFleet: () => new Promise(() => {}),
  })
  expect(report.violations).toContain(
    'the run ended before its checks did: the start of the fleet did not end within 300 s',
  )
  expect(exitCodeOf(report)).toBe(1)
})

it('reports an interruption', async () => {
  const controller = new AbortController()
  const report = await runChaos(settings, {
    signal: controller.signal,
    limits: { ...limits, stop: 1 },
    startFleet: () => {
      controller.abort(new Error('SIGINT ended the run'))
      return new Promise(() => {})
    },
  })
  expect(report.violations[0]).toBe('the run ended before its checks did: SIGINT ended the run')
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('not complete')
})

it('gives a request up that is always answered 500, and quotes request and answer', async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(500).end(refusal('LIQUIDITY_INTERNAL_ERROR'))
  })
  const answers = new AnswerLog(new FaultTimes(limits.grace))
  const clients = new Clients(ownerAt(baseUrl), [baseUrl], answers)
  clients.start(1, 24, false)
  const { acknowledged, surprises } = await clients.stop()
  expect(acknowledged).toEqual([])
  expect(surprises).toEqual([
    'chaos-0-0 got no answer after 3 attempts; the last: 500 LIQUIDITY_INTERNAL_ERROR',
  ])
  expect(answers.violations).toEqual([
    expect.stringMatching(
      /^500 LIQUIDITY_INTERNAL_ERROR under load, 3 times, and no injected fault explains it; request: createVenues {.*; answer: {"error"/,
    ),
  ])
})

it('gives a request up that is answered 503 for too long', async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(503).end(refusal('LIQUIDITY_STORE_UNAVAILABLE'))
  })
  const faults = new FaultTimes(limits.grace)
  faults.begin(0)
  const answers = new AnswerLog(faults)
  const { clock } = fastClock()
  const clients = new Clients(ownerAt(baseUrl), [baseUrl], answers, {
    clock,
    limits: { ...limits, answer: 500 },
  })
  clients.start(1, 24, false)
  const { surprises } = await clients.stop()
  expect(surprises).toEqual([
    'chaos-0-0 got no answer after 21 attempts; the last: 503 LIQUIDITY_STORE_UNAVAILABLE',
  ])
  // The fault explains each 503, but not that it never ended.
  expect(answers.violations).toEqual([])
})

it('waits as long as Retry-After says while it checks, and counts the refusal', async () => {
  let requestCount = 0
  const baseUrl = await serve((_, response) => {
    requestCount += 1
    if (requestCount === 1) response.writeHead(429, { 'retry-after': '7' }).end('{}')
    else response.end('{"data":1}')
  })
  const { clock, waits } = fastClock()
  const answers = new AnswerLog(new FaultTimes(limits.grace))
  const answer = await observedFetch(answers, clock, limits)(`${baseUrl}/status`)
  expect(await answer.text()).toBe('{"data":1}')
  expect(waits).toEqual([7_000])
  expect(answers.counts).toEqual(
    new Map([
      ['checks 429', 1],
      ['checks 200', 1],
    ]),
  )
  expect(answers.violations).toEqual([])
})

it('ends a check that gets no answer', async () => {
  const { clock } = fastClock()
  const answers = new AnswerLog(new FaultTimes(limits.grace))
  const baseUrl = await serve((_, response) => response.destroy())
  await expect(observedFetch(answers, clock, limits)(`${baseUrl}/status`)).rejects.toThrow(
    'GET /status got no answer',
  )
})

it('explains a 503 by a fault until its grace has passed, and no other 5xx', () => {
  const faults = new FaultTimes(10)
  faults.begin(100)
  expect(faults.explains(503, 105, 110)).toBe(true)
  expect(faults.explains(500, 105, 110)).toBe(false)
  expect(faults.explains(503, 80, 90)).toBe(false)
  faults.end(200)
  expect(faults.explains(503, 210, 230)).toBe(true)
  expect(faults.explains(503, 211, 230)).toBe(false)
  expect(faults.explains(503, 80, 100)).toBe(true)
})
