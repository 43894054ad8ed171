import Type, { type Static } from 'typebox'
import { Evidence, noAuthority, Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { operation, record, scoped, session } from '../operation.ts'
import { anomalyKinds } from '../plan/strategy-definition.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  Address,
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  Reason,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { ArmId } from '../simulate/study-spec.ts'
import { OwnedPosition, Pair } from './venues.ts'

export const AnomalyKind = named('AnomalyKind', oneOf(anomalyKinds, 'Anomaly kind.'))
export const AnomalySeverity = named(
  'AnomalySeverity',
  oneOf(['INFO', 'WARNING', 'CRITICAL'], 'Size and duration of the deviation.'),
)

export const AnomalySubject = named(
  'AnomalySubject',
  closed({
    pair: Pair,
    venueId: Type.Optional(RecordId),
    positionRefs: Type.Optional(
      list(OwnedPosition, 64, {
        minItems: 1,
        description: 'Subset of the owned positions of the venue. Default: all.',
      }),
    ),
    asset: Type.Optional(Address),
    pegX18: Type.Optional(PriceX18),
    study: Type.Optional(Ref),
    armId: Type.Optional(ArmId),
  }),
)

export const AnomalyEvaluation = named(
  'AnomalyEvaluation',
  closed({
    schemaVersion: Type.Literal('anomaly-evaluation-v1'),
    kind: AnomalyKind,
    subject: AnomalySubject,
    at: Type.Optional(Timestamp),
    cadenceSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 3600,
        description: 'Interval between samples, in seconds. Default: 300.',
      }),
    ),
    baselineSeconds: Type.Optional(
      Type.Integer({
        minimum: 3600,
        maximum: 2_505_600,
        description:
          'Baseline window, in seconds. Default: 604,800; at most 10,000 sample intervals.',
      }),
    ),
  }),
)
export type AnomalyEvaluation = Static<typeof AnomalyEvaluation>

const Count = Type.Integer({ minimum: 0 })
const units = ['QUOTE_ATOMS', 'PIPS'] as const

const AnomalyFeature = named(
  'AnomalyFeature',
  closed({
    unit: oneOf(units, 'Unit of value, median and mad.'),
    value: SignedAmount,
    median: SignedAmount,
    mad: SignedAmount,
    scale4: SignedAmount,
    zMilli: Type.Integer({ description: 'Modified z-score in thousandths.' }),
    effectPips: SignedAmount,
  }),
)

const AnomalyContributor = named(
  'AnomalyContributor',
  closed({
    kind: Type.String({
      maxLength: 40,
      description: 'Kind of the part, such as WITHDRAWAL or CURVE.',
    }),
    ref: Type.String({ maxLength: 200, description: 'Account or contract behind the part.' }),
    amount: SignedAmount,
  }),
)

const AnomalyPoint = closed({ at: Timestamp, value: SignedAmount, isFlagged: Type.Boolean() })

export const LiquidityAnomaly = named(
  'LiquidityAnomaly',
  closed({
    detectorVersion: Type.Literal('robust-mad-v1'),
    kind: AnomalyKind,
    subject: AnomalySubject,
    at: Timestamp,
    cadenceSeconds: Type.Integer({ minimum: 60 }),
    baselineSeconds: Type.Integer({ minimum: 3600 }),
    state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'PARTIAL: only an absolute rule spoke.'),
    reasons: list(Type.String({ maxLength: 80 }), 32),
    outcome: orNull(oneOf(['DETECTED', 'NOT_DETECTED'], 'Null if the detector abstained.')),
    severity: orNull(AnomalySeverity),
    rule: orNull(oneOf(['STATISTICAL', 'ABSOLUTE'], 'Rule that decided the outcome.')),
    feature: orNull(AnomalyFeature),
    persistence: closed({ hits: Count, of: Count }),
    contributors: list(AnomalyContributor, 64, {
      description: 'Parts of the feature; the kind determines the unit of each amount.',
    }),
    indicators: list(Type.String({ maxLength: 40 }), 16),
    explanation: Type.String({ maxLength: 1000 }),
    fingerprint: Hash,
    baseline: orNull(
      closed({
        from: Timestamp,
        to: Timestamp,
        samples: Count,
        excluded: Count,
        coveragePips: Pips,
        isSeasonal: Type.Boolean(),
        isNewRegime: Type.Boolean(),
      }),
    ),
    course: list(AnomalyPoint, 240, { description: 'Newest samples, for a chart.' }),
    openedAt: orNull(Timestamp),
    lastSeenAt: orNull(Timestamp),
    occurrences: Count,
    criticalAt: list(closed({ from: Timestamp, to: Timestamp }), 64, {
      description: 'Times with this anomaly at CRITICAL; baselines exclude their samples.',
    }),
    ...noAuthority,
    evidence: Evidence,
  }),
)
export type LiquidityAnomaly = Static<typeof LiquidityAnomaly>
export const LiquidityAnomalyRecord = versioned('LiquidityAnomaly', LiquidityAnomaly)

const AnomalyCreate = named(
  'AnomalyCreate',
  closed({
    payload: AnomalyEvaluation,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const family = 'Market quality, attribution and alerts'

const heading = { tag: 'Intelligence', family: 'Market quality, attribution and alerts' } as const

const anomalies = {
  path: '/anomalies',
  ...heading,
  one: 'anomaly',
  many: 'anomalies',
  record: LiquidityAnomalyRecord,
  auth: scoped('alerts:read'),
} as const

const moves = { ACTIVE: ['ACTIVE', 'COMPLETED'], COMPLETED: [], ABSTAINED: [] } as const

export const listAnomalies = listOperation(anomalies, {
  id: 'listAnomalies',
  summary: 'List anomalies',
  note: 'Detector robust-mad-v1; kinds and severities are those of the passport incidentDetails.',
  query: {
    ...recordQueryOf(moves, 'a venue'),
    state: Type.Optional(
      oneOf(
        ['OPEN', 'RESOLVED'],
        'Only detected anomalies: OPEN while the condition holds, RESOLVED afterwards.',
      ),
    ),
  },
})

export const createAnomalies = operation({
  id: 'createAnomalies',
  method: 'POST',
  path: '/anomalies',
  tag: 'Intelligence',
  family,
  summary: 'Check one kind of anomaly',
  description:
    'Checks one subject for one anomaly kind with robust-mad-v1 on sealed observations. DETECTED opens an anomaly or appends to the open anomaly of the same kind and subject; NOT_DETECTED is COMPLETED; with insufficient data the detector abstains, with reasons.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: AnomalyCreate,
  response: record(LiquidityAnomalyRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_VENUE_NOT_VALIDATED',
    'LIQUIDITY_ANOMALY_SUBJECT_INVALID',
    'LIQUIDITY_ANOMALY_STUDY_INCOMPATIBLE',
  ],
  example: {
    body: {
      payload: {
        schemaVersion: 'anomaly-evaluation-v1',
        kind: 'LIQUIDITY_DISAPPEARANCE',
        subject: {
          pair: {
            chainId: 31337,
            base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
            quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
            baseDecimals: 18,
            quoteDecimals: 18,
          },
          venueId: 'venue_example',
        },
      },
      reason: 'Depth looked thin this morning',
    },
  },
})

export const getAnomalies = getOperation(anomalies, {
  id: 'getAnomalies',
  summary: 'Read one anomaly',
})

export const anomalyFamily = declareFamily({
  module: 'intelligence/anomalies',
  operations: [listAnomalies, createAnomalies, getAnomalies],
  type: 'LiquidityAnomaly',
  prefix: 'anomaly',
  name: 'anomaly',
  plural: 'anomalies',
  payload: LiquidityAnomaly,
  moves,
  events: [
    'anomaly.detected',
    'anomaly.evaluated',
    'anomaly.seen',
    'anomaly.escalated',
    'anomaly.regime_accepted',
    'anomaly.cleared',
  ],
  title: 'payload.explanation',
  columns: ['payload.kind', 'payload.severity', 'payload.lastSeenAt', 'status'],
  subject: 'payload.subject.venueId',
  ui: {
    page: 'markets/quality',
    task: 'Anomalies',
    icon: 'activity',
    summary: 'Unusual changes in depth, price, volume or flow.',
    empty: 'Run a detection, or add a schedule.',
    head: ['payload.severity', 'payload.kind', 'payload.lastSeenAt'],
    actions: {
      createAnomalies: { label: 'Detect anomaly' },
    },
    docs: 'anomalies',
  },
})
