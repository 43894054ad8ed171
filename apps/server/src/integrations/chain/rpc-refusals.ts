import { hourMilliseconds, minuteMilliseconds } from '../../units.ts'
import { headerDelay } from '../outbound/retry-after.ts'

/** Error member of a JSON-RPC response. @see JSON-RPC 2.0, section 5.1 */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * Kinds of refusals.
 *
 * - `RATE`: too many calls; the same call succeeds later.
 * - `QUOTA`: the calls of a day or of a plan are used up.
 * - `BATCH`: the node takes fewer calls per request.
 * - `RANGE`: the range of blocks is too wide.
 * - `RANGE_OR_RATE`: the words fit both, or neither. A repetition decides.
 * - `AUTH`: the node rejects the key.
 */
export type RefusalKind =
  | 'REVERT'
  | 'QUOTA'
  | 'RATE'
  | 'BATCH'
  | 'UNSUPPORTED'
  | 'RANGE'
  | 'RANGE_OR_RATE'
  | 'UNKNOWN_BLOCK'
  | 'PRUNED'
  | 'AUTH'
  | 'REFUSED'

export interface Refusal {
  readonly httpStatus: number
  /** Value of the header `Retry-After`, or null. */
  readonly retryAfter: string | null
  /** Null if the response contains no JSON-RPC error. */
  readonly error: RpcError | null
  /** True for `eth_getLogs` over more than one block. */
  readonly isWideRange: boolean
  /** True for a response to several calls without a response to each. */
  readonly isWholeBatch: boolean
}

const quotaWords =
  /\b(rate|requests?|throughput|capacity|compute units?)\b[^.]{0,40}\b(limit\w*|exceed\w*|per second)|too many requests|\bcredits\b|\bquota\b/i
/** Limits of one call, which a pause does not change. */
const callLimitWords = /time.?out|timed out|\bgas\b/i
const rangeWords = /block|range|logs|results|response size/i
const planWords = /\b(daily|day|month|monthly|credits|plan)\b/i
const batchWords = /\bbatch/i
const revertWords = /revert/i
const unsupportedWords =
  /method .{0,60}(not found|not available|not supported|not whitelisted|does not exist)/i
const unknownBlockWords =
  /header not found|unknown block|block not found|hash is not currently canonical|blocks? .{0,80}cannot be found/i
const prunedWords = /missing trie node|state .*(not available|unavailable|pruned)|pruned|archive/i

/** Classifies a refusal by status, headers, code, message and data. The first rule wins. */
export function classifyRefusal(refusal: Refusal): RefusalKind {
  const { httpStatus, retryAfter, error, isWideRange, isWholeBatch } = refusal
  const text = error === null ? '' : textOf(error)
  const code = error?.code ?? null
  const hasQuotaWords = quotaWords.test(text) && !callLimitWords.test(text)
  const hasRangeWords = isWideRange && rangeWords.test(text)
  if (code === 3 || revertWords.test(text)) return 'REVERT'
  if (isWholeBatch && batchWords.test(text)) return 'BATCH'
  if (httpStatus === 402) return 'QUOTA'
  if (hasQuotaWords && planWords.test(text) && !hasRangeWords) return 'QUOTA'
  const isThrottled = retryAfter !== null && (httpStatus === 403 || httpStatus === 503)
  if (httpStatus === 429 || code === 429 || code === -32029 || isThrottled) return 'RATE'
  if (hasQuotaWords && !isWideRange) return 'RATE'
  if (httpStatus === 401 || httpStatus === 403) return 'AUTH'
  if (code === -32601 || code === -32004 || unsupportedWords.test(text)) return 'UNSUPPORTED'
  if (code === -32001 || unknownBlockWords.test(text)) return 'UNKNOWN_BLOCK'
  if (prunedWords.test(text)) return 'PRUNED'
  if (isWholeBatch) return 'BATCH'
  if (!isWideRange) return 'REFUSED'
  if (hasQuotaWords === hasRangeWords) return 'RANGE_OR_RATE'
  return hasRangeWords ? 'RANGE' : 'RATE'
}

/** Characters of a text that are classified; longer ones would block the process. */
const textLength = 2_000

/** Message and data of an error, cut to a bounded length. */
export function textOf({ message, data }: RpcError): string {
  const parts = typeof data === 'object' && data !== null ? firstValues(data) : [data]
  const texts = parts.flatMap((part) =>
    typeof part === 'string' || typeof part === 'number' ? [`${part}`.slice(0, textLength)] : [],
  )
  return [message.slice(0, textLength), ...texts].join(' ').slice(0, 2 * textLength)
}

function firstValues(data: object): unknown[] {
  const values: unknown[] = []
  for (const name in data) {
    if (values.length === 10) break
    values.push((data as Readonly<Record<string, unknown>>)[name])
  }
  return values
}

const [minimumDelay, maximumDelay] = [100, hourMilliseconds]
/** Delay of a used-up quota, if the node names none. */
const quotaDelay = 15 * minuteMilliseconds

/**
 * Milliseconds until the next attempt: as the node demands, otherwise growing with the refusals in a
 * row.
 *
 * @param inARow refusals of the provider without a response between them, from 0
 * @param random from 0 to 1
 * @param now Unix time in ms, for a `Retry-After` that is a date
 */
export function retryDelay(
  { retryAfter, error }: Pick<Refusal, 'retryAfter' | 'error'>,
  {
    inARow,
    random,
    now,
    isQuota = false,
  }: { inARow: number; random: number; now: number; isQuota?: boolean },
): number {
  const demanded = headerDelay(retryAfter, now) ?? dataDelay(error?.data)
  const growing = Math.min(minuteMilliseconds, 500 * 2 ** inARow) * (0.5 + random / 2)
  const delay = demanded ?? (isQuota ? quotaDelay : growing)
  return Math.min(maximumDelay, Math.max(minimumDelay, Math.ceil(delay)))
}

function dataDelay(data: unknown): number | null {
  if (typeof data !== 'object' || data === null) return null
  const { backoff_seconds: backoff, retry_after: retryAfter } = data as Record<string, unknown>
  const seconds = [backoff, retryAfter].find((one) => typeof one === 'number' && one >= 0)
  return typeof seconds === 'number' ? seconds * 1000 : null
}
