import type { contract } from '@liquidity-os/contract'
import { simulatedMarketOf, testNetworksIn } from '@liquidity-os/contract/test-networks'
import { limits } from '../../../../limits.ts'
import type { AlertMail } from '../../../../mailer.ts'
import { ranks } from '../alerts.ts'
import type { AlertNotice } from './message.ts'

/** A queued message about alerts, or a test message of a channel. */
export type Message = AlertMessage | TestMessage

export interface AlertMessage {
  readonly id: string
  readonly kind: 'OPEN' | 'RESOLVED' | 'DIGEST' | 'OWNERS'
  readonly channelId: string
  /** URL of the organization in the console. */
  readonly home: string
  readonly notices: readonly AlertNotice[]
}

export interface TestMessage {
  readonly id: string
  readonly kind: 'TEST'
  readonly channelId: string
  readonly home: string
  /** Label of the channel. */
  readonly label: string
  readonly at: string
  readonly notices: readonly []
}

type Target = Exclude<contract.AlertChannelTarget, { kind: 'EMAIL' }>

const severityTexts = { INFO: 'Info', WARNING: 'Warning', CRITICAL: 'Critical' } as const

/**
 * One line, such as `Warning: Pool A was last observed at …`. The simulated mark precedes a message
 * of a local or test chain.
 */
function lineOf({ kind, alert }: AlertNotice): string {
  const state = kind === 'RESOLVED' ? 'Resolved' : severityTexts[alert.severity]
  const isSimulated = simulatedMarketOf(testNetworksIn(JSON.stringify(alert))) !== null
  return `${isSimulated ? '[Simulated] ' : ''}${state}: ${alert.title}`
}

/** `2026-01-31 12:00 UTC`. */
const minuteText = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`

/** Console page of a record or alert. */
const linkTo = ({ home }: Message, id: string) => `${home}/go/${encodeURIComponent(id)}`

/** Only the newest message about an alert reflects its current state. */
const newestOfEach = (notices: readonly AlertNotice[]): AlertNotice[] => [
  ...new Map(notices.map((one) => [one.alert.id, one])).values(),
]

export function subjectOf(message: Message): string {
  if (message.kind === 'TEST') return `Test of the alert channel ${message.label}`
  const { kind, notices } = message
  const some = newestOfEach(notices)
  const [first] = some
  if (!first) throw new Error('A message must have content.')
  const line = some.length === 1 ? lineOf(first) : `${some.length} alerts`
  return kind === 'OWNERS' ? `Delivery failed: ${line}` : line
}

/**
 * @param maxLength characters that the receiver accepts. Entries that do not fit are counted, not
 *   cut, because a cut link would lead nowhere
 */
export function textOf(message: Message, maxLength = Number.POSITIVE_INFINITY): string {
  if (message.kind === 'TEST') {
    return `This is a test of the alert channel ${message.label}, sent at ${message.at}. No action is required.\n\n${linkTo(message, message.channelId)}`
  }
  const some = newestOfEach(message.notices)
  const entries = some
    .slice(0, limits.alertDigestLines)
    .map(
      (one) =>
        `${lineOf(one)}\n  ${one.kind === 'RESOLVED' ? 'Opened' : 'Open since'} ${minuteText(one.alert.openedAt)}\n  ${linkTo(message, one.alert.id)}`,
    )
  const opening =
    message.kind === 'OWNERS'
      ? [
          `Delivery to the alert channel ${message.channelId} failed after five attempts.\n${linkTo(message, message.channelId)}`,
        ]
      : []
  const textWith = (count: number) => {
    const more = some.length > count ? [`and ${some.length - count} more`] : []
    return [...opening, ...entries.slice(0, count), ...more].join('\n\n')
  }
  let count = entries.length
  while (count > 1 && textWith(count).length > maxLength) count -= 1
  return textWith(count).slice(0, maxLength)
}

/** Slack interprets these three characters as markup everywhere. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const severities = { INFO: 'info', WARNING: 'warning', CRITICAL: 'critical' } as const

function worstOf(notices: readonly AlertNotice[]): keyof typeof ranks {
  const [worst] = notices.toSorted((a, b) => ranks[b.alert.severity] - ranks[a.alert.severity])
  return worst?.alert.severity ?? 'INFO'
}

/** The body in the format of this receiver. */
export function bodyFor(target: Target, message: Message): unknown {
  if (target.kind === 'SLACK') {
    const text = { type: 'plain_text', text: textOf(message, limits.alertSlackCharacters) }
    return { text: slackText(subjectOf(message)), blocks: [{ type: 'section', text }] }
  }
  if (target.kind === 'TELEGRAM') {
    return { chat_id: target.chatId, text: textOf(message, limits.alertTelegramCharacters) }
  }
  if (target.kind === 'PAGERDUTY') return incidentOf(target.routingKey, message)
  const { id, kind, channelId, notices } = message
  return { messageId: id, kind, channelId, text: textOf(message), alerts: notices }
}

/**
 * The incident key is the alert id, so a resolution closes the incident. A digest is a separate
 * incident.
 */
function incidentOf(routingKey: string, message: Message) {
  if (message.kind === 'TEST') return testIncident(routingKey, message)
  const [first] = message.notices
  if (!first) throw new Error('A message must have content.')
  const isOne = message.kind === 'OPEN' || message.kind === 'RESOLVED'
  const common = { routing_key: routingKey, dedup_key: isOne ? first.alert.id : message.id }
  if (message.kind === 'RESOLVED') return { ...common, event_action: 'resolve' }
  return {
    ...common,
    event_action: 'trigger',
    payload: {
      summary: subjectOf(message).slice(0, limits.alertPagerCharacters),
      source: first.alert.source.id,
      severity: severities[worstOf(message.notices)],
      timestamp: first.alert.openedAt,
      class: first.alert.kind,
      custom_details: { alerts: message.notices.slice(0, limits.alertDigestLines) },
    },
  }
}

/** An incident of the lowest severity. PagerDuty does not close it. */
const testIncident = (routingKey: string, message: TestMessage) => ({
  routing_key: routingKey,
  dedup_key: message.id,
  event_action: 'trigger',
  payload: {
    summary: subjectOf(message).slice(0, limits.alertPagerCharacters),
    source: message.channelId,
    severity: 'info',
    timestamp: message.at,
    class: 'TEST',
  },
})

/** The same as a mail. */
export const mailFor = (to: string, message: Message): AlertMail => ({
  to,
  messageId: message.id,
  subject: subjectOf(message),
  text: textOf(message),
})
