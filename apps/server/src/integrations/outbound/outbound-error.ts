/** Reason for a request that was not sent. */
export type OutboundRefusal =
  | 'URL_MALFORMED'
  | 'PROTOCOL_NOT_ALLOWED'
  | 'CREDENTIALS_IN_URL'
  | 'ADDRESS_NOT_PUBLIC'

/** Reason for a sent request without a response. */
export type OutboundFailure =
  | 'NAME_NOT_RESOLVED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'TIMED_OUT'
  | 'ANSWER_MALFORMED'
  | 'ANSWER_TOO_LARGE'

/**
 * Error code for tenants. Unresolved names and names with internal addresses look alike; otherwise
 * tenants could probe names of the internal network.
 */
export function codeForTenants(
  code: OutboundRefusal | OutboundFailure,
):
  | Exclude<OutboundRefusal | OutboundFailure, 'ADDRESS_NOT_PUBLIC' | 'NAME_NOT_RESOLVED'>
  | 'NO_PUBLIC_ADDRESS' {
  return code === 'ADDRESS_NOT_PUBLIC' || code === 'NAME_NOT_RESOLVED' ? 'NO_PUBLIC_ADDRESS' : code
}

/**
 * A request to another host failed. The message contains scheme and host only: path, query and user
 * information may contain a key.
 */
export abstract class OutboundError extends Error {
  abstract readonly code: OutboundRefusal | OutboundFailure
}

/** Target rejected; no request was sent. */
export class OutboundRefusedError extends OutboundError {
  override readonly name = 'OutboundRefusedError'
  readonly code: OutboundRefusal
  constructor(facts: { code: OutboundRefusal; origin: string; detail: string }) {
    super(`Connection to ${facts.origin} refused: ${facts.detail}.`)
    this.code = facts.code
  }
}

export class OutboundFailedError extends OutboundError {
  override readonly name = 'OutboundFailedError'
  readonly code: OutboundFailure
  constructor(facts: { code: OutboundFailure; origin: string; detail: string; cause?: unknown }) {
    super(`${facts.origin} did not respond: ${facts.detail}.`, { cause: facts.cause })
    this.code = facts.code
  }
}

/**
 * Classifies a failure below HTTP.
 *
 * @param error as thrown by the resolver, the socket, TLS or the HTTP parser
 */
export function outboundFailure(error: unknown, origin: string): OutboundFailedError {
  const code = codeOf(error)
  const [, failure, detail] = FAILURES.find(([pattern]) => pattern.test(code)) ?? OTHER
  return new OutboundFailedError({ code: failure, origin, detail, cause: error })
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : error.name
}

const OTHER = [/^/, 'CONNECTION_FAILED', 'the connection failed'] as const
const FAILURES: readonly (readonly [RegExp, OutboundFailure, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'NAME_NOT_RESOLVED', 'its name does not resolve to an address'],
  [/TIMEOUT|^ETIMEDOUT$/, 'TIMED_OUT', 'the request timed out'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'ANSWER_MALFORMED', 'its response is not HTTP'],
  [/^HTTPParserError$/, 'ANSWER_MALFORMED', 'its response is not HTTP'],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_)|SELF_SIGNED/,
    'TLS_FAILED',
    'its certificate is not valid or TLS failed',
  ],
]

/** Scheme and host of a URL: the part that may be shown. */
export function originOf(url: string): string {
  if (!URL.canParse(url)) return 'a malformed URL'
  const { protocol, host } = new URL(url)
  return host === '' ? `a ${protocol} URL` : `${protocol}//${host}`
}
