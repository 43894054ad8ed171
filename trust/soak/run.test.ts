import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { announce, print } from './print.ts'
import { exitCodeOf, runSoak, type Settings } from './run.ts'
import type { Stage } from './stage.ts'

/** A fraction of a second of load. */
const settings: Settings = { minutes: 0.01, rate: 100, seed: 24, sampleSeconds: 0.1 }

/** A stage whose one node answers as told. */
async function stageOf(listener: RequestListener, change: Partial<Stage> = {}): Promise<Stage> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    owners: [{ baseUrl, organizationId: 'org_a' }],
    baseUrls: [baseUrl],
    takeSample: async (load, seconds) => ({
      seconds,
      values: new Map([['requests without an answer', load.unanswered]]),
      tables: new Map(),
    }),
    countDelivered: () => 0,
    stop: async () => {},
    ...change,
  }
}

let number = 0
const succeed: RequestListener = (_, response) => {
  number += 1
  response.end(JSON.stringify({ data: { id: `venue_${number}`, resourceVersion: 'version' } }))
}

it('reports no violation if every request succeeds, and no slopes of a short run', async () => {
  const report = await runSoak(settings, { startStage: () => stageOf(succeed) })
  expect(report.times.length).toBeGreaterThan(10)
  expect(report.violations).toEqual([])
  expect(exitCodeOf(report)).toBe(0)
  const text = print(report)
  expect(text).toContain('slopes: none.')
  expect(text).toContain('seed: 24')
  expect(text).toContain('getVenues 200: ')
  expect(text).not.toContain('grows')
})

it('lists three 500s with their requests, and exits with 1', async () => {
  let reads = 0
  const report = await runSoak(settings, {
    startStage: () =>
      stageOf((request, response) => {
        reads += request.method === 'GET' ? 1 : 0
        if (request.method !== 'GET' || reads > 3) return succeed(request, response)
        response.writeHead(500).end('{"error":{"code":"LIQUIDITY_INTERNAL_ERROR"}}')
      }),
  })
  const failed = [...report.statuses].filter(([outcome]) => outcome.includes(' 500 '))
  expect(failed.reduce((sum, [, times]) => sum + times, 0)).toBe(3)
  expect(report.violations[0]).toMatch(
    /^500 LIQUIDITY_INTERNAL_ERROR under load, \d times, and no injected fault explains it; request: \w+ {.*}; answer: {"error"/,
  )
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain(' 500 LIQUIDITY_INTERNAL_ERROR: ')
})

it('reports a 503, and a request without an answer', async () => {
  const report = await runSoak(settings, {
    startStage: () =>
      stageOf((request, response) => {
        if (request.method === 'GET') response.destroy()
        else response.writeHead(503).end('{"error":{"code":"LIQUIDITY_STORE_UNAVAILABLE"}}')
      }),
  })
  expect(report.violations).toContainEqual(
    expect.stringMatching(/^503 LIQUIDITY_STORE_UNAVAILABLE under load/),
  )
  expect(report.violations).toContainEqual(
    expect.stringMatching(/^listEvents got no connection, \d+ times$/),
  )
  expect(exitCodeOf(report)).toBe(1)
})

it('reports failed measurements, and prints the others', async () => {
  let samples = 0
  const report = await runSoak(settings, {
    startStage: () =>
      stageOf(succeed, {
        takeSample: async (_, seconds) => {
          samples += 1
          if (samples === 2) throw new Error('the metrics do not answer')
          return { seconds, values: new Map(), tables: new Map() }
        },
      }),
  })
  expect(report.violations).toEqual(['the measurement at 0 s failed: the metrics do not answer'])
  expect(exitCodeOf(report)).toBe(1)
})

it('reports an error while the fleet starts', async () => {
  const report = await runSoak(settings, {
    startStage: () => Promise.reject(new Error('no port is free')),
  })
  expect(report.violations).toEqual(['the run ended early: no port is free'])
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('the run ended early: no port is free')
  expect(announce(settings)).toContain('seed 24')
})

it('reports an interruption with the answers so far', async () => {
  const controller = new AbortController()
  let answered = 0
  const report = await runSoak(
    { ...settings, minutes: 60 },
    {
      signal: controller.signal,
      startStage: () =>
        stageOf((request, response) => {
          answered += 1
          succeed(request, response)
          if (answered === 20) controller.abort(new Error('SIGINT ended the run'))
        }),
    },
  )
  expect(report.violations).toEqual(['the run ended early: SIGINT ended the run'])
  expect(report.times.length).toBeGreaterThan(0)
  expect(exitCodeOf(report)).toBe(1)
})
