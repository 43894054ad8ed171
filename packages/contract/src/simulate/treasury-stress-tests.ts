import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, named, Reason } from '../scalars.ts'
import { TreasuryStressInput, TreasuryStressStudy } from './treasury-stress.ts'

export * from './treasury-stress.ts'

export const TreasuryStressRecord = versioned('TreasuryStressStudy', TreasuryStressStudy)

const TreasuryStressCreate = named(
  'TreasuryStressCreate',
  closed({
    payload: TreasuryStressInput,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const moves = { COMPLETED: [], PARTIAL: [], ABSTAINED: [] } as const

const heading = { tag: 'Simulate', family: 'Treasury ledger and capital planning' } as const

const treasuryStressTests = {
  path: '/treasury-stress-tests',
  ...heading,
  one: 'TreasuryStressStudy',
  record: TreasuryStressRecord,
  cacheControl: 'private, no-store',
} as const

export const listTreasuryStressTests = listOperation(treasuryStressTests, {
  id: 'listTreasuryStressTests',
  summary: 'List treasury stress tests',
  query: recordQuery(moves),
})

export const createTreasuryStressTests = operation({
  id: 'createTreasuryStressTests',
  method: 'POST',
  path: '/treasury-stress-tests',
  ...heading,
  summary: 'Create treasury stress test',
  description:
    'Creates a TreasuryStressStudy record from the common body {payload, status?, evidenceHashes?, reason}; the computation determines the status, so the request must omit it. Treasury value, payments and losses after each scenario, at liquidation value through the observed pools and volumes, not at marks; the smallest multiple of a scenario that breaks a covenant; and the tail of simulated losses. The server reads balances at one block snapshot. Every breached limit emits an event.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  body: TreasuryStressCreate,
  response: record(TreasuryStressRecord),
  errors: [
    'LIQUIDITY_STRESS_REQUEST_INVALID',
    'LIQUIDITY_STRESS_SCENARIO_EMPTY',
    'LIQUIDITY_STRESS_DUPLICATE_SCENARIO',
    'LIQUIDITY_STRESS_WINDOW_UNOBSERVED',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
  ],
  example: {
    body: {
      payload: {
        label: 'Before the board meeting',
        portfolio: { scope: 'ALL_ACTIVE' },
        quoteKey: 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        templates: ['CRASH_HALF', 'DEPTH_LEAVES'],
        limits: [{ metric: 'COVERAGE_PIPS', threshold: '1000000' }],
        reverse: [{ metric: 'COVERAGE_PIPS', threshold: '1000000', scenarioId: 'crash-half' }],
        monteCarlo: { paths: 1_000 },
        seed: '42',
      },
      reason: 'For the board meeting',
    },
  },
})

export const getTreasuryStressTests = getOperation(treasuryStressTests, {
  id: 'getTreasuryStressTests',
  summary: 'Get treasury stress test',
})

export const treasuryStressTestsFamily = declareFamily({
  module: 'simulate/treasury-stress-tests',
  operations: [listTreasuryStressTests, createTreasuryStressTests, getTreasuryStressTests],
  type: 'TreasuryStressStudy',
  prefix: 'treasury_stress',
  name: 'treasury stress test',
  plural: 'treasury stress tests',
  payload: TreasuryStressStudy,
  moves,
  events: ['treasury.stress.computed', 'treasury.stress.limit_breached'],
  title: 'payload.request.label',
  columns: ['payload.request.label', 'status', 'createdAt'],
  ui: {
    page: 'treasury/stress',
    task: 'Stress tests',
    icon: 'activity',
    summary: 'Treasury value and breaking point under shocks.',
    empty: 'Compute the runway first, then test it under price shocks.',
    head: ['payload.before.controlled.realisableQuote', 'payload.before.controlled.runwayMonthsX3'],
    actions: {
      createTreasuryStressTests: { label: 'Run stress test' },
    },
    docs: 'stress',
  },
})
