import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'
import type { HandledAlert } from '../alert-notices.ts'
import { ranks } from '../alerts.ts'
import { thresholdAlertId } from '../thresholds/firings.ts'
import { type AlertNotice, type NewMessage, noticeOf } from './message.ts'
import { quietUntil } from './quiet-time.ts'

type Rule = contract.AlertRule & { readonly id: string }

/** Earlier messages to a channel about an alert. */
export interface MessageHistory {
  readonly channelId: string
  readonly alertId: string
  readonly number: number
  readonly last: AlertNotice
  /** Release time of the last held message. */
  readonly lastHeldUntil: number | null
  /** Time of the last open message with this severity or a worse one, by rank from 1. */
  readonly openedAt: readonly (number | null)[]
}

/** All inputs of the decision on messages. */
export interface MessageInput {
  readonly now: number
  /** Open alerts. */
  readonly alerts: readonly HandledAlert[]
  /** Active rules. */
  readonly rules: readonly Rule[]
  /** Ids of the channels that are active. */
  readonly channelIds: ReadonlySet<string>
  readonly history: readonly MessageHistory[]
  /** Messages of the last ten minutes outside a digest, by channel. */
  readonly recent: ReadonlyMap<string, number>
}

const keyOf = (channelId: string, alertId: string) => `${channelId}|${alertId}`

/**
 * Messages to send now. A channel receives at most one per alert and severity within
 * `repeatSeconds`, independent of the number of rules. A channel that received an alert also
 * receives its resolution, once.
 */
export function dueMessages(requested: MessageInput): NewMessage[] {
  const before = new Map(requested.history.map((one) => [keyOf(one.channelId, one.alertId), one]))
  const chosen = new Map<string, NewMessage>()
  for (const rule of requested.rules) {
    const quiet = rule.quiet ? quietUntil(rule.quiet, requested.now) : null
    for (const alert of requested.alerts.filter((one) => isDue(rule, one, requested.now))) {
      for (const channelId of rule.channels.filter((id) => requested.channelIds.has(id))) {
        const key = keyOf(channelId, alert.id)
        const message = opening(before.get(key), {
          rule,
          alert,
          channelId,
          quiet,
          now: requested.now,
        })
        const other = chosen.get(key)
        // If two rules apply, the one without quiet time counts.
        if (message && (!other || other.heldUntil !== null)) chosen.set(key, message)
      }
    }
  }
  return flooded([...chosen.values(), ...endings(requested)], requested)
}

function isDue(rule: Rule, alert: HandledAlert, now: number): boolean {
  const { severity, openedAt, acknowledged, mutedUntil } = alert
  const isSeen = acknowledged !== null && ranks[acknowledged.severity] >= ranks[severity]
  const { match } = rule
  return (
    concerns(rule, alert) &&
    // A threshold has waited before it opened its alert.
    (match === undefined ||
      (ranks[severity] >= ranks[match.minimumSeverity] &&
        now - Date.parse(openedAt) >= rule.forSeconds * 1000)) &&
    mutedUntil === null &&
    !isSeen
  )
}

/** True if a rule selects an alert, of any severity: by kind and pair, or as its own threshold. */
function concerns(
  { id, match }: Rule,
  alert: Pick<HandledAlert, 'id' | 'kind' | 'subject'>,
): boolean {
  if (match === undefined) return alert.id === thresholdAlertId(id)
  const { kinds, pair } = match
  return (
    (kinds.length === 0 || kinds.includes(alert.kind)) &&
    (pair === undefined || pair.toLowerCase() === alert.subject.pair)
  )
}

function opening(
  before: MessageHistory | undefined,
  requestedValue: {
    rule: Rule
    alert: HandledAlert
    channelId: string
    quiet: number | null
    now: number
  },
): NewMessage | null {
  const { rule, alert, channelId, quiet, now } = requestedValue
  const rank = ranks[alert.severity]
  const last = before?.openedAt[rank - 1] ?? null
  if (last !== null && now - last < rule.repeatSeconds * 1000) return null
  return {
    channelId,
    alertId: alert.id,
    number: (before?.number ?? 0) + 1,
    kind: 'OPEN',
    rank,
    notice: noticeOf('OPEN', alert, now),
    heldUntil: alert.severity === 'CRITICAL' ? null : quiet,
  }
}

/**
 * Messages for resolved alerts that were sent. If the opening waits for a digest, the resolution
 * joins the same digest.
 */
function endings({ history, alerts, rules, now }: MessageInput): NewMessage[] {
  const open = new Set(alerts.map(({ id }) => id))
  return history.flatMap(({ channelId, alertId, number, last, lastHeldUntil }): NewMessage[] => {
    if (last.kind === 'RESOLVED' || open.has(alertId)) return []
    const { alert } = last
    const of = rules.filter((rule) => rule.channels.includes(channelId) && concerns(rule, alert))
    const quiet = of.map((rule) => (rule.quiet ? quietUntil(rule.quiet, now) : null))
    const isQuiet = quiet.length > 0 && quiet.every((until) => until !== null)
    const passes = alert.severity === 'CRITICAL' || !isQuiet
    return [
      {
        channelId,
        alertId,
        number: number + 1,
        kind: 'RESOLVED',
        rank: ranks[alert.severity],
        notice: noticeOf('RESOLVED', alert, now),
        heldUntil: lastHeldUntil ?? (passes ? null : Math.min(...quiet.map((one) => one ?? now))),
      },
    ]
  })
}

/**
 * Flood control: excess messages wait for a digest at the end of the ten-minute window. Critical
 * messages pass.
 */
function flooded(
  messages: readonly NewMessage[],
  { recent, channelIds, now }: MessageInput,
): NewMessage[] {
  const sent = new Map(recent)
  const window = limits.alertFloodMilliseconds
  const end = (Math.floor(now / window) + 1) * window
  return messages
    .filter(({ channelId }) => channelIds.has(channelId))
    .toSorted((a, b) => b.rank - a.rank)
    .map((message) => {
      if (message.heldUntil !== null) return message
      const before = sent.get(message.channelId) ?? 0
      sent.set(message.channelId, before + 1)
      const passes = before < limits.alertFloodMessages || message.rank >= ranks.CRITICAL
      return passes ? message : { ...message, heldUntil: end }
    })
}
