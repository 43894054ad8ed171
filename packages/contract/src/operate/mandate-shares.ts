import Type, { type Static } from 'typebox'
import { Ref, SimulatedMarket, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { Pair } from '../intelligence/venues.ts'
import { anyone, data, operation, record, session } from '../operation.ts'
import { AnySlug, slugPattern } from '../public-slug.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  EvidenceHashes,
  Hash,
  Label,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  Timestamp,
} from '../scalars.ts'
import { KpiEvaluation } from './market-maker-evidence.ts'
import { MandateKpi, sharedKpiMetrics, VenueKey } from './market-maker-mandate.ts'

const MandateSlug = named(
  'MandateSlug',
  Type.String({
    pattern: slugPattern,
    description:
      'Last part of the public address, 8 to 64 characters; one of its kind in the deployment and never given out again. A chosen one is public by intent and can be guessed.',
    examples: ['maker-november'],
  }),
)

export const MandateShare = named(
  'MandateShare',
  closed({
    mandate: Ref,
    slug: MandateSlug,
    url: Type.String({ format: 'uri', description: 'Public URL.' }),
    expiresAt: Timestamp,
  }),
)
export type MandateShare = Static<typeof MandateShare>
export const MandateShareRecord = versioned('MandateShare', MandateShare)

const MandateShareRequest = named(
  'MandateShareRequest',
  closed({
    payload: closed({
      slug: Type.Optional(MandateSlug),
      expiresAt: Type.Optional(Timestamp),
    }),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const MandateShareRevocation = named(
  'MandateShareRevocation',
  closed({
    payload: Type.Optional(closed({ resourceVersion: Type.Optional(Hash) })),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const hourStates = ['MET', 'BREACHED', 'GAP', 'EXCLUDED', 'AHEAD'] as const
const Hours = (side: string) =>
  list(
    oneOf(
      hourStates,
      'BREACHED: misses the threshold even with its data gaps at their best. GAP: less data than the KPI requires. EXCLUDED: outside the period, or excluded. AHEAD: not begun.',
    ),
    24,
    { minItems: 24, description: `Hours 0 to 23 of the UTC day, ${side}.` },
  )

// Fields by name: a new field of a KPI or a result stays private until it is listed here.
const {
  kpiId,
  venueKey,
  side: kpiSide,
  bandPips,
  sizeQuote,
  comparator,
  threshold,
  window: kpiWindow,
} = MandateKpi.properties
const SharedKpi = named(
  'SharedMandateKpi',
  closed({
    kpiId,
    metric: oneOf(sharedKpiMetrics, 'Metric, as in MandateKpi. Loan coverage is never shared.'),
    venueKey,
    side: kpiSide,
    bandPips,
    sizeQuote,
    comparator,
    threshold,
    window: kpiWindow,
  }),
)

const {
  window,
  observed,
  pessimistic,
  optimistic,
  gapSeconds,
  excludedSeconds,
  verdict,
  reason,
  trust,
} = KpiEvaluation.properties
const SharedEvaluation = named(
  'SharedKpiEvaluation',
  closed({
    kpiId,
    window,
    observed,
    pessimistic,
    optimistic,
    gapSeconds,
    excludedSeconds,
    verdict,
    reason,
    trust,
  }),
)

export const SharedMandate = named(
  'SharedMandate',
  closed({
    title: Label,
    marketMaker: Label,
    status: oneOf(['ACTIVE', 'PAUSED', 'REVOKED', 'COMPLETED', 'EXPIRED'], 'State of the mandate.'),
    pair: Pair,
    symbols: closed(
      { base: orNull(Type.String()), quote: orNull(Type.String()) },
      { description: 'Symbols from the token contract or the catalog; null for unknown tokens.' },
    ),
    period: closed({ from: Timestamp, to: Timestamp }),
    venues: list(
      closed({
        venueKey: VenueKey,
        kind: oneOf(['CEX', 'DEX'], 'CEX: an order book. DEX: a pool.'),
        name: Label,
      }),
      16,
    ),
    kpis: list(SharedKpi, 32, { description: 'KPIs, except loan coverage.' }),
    evaluations: list(SharedEvaluation, 32, {
      description:
        'Current window of each shared KPI, or the last one after the end of the period.',
    }),
    exclusions: list(closed({ from: Timestamp, to: Timestamp, reason: Type.String() }), 64),
    days: list(
      closed({
        day: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
        bid: Hours('bids'),
        ask: Hours('asks'),
      }),
      31,
      { description: 'Hours of the uptime KPI in the last days; empty without such a KPI.' },
    ),
    gaps: list(
      closed({
        from: Timestamp,
        to: Timestamp,
        reason: oneOf(['NO_SAMPLE', 'COVERAGE_BELOW_MINIMUM'], 'Reason for the data gap.'),
      }),
      400,
      { description: 'Data gaps in these days, oldest first.' },
    ),
    simulated: Type.Optional(SimulatedMarket),
    asOf: Timestamp,
    expiresAt: Timestamp,
  }),
)
export type SharedMandate = Static<typeof SharedMandate>

const heading = { tag: 'Operate', family: 'Partners, consent and market makers' } as const

const mandateShares = {
  path: '/mandate-shares',
  ...heading,
  one: 'MandateShare',
  record: MandateShareRecord,
} as const

const moves = { ACTIVE: ['REVOKED', 'EXPIRED'], REVOKED: [], EXPIRED: [] } as const

export const listMandateShares = {
  ...listOperation(mandateShares, {
    id: 'listMandateShares',
    summary: 'List mandate shares',
    query: recordQueryOf(moves, 'a mandate'),
  }),
  isExtension: true,
} as const

export const getMandateShares = {
  ...getOperation(mandateShares, {
    id: 'getMandateShares',
    summary: 'Read one mandate share',
    note: 'After expiresAt the link is closed; the record becomes EXPIRED within the hour.',
  }),
  isExtension: true,
} as const

export const createMandateShareLink = operation({
  id: 'createMandateShareLink',
  isExtension: true,
  method: 'POST',
  path: '/market-maker-mandates/{id}/share-links',
  ...heading,
  summary: 'Share a mandate by a public link',
  description:
    'Creates a MandateShare; /m/{slug} shows the KPIs of the current version of the mandate to anyone, without loan coverage, compensation, wallets, keys and data feeds. Reasons of exclusions are public. If-Match, if given, must name the current version. Default slug: random, 130 bits. Default expiresAt: 30 days; maximum: 365.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: MandateShareRequest,
  response: record(MandateShareRecord),
  errors: ['LIQUIDITY_MANDATE_NOT_OBSERVED', 'LIQUIDITY_MANDATE_SHARE_SLUG_TAKEN'],
  example: { body: { payload: { slug: 'maker-november' }, reason: 'For the market maker' } },
})

export const revokeMandateShareLink = operation({
  id: 'revokeMandateShareLink',
  isExtension: true,
  method: 'POST',
  path: '/mandate-shares/{id}/revoke',
  ...heading,
  summary: 'Revoke a public link to a mandate',
  description:
    'Revokes a share; the public slug stops resolving at once and is never reused. If-Match or payload.resourceVersion must name the reviewed version; if both are given, they must be equal.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: MandateShareRevocation,
  response: record(MandateShareRecord),
  errors: ['LIQUIDITY_MANDATE_SHARE_TERMINAL', 'LIQUIDITY_PRECONDITION_AMBIGUOUS'],
  example: { body: { reason: 'The mandate ended' } },
})

export const getSharedMarketMakerMandate = operation({
  id: 'getSharedMarketMakerMandate',
  isExtension: true,
  method: 'GET',
  path: '/public/mandates/{slug}',
  tag: 'Operate',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Read a shared mandate',
  description:
    'Disclosed part of the current version of a mandate, until the share is revoked or expires. An unknown, malformed, revoked or expired slug returns the same response. X-Robots-Tag disables search indexing. The page /m/{slug} shows the same members.',
  auth: anyone,
  params: { slug: AnySlug },
  success: [200],
  response: data(SharedMandate),
  cacheControl: 'public, max-age=60',
  errors: ['LIQUIDITY_PUBLIC_MANDATE_UNAVAILABLE'],
})

export const mandateShareFamily = declareFamily({
  module: 'operate/mandate-shares',
  operations: [
    listMandateShares,
    getMandateShares,
    createMandateShareLink,
    revokeMandateShareLink,
    getSharedMarketMakerMandate,
  ],
  type: 'MandateShare',
  prefix: 'mandate_share',
  name: 'mandate share link',
  plural: 'mandate share links',
  payload: MandateShare,
  moves,
  refusals: { terminal: 'LIQUIDITY_MANDATE_SHARE_TERMINAL' },
  events: ['mandate_share.created', 'mandate_share.revoked', 'mandate_share.expired'],
  title: 'payload.url',
  columns: ['payload.mandate', 'payload.expiresAt', 'status'],
  subject: 'payload.mandate.id',
  ui: {
    page: 'makers/shared',
    task: 'Shared mandates',
    icon: 'share-2',
    summary: 'Public links to mandates, with expiry.',
    empty: 'Share a mandate from its page.',
    head: ['payload.expiresAt'],
    actions: {
      revokeMandateShareLink: { label: 'Revoke link', when: ['ACTIVE'] },
    },
    docs: 'market-makers',
  },
})
