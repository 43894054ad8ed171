import { mutation, OperatingSystemEvent } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { named } from '../scalars.ts'
import {
  MigrationPlan,
  MigrationPlanRecord,
  MigrationPlanState,
  MigrationTransition,
} from './migration-records.ts'
import { MigrationPlanRequest } from './migration-request.ts'

const venue = {
  id: 'venue_example',
  resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
}
const wallet = '0x00000000000000000000000000000000000A11cE'

const heading = { tag: 'Operate', family: 'Venues, allocations and migrations' } as const

const migrationPlans = {
  path: '/migration-plans',
  ...heading,
  one: 'migration plan',
  many: 'migration plans',
  record: MigrationPlanRecord,
} as const

const moves = {
  DRAFT: ['VALIDATED', 'REVOKED', 'EXPIRED'],
  VALIDATED: ['VALIDATED', 'ACTIVE', 'REVOKED', 'EXPIRED'],
  ACTIVE: ['PAUSED', 'COMPLETED', 'RETIRED', 'REVOKED', 'EXPIRED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'RETIRED', 'REVOKED', 'EXPIRED'],
  COMPLETED: [],
  RETIRED: [],
  REVOKED: [],
  EXPIRED: [],
} as const

export const listMigrationPlans = listOperation(migrationPlans, {
  id: 'listMigrationPlans',
  summary: 'List migration plans',
  query: recordQuery(moves),
})

export const createMigrationPlans = operation({
  id: 'createMigrationPlans',
  method: 'POST',
  path: '/migration-plans',
  ...heading,
  summary: 'Create migration plan',
  description:
    'Plans a liquidity migration: the smallest number of tranches that preserves every depth floor after every step, in an exact simulation at a finalized block. Each step has its unsigned calls, expected effects, and rollback. The service signs and sends no transaction.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: named('MigrationPlanCreate', mutation(MigrationPlanRequest)),
  response: record(MigrationPlanRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_MIGRATION_INPUT_INVALID',
    'LIQUIDITY_MIGRATION_POSITION_INVALID',
    'LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN',
    'LIQUIDITY_MIGRATION_VENUE_NOT_VALIDATED',
    'LIQUIDITY_MIGRATION_FLOOR_UNREACHABLE',
    'LIQUIDITY_MIGRATION_STEP_REFUSED',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
  example: {
    body: {
      payload: {
        schemaVersion: 'migration-plan-v1',
        pair: {
          chainId: 31337,
          base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
          quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          baseDecimals: 18,
          quoteDecimals: 18,
        },
        from: {
          wallet,
          positions: [
            { venue, owner: wallet, tickLower: -887_220, tickUpper: 887_220, tokenId: '1' },
          ],
        },
        to: {
          positions: [{ venue, tickLower: -120_000, tickUpper: 120_000, sharePips: 1_000_000 }],
        },
        constraints: {
          minDepth: [{ bandPips: 20_000, side: 'SELL', quote: '1000000000000000' }],
          maxStepQuote: '1000000000000000000000',
          maxSlippagePips: 20_000,
          priceBandX18: ['1000000000', '1000000000000000000000000'],
          minSecondsBetweenSteps: 0,
          maxOutOfMarketSeconds: 3600,
          deadline: '2100-01-01T00:00:00.000Z',
        },
        pilot: {
          sharePips: 50_000,
          soakSeconds: 86_400,
          stop: [{ kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: '1000', timeSharePips: 0 }],
        },
        contracts: {
          positionManager: '0xC36442b4a4522E871399CD717aBDD847Ab11FE88',
          swapRouter: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
        },
      },
      reason: 'A narrower range with less idle capital',
    },
  },
})

export const getMigrationPlans = getOperation(migrationPlans, {
  id: 'getMigrationPlans',
  summary: 'Get migration plan',
})

export const getMigrationPlanState = operation({
  id: 'getMigrationPlanState',
  method: 'GET',
  path: '/migration-plans/{id}/state',
  ...heading,
  summary: 'Get migration plan state',
  description:
    'Current state derived from the transitions: phase, next step, checkpoints, invariants at the last transition, available transitions, and simulated vs realized effects of every step.',
  auth: session,
  permission: 'read',
  success: [200],
  response: data(MigrationPlanState),
})

export const appendMigrationPlanTransition = operation({
  id: 'appendMigrationPlanTransition',
  method: 'POST',
  path: '/migration-plans/{id}/transitions',
  ...heading,
  summary: 'Append migration plan transition',
  description:
    'Appends one lifecycle transition as evidence; executes no transaction. The service verifies its claims on chain at its finalized block. Needs If-Match or resourceVersion.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: named('MigrationTransitionCreate', mutation(MigrationTransition)),
  response: data(OperatingSystemEvent),
  errors: [
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_MIGRATION_TERMINAL',
    'LIQUIDITY_MIGRATION_TRANSITION_REFUSED',
    'LIQUIDITY_MIGRATION_STALE',
    'LIQUIDITY_MIGRATION_NOT_APPROVED',
    'LIQUIDITY_MIGRATION_NO_RETURN_UNACKNOWLEDGED',
    'LIQUIDITY_MIGRATION_POSITION_BUSY',
    'LIQUIDITY_MIGRATION_STEP_ORDER',
    'LIQUIDITY_MIGRATION_IN_FLIGHT',
    'LIQUIDITY_MIGRATION_PRECONDITION',
    'LIQUIDITY_MIGRATION_NOT_FINAL',
    'LIQUIDITY_MIGRATION_CALL_MISMATCH',
    'LIQUIDITY_MIGRATION_FAILURE_UNPROVEN',
    'LIQUIDITY_MIGRATION_FUNDS_IN_TRANSIT',
    'LIQUIDITY_MIGRATION_INCOMPLETE',
    'LIQUIDITY_MIGRATION_NO_WAY_BACK',
    'LIQUIDITY_MIGRATION_INPUT_INVALID',
    'LIQUIDITY_MIGRATION_POSITION_INVALID',
    'LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN',
    'LIQUIDITY_MIGRATION_VENUE_NOT_VALIDATED',
    'LIQUIDITY_MIGRATION_FLOOR_UNREACHABLE',
    'LIQUIDITY_MIGRATION_STEP_REFUSED',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
  example: {
    body: { payload: { transition: 'VALIDATE' }, reason: 'New simulation before the decision' },
  },
})

export const migrationPlanFamily = declareFamily({
  module: 'operate/migration-plans',
  operations: [
    listMigrationPlans,
    createMigrationPlans,
    getMigrationPlans,
    getMigrationPlanState,
    appendMigrationPlanTransition,
  ],
  type: 'MigrationPlan',
  prefix: 'migration_plan',
  name: 'migration plan',
  plural: 'migration plans',
  payload: MigrationPlan,
  moves,
  events: ['migration_plan.created', 'migration_plan.transitioned'],
  title: null,
  columns: ['payload.request.pair', 'payload.request.constraints.deadline', 'status'],
  ui: {
    page: 'proposals/migrations',
    task: 'Migrations',
    icon: 'git-branch',
    summary: 'Stepwise moves of liquidity, with rollback.',
    empty: 'Create a plan to move liquidity between venues in steps.',
    head: ['payload.request.constraints.deadline'],
    actions: {
      createMigrationPlans: { label: 'Create migration plan' },
      appendMigrationPlanTransition: { label: 'Record transition' },
    },
    docs: 'migration',
  },
})
