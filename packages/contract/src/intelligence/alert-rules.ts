import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, list, named, oneOf, Reason, RecordId } from '../scalars.ts'
import { AnomalySeverity } from './anomalies.ts'

const weekDays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

const TimeOfDay = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: ['22:00'] })

export const AlertQuietTime = named(
  'AlertQuietTime',
  closed({
    timeZone: Type.String({
      maxLength: 60,
      description: 'IANA time zone.',
      examples: ['Europe/Zurich'],
    }),
    from: TimeOfDay('Start time in the time zone.'),
    to: TimeOfDay(
      'End time, on the next day unless later than the start; equal times mean a whole day.',
    ),
    days: list(oneOf(weekDays, 'Start day.'), 7, { minItems: 1, uniqueItems: true }),
  }),
)

const terms = {
  name: Type.String({ minLength: 1, maxLength: 120, description: 'Purpose.' }),
  match: closed({
    kinds: list(Type.String({ pattern: '^[A-Z][A-Z_]{2,59}$', maxLength: 60 }), 64, {
      uniqueItems: true,
      description: 'Kinds of alert; none for all.',
    }),
    minimumSeverity: AnomalySeverity,
    pair: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,15}\\|0x[0-9a-fA-F]{40}\\|0x[0-9a-fA-F]{40}$',
        description: 'chainId|base|quote: filter for one pair.',
      }),
    ),
  }),
  forSeconds: Type.Integer({
    minimum: 0,
    maximum: 604_800,
    description: 'Minimum open time of an alert before the first notification.',
  }),
  channels: list(RecordId, 8, {
    minItems: 1,
    uniqueItems: true,
    description: 'Ids of the notified alert channels.',
  }),
  quiet: Type.Optional(AlertQuietTime),
  repeatSeconds: Type.Integer({
    minimum: 900,
    maximum: 604_800,
    description:
      'Interval of repeat notifications of an open alert, and minimum interval between two messages of one alert, severity and channel.',
  }),
}

export const AlertRule = named('AlertRule', closed(terms))
export type AlertRule = Static<typeof AlertRule>
export const AlertRuleRecord = versioned('AlertRule', AlertRule)

const heading = { tag: 'Intelligence', family: 'Market quality, attribution and alerts' } as const
const rules = {
  path: '/alert-rules',
  ...heading,
  one: 'alert rule',
  many: 'alert rules',
  record: AlertRuleRecord,
  auth: session,
} as const

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'ACTIVE', 'REVOKED'],
  REVOKED: [],
} as const

const example = {
  name: 'Critical alerts to the on-call team',
  match: { kinds: [], minimumSeverity: 'WARNING' },
  forSeconds: 60,
  channels: ['alert_channel_example'],
  quiet: {
    timeZone: 'Europe/Zurich',
    from: '22:00',
    to: '07:00',
    days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'],
  },
  repeatSeconds: 14_400,
} as const

export const listAlertRules = {
  ...listOperation(rules, {
    id: 'listAlertRules',
    summary: 'List alert rules',
    query: recordQuery(moves),
  }),
  isExtension: true,
} as const

export const getAlertRule = {
  ...getOperation(rules, { id: 'getAlertRule', summary: 'Read one alert rule' }),
  isExtension: true,
} as const

export const createAlertRule = operation({
  id: 'createAlertRule',
  isExtension: true,
  method: 'POST',
  path: '/alert-rules',
  ...heading,
  summary: 'Create an alert rule',
  description:
    'Limit: one message per channel, alert and severity within repeatSeconds, for any number of matching rules. During quiet time, and beyond 30 messages to a channel in ten minutes, messages are collected in a digest; CRITICAL messages bypass it.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: closed({ payload: AlertRule, reason: Reason }),
  response: record(AlertRuleRecord),
  errors: ['LIQUIDITY_ALERT_LIMIT'],
  example: { body: { payload: example, reason: 'On duty' } },
})

export const supersedeAlertRule = operation({
  id: 'supersedeAlertRule',
  isExtension: true,
  method: 'PATCH',
  path: '/alert-rules/{id}',
  ...heading,
  summary: 'Change, pause, resume or revoke an alert rule',
  description: 'Complete payload of the next version, if present.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  body: closed({
    payload: Type.Optional(AlertRule),
    status: Type.Optional(
      oneOf(['ACTIVE', 'PAUSED', 'REVOKED'], 'Resumes, pauses, or revokes for good.'),
    ),
    reason: Reason,
  }),
  response: record(AlertRuleRecord),
  errors: ['LIQUIDITY_ALERT_RULE_TERMINAL'],
  example: { body: { status: 'PAUSED', reason: 'The venue is being moved' } },
})

export const alertRuleFamily = declareFamily({
  module: 'intelligence/alerts',
  operations: [listAlertRules, getAlertRule, createAlertRule, supersedeAlertRule],
  type: 'AlertRule',
  prefix: 'alert_rule',
  name: 'alert rule',
  plural: 'alert rules',
  payload: AlertRule,
  moves,
  refusals: { terminal: 'LIQUIDITY_ALERT_RULE_TERMINAL' },
  events: [
    'alert_rule.created',
    'alert_rule.changed',
    'alert_rule.paused',
    'alert_rule.resumed',
    'alert_rule.revoked',
  ],
  title: 'payload.name',
  columns: ['payload.name', 'payload.match.minimumSeverity', 'payload.repeatSeconds', 'status'],
  ui: {
    group: 'Settings',
    task: 'Alert rules',
    icon: 'bell-ring',
    summary: 'Send alerts to channels by kind, severity and pair.',
    empty: 'Create a rule to get notified.',
    actions: {
      createAlertRule: { label: 'Create rule' },
      supersedeAlertRule: { label: 'Edit rule' },
    },
    docs: 'alerts',
  },
})
