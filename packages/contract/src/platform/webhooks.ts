import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, list, named, oneOf, orNull, Reason, Timestamp } from '../scalars.ts'

const EventKinds = list(
  Type.String({ pattern: '^(\\*|[a-z_]+(\\.[a-z_]+)+)$', maxLength: 100 }),
  64,
  { minItems: 1, uniqueItems: true, description: 'Kinds of event to deliver, or "*" for all.' },
)
const ReceiverUrl = Type.String({
  format: 'uri',
  maxLength: 2000,
  description: 'Receiver: https, a public host, no user information.',
})
const Description = Type.String({ maxLength: 500, description: 'What the receiver is.' })

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
        ['OWNER', 'FAILING', 'GONE'],
        'Who or what stopped it: the owner, five days of failures, or a 410.',
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
          Type.Literal(true, { description: 'Issues a new secret; both sign for 24 hours.' }),
        ),
      }),
    ),
    status: Type.Optional(
      oneOf(['ACTIVE', 'PAUSED', 'REVOKED'], 'Resumes, pauses, or revokes for good.'),
    ),
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
    'Not reachable by webhooks:manage (its surface is the GETs and POST /webhooks only). Pause, resume and revoke go through its status, since the contract holds no separate routes for them.',
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

export const webhookFamily = declareFamily({
  room: 'platform/webhooks',
  operations: [listWebhooks, createWebhooks, getWebhooks, supersedeWebhooks],
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
  ],
  title: 'payload.url',
  columns: ['payload.eventKinds', 'payload.pausedBecause', 'status'],
})
