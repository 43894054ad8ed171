import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, scoped } from '../operation.ts'
import { closed, Hash, named, oneOf, orNull, RecordId, Timestamp } from '../scalars.ts'
import { AnomalySeverity } from './anomalies.ts'

const AlertState = oneOf(['OPEN', 'RESOLVED'], 'Whether it still holds.')

export const Alert = named(
  'Alert',
  closed({
    id: Type.String({ maxLength: 200, description: 'Of what is told and of its kind; stable.' }),
    source: closed({
      resourceType: Type.String({ maxLength: 80 }),
      id: RecordId,
      resourceVersion: Hash,
    }),
    kind: Type.String({
      maxLength: 60,
      description:
        'Of an anomaly its kind; SCORE_EXPIRED, VENUE_STALE, VENUE_DIVERGENT, JOB_FAILED.',
    }),
    severity: AnomalySeverity,
    title: Type.String({ maxLength: 300 }),
    openedAt: Timestamp,
    lastSeenAt: Timestamp,
    occurrences: Type.Integer({
      minimum: 1,
      description: 'Of an anomaly how often it was seen; of failed jobs how many failed in a row.',
    }),
    state: AlertState,
    subject: closed({
      pair: orNull(Type.String({ maxLength: 120, description: 'chainId|base|quote.' })),
      venueId: orNull(RecordId),
    }),
    evidenceHash: Hash,
  }),
)
export type Alert = Static<typeof Alert>

export const listAlertsV2 = operation({
  id: 'listAlertsV2',
  method: 'GET',
  path: '/alerts',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List alerts',
  description:
    'What wants attention, worst first and newest first among equals: anomalies, expired scores, venues that are no longer read or whose history was not proved, and failed jobs. A projection of records: nothing is stored for it.',
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

export const alertFamily = declareFamily({
  room: 'intelligence/alerts',
  operations: [listAlertsV2],
})
