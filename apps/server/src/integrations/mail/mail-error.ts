/** Reason why an email was not sent. */
export type MailFailure =
  | 'ADDRESS_REFUSED'
  | 'SERVER_UNREACHABLE'
  | 'TIMED_OUT'
  | 'TLS_FAILED'
  | 'AUTHENTICATION_FAILED'
  | 'SERVER_REFUSED'

const SENTENCES: Record<MailFailure, string> = {
  ADDRESS_REFUSED: 'The recipient is not a single plain email address.',
  SERVER_UNREACHABLE: 'The mail server is unreachable.',
  TIMED_OUT: 'The mail server did not respond in time.',
  TLS_FAILED: 'The TLS connection to the mail server failed.',
  AUTHENTICATION_FAILED: 'The mail server rejected the credentials.',
  SERVER_REFUSED: 'The mail server rejected the message.',
}

/** An email was not sent. The message contains no address, link or credential; the cause may. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly code: MailFailure
  constructor(code: MailFailure, cause?: unknown) {
    super(SENTENCES[code], { cause })
    this.code = code
  }
}

/**
 * Classifies an SMTP client error. The client maps every socket error to one code; only the
 * original socket code distinguishes a bad certificate from a closed port.
 */
export function mailFailure(error: unknown): MailError {
  const { code = '', originalCode = '' } = error as { code?: string; originalCode?: string }
  const failure = TLS_CODES.test(originalCode) ? 'TLS_FAILED' : FAILURES[code]
  return new MailError(failure ?? 'SERVER_REFUSED', error)
}

const TLS_CODES = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_)|SELF_SIGNED/

const FAILURES: Readonly<Record<string, MailFailure>> = {
  EAUTH: 'AUTHENTICATION_FAILED',
  ENOAUTH: 'AUTHENTICATION_FAILED',
  ECONNECTION: 'SERVER_UNREACHABLE',
  EDNS: 'SERVER_UNREACHABLE',
  ESOCKET: 'SERVER_UNREACHABLE',
  ETIMEDOUT: 'TIMED_OUT',
  ETLS: 'TLS_FAILED',
  EREQUIRETLS: 'TLS_FAILED',
}
