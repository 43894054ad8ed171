import { expect, it } from 'vitest'
import { callsChart } from './node-chart.ts'
import {
  capabilityLines,
  configuredLimits,
  depthLines,
  lastErrorText,
  learnedLimits,
  type NodeHealth,
} from './node-texts.ts'

const learnedAt = '2026-01-05T12:00:00.000Z'
const health: NodeHealth = {
  state: 'LIMITED',
  headBlock: 1000,
  headAt: learnedAt,
  lagBlocks: null,
  probedAt: learnedAt,
  pausedUntil: null,
  limits: [
    { name: 'CALLS_PER_SECOND', configured: null, learned: 9.5, learnedAt },
    { name: 'CALLS_PER_REQUEST', configured: 100, learned: 1, learnedAt },
    { name: 'LOG_BLOCKS', configured: null, learned: null, learnedAt: null },
    { name: 'CREDITS_PER_DAY', configured: 1000, learned: null, learnedAt: null },
  ],
  capabilities: {
    finalizedTag: true,
    blockHashPin: true,
    archiveState: false,
    proofs: null,
    simulateV1: null,
    stateDepthBlocks: 127,
    logDepthBlocks: null,
  },
  calls: { answered: 7, refused: 2, failed: 1, p50Ms: 10, p95Ms: 20 },
  minutes: [
    { at: learnedAt, calls: 6, refused: 2, failed: 0, p50Ms: 10, p95Ms: 20, bytes: 100 },
    {
      at: '2026-01-05T12:02:00.000Z',
      calls: 4,
      refused: 0,
      failed: 1,
      p50Ms: 10,
      p95Ms: 20,
      bytes: 100,
    },
  ],
  methods: [],
  creditsUsed: 850,
  lastError: {
    at: learnedAt,
    providerId: 'main',
    host: null,
    reason: 'RATE_LIMITED',
    method: 'eth_call',
    rpcCode: -32005,
    httpStatus: 429,
    attempts: 1,
    retryAt: null,
    providerText: null,
  },
}

it('states learned limits in sentences', () => {
  expect(learnedLimits(health).map(({ text }) => text)).toEqual([
    'The node accepts about 9.5 calls per second.',
    'The node accepts no batches: each request has one call.',
  ])
})

it('states known capabilities with their consequences', () => {
  expect(capabilityLines(health).map(({ name, isServed }) => [name, isServed])).toEqual([
    ['finalizedTag', true],
    ['blockHashPin', true],
    ['archiveState', false],
  ])
  expect(capabilityLines(health)[2]?.text).toContain('index new venues from a recent block')
})

it('states depths and used credits in sentences', () => {
  expect(depthLines(health).map(({ text }) => text)).toEqual([
    'Serves state of at least the last 127 blocks.',
  ])
  expect(configuredLimits(health).map(({ text }) => text)).toEqual([
    '850 of 1,000 credits used on this day.',
  ])
})

it('names call, cause and codes of the last error', () => {
  expect(lastErrorText(health)).toBe('eth_call: rate limit (HTTP 429, code -32005)')
  expect(lastErrorText({ ...health, lastError: null })).toBeNull()
})

it('draws the calls of each minute by result, with zeros around silent minutes', () => {
  const { table, spec } = callsChart(health)
  expect(table.rows).toEqual([
    ['2026-01-05T11:59:00.000Z', '0', '0', '0', null],
    ['2026-01-05T12:00:00.000Z', '4', '2', '0', '20'],
    ['2026-01-05T12:01:00.000Z', '0', '0', '0', null],
    ['2026-01-05T12:02:00.000Z', '3', '0', '1', '20'],
    ['2026-01-05T12:03:00.000Z', '0', '0', '0', null],
  ])
  expect(spec.summary).toBe('10 calls, 2 refused and 1 without a response.')
})
