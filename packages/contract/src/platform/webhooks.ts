import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { anyone, collection, data, operation, paging, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  EvidenceHashes,
  list,
  named,
  oneOf,
  openObject,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'

const EventKinds = list(
  Type.String({ pattern: '^(\\*|[a-z_]+(\\.[a-z_]+)+)$', maxLength: 100 }),
  64,
  {
    minItems: 1,
    uniqueItems: true,
    description: 'Event kinds to deliver, from GET /event-kinds, or "*" for all.',
  },
)
const ReceiverUrl = Type.String({
  format: 'uri',
  maxLength: 2000,
  description: 'Receiver: https, a public host, no user information.',
})
const Description = Type.String({ maxLength: 500, description: 'Description of the receiver.' })

export const Webhook = named(
  'Webhook',
  closed({
    url: ReceiverUrl,
    eventKinds: EventKinds,
    description: orNull(Description),
    secretGeneration: Type.Integer({
      minimum: 1,
      description: 'Counts the signing secrets, from 1.',
    }),
    previousSecretUntil: orNull(Timestamp),
    pausedBecause: orNull(
      oneOf(
        ['OWNER', 'FAILING', 'GONE', 'MEMBER_REMOVED'],
        'Cause of the pause: a user, five days of failures, a 410 response, or the removal of its creator.',
      ),
    ),
  }),
)
export const WebhookRecord = versioned('Webhook', Webhook)

export const WebhookCreate = named(
  'WebhookCreate',
  closed({
    payload: closed({
      url: ReceiverUrl,
      eventKinds: EventKinds,
      description: Type.Optional(Description),
    }),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const IssuedWebhook = named(
  'IssuedWebhook',
  closed({
    webhook: WebhookRecord,
    secret: Type.String({ description: 'Signing secret whsec_…; shown once.' }),
    secretReturnedOnce: Type.Literal(true),
  }),
)

export const WebhookSupersession = named(
  'WebhookSupersession',
  closed({
    payload: Type.Optional(
      closed({
        eventKinds: Type.Optional(EventKinds),
        description: Type.Optional(Description),
        rotateSecret: Type.Optional(
          Type.Literal(true, {
            description: 'True to issue a new secret; both secrets sign for 24 hours.',
          }),
        ),
        dropHeld: Type.Optional(
          Type.Literal(true, {
            description:
              'With ACTIVE: skips the events of the pause and lists them as skipped. Default: deliver them in order.',
          }),
        ),
      }),
    ),
    status: Type.Optional(
      oneOf(['ACTIVE', 'PAUSED', 'REVOKED'], 'Resumes, pauses, or revokes for good.'),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

const webhooks = {
  path: '/webhooks',
  ...heading,
  one: 'webhook',
  many: 'webhooks',
  record: WebhookRecord,
  auth: scoped('webhooks:manage'),
} as const

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'REVOKED'],
  REVOKED: [],
} as const

export const listWebhooks = listOperation(webhooks, {
  id: 'listWebhooks',
  summary: 'List webhooks',
  query: recordQuery(moves),
})

export const createWebhooks = operation({
  id: 'createWebhooks',
  method: 'POST',
  path: '/webhooks',
  ...heading,
  summary: 'Register a webhook',
  description:
    'Registers a webhook; the signing secret is delivered once, identical retry gives the secret-already-returned 409.',
  auth: scoped('webhooks:manage'),
  permission: 'credentials.manage',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [409],
  body: WebhookCreate,
  response: data(IssuedWebhook),
  errors: ['LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED', 'LIQUIDITY_WEBHOOK_URL_REFUSED'],
  example: {
    body: {
      payload: { url: 'https://hooks.example.com/liquidity', eventKinds: ['*'] },
      reason: 'Operations channel',
    },
  },
})

export const getWebhooks = getOperation(webhooks, {
  id: 'getWebhooks',
  summary: 'Read one webhook',
})

export const supersedeWebhooks = operation({
  id: 'supersedeWebhooks',
  method: 'PATCH',
  path: '/webhooks/{id}',
  ...heading,
  summary: 'Pause, resume, revoke or change a webhook',
  description:
    'Not reachable by webhooks:manage (its surface is the GETs and POST /webhooks only). Pause, resume and revoke use its status, because the contract has no separate routes for them.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: WebhookSupersession,
  response: data(Type.Union([WebhookRecord, IssuedWebhook])),
  errors: ['LIQUIDITY_WEBHOOK_TERMINAL', 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED'],
  example: { body: { status: 'PAUSED', reason: 'Receiver is in maintenance' } },
})

export const deliveryStatuses = [
  'WAITING',
  'HELD',
  'DELIVERED',
  'DEAD',
  'SKIPPED',
  'CANCELLED',
] as const

export const WebhookDelivery = named(
  'WebhookDelivery',
  closed({
    messageId: RecordId,
    kind: Type.String({ description: 'Kind of the event.' }),
    subjectId: RecordId,
    status: oneOf(
      deliveryStatuses,
      'WAITING for its first or next attempt; HELD while the webhook is paused; DELIVERED; DEAD after the last attempt; SKIPPED, because the pause was too long or its events were not subscribed; CANCELLED with the webhook.',
    ),
    attempts: Type.Integer({ minimum: 0 }),
    createdAt: Timestamp,
    nextAttemptAt: orNull(Timestamp),
    replayId: orNull(RecordId),
    lastAttempt: orNull(
      closed({
        at: Timestamp,
        outcome: Type.String({ description: 'Outcome of the attempt.' }),
        status: orNull(Type.Integer({ description: 'HTTP status of the receiver.' })),
        durationMilliseconds: Type.Integer({ minimum: 0 }),
        errorCode: orNull(Type.String()),
      }),
    ),
  }),
)

export type WebhookDelivery = Static<typeof WebhookDelivery>

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  isExtension: true,
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  ...heading,
  summary: 'List the deliveries of a webhook',
  description:
    'Deliveries, newest first, each with its last attempt; `replayId` marks and filters the deliveries of a replay.',
  auth: scoped('webhooks:manage'),
  permission: 'read',
  paging: paging(50, 100),
  query: {
    status: Type.Optional(oneOf(deliveryStatuses, 'Deliveries in this state.')),
    replayId: Type.Optional(RecordId),
  },
  success: [200],
  response: collection(WebhookDelivery),
})

const Acted = closed({ reason: Reason })
const WebhookMessage = closed({ messageId: RecordId, webhookId: RecordId })

export const testWebhook = operation({
  id: 'testWebhook',
  isExtension: true,
  method: 'POST',
  path: '/webhooks/{id}/test',
  ...heading,
  summary: 'Send a test event',
  description:
    'Appends the event webhook.tested. This webhook receives it regardless of its event kinds, signed, with retries, and listed like any delivery.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  success: [201],
  body: Acted,
  response: data(WebhookMessage),
  errors: ['LIQUIDITY_WEBHOOK_NOT_ACTIVE', 'LIQUIDITY_WEBHOOK_TERMINAL'],
  example: { body: { reason: 'Test of the receiver' } },
})

export const resendWebhookDelivery = operation({
  id: 'resendWebhookDelivery',
  isExtension: true,
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{messageId}/resend',
  ...heading,
  summary: 'Resend a delivery',
  description:
    'Queues the delivery again in any state, under the same webhook-id, and records this in the webhook history.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  success: [200],
  body: Acted,
  response: data(WebhookMessage),
  errors: ['LIQUIDITY_WEBHOOK_NOT_ACTIVE', 'LIQUIDITY_WEBHOOK_TERMINAL'],
  example: { body: { reason: 'The receiver works again' } },
})

/** Maximum number of events per replay request. */
export const eventsReplayedAtOnce = 1_000

export const WebhookReplay = named(
  'WebhookReplay',
  closed({
    replayId: RecordId,
    webhookId: RecordId,
    from: Timestamp,
    to: Timestamp,
    events: Type.Integer({
      minimum: 0,
      maximum: eventsReplayedAtOnce,
      description: 'Number of events of the period that this request queues.',
    }),
    hasMore: Type.Boolean({ description: 'True if the window contains more events.' }),
    nextCursor: orNull(
      Type.String({ description: 'Cursor of the next request, as `after`; null at the end.' }),
    ),
  }),
)
export type WebhookReplay = Static<typeof WebhookReplay>

export const replayWebhook = operation({
  id: 'replayWebhook',
  isExtension: true,
  method: 'POST',
  path: '/webhooks/{id}/replay',
  ...heading,
  summary: 'Replay the events of a window',
  description:
    'Replay for a receiver after downtime: queues every committed event of the window with a kind of this webhook, whether delivered, dead, skipped or not subscribed at the time. Each delivery has its original webhook-id, so a receiver can skip duplicates, and the header `webhook-replay`. New events are delivered at the same time. Waiting deliveries do not change.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  success: [201],
  body: closed({
    from: Timestamp,
    to: Timestamp,
    kinds: Type.Optional(
      list(Type.String({ pattern: '^[a-z_]+(\\.[a-z_]+)+$', maxLength: 100 }), 64, {
        minItems: 1,
        uniqueItems: true,
        description: 'Event kinds to replay, a subset of the kinds of the webhook.',
      }),
    ),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: '`nextCursor` of the answer before, with the same window and kinds.',
      }),
    ),
    reason: Reason,
  }),
  response: data(WebhookReplay),
  errors: [
    'LIQUIDITY_WEBHOOK_NOT_ACTIVE',
    'LIQUIDITY_WEBHOOK_TERMINAL',
    'LIQUIDITY_CURSOR_INVALID',
    'LIQUIDITY_EVENT_CURSOR_LOST',
  ],
  example: {
    body: {
      from: '2026-01-05T11:00:00Z',
      to: '2026-01-05T12:00:00Z',
      reason: 'The receiver was down',
    },
  },
})

export const EventKind = named(
  'EventKind',
  closed({
    kind: Type.String({ examples: ['venue.indexed'] }),
    resourceType: Type.String({ description: 'Record type of the event.' }),
  }),
)

export type EventKind = Static<typeof EventKind>

export const listEventKinds = operation({
  id: 'listEventKinds',
  isExtension: true,
  method: 'GET',
  path: '/event-kinds',
  ...heading,
  summary: 'List the kinds of event',
  description: 'Every event kind that a webhook can receive, with the JSON schema of its message.',
  auth: anyone,
  success: [200],
  response: data(
    closed({
      kinds: list(EventKind, 1_000),
      message: openObject('JSON Schema 2020-12 of the body of a delivery.'),
    }),
  ),
  cacheControl: 'public, max-age=60',
})

export const webhookFamily = declareFamily({
  module: 'platform/webhooks',
  operations: [
    listWebhooks,
    createWebhooks,
    getWebhooks,
    supersedeWebhooks,
    listWebhookDeliveries,
    testWebhook,
    resendWebhookDelivery,
    replayWebhook,
    listEventKinds,
  ],
  type: 'Webhook',
  prefix: 'webhook',
  name: 'webhook',
  plural: 'webhooks',
  payload: Webhook,
  moves,
  refusals: { terminal: 'LIQUIDITY_WEBHOOK_TERMINAL' },
  events: [
    'webhook.created',
    'webhook.changed',
    'webhook.secret_rotated',
    'webhook.paused',
    'webhook.resumed',
    'webhook.revoked',
    'webhook.tested',
    'webhook.resent',
    'webhook.replayed',
  ],
  title: 'payload.url',
  columns: ['payload.eventKinds', 'payload.pausedBecause', 'status'],
  ui: {
    page: 'settings/webhooks',
    task: 'Webhooks',
    icon: 'webhook',
    summary: 'HTTPS endpoints that receive events.',
    empty: 'Create a webhook to receive events.',
    head: ['payload.url', 'payload.pausedBecause'],
    actions: {
      createWebhooks: { label: 'Create webhook' },
      supersedeWebhooks: { label: 'Edit webhook' },
      testWebhook: { label: 'Send test event', when: ['ACTIVE'] },
      replayWebhook: { label: 'Replay events', when: ['ACTIVE'] },
    },
    docs: 'platform',
  },
})
