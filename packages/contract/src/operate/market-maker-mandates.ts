import Type from 'typebox'
import { declareFamily, recordQuery } from '../family.ts'
import { collection, data, operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, named, oneOf, Reason, Timestamp } from '../scalars.ts'
import {
  MandateEvaluations,
  MarketMakerObservation,
  MarketMakerObservationRecord,
  ObservationBatchWrite,
} from './market-maker-evidence.ts'
import { MarketMakerMandate, MarketMakerMandateRecord } from './market-maker-mandate.ts'

export * from './market-maker-evidence.ts'
export * from './market-maker-mandate.ts'

const heading = { tag: 'Operate', family: 'Partners, consent and market makers' } as const

const moves = {
  DRAFT: ['DRAFT', 'ACTIVE', 'REVOKED', 'EXPIRED'],
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED', 'COMPLETED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'REVOKED', 'EXPIRED'],
  REVOKED: [],
  COMPLETED: [],
  EXPIRED: [],
} as const

const marketMakerMandates = {
  path: '/market-maker-mandates',
  ...heading,
  one: 'market-maker mandate',
  many: 'market-maker mandates',
  record: MarketMakerMandateRecord,
} as const

const termsErrors = [
  'LIQUIDITY_MANDATE_TERMS_INVALID',
  'LIQUIDITY_MANDATE_RETROACTIVE',
  'LIQUIDITY_MANDATE_LOAN_UNAVAILABLE',
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_VENUE_NOT_VALIDATED',
  'LIQUIDITY_PROVIDER_UNKNOWN',
] as const

export const listMarketMakerMandates = listOperation(marketMakerMandates, {
  id: 'listMarketMakerMandates',
  summary: 'List market maker mandates',
  query: recordQuery(moves),
})

const terms = {
  title: 'Market making on two books',
  marketMaker: {
    name: 'Example Markets',
    signerKeys: [
      { algorithm: 'ED25519', publicKey: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=' },
    ],
    wallets: [],
  },
  pair: {
    chainId: 31337,
    base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    baseDecimals: 18,
    quoteDecimals: 18,
  },
  venues: [{ venueKey: 'kraken', kind: 'CEX', name: 'Kraken' }],
  kpis: [
    {
      kpiId: 'uptime',
      metric: 'UPTIME_PIPS',
      venueKey: 'kraken',
      side: 'BOTH',
      bandPips: 20_000,
      sizeQuote: '1000000000000000000',
      comparator: 'GTE',
      threshold: '900000',
      window: 'DAY',
      minimumCoveragePips: 900_000,
    },
    {
      kpiId: 'spread',
      metric: 'SPREAD_PIPS',
      venueKey: 'kraken',
      side: 'BOTH',
      comparator: 'LTE',
      threshold: '10000',
      window: 'MONTH',
    },
  ],
  samplingSeconds: 60,
  exclusions: [],
  compensation: { model: 'RETAINER', feeQuotePerMonth: '5000000000000000000' },
  period: { from: '2026-01-01T00:00:00Z', to: '2028-01-01T00:00:00Z' },
} as const

export const createMarketMakerMandates = operation({
  id: 'createMarketMakerMandates',
  method: 'POST',
  path: '/market-maker-mandates',
  ...heading,
  summary: 'Create market maker mandate',
  description:
    'Creates a market-maker mandate record from the common body {payload, status?, evidenceHashes?, reason}: a DRAFT, or ACTIVE at once. It pays, signs and sends no transaction.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'MarketMakerMandateCreate',
    closed({
      payload: MarketMakerMandate,
      status: Type.Optional(oneOf(['DRAFT', 'ACTIVE'], 'Initial status. Default: DRAFT.')),
      evidenceHashes: Type.Optional(EvidenceHashes),
      reason: Reason,
    }),
  ),
  response: record(MarketMakerMandateRecord),
  errors: termsErrors,
  example: { body: { payload: terms, status: 'ACTIVE', reason: 'Signed by both parties' } },
})

export const getMarketMakerMandates = getOperation(marketMakerMandates, {
  id: 'getMarketMakerMandates',
  summary: 'Get market maker mandate',
})

export const supersedeMarketMakerMandates = operation({
  id: 'supersedeMarketMakerMandates',
  method: 'PATCH',
  path: '/market-maker-mandates/{id}',
  ...heading,
  summary: 'Supersede market maker mandates',
  description:
    'Changes the terms, the state, or both; the payload contains the complete terms. A mandate that is or was ACTIVE cannot be loosened for elapsed time: terms may only be tightened, exclusions added ahead, and the period ended no earlier than now. PAUSED: the service fetches no books and publishes no window, but obligations remain and evidence is accepted.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: named(
    'MarketMakerMandateSupersession',
    closed({
      payload: Type.Optional(MarketMakerMandate),
      status: Type.Optional(
        oneOf(['DRAFT', 'ACTIVE', 'PAUSED', 'REVOKED'], 'New status. Default: unchanged.'),
      ),
      evidenceHashes: Type.Optional(EvidenceHashes),
      reason: Reason,
    }),
  ),
  response: record(MarketMakerMandateRecord),
  errors: ['LIQUIDITY_MANDATE_TERMINAL', 'LIQUIDITY_MANDATE_TRANSITION_REFUSED', ...termsErrors],
  example: { body: { status: 'PAUSED', reason: 'The venue is closed for maintenance' } },
})

export const listMarketMakerEvidence = operation({
  id: 'listMarketMakerEvidence',
  method: 'GET',
  path: '/market-maker-mandates/{id}/observations',
  ...heading,
  summary: 'List market maker evidence',
  description:
    'Batches of books and loan readings under one mandate, newest first. PARTIAL if samples were contradicted.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: collection(MarketMakerObservationRecord),
})

export const ingestMarketMakerEvidence = operation({
  id: 'ingestMarketMakerEvidence',
  method: 'POST',
  path: '/market-maker-mandates/{id}/observations',
  ...heading,
  summary: 'Ingest market maker evidence',
  description:
    'Adds a batch of observed books to an ACTIVE or PAUSED mandate and returns the evaluations of the affected windows. Maximum: 8 MiB. The bytes are stored as sent; a repeated Idempotency-Key must repeat them byte for byte. The same batch under another key returns 201 with the existing record.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: ObservationBatchWrite,
  bodyIsRaw: true,
  bodyLimitBytes: 8 * 1024 * 1024,
  response: record(MarketMakerObservationRecord),
  errors: [
    'LIQUIDITY_MANDATE_NOT_OBSERVED',
    'LIQUIDITY_MANDATE_VENUE_UNKNOWN',
    'LIQUIDITY_MANDATE_SAMPLE_INVALID',
    'LIQUIDITY_MANDATE_SIGNATURE_INVALID',
    'LIQUIDITY_MANDATE_CONTRADICTS_EARLIER',
    'LIQUIDITY_MANDATE_DAY_FULL',
  ],
  example: {
    params: { id: 'mandate_example' },
    body: {
      payload: {
        source: 'PUBLIC_BOOK',
        venueKey: 'kraken',
        samples: [
          {
            at: '2026-01-05T12:00:00Z',
            bids: [{ priceX18: '990000000000000000', size: '4000000000000000000' }],
            asks: [{ priceX18: '1010000000000000000', size: '4000000000000000000' }],
          },
        ],
      },
      reason: 'Measured by our own collector',
    },
  },
})

export const evaluateMarketMakerMandate = operation({
  id: 'evaluateMarketMakerMandate',
  isExtension: true,
  method: 'GET',
  path: '/market-maker-mandates/{id}/evaluations',
  ...heading,
  summary: 'Evaluate the KPIs of a mandate',
  description:
    'Each KPI over its window at the moment `at`, from all current evidence. Extension of the specified operations.',
  auth: session,
  permission: 'read',
  query: {
    at: Type.Optional(Timestamp),
    kpiId: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'One alone.' })),
  },
  success: [200],
  response: data(MandateEvaluations),
  errors: ['LIQUIDITY_MANDATE_NOT_OBSERVED'],
})

export const marketMakerMandateFamily = declareFamily({
  module: 'operate/market-maker-mandates',
  operations: [
    listMarketMakerMandates,
    createMarketMakerMandates,
    getMarketMakerMandates,
    supersedeMarketMakerMandates,
    evaluateMarketMakerMandate,
  ],
  type: 'MarketMakerMandate',
  prefix: 'mandate',
  name: 'mandate',
  plural: 'market-maker mandates',
  payload: MarketMakerMandate,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_MANDATE_TERMINAL',
    move: 'LIQUIDITY_MANDATE_TRANSITION_REFUSED',
  },
  events: [
    'mandate.created',
    'mandate.superseded',
    'mandate.kpi_evaluated',
    'mandate.kpi_breached',
    'mandate.completed',
    'mandate.expired',
  ],
  title: 'payload.title',
  columns: ['payload.title', 'payload.marketMaker.name', 'payload.period.to', 'status'],
  ui: {
    page: 'makers/mandates',
    task: 'Mandates',
    icon: 'target',
    summary: 'Market-maker mandates and their KPIs: uptime, spread and depth.',
    empty: 'Create a mandate to measure what a market maker promised.',
    head: [],
    actions: {
      createMarketMakerMandates: { label: 'Create mandate' },
      supersedeMarketMakerMandates: { label: 'Edit mandate' },
      ingestMarketMakerEvidence: { label: 'Add evidence', when: ['ACTIVE', 'PAUSED'] },
      createMandateShareLink: {
        label: 'Share mandate',
        when: ['ACTIVE', 'PAUSED', 'REVOKED', 'COMPLETED', 'EXPIRED'],
      },
    },
    docs: 'market-makers',
  },
})

export const marketMakerObservationFamily = declareFamily({
  module: 'operate/market-maker-mandates',
  operations: [listMarketMakerEvidence, ingestMarketMakerEvidence],
  type: 'MarketMakerObservation',
  prefix: 'mandate_observation',
  name: 'mandate observation',
  plural: 'mandate observations',
  payload: MarketMakerObservation,
  moves: { COMPLETED: [], PARTIAL: [] },
  events: ['mandate.observed', 'mandate.contradicted'],
  title: null,
  columns: ['payload.source', 'payload.venueKey', 'payload.trust', 'status', 'createdAt'],
  subject: 'payload.mandate.id',
})
