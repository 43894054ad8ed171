import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { AlertId } from '../intelligence/alerts.ts'
import { AnomalySeverity } from '../intelligence/anomalies.ts'
import { data, operation, session } from '../operation.ts'
import { closed, Hash, list, named, oneOf, orNull, RecordId, Timestamp } from '../scalars.ts'

export const inboxKinds = [
  'APPROVE',
  'DECIDE',
  'ACKNOWLEDGE',
  'IMPORT',
  'EXPIRES',
  'FAILED',
] as const

export const InboxItem = named(
  'InboxItem',
  closed({
    kind: oneOf(
      inboxKinds,
      'APPROVE: a proposal that lacks the approval of the caller; an own one only if one approval suffices. DECIDE: a submitted decision packet. ACKNOWLEDGE: an open alert. IMPORT: an approved proposal whose execution is not registered. EXPIRES: a score, passport or credential that ends within 14 days. FAILED: failed jobs.',
    ),
    title: Type.String({ maxLength: 300, description: 'The item in words.' }),
    subject: closed({
      resourceType: Type.String({ maxLength: 80 }),
      id: RecordId,
      resourceVersion: Hash,
    }),
    alertId: orNull(AlertId),
    dueAt: orNull(Timestamp),
    severity: AnomalySeverity,
    operationId: Type.String({ maxLength: 80, description: 'Operation that completes the item.' }),
  }),
)
export type InboxItem = Static<typeof InboxItem>

export const Inbox = named(
  'Inbox',
  closed({
    items: list(InboxItem, 100, {
      description: 'Worst severity first, then the earliest due time.',
    }),
    total: Type.Integer({
      minimum: 0,
      description: 'Number of items, including those beyond 100. At most 500 of a kind count.',
    }),
  }),
)
export type Inbox = Static<typeof Inbox>

export const listInbox = operation({
  id: 'listInbox',
  isExtension: true,
  method: 'GET',
  path: '/inbox',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'List the action items of the caller',
  description:
    'Items that the caller can complete with their role. Alerts and failed jobs appear after the next alert sweep.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: data(Inbox),
})

export const inboxFamily = declareFamily({
  module: 'platform/inbox',
  operations: [listInbox],
})
