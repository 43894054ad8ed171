import Type, { type Static } from 'typebox'
import { Actor, versioned } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, record, scoped, session } from '../operation.ts'
import { closed, Hash, named, oneOf, orNull, Reason, RecordId, Timestamp } from '../scalars.ts'
import { AnomalySeverity } from './anomalies.ts'

const AlertState = oneOf(['OPEN', 'RESOLVED'], 'Whether it still holds.')

export const AlertId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9:_-]{2,199}$',
  description: 'Id of an alert as GET /alerts tells it: of what is told and of its kind; stable.',
  examples: ['VENUE_STALE:venue_0198f0f0c0de7000800000000000a001'],
})

export const AlertAcknowledgement = named(
  'AlertAcknowledgement',
  closed({
    at: Timestamp,
    by: Actor,
    severity: AnomalySeverity,
  }),
)

/** What an alert tells, whoever has seen it. */
const told = {
  source: closed({
    resourceType: Type.String({ maxLength: 80 }),
    id: RecordId,
    resourceVersion: Hash,
  }),
  kind: Type.String({
    maxLength: 60,
    description:
      'Of an anomaly its kind; SCORE_EXPIRED, VENUE_STALE, VENUE_DIVERGENT, JOB_FAILED, SCHEDULE_OVERDUE, FEED_STALE, PROVIDER_DOWN, UNREGISTERED_EXECUTION, UNEXPECTED_EFFECT, ONCHAIN_AUTHORITY.',
  }),
  severity: AnomalySeverity,
  title: Type.String({ maxLength: 300 }),
  openedAt: Timestamp,
  subject: closed({
    pair: orNull(Type.String({ maxLength: 120, description: 'chainId|base|quote.' })),
    venueId: orNull(RecordId),
  }),
  evidenceHash: Hash,
}

/** What people did about an alert. */
const handled = {
  acknowledged: orNull(AlertAcknowledgement),
  mutedUntil: orNull(Timestamp),
}

export const Alert = named(
  'Alert',
  closed({
    id: AlertId,
    ...told,
    lastSeenAt: Timestamp,
    occurrences: Type.Integer({
      minimum: 1,
      description: 'Of an anomaly how often it was seen; of failed jobs how many failed in a row.',
    }),
    state: AlertState,
    ...handled,
  }),
)
export type Alert = Static<typeof Alert>

/** What was told of an alert: the record behind its events and behind what people did about it. */
export const AlertNotice = named(
  'AlertNotice',
  closed({
    alertId: AlertId,
    ...told,
    resolvedAt: orNull(Timestamp),
    ...handled,
  }),
)
export type AlertNotice = Static<typeof AlertNotice>
export const AlertNoticeRecord = versioned('AlertNotice', AlertNotice)

export const listAlertsV2 = operation({
  id: 'listAlertsV2',
  method: 'GET',
  path: '/alerts',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List alerts',
  description:
    'What wants attention, worst first and newest first among equals: anomalies, expired scores, venues that are no longer read or whose history was not proved, failed jobs, what is overdue, feeds of prices that are stale, and chain providers that are down. Computed from the records each time; what was told of an alert, who has acknowledged it and until when it is muted is kept beside it.',
  auth: scoped('alerts:read'),
  permission: 'read',
  paging: paging(50, 100),
  query: {
    state: Type.Optional(AlertState),
    severity: Type.Optional(AnomalySeverity),
    pair: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,15}\\|0x[0-9a-fA-F]{40}\\|0x[0-9a-fA-F]{40}$',
        description: 'chainId|base|quote.',
      }),
    ),
  },
  success: [200],
  response: collection(Alert),
})

const heading = { tag: 'Intelligence', family: 'Market quality, attribution and alerts' } as const
const params = { id: AlertId }

export const acknowledgeAlert = operation({
  id: 'acknowledgeAlert',
  isExtension: true,
  method: 'POST',
  path: '/alerts/{id}/acknowledge',
  ...heading,
  summary: 'Acknowledge an alert',
  description:
    'Somebody looks after it: no message repeats it until it is resolved or becomes worse. It stays listed and says who.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  params,
  success: [200],
  body: closed({ reason: Reason }),
  response: record(AlertNoticeRecord),
  errors: ['LIQUIDITY_ALERT_NOT_OPEN'],
  example: { body: { reason: 'The node is being replaced' } },
})

export const muteAlert = operation({
  id: 'muteAlert',
  isExtension: true,
  method: 'POST',
  path: '/alerts/{id}/mute',
  ...heading,
  summary: 'Mute an alert',
  description:
    'No message tells of it until then, at most 30 days from now, except that it is over where it was told; null ends the silence. It stays listed and says so.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  params,
  success: [200],
  body: closed({ until: orNull(Timestamp), reason: Reason }),
  response: record(AlertNoticeRecord),
  errors: ['LIQUIDITY_ALERT_NOT_OPEN'],
  example: { body: { until: null, reason: 'The work on the venue is done' } },
})

export const alertFamily = declareFamily({
  room: 'intelligence/alerts',
  operations: [listAlertsV2, acknowledgeAlert, muteAlert],
  type: 'AlertNotice',
  prefix: 'alert',
  name: 'alert',
  plural: 'alerts',
  payload: AlertNotice,
  moves: { ACTIVE: ['ACTIVE', 'RETIRED'], RETIRED: ['RETIRED', 'ACTIVE'] },
  events: [
    'alert.opened',
    'alert.escalated',
    'alert.resolved',
    'alert.acknowledged',
    'alert.muted',
    'alert.unmuted',
  ],
  title: 'payload.title',
  columns: ['payload.kind', 'payload.severity', 'status', 'payload.openedAt'],
  ui: {
    group: 'Market',
    task: 'Alerts',
    icon: 'bell',
    asks: 'Alerts on markets, data and operations.',
    empty: 'The service opens alerts automatically.',
    title: 'title',
    columns: ['title', 'severity', 'kind', 'state', 'openedAt'],
    head: ['severity', 'kind', 'lastSeenAt'],
    actions: {
      acknowledgeAlert: { label: 'Acknowledge alert' },
      muteAlert: { label: 'Mute alert' },
    },
    docs: 'alerts',
  },
})
