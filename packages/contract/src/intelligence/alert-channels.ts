import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, Label, named, oneOf, orNull, Reason } from '../scalars.ts'

const channelKinds = ['EMAIL', 'SLACK', 'TELEGRAM', 'PAGERDUTY', 'WEBHOOK'] as const

const TargetUrl = Type.String({
  format: 'uri',
  maxLength: 2000,
  description:
    'Receiver URL: https, a public host, no user information. Stored encrypted, and never returned.',
})
const kindOf = <const K extends string>(kind: K) => Type.Literal(kind)

/** Delivery target. Secret parts, nearly everything, are encrypted and never returned. */
export const AlertChannelTarget = named(
  'AlertChannelTarget',
  Type.Union([
    closed({
      kind: kindOf('EMAIL'),
      address: Type.String({ format: 'email', maxLength: 254, description: 'One email address.' }),
    }),
    closed({ kind: kindOf('SLACK'), url: TargetUrl }),
    closed({
      kind: kindOf('TELEGRAM'),
      url: TargetUrl,
      chatId: Type.String({
        pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{5,32})$',
        description: 'Chat, group or @channel that the bot writes to.',
      }),
    }),
    closed({
      kind: kindOf('PAGERDUTY'),
      url: TargetUrl,
      routingKey: Type.String({
        pattern: '^[A-Za-z0-9]{20,64}$',
        description: 'Integration key of the service (Events API v2).',
      }),
    }),
    closed({ kind: kindOf('WEBHOOK'), url: TargetUrl }),
  ]),
)
export type AlertChannelTarget = Static<typeof AlertChannelTarget>

export const AlertChannel = named(
  'AlertChannel',
  closed({
    kind: oneOf(channelKinds, 'The form of its messages.'),
    label: Label,
    target: Type.String({
      maxLength: 300,
      description: 'Host that receives messages; for an email address its domain.',
    }),
    sealed: Type.Optional(
      Type.String({
        maxLength: 8000,
        description: 'Only in stored versions of earlier releases. Responses do not contain it.',
      }),
    ),
  }),
)
export type AlertChannel = Static<typeof AlertChannel>
export const AlertChannelRecord = versioned('AlertChannel', AlertChannel)

const heading = { tag: 'Intelligence', family: 'Market quality, attribution and alerts' } as const
const channels = {
  path: '/alert-channels',
  ...heading,
  one: 'alert channel',
  many: 'alert channels',
  record: AlertChannelRecord,
  auth: session,
} as const

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'REVOKED'],
  REVOKED: [],
} as const

export const listAlertChannels = {
  ...listOperation(channels, {
    id: 'listAlertChannels',
    summary: 'List alert channels',
    query: recordQuery(moves),
  }),
  isExtension: true,
} as const

export const getAlertChannel = {
  ...getOperation(channels, { id: 'getAlertChannel', summary: 'Read one alert channel' }),
  isExtension: true,
} as const

export const createAlertChannel = operation({
  id: 'createAlertChannel',
  isExtension: true,
  method: 'POST',
  path: '/alert-channels',
  ...heading,
  summary: 'Register an alert channel',
  description:
    'Destination of alert messages: an email address, an incoming Slack webhook, a Telegram bot (url is https://api.telegram.org/bot<token>/sendMessage), a PagerDuty service (url is https://events.pagerduty.com/v2/enqueue), or any JSON receiver. A channel receives messages only if a rule names it.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: closed({
    payload: closed({ label: Label, target: AlertChannelTarget }),
    reason: Reason,
  }),
  response: record(AlertChannelRecord),
  errors: ['LIQUIDITY_ALERT_TARGET_REFUSED', 'LIQUIDITY_ALERT_LIMIT'],
  example: {
    body: {
      payload: {
        label: 'Liquidity team',
        target: { kind: 'EMAIL', address: 'liquidity@example.com' },
      },
      reason: 'On duty',
    },
  },
})

export const supersedeAlertChannel = operation({
  id: 'supersedeAlertChannel',
  isExtension: true,
  method: 'PATCH',
  path: '/alert-channels/{id}',
  ...heading,
  summary: 'Change, pause, resume or revoke an alert channel',
  description:
    'A paused or revoked channel receives no messages; its waiting messages are dropped. A new target must have the same kind.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  body: closed({
    payload: Type.Optional(
      closed({ label: Type.Optional(Label), target: Type.Optional(AlertChannelTarget) }),
    ),
    status: Type.Optional(
      oneOf(['ACTIVE', 'PAUSED', 'REVOKED'], 'Resumes, pauses, or revokes for good.'),
    ),
    reason: Reason,
  }),
  response: record(AlertChannelRecord),
  errors: ['LIQUIDITY_ALERT_TARGET_REFUSED', 'LIQUIDITY_ALERT_CHANNEL_TERMINAL'],
  example: { body: { status: 'PAUSED', reason: 'The team is away' } },
})

export const AlertChannelTest = named(
  'AlertChannelTest',
  closed({
    delivered: Type.Boolean({ description: 'True if the receiver accepted the message.' }),
    status: orNull(
      Type.Integer({
        minimum: 100,
        maximum: 599,
        description: 'HTTP status of the receiver; null for email and without a response.',
      }),
    ),
    message: Type.String({ maxLength: 300, description: 'Result in words.' }),
  }),
)
export type AlertChannelTest = Static<typeof AlertChannelTest>

export const testAlertChannel = operation({
  id: 'testAlertChannel',
  isExtension: true,
  method: 'POST',
  path: '/alert-channels/{id}/test',
  ...heading,
  summary: 'Send a test message to an alert channel',
  description:
    'Sends one test message to an active channel and waits for at most 10 s. The response names no target. Limit: 5 tests per channel in 10 minutes.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [200],
  statedErrors: [404, 429],
  body: closed({ reason: Reason }),
  response: data(AlertChannelTest),
  errors: ['LIQUIDITY_ALERT_CHANNEL_NOT_ACTIVE', 'LIQUIDITY_RATE_LIMITED'],
  example: { body: { reason: 'New channel' } },
})

export const alertChannelFamily = declareFamily({
  module: 'intelligence/alerts',
  operations: [
    listAlertChannels,
    getAlertChannel,
    createAlertChannel,
    supersedeAlertChannel,
    testAlertChannel,
  ],
  type: 'AlertChannel',
  prefix: 'alert_channel',
  name: 'alert channel',
  plural: 'alert channels',
  payload: AlertChannel,
  moves,
  refusals: { terminal: 'LIQUIDITY_ALERT_CHANNEL_TERMINAL' },
  events: [
    'alert_channel.created',
    'alert_channel.changed',
    'alert_channel.paused',
    'alert_channel.resumed',
    'alert_channel.revoked',
    'alert_channel.tested',
  ],
  title: 'payload.label',
  columns: ['payload.label', 'payload.kind', 'payload.target', 'status'],
  ui: {
    page: 'alerts/channels',
    task: 'Alert channels',
    icon: 'megaphone',
    summary: 'Email, chat, PagerDuty and webhook destinations.',
    empty: 'Add a channel to receive alerts outside the console.',
    actions: {
      createAlertChannel: { label: 'Add channel' },
      supersedeAlertChannel: { label: 'Edit channel' },
      testAlertChannel: { label: 'Send test' },
    },
    docs: 'alerts',
  },
})
