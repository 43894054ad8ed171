import { limits } from '../../limits.ts'
import type {
  AlertMail,
  DeliveryDeadLetterMail,
  InvitationMail,
  PasskeyMail,
  SignInLinkMail,
} from '../../mailer.ts'

/** Content of an email, independent of sender and transport. */
export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Same ID for every attempt, if an email may be resent. */
  readonly messageId?: string
}

/** Email with a one-time link. */
export function signInLinkMessage(mail: SignInLinkMail): Message {
  const name = mail.organizationName === undefined ? '' : oneLine(mail.organizationName)
  const place = name === '' ? 'Liquidity OS' : `${name} on Liquidity OS`
  const until = utcMinute(mail.expiresAt)
  const terms = `The link works once, in the browser that requested it, until ${until}.`
  const unasked =
    'If you did not request it, ignore this email. No one can sign in as you without the link.'
  return {
    to: mail.to,
    subject: `Sign in to ${place}`,
    text: `Open this link to sign in to ${place}:\n\n${mail.link}\n\n${terms}\n${unasked}\n`,
    html: page(
      `<p>Open this link to sign in to ${escapeHtml(place)}:</p>` +
        `<p><a href="${escapeHtml(mail.link)}">Sign in</a></p>` +
        `<p>${escapeHtml(mail.link)}</p><p>${escapeHtml(terms)}<br>${escapeHtml(unasked)}</p>`,
    ),
  }
}

/**
 * Email about an invitation or a new role. It contains no secret: the person signs in to accept.
 */
export function invitationMessage(mail: InvitationMail): Message {
  const name = oneLine(mail.organizationName)
  const until = mail.expiresAt && utcMinute(mail.expiresAt)
  const change = until
    ? `${name} invites you to Liquidity OS as ${mail.role}.`
    : `Your role in ${name} on Liquidity OS is now ${mail.role}.`
  // An invitation goes to strangers, so it contains no text of the sender.
  const reason = until ? '' : oneLine(mail.reason)
  const stated = reason === '' ? change : `${change} Reason: ${reason}`
  const how = until
    ? `Sign in with this address by ${until} to accept:`
    : 'Sign in with this address:'
  const unasked = until
    ? 'If you do not know the organization, ignore this email. You become a member only if you accept.'
    : 'If you do not know the organization, notify the operator of the service.'
  return {
    to: mail.to,
    subject: until ? `Invitation to ${name}` : `Your role in ${name} changed`,
    text: `${stated}\n\n${how}\n\n${mail.address}\n\n${unasked}\n`,
    html: page(
      `<p>${escapeHtml(stated)}</p><p>${how}</p>` +
        `<p><a href="${escapeHtml(mail.address)}">${escapeHtml(mail.address)}</a></p><p>${unasked}</p>`,
    ),
  }
}

/**
 * Notifies the owner that a passkey was added or removed. If the owner did neither, someone else
 * reads the mailbox.
 */
export function passkeyMessage(mail: PasskeyMail): Message {
  const done = mail.isAdded ? 'added to' : 'removed from'
  const statement = `The passkey ${oneLine(mail.name)} was ${done} your account on Liquidity OS.`
  const unasked =
    'If you did not do this, notify an owner of your organization and the operator of the service at once.'
  return {
    to: mail.to,
    subject: `A passkey was ${done} your account`,
    text: `${statement}\n\n${unasked}\n\n${mail.address}\n`,
    html: page(
      `<p>${escapeHtml(statement)}</p><p>${unasked}</p><p>${escapeHtml(mail.address)}</p>`,
    ),
  }
}

export function deliveryDeadLetterMessage(mail: DeliveryDeadLetterMail): Message {
  const times = mail.attempts === 1 ? '1 attempt' : `${mail.attempts} attempts`
  const facts = [
    ['Webhook', oneLine(mail.webhookId)],
    ['Message', oneLine(mail.messageId)],
    ['Receiver', oneLine(mail.url)],
  ] as const
  const opening = `A webhook delivery failed after ${times}. The service will not retry it.`
  const remedy =
    'The console lists every attempt with its response and can send the delivery again.'
  const lines = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const rows = facts.map(
    ([label, value]) => `<tr><td>${label}</td><td>${escapeHtml(value)}</td></tr>`,
  )
  return {
    to: mail.to,
    subject: `A webhook delivery failed: ${oneLine(mail.webhookId)}`,
    text: `${opening}\n\n${lines}\n\n${remedy}\n\n${mail.address}\n`,
    html: page(
      `<p>${opening}</p><table>${rows.join('')}</table><p>${remedy}</p>` +
        `<p><a href="${escapeHtml(mail.address)}">${escapeHtml(mail.address)}</a></p>`,
    ),
  }
}

export function alertMessage({ to, messageId, subject, text }: AlertMail): Message {
  // A cut link would lead nowhere.
  const lines = text.split('\n').map((line) => (isLink(line) ? line.trim() : oneLine(line)))
  return {
    to,
    messageId: `<${messageId}@liquidity-os>`,
    subject: oneLine(subject),
    text: `${lines.join('\n')}\n`,
    html: page(`<p>${lines.map(htmlLine).join('<br>')}</p>`),
  }
}

const isLink = (line: string): boolean => /^ *https?:\/\/[\x21-\x7e]+$/.test(line)

function htmlLine(line: string): string {
  const text = escapeHtml(line)
  return isLink(line) ? `<a href="${text}">${text}</a>` : text
}

/** Text from elsewhere as one line without control characters, for a header or a sentence. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > limits.mailLineCharacters
    ? `${line.slice(0, limits.mailLineCharacters - 1)}…`
    : line
}

function utcMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><body>${body}</body></html>`
}
