import { createTransport, type Transporter } from 'nodemailer'
import { isEmail } from '../../access/email-address.ts'
import { limits } from '../../limits.ts'
import type { Mailer } from '../../mailer.ts'
import { MailError, mailFailure } from './mail-error.ts'
import {
  alertMessage,
  deliveryDeadLetterMessage,
  invitationMessage,
  type Message,
  passkeyMessage,
  signInLinkMessage,
} from './messages.ts'

export interface MailerOptions {
  /** `smtp:` or `smtps:` URL; null prints emails instead, for development only. */
  readonly smtpUrl: string | null
  /** Sender, such as `Liquidity OS <no-reply@example.org>`. */
  readonly from: string
  /** Output for printed emails. Default: the terminal. */
  readonly print?: (text: string) => void
  /** Time limit for the delivery of one email to the mail server. */
  readonly timeoutMs?: number
}

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from, print = printToTerminal } = options
  const timeoutMs = options.timeoutMs ?? limits.mailTimeoutMilliseconds
  const transport = smtpUrl === null ? null : createTransport(smtpOptions(smtpUrl, timeoutMs))
  const send = async (message: Message): Promise<void> => {
    if (!isEmail(message.to)) throw new MailError('ADDRESS_REFUSED')
    if (transport === null) print(printed(message))
    else await handOver(transport, from, message, timeoutMs)
  }
  return {
    sendSignInLink: (mail) => send(signInLinkMessage(mail)),
    sendInvitation: (mail) => send(invitationMessage(mail)),
    sendPasskey: (mail) => send(passkeyMessage(mail)),
    sendDeliveryDeadLetter: (mail) => send(deliveryDeadLetterMessage(mail)),
    sendAlert: (mail) => send(alertMessage(mail)),
    close: () => transport?.close(),
  }
}

async function handOver(
  transport: Transporter,
  from: string,
  message: Message,
  timeoutMs: number,
): Promise<void> {
  const deadline = Promise.withResolvers<never>()
  // The client limits single steps only, so a slow server could take any time in total.
  const timer = setTimeout(() => deadline.reject(new MailError('TIMED_OUT')), timeoutMs)
  const { to, ...content } = message
  const mail = { ...content, from, to: { name: '', address: to }, headers: AUTOMATIC }
  try {
    await Promise.race([transport.sendMail(mail), deadline.promise])
  } catch (error) {
    throw error instanceof MailError ? error : mailFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Prevents automatic out-of-office replies. @see RFC 3834, §5 */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/**
 * Connection options of an SMTP URL. Credentials go over TLS only: with a user in the URL, `smtp:` demands
 * STARTTLS. A server without any may be given `?requireTLS=false`, by an operator who knows the wire.
 */
function smtpOptions(smtpUrl: string, timeoutMs: number) {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const hasUser = url.username !== ''
  const requireTLS = !isSecure && hasUser && url.searchParams.get('requireTLS') !== 'false'
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS,
    ...(hasUser ? { auth } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function printed(message: Message): string {
  const rule = '-'.repeat(60)
  return `${rule}\nTo: ${message.to}\nSubject: ${message.subject}\n\n${message.text}${rule}\n`
}

function printToTerminal(text: string): void {
  process.stdout.write(text)
}
