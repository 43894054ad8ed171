import { contract } from '@liquidity-os/contract'
import { isWithinLimit } from '../../../access/hourly-turns.ts'
import { organizationUrl } from '../../../config.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { newId } from '../../../store/records/ids.ts'
import { readTarget } from './messages/channel-target.ts'
import type { TestMessage } from './messages/render-message.ts'
import { type Attempted, sendMessage } from './messages/send-message.ts'
import { channels } from './records.ts'

export default handle(contract.testAlertChannel, async (request): Promise<Outcome> => {
  const { params, body, records, services, organizationId, now, fail } = request
  const current = await channels.current(records, params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { id, status, payload } = current.record
  if (status !== 'ACTIVE') throw fail('LIQUIDITY_ALERT_CHANNEL_NOT_ACTIVE')
  const turn = {
    bucket: `alert-test|${organizationId}|${id}`,
    limit: limits.alertTests,
    windowMilliseconds: limits.alertTestWindowMilliseconds,
  }
  if (!(await isWithinLimit(services.database, turn, now))) {
    const window = turn.windowMilliseconds
    throw fail('LIQUIDITY_RATE_LIMITED', {
      message: `The channel has received ${turn.limit} tests in 10 minutes.`,
      retryAfterSeconds: Math.ceil((window - (now % window)) / 1000),
    })
  }
  const target = await readTarget(records, services.sealing, current.record)
  const message: TestMessage = {
    id: newId('alert_message', now),
    kind: 'TEST',
    channelId: id,
    home: organizationUrl(services.config, organizationId),
    label: payload.label,
    at: new Date(now).toISOString(),
    notices: [],
  }
  // Without a mail server, the mailer prints the message on the terminal.
  const isUnsent = target.kind === 'EMAIL' && services.config.smtpUrl === null
  const sent = isUnsent
    ? { isDelivered: false, outcome: 'NO_MAIL_SERVER', status: null, retryAfter: null }
    : await withinTime(sendMessage(services, target, message, limits.alertTestTimeoutMilliseconds))
  const { isDelivered, outcome } = sent
  const data: contract.AlertChannelTest = {
    delivered: isDelivered,
    status: sent.status,
    message: resultText(sent),
  }
  const tested = { reason: body.reason, delivered: isDelivered, outcome }
  return { data, change: records.note(current, 'alert_channel.tested', tested) }
})

/** A mail server can take longer than a caller waits. */
async function withinTime(sending: Promise<Attempted>): Promise<Attempted> {
  const late = Promise.withResolvers<Attempted>()
  const timer = setTimeout(
    () =>
      late.resolve({ isDelivered: false, outcome: 'TIMED_OUT', status: null, retryAfter: null }),
    limits.alertTestTimeoutMilliseconds,
  )
  try {
    return await Promise.race([sending, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const failures: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'The address is not one plain email address.',
  ADDRESS_NOT_PUBLIC: 'The host has no public address.',
  ANSWER_MALFORMED: 'The receiver sent a malformed response.',
  ANSWER_TOO_LARGE: 'The response of the receiver is too large.',
  AUTHENTICATION_FAILED: 'The mail server rejected the credentials of this service.',
  CONNECTION_FAILED: 'The connection to the receiver failed.',
  NO_MAIL_SERVER: 'No mail server is configured. Set SMTP_URL.',
  NO_PUBLIC_ADDRESS: 'The host has no public address.',
  REDIRECT_NOT_FOLLOWED: 'The receiver redirects. Use the URL that it redirects to.',
  SERVER_REFUSED: 'The mail server rejected the message.',
  SERVER_UNREACHABLE: 'The mail server is unreachable.',
  TIMED_OUT: `No response in ${limits.alertTestTimeoutMilliseconds / 1000} s.`,
  TLS_FAILED: 'The TLS connection failed.',
}

function resultText({ isDelivered, outcome, status }: Attempted): string {
  if (isDelivered) {
    return status === null
      ? 'The mail server accepted the message.'
      : `The receiver accepted the message with status ${status}.`
  }
  return failures[outcome] ?? `The receiver rejected the message with status ${status ?? outcome}.`
}
