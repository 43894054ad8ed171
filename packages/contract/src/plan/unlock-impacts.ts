import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, named, Reason } from '../scalars.ts'
import { UnlockImpact, UnlockImpactInput } from './unlock-impact.ts'

export * from './unlock-impact.ts'

export const UnlockImpactRecord = versioned('UnlockImpact', UnlockImpact)

const UnlockImpactCreate = named(
  'UnlockImpactCreate',
  closed({
    payload: UnlockImpactInput,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const moves = { COMPLETED: [], PARTIAL: [], ABSTAINED: [] } as const

const heading = { tag: 'Plan', family: 'Issuer intents, launches and unlocks' } as const

const unlockImpacts = {
  path: '/unlock-impacts',
  ...heading,
  one: 'unlock impact',
  many: 'unlock impacts',
  record: UnlockImpactRecord,
  cacheControl: 'private, no-store',
} as const

export const listUnlockImpacts = listOperation(unlockImpacts, {
  id: 'listUnlockImpacts',
  summary: 'List unlock impacts',
  query: recordQuery(moves),
})

export const createUnlockImpacts = operation({
  id: 'createUnlockImpacts',
  method: 'POST',
  path: '/unlock-impacts',
  ...heading,
  summary: 'Create unlock impact',
  description:
    'Creates an unlock impact record from the common body {payload, status?, evidenceHashes?, reason}; the computation determines the status, so the request must omit it. Daily unlocks of the schedules, exactly; their expected sales; the price impact by the square-root law and by the observed pools; and mitigations within a limit. Streams and vesting wallets are read from the chain at a finalized block.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  body: UnlockImpactCreate,
  response: record(UnlockImpactRecord),
  errors: [
    'LIQUIDITY_UNLOCK_SCHEDULE_INVALID',
    'LIQUIDITY_UNLOCK_ADAPTER_UNSUPPORTED',
    'LIQUIDITY_UNLOCK_TOKEN_MISMATCH',
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
        label: 'Team vesting cliff',
        token: 'eip155:31337/erc20:0x8464135c8f25da09e49bc8782676a84730c318bc',
        quote: 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        schedules: [
          {
            label: 'Team',
            recipientClass: 'TEAM',
            source: {
              kind: 'DECLARED',
              events: [
                {
                  kind: 'LINEAR',
                  from: '2026-01-01T00:00:00Z',
                  cliffAt: '2026-02-01T00:00:00Z',
                  to: '2026-07-01T00:00:00Z',
                  amount: '10000000000000000000000000',
                },
              ],
            },
          },
        ],
        window: { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z' },
        market: { dailyVolumeTokens: '2000000000000000000000000', dailyVolatilityPips: 50_000 },
        mitigations: [{ kind: 'LINEARISE' }],
      },
      reason: 'For the board meeting',
    },
  },
})

export const getUnlockImpacts = getOperation(unlockImpacts, {
  id: 'getUnlockImpacts',
  summary: 'Get unlock impact',
})

export const unlockImpactsFamily = declareFamily({
  module: 'plan/unlock-impacts',
  operations: [listUnlockImpacts, createUnlockImpacts, getUnlockImpacts],
  type: 'UnlockImpact',
  prefix: 'unlock_impact',
  name: 'unlock impact',
  plural: 'unlock impacts',
  payload: UnlockImpact,
  moves,
  events: ['unlock_impact.computed'],
  title: 'payload.request.label',
  columns: ['payload.request.label', 'status', 'createdAt'],
  ui: {
    page: 'plan/unlocks',
    task: 'Unlocks',
    icon: 'calendar-clock',
    summary: 'Price impact of vesting, and ways to reduce it.',
    empty: 'Enter a vesting schedule to compute its price impact.',
    head: ['payload.supply.unlocking', 'payload.daysBeyondLimit'],
    actions: {
      createUnlockImpacts: { label: 'Compute impact' },
    },
    docs: 'unlocks',
  },
})
