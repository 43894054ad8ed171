import Type, { type Static } from 'typebox'
import { Actor, versioned } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, record, scoped, session } from '../operation.ts'
import { closed, Hash, named, oneOf, orNull, Reason, RecordId, Timestamp } from '../scalars.ts'
import { AnomalySeverity } from './anomalies.ts'

const AlertState = oneOf(
  ['OPEN', 'RESOLVED'],
  'OPEN while the condition holds, RESOLVED afterwards.',
)

export const AlertId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9:_-]{2,199}$',
  description: 'Stable alert id from GET /alerts, derived from subject and kind.',
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

const sharedMembers = {
  source: closed({
    resourceType: Type.String({ maxLength: 80 }),
    id: RecordId,
    resourceVersion: Hash,
  }),
  kind: Type.String({
    maxLength: 60,
    description:
      'Anomaly kind, or SCORE_EXPIRED, VENUE_STALE, VENUE_DIVERGENT, JOB_FAILED, SCHEDULE_OVERDUE, FEED_STALE, PROVIDER_DOWN, PROVIDER_QUOTA, UNREGISTERED_EXECUTION, UNEXPECTED_EFFECT, ONCHAIN_AUTHORITY, THRESHOLD.',
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

const handled = {
  acknowledged: orNull(AlertAcknowledgement),
  mutedUntil: orNull(Timestamp),
}

export const Alert = named(
  'Alert',
  closed({
    id: AlertId,
    ...sharedMembers,
    lastSeenAt: Timestamp,
    occurrences: Type.Integer({
      minimum: 1,
      description: 'Number of sightings of an anomaly; number of consecutive failures of jobs.',
    }),
    state: AlertState,
    ...handled,
  }),
)
export type Alert = Static<typeof Alert>

/** Published state of an alert: the record behind its events and user actions. */
export const AlertNotice = named(
  'AlertNotice',
  closed({
    alertId: AlertId,
    ...sharedMembers,
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
    'Open alerts, worst first, then newest first: anomalies, expired scores, venues that are stale or have unproved history, failed jobs, overdue schedules, stale price feeds, chain providers that are down, and thresholds of alert rules. The service computes them from the records on each request and adds stored data: notifications, acknowledgments and mutes.',
  auth: scoped('alerts:read'),
  permission: 'read',
  paging: paging(50, 100),
  query: {
    state: Type.Optional(AlertState),
    severity: Type.Optional(AnomalySeverity),
    kind: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,59}$',
        description: 'Kind of the alert, for example VENUE_STALE.',
        examples: ['VENUE_STALE'],
      }),
    ),
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
    'Acknowledges an alert: repeat notifications stop until the alert resolves or becomes worse. The alert stays listed with the acknowledging user.',
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
    'Mutes an alert until a time at most 30 days from now; only the resolution of a notified alert is still sent. Null ends the mute. The alert stays listed as muted.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  params,
  success: [200],
  body: closed({ until: orNull(Timestamp), reason: Reason }),
  response: record(AlertNoticeRecord),
  errors: ['LIQUIDITY_ALERT_NOT_OPEN'],
  example: { body: { until: null, reason: 'Venue maintenance is complete' } },
})

export const alertFamily = declareFamily({
  module: 'intelligence/alerts',
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
    page: 'alerts/open',
    task: 'Alerts',
    icon: 'bell',
    summary: 'Alerts on markets, data and operations.',
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
