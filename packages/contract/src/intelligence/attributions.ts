import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, record, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  ExecutionAttribution,
  ExecutionAttributionRecord,
  ExecutionAttributionRequest,
} from './attribution-record.ts'

export {
  type AttributionInput,
  ExecutionAttribution,
  ExecutionAttributionRecord,
  ExecutionAttributionRequest,
} from './attribution-record.ts'

const attributionExample = {
  schemaVersion: 'execution-attribution-v1',
  pair: {
    chainId: 31337,
    base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    baseDecimals: 18,
    quoteDecimals: 18,
  },
  side: 'BUY',
  trader: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  decision: { at: '2021-11-01T00:00:00.000Z', priceX18: '3650000000000000' },
  intended: { base: '3000000000000000000' },
  fills: [{ txHash: '0x6666666666666666666666666666666666666666666666666666666666666666' }],
  horizonSeconds: 300,
} as const

const heading = { tag: 'Intelligence', family: 'Market quality, attribution and alerts' } as const

const attributions = {
  path: '/attributions',
  ...heading,
  one: 'ExecutionAttribution',
  record: ExecutionAttributionRecord,
  auth: scoped('receipts:read'),
} as const

const moves = { COMPLETED: [], PARTIAL: [], ABSTAINED: [] } as const

export const listAttributions = listOperation(attributions, {
  id: 'listAttributions',
  summary: 'List attributions',
  query: recordQuery(moves),
})

export const createAttributions = operation({
  id: 'createAttributions',
  method: 'POST',
  path: '/attributions',
  ...heading,
  summary: 'Analyze the cost of an execution',
  description:
    'TCA of an order: reads its transactions from finalized blocks and attributes the cost exactly, in atomic units.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: ExecutionAttributionRequest,
  response: record(ExecutionAttributionRecord),
  errors: [
    'LIQUIDITY_ATTRIBUTION_INPUT_INVALID',
    'LIQUIDITY_ATTRIBUTION_TRADER_MISMATCH',
    'LIQUIDITY_ATTRIBUTION_PAIR_NOT_IN_TRANSACTION',
    'LIQUIDITY_ATTRIBUTION_OVERFILLED',
    'LIQUIDITY_ATTRIBUTION_DECISION_AFTER_FILL',
    'LIQUIDITY_ATTRIBUTION_NOT_FINAL',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  ],
  example: { body: { payload: attributionExample, reason: 'Token purchase by the treasury' } },
})

export const getAttributions = getOperation(attributions, {
  id: 'getAttributions',
  summary: 'Read one attribution',
})

export const attributionFamily = declareFamily({
  module: 'intelligence/attributions',
  operations: [listAttributions, createAttributions, getAttributions],
  type: 'ExecutionAttribution',
  prefix: 'attribution',
  name: 'execution cost analysis',
  plural: 'execution cost analyses',
  payload: ExecutionAttribution,
  moves,
  events: ['attribution.computed'],
  title: null,
  columns: ['payload.state', 'payload.componentsPips.shortfall', 'createdAt'],
  ui: {
    page: 'markets/trades',
    task: 'Trades',
    noun: ['trade', 'trades'],
    icon: 'receipt',
    summary: 'TCA of a transaction: fees, price impact, MEV.',
    empty: 'Analyze a transaction by its hash.',
    head: ['payload.state', 'payload.componentsPips.shortfall'],
    actions: {
      createAttributions: { label: 'Analyze transaction' },
    },
    docs: 'attribution',
  },
})
