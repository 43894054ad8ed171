import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, list, named, oneOf, orNull, Reason, RecordId, Timestamp } from '../scalars.ts'
import { AnomalySeverity } from './anomalies.ts'
import { MarketPairKey } from './market-points.ts'

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

export const thresholdMetrics = [
  'PRICE',
  'PRICE_CHANGE_PIPS',
  'DEPTH_QUOTE',
  'VOLUME_QUOTE',
  'TVL_QUOTE',
  'SPREAD_PIPS',
  'SCORE_PIPS',
  'OWN_DEPTH_SHARE_PIPS',
  'POSITIONS_IN_RANGE',
  'KPI_MARGIN_PIPS',
] as const
export type ThresholdMetric = (typeof thresholdMetrics)[number]

const SignedInteger = (description: string) =>
  Type.String({ pattern: '^(0|-?[1-9][0-9]{0,99})$', description })

const valueUnits =
  'PRICE in quote atoms per base atom times 10^36, names with QUOTE in quote atoms, names with PIPS in millionths'

export const AlertThreshold = named(
  'AlertThreshold',
  closed({
    metric: oneOf(
      thresholdMetrics,
      'Compared value. SPREAD_PIPS, OWN_DEPTH_SHARE_PIPS, POSITIONS_IN_RANGE and KPI_MARGIN_PIPS have no data source yet and are rejected.',
    ),
    subject: closed(
      {
        pair: Type.Optional(MarketPairKey),
        venueId: Type.Optional(RecordId),
        mandateId: Type.Optional(RecordId),
        kpiId: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
      },
      { description: 'A watched pair, or one venue. SCORE_PIPS requires a pair.' },
    ),
    comparator: oneOf(
      ['LT', 'LTE', 'GT', 'GTE'],
      'The condition: the metric is less than, at most, greater than or at least the value.',
    ),
    value: SignedInteger(`Limit, as a decimal string: ${valueUnits}.`),
    bandPips: Type.Optional(
      Type.Integer({
        minimum: 10_000,
        maximum: 100_000,
        description:
          'DEPTH_QUOTE: distance from the price, 10000, 20000, 50000 or 100000. Default: 20000.',
      }),
    ),
    side: Type.Optional(
      oneOf(
        ['BUY', 'SELL', 'WEAKER'],
        'DEPTH_QUOTE: side of the depth, or the smaller one. Default: WEAKER.',
      ),
    ),
    windowSeconds: Type.Optional(
      Type.Integer({
        minimum: 300,
        maximum: 604_800,
        description:
          'PRICE_CHANGE_PIPS and VOLUME_QUOTE: length of the window, a multiple of 60, above one day of 600. Default: 86400.',
      }),
    ),
    resolveSeconds: Type.Optional(
      Type.Integer({
        minimum: 120,
        maximum: 604_800,
        description:
          'Time that the condition must be false before the alert resolves. Default: forSeconds, at least 120.',
      }),
    ),
    severity: AnomalySeverity,
  }),
)
export type AlertThreshold = Static<typeof AlertThreshold>

const ForSeconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 604_800, description })

const terms = {
  name: Type.String({ minLength: 1, maxLength: 120, description: 'Purpose.' }),
  match: Type.Optional(
    closed(
      {
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
      },
      { description: 'Alerts to notify of. Exactly one of match and threshold is given.' },
    ),
  ),
  threshold: Type.Optional(AlertThreshold),
  forSeconds: ForSeconds(
    'With match: minimum open time of an alert before the first notification. With threshold: time that the condition must hold before the alert opens.',
  ),
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
    'A rule has match, which selects alerts, or threshold, which opens the alert THRESHOLD:{ruleId}. Limit: one message per channel, alert and severity within repeatSeconds, for any number of matching rules. During quiet time, and beyond 30 messages to a channel in ten minutes, messages are collected in a digest; CRITICAL messages bypass it.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: closed({ payload: AlertRule, reason: Reason }),
  response: record(AlertRuleRecord),
  errors: ['LIQUIDITY_ALERT_LIMIT', 'LIQUIDITY_ALERT_THRESHOLD_INVALID'],
  example: { body: { payload: example, reason: 'On duty' } },
})

export const supersedeAlertRule = operation({
  id: 'supersedeAlertRule',
  isExtension: true,
  method: 'PATCH',
  path: '/alert-rules/{id}',
  ...heading,
  summary: 'Change, pause, resume or revoke an alert rule',
  description:
    'Complete payload of the next version, if present. A pause, and a change of threshold or forSeconds, ends an open firing.',
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
  errors: ['LIQUIDITY_ALERT_RULE_TERMINAL', 'LIQUIDITY_ALERT_THRESHOLD_INVALID'],
  example: { body: { status: 'PAUSED', reason: 'The venue is being moved' } },
})

/** Unix seconds, in compact rows. */
const Second = Type.Integer({ minimum: 0, description: 'Unix time, in seconds.' })
const Value = SignedInteger(`Value of the metric: ${valueUnits}.`)

const SeriesPoint = Type.Unsafe<readonly [at: number, value: string | null]>(
  list(Type.Union([Second, Value, Type.Null()]), 2, {
    minItems: 2,
    description: 'Unix time in seconds, and the value.',
  }),
)

export const AlertRulePreview = named(
  'AlertRulePreview',
  closed({
    from: Type.Integer({
      minimum: 0,
      description: 'Start of the evaluated time, in Unix seconds.',
    }),
    to: Second,
    stepSeconds: Type.Integer({
      minimum: 1,
      description: 'Time between two evaluations of the preview, in seconds.',
    }),
    series: list(SeriesPoint, 720, { description: 'Hourly values; null in a gap.' }),
    firings: list(
      closed({
        from: Second,
        to: orNull(Second),
        extreme: Value,
      }),
      4400,
      {
        description: 'Oldest first. `to` is null if the firing lasts; extreme is the worst value.',
      },
    ),
    current: orNull(Value),
  }),
)
export type AlertRulePreview = Static<typeof AlertRulePreview>

export const previewAlertRule = operation({
  id: 'previewAlertRule',
  isExtension: true,
  method: 'POST',
  path: '/alert-rules/preview',
  ...heading,
  summary: 'Preview a threshold on the last 30 days',
  description:
    'Evaluates a threshold on stored data of the last 30 days and writes nothing. Market metrics are evaluated every 600 s; an alert rule evaluates them every 60 s. A window that is not a multiple of 600 is evaluated every 60 s, over the last 8 days.',
  auth: session,
  permission: 'read',
  success: [200],
  cacheControl: 'private, no-store',
  body: closed({
    threshold: AlertThreshold,
    forSeconds: ForSeconds('Time that the condition must hold before the alert opens.'),
  }),
  response: data(AlertRulePreview),
  errors: ['LIQUIDITY_ALERT_THRESHOLD_INVALID'],
  example: {
    body: {
      threshold: {
        metric: 'DEPTH_QUOTE',
        subject: { venueId: 'venue_example' },
        comparator: 'LT',
        value: '50000000000000000000',
        bandPips: 20_000,
        side: 'WEAKER',
        severity: 'WARNING',
      },
      forSeconds: 600,
    },
  },
})

export const alertRuleStates = ['OK', 'PENDING', 'FIRING', 'NO_DATA'] as const

export const AlertRuleFirings = named(
  'AlertRuleFirings',
  closed({
    state: orNull(
      oneOf(
        alertRuleStates,
        'NO_DATA in a gap, and if the newest evaluated data is more than 900 s old. Null if the rule is not ACTIVE or not evaluated yet.',
      ),
    ),
    at: orNull(Timestamp),
    value: orNull(Value),
    since: orNull(Timestamp),
    firings: list(
      closed({
        from: Timestamp,
        to: orNull(Timestamp),
        extreme: Value,
        severity: AnomalySeverity,
        evidence: closed({
          resourceType: Type.String({ maxLength: 80 }),
          id: RecordId,
          resourceVersion: Type.String({ maxLength: 66 }),
        }),
      }),
      100,
      { description: 'Newest first, at most 100 of the last year.' },
    ),
  }),
)
export type AlertRuleFirings = Static<typeof AlertRuleFirings>

export const listAlertRuleFirings = operation({
  id: 'listAlertRuleFirings',
  isExtension: true,
  method: 'GET',
  path: '/alert-rules/{id}/firings',
  ...heading,
  summary: 'Read the state and the firings of a threshold rule',
  description:
    'Current state, newest evaluated value and firings. `since` is the start of the state PENDING or FIRING. Empty for a rule with match.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(AlertRuleFirings),
})

export const alertRuleFamily = declareFamily({
  module: 'intelligence/alerts',
  operations: [
    listAlertRules,
    getAlertRule,
    createAlertRule,
    supersedeAlertRule,
    previewAlertRule,
    listAlertRuleFirings,
  ],
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
  columns: ['payload.name', 'payload.threshold.metric', 'payload.repeatSeconds', 'status'],
  ui: {
    page: 'alerts/rules',
    task: 'Alert rules',
    icon: 'bell-ring',
    summary: 'Thresholds on market figures, and alerts sent to channels.',
    empty: 'Create a rule to get notified.',
    actions: {
      createAlertRule: { label: 'Create rule' },
      supersedeAlertRule: { label: 'Edit rule' },
      previewAlertRule: { label: 'Preview threshold' },
    },
    docs: 'alerts',
  },
})
