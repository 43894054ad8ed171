import { describe, expect, it } from 'vitest'
import { type CallResult, countCalls, emptyCounts } from '../../../store/node-calls/call-counts.ts'
import { type LastProbe, providerHealth } from './provider-health.ts'

const now = Date.parse('2026-01-05T12:00:00Z')

const probeAt = (block: number, seconds: number, isOk = true): LastProbe => ({
  at: now - 60_000,
  isOk,
  facts: {
    capabilities: 'FINALIZED_TAG EIP_1898',
    proofs: 'SERVED',
    simulateV1: 'NOT_SERVED',
    stateDepthBlocks: '127',
    finalizedBlock: `${block}`,
    finalizedAt: new Date(now - seconds * 1000).toISOString(),
  },
})

function countsOf(calls: Partial<Record<CallResult, number>>, milliseconds = 10) {
  const counts = emptyCounts()
  for (const [result, count] of Object.entries(calls) as [CallResult, number][]) {
    const made = Array.from({ length: count }, () => ({ method: 'eth_call', result }))
    countCalls(counts, made, { milliseconds, bytes: 100 })
  }
  return counts
}

const error = {
  at: new Date(now).toISOString(),
  providerId: 'main',
  host: 'rpc.example.com',
  reason: 'QUOTA_EXHAUSTED',
  method: 'eth_call',
  rpcCode: null,
  httpStatus: 402,
  attempts: 1,
  retryAt: new Date(now + 900_000).toISOString(),
  providerText: null,
}

const observed = {
  probe: probeAt(1000, 30),
  others: [] as LastProbe[],
  capabilities: [],
  day: [],
  recent: [countsOf({ ANSWERED: 100 })],
  state: { limits: {}, lastError: null },
  configured: {},
  pausedUntil: null,
  now,
}

const withError = (change: Partial<typeof error>) => ({
  limits: {},
  lastError: { ...error, ...change },
})

describe('the state of a node', () => {
  it.each([
    ['UP', {}],
    ['UP', { recent: [countsOf({ ANSWERED: 96, REFUSED: 4 })] }],
    ['LIMITED', { recent: [countsOf({ ANSWERED: 95, REFUSED: 5 })] }],
    ['LIMITED', { pausedUntil: now + 1000 }],
    ['SLOW', { recent: [countsOf({ ANSWERED: 10 }, 2500)] }],
    ['UP', { recent: [countsOf({ ANSWERED: 10 }, 1500)] }],
    ['LAGGING', { others: [probeAt(1065, -300)] }],
    ['UP', { others: [probeAt(1064, -300)] }],
    ['UP', { others: [probeAt(1065, -270)] }],
    ['DOWN', { recent: [countsOf({ FAILED: 3 })] }],
    ['UP', { recent: [countsOf({ FAILED: 3, ANSWERED: 1 })] }],
    ['DOWN', { recent: [], probe: probeAt(1000, 30, false) }],
    ['UP', { probe: probeAt(1000, 30, false) }],
    ['UNKNOWN', { recent: [], probe: null }],
    ['QUOTA', { state: withError({}) }],
    ['UP', { state: withError({ retryAt: new Date(now - 1).toISOString() }) }],
    [
      'DOWN',
      {
        state: withError({ reason: 'REQUEST_REFUSED', httpStatus: 401 }),
        recent: [countsOf({ REFUSED: 2 })],
      },
    ],
  ])('is %s for %j', (state, change) => {
    expect(providerHealth({ ...observed, ...change }).state).toBe(state)
  })
})

it('compares heads of probes at different times by their age', () => {
  const probe = (minutesAgo: number, isOk = true): LastProbe => {
    const at = now - minutesAgo * 60_000
    // One block in 2 s; the head is 30 s old at each probe.
    const finalizedAt = at - 30_000
    const facts = {
      finalizedBlock: `${Math.floor(finalizedAt / 2000)}`,
      finalizedAt: new Date(finalizedAt).toISOString(),
    }
    return { at, isOk, facts }
  }
  const early = providerHealth({ ...observed, probe: probe(14), others: [probe(0)] })
  expect([early.state, early.lagBlocks]).toEqual(['UP', 0])
  const late = providerHealth({ ...observed, probe: probe(0), others: [probe(14)] })
  expect([late.state, late.lagBlocks]).toEqual(['UP', 0])
  const failed = { ...probe(90), at: now, isOk: false, factsAt: probe(90).at }
  const afterFailure = providerHealth({ ...observed, probe: failed, others: [probe(0)] })
  expect([afterFailure.state, afterFailure.lagBlocks]).toEqual(['UP', 0])
  const stuck = { ...probe(0), facts: probe(20).facts }
  const behind = providerHealth({ ...observed, probe: stuck, others: [probe(0)] })
  expect([behind.state, behind.lagBlocks]).toEqual(['LAGGING', 600])
})

it('shows head, lag, limits, capabilities and the calls of the day', () => {
  const minute = now / 1000 - 120
  const health = providerHealth({
    ...observed,
    others: [probeAt(1010, 0), probeAt(990, 60)],
    day: [{ at: minute, counts: countsOf({ ANSWERED: 3, REFUSED: 1 }) }],
    state: { limits: { logBlocks: { value: 500, at: now } }, lastError: null },
    configured: { logBlocks: 800, creditsPerDay: 1000, credits: { eth_call: 20 } },
  })
  expect(health).toMatchObject({
    headBlock: 1000,
    lagBlocks: 10,
    capabilities: {
      finalizedTag: true,
      blockHashPin: true,
      archiveState: false,
      proofs: true,
      simulateV1: false,
      stateDepthBlocks: 127,
      logDepthBlocks: null,
    },
    calls: { answered: 3, refused: 1, failed: 0 },
    minutes: [{ at: '2026-01-05T11:58:00.000Z', calls: 4, refused: 1, bytes: 200 }],
    methods: [{ method: 'eth_call', calls: 4, refused: 1, credits: 80 }],
    creditsUsed: 80,
  })
  expect(health.limits).toContainEqual({
    name: 'LOG_BLOCKS',
    configured: 800,
    learned: 500,
    learnedAt: '2026-01-05T12:00:00.000Z',
  })
})
