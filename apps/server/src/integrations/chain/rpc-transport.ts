import { limits } from '../../limits.ts'
import type { CallResult, CountedCall } from '../../store/node-calls/call-counts.ts'
import { minuteMilliseconds } from '../../units.ts'
import { OutboundError, OutboundFailedError } from '../outbound/outbound-error.ts'
import { ChainError, type ChainErrorReason, chainErrorCode } from './chain-error.ts'
import type { ReadPurpose } from './day-quota.ts'
import { AnswerStructureError, parseInTurns, StructureScan } from './parse-answer.ts'
import { redactProviderText } from './provider-text.ts'
import { RpcPace } from './rpc-pace.ts'
import {
  classifyRefusal,
  type Refusal,
  type RefusalKind,
  type RpcError,
  retryDelay,
  textOf,
} from './rpc-refusals.ts'
import { PacedOutError, type PauseCause, WaitBudget } from './wait-budget.ts'

export interface RpcTransportOptions {
  /** JSON-RPC URL. API keys are in the URL, or `fetch` adds them. */
  readonly endpoint: string
  /**
   * Guarded outbound fetch. The platform's fetch is allowed only for URLs chosen by the operator.
   */
  readonly fetch: typeof fetch
  /** Timeout per response. */
  readonly timeoutMs: number
  /**
   * Maximum response size in bytes for any method. Default: 32 MiB; many methods have lower limits.
   */
  readonly maximumAnswerBytes?: number
  /** Maximum calls per HTTP request. Default: 100; 1 disables batches. */
  readonly batchSize?: number
  /** Known limits of the provider, shared by its clients. Default: an own pace without limits. */
  readonly pace?: RpcPace
  /** Total time to wait for a provider that limits its rate. Default: 8 s. */
  readonly maximumWaitMs?: number
  /** True if the wait ends only without responses: each one restores `maximumWaitMs`. */
  readonly isWaitRefilled?: boolean
  /** Decides when the configured credits of a day end the reads. Default: REQUEST. */
  readonly purpose?: ReadPurpose | undefined
  /** Ends a wait. */
  readonly signal?: AbortSignal | undefined
  /** Counts the calls of each HTTP request. */
  readonly count?: CountRequest
  /** Texts to remove from errors of the provider, in addition to the URL. */
  readonly secrets?: readonly string[]
}

export type CountRequest = (
  calls: readonly CountedCall[],
  size: { milliseconds: number; bytes: number },
) => void

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export type RpcAnswer =
  | { readonly result: unknown }
  | {
      readonly error: RpcError
      readonly httpStatus: number
      /** Number of times that the call was sent. */
      readonly attempts: number
      /** Message and data of the error, without keys. */
      readonly providerText: string
    }

interface Waiting extends RpcCall {
  /** Pauses because of this call, and those that its range can be the reason of. */
  pauses: number
  unclear: number
  /** Number of times that it was sent. */
  attempts: number
  readonly settle: (answer: RpcAnswer) => void
  readonly fail: (error: Error) => void
}

/** A refusal that ends with a pause. */
interface Paused {
  readonly refusal: Refusal
  readonly kind: RefusalKind | null
}

/** Refusals because of a limit or the key. Other errors are responses, such as an unknown method. */
const limitKinds: ReadonlySet<RefusalKind> = new Set([
  ...(['RATE', 'QUOTA', 'BATCH', 'RANGE', 'RANGE_OR_RATE', 'AUTH'] as const),
])

/** Pauses of one call, after which its refusal is final. */
const maximumPauses = 20

interface Attempt {
  /** Calls to send again. */
  readonly again: readonly Waiting[]
  /** The node accepts fewer calls per request. */
  readonly isBatchRefused: boolean
  /** HTTP status of a response without a JSON-RPC error; null otherwise. */
  readonly failedStatus: number | null
}

interface NodeResponse {
  readonly status: number
  readonly bytes: number
  readonly retryAfter: string | null
  readonly answer: unknown
}

/**
 * JSON-RPC over HTTP. Calls of one event loop turn share a request, as many as the provider takes.
 * Calls that it refuses because of its rate are sent again after a pause. Response size is limited by
 * method, structure is checked on arrival, and long responses are parsed in turns. A provider
 * therefore cannot block the process.
 *
 * @see https://www.jsonrpc.org/specification
 */
export class RpcTransport {
  readonly #options: RpcTransportOptions
  /** Shared by all calls: the time that a request or job waits in total. */
  readonly #budget: WaitBudget
  /** Learned limits of the provider. */
  readonly pace: RpcPace
  #waiting: Waiting[] = []

  constructor(options: RpcTransportOptions) {
    const { batchSize, signal, isWaitRefilled } = options
    const { maximumWaitMs = limits.chainWaitMilliseconds } = options
    this.#options = options
    this.pace =
      options.pace ?? new RpcPace(batchSize ? { configured: { batchCalls: batchSize } } : {})
    this.#budget = new WaitBudget(maximumWaitMs, signal, isWaitRefilled)
  }

  /** @throws ChainError if no response arrives */
  send(call: RpcCall): Promise<RpcAnswer> {
    return new Promise((settle, fail) => {
      if (this.#waiting.push({ ...call, pauses: 0, unclear: 0, attempts: 0, settle, fail }) > 1)
        return
      setImmediate(() => {
        const waiting = this.#waiting.splice(0)
        const { batchSize = limits.chainBatchCalls } = this.#options
        while (waiting.length > 0) void this.#exchange(waiting.splice(0, batchSize))
      })
    })
  }

  /** Sends calls until each has a response or has failed. */
  async #exchange(calls: readonly Waiting[]): Promise<void> {
    let open = [...calls]
    /** Size to try after a refused batch, until a batch of this size has a response. */
    let trial: number | null = null
    while (open.length > 0) {
      const larger = trial === null ? this.#largerBatch(open.length) : null
      const most = larger ?? Math.min(trial ?? open.length, this.#batchCalls)
      const sent = open.slice(0, most)
      const others = open.slice(sent.length)
      const attempts = sent[0]!.attempts
      try {
        const { again, isBatchRefused, failedStatus } = await this.#attempt(sent)
        open = [...again, ...others]
        if (larger !== null) {
          // Calls that the rate refused also end the trial, or each next one would lower the rate.
          const isPassed = again.length === 0 && !isBatchRefused && failedStatus === null
          this.pace.endLargerBatch(larger, isPassed ? 'PASSED' : 'FAILED')
        } else if (isBatchRefused) trial = Math.floor(sent.length / 2)
        else if (failedStatus !== null && trial !== null) throw httpFailure(failedStatus, sent[0]!)
        else if (trial !== null && again.length < sent.length) {
          this.pace.learnBatch(trial)
          trial = null
        }
      } catch (error) {
        const isSent = sent[0]!.attempts > attempts
        if (larger !== null) this.pace.endLargerBatch(larger, isSent ? 'FAILED' : 'NOT_SENT')
        for (const { method, attempts, fail } of open) fail(failureOf(error, { method, attempts }))
        return
      }
    }
  }

  /** A larger batch to try, if that many calls are waiting. */
  #largerBatch(waiting: number): number | null {
    const { batchSize = limits.chainBatchCalls } = this.#options
    if (waiting < 2) return null
    const larger = this.pace.tryLargerBatch()
    if (larger === null || (larger <= batchSize && larger <= waiting)) return larger
    this.pace.endLargerBatch(larger, 'NOT_SENT')
    return null
  }

  get #batchCalls(): number {
    const { batchSize = limits.chainBatchCalls } = this.#options
    return Math.min(batchSize, this.pace.batchCalls)
  }

  async #attempt(calls: readonly Waiting[]): Promise<Attempt> {
    const methods = calls.map(({ method }) => method)
    await this.pace.enter(methods, this.#budget, this.#options.purpose)
    for (const call of calls) call.attempts += 1
    const began = this.pace.clock.now()
    const response = await this.#post(calls)
      .catch((error: unknown) => {
        this.#count(calls, () => 'FAILED', { began, bytes: 0 })
        throw error
      })
      .finally(() => this.pace.leave())
    const { answer, status, bytes } = response
    const isBatch = calls.length > 1
    const items = Array.isArray(answer) ? answer : [answer]
    const isLeftOut = isBatch && Array.isArray(answer) && items.length === 0
    const whole = refusalOf(response, answer, { isWholeBatch: true })
    const isWhole = isBatch && !Array.isArray(answer) && classifyRefusal(whole) === 'BATCH'
    if (isWhole || isLeftOut) {
      this.#count(calls, () => 'REFUSED', { began, bytes })
      return { again: calls, isBatchRefused: true, failedStatus: null }
    }
    const byId = new Map(items.map((one) => [idOf(one), one]))
    const again: Waiting[] = []
    const refused = new Set<RpcCall>()
    const paused: Paused[] = []
    let failedStatus: number | null = null
    for (const [id, call] of calls.entries()) {
      // A node that rejects a whole batch returns a single error.
      const own = byId.get(`${id}`) ?? (Array.isArray(answer) ? undefined : answer)
      const error = errorOf(own)
      const refusal = refusalOf(response, own, { isWideRange: isWideRange(call) })
      const isRefused = error !== null || !isSuccess(status)
      const kind = isRefused ? classifyRefusal(refusal) : null
      if ((kind !== null && limitKinds.has(kind)) || own === undefined) refused.add(call)
      else if (isRefused && !isSuccess(status) && status >= 500) refused.add(call)
      const isUnclear = kind === 'RANGE_OR_RATE' && error !== null
      const isLimited = kind === 'RATE' || kind === 'QUOTA'
      if ((isLimited && call.pauses < maximumPauses) || (isUnclear && call.unclear === 0)) {
        call.pauses += 1
        call.unclear += isUnclear ? 1 : 0
        paused.push({ refusal, kind })
        again.push(call)
      } else if (error) {
        const { attempts } = call
        call.settle({ error, httpStatus: status, attempts, providerText: this.#redact(error) })
      } else if (isRefused) {
        failedStatus = status
        call.fail(httpFailure(status, call))
      } else if (isBatch && own === undefined) again.push(call)
      else call.settle({ result: memberOf(own, 'result') })
    }
    const resultOf = (call: RpcCall): CallResult => {
      if (!refused.has(call)) return 'ANSWERED'
      return status >= 500 && errorOf(answer) === null ? 'FAILED' : 'REFUSED'
    }
    this.#count(calls, resultOf, { began, bytes })
    const answered = calls.length - again.length
    this.pace.answered(failedStatus === null ? answered : 0)
    if (answered > 0 && failedStatus === null) this.#budget.answered()
    this.#pauseFor(paused)
    if (again.length > 0 && answered > 0 && paused.length === 0) this.pace.learnBatch(answered)
    else if (again.length === 0 && calls.length >= this.#batchCalls) this.pace.passBatch()
    const isBatchRefused = isBatch && answered === 0 && paused.length === 0
    return { again, isBatchRefused, failedStatus }
  }

  #count(
    calls: readonly RpcCall[],
    resultOf: (call: RpcCall) => CallResult,
    { began, bytes }: { began: number; bytes: number },
  ): void {
    const counted = calls.map((call) => ({ method: call.method, result: resultOf(call) }))
    const milliseconds = this.pace.clock.now() - began
    this.#options.count?.(counted, { milliseconds, bytes })
  }

  #pauseFor(paused: readonly Paused[]): void {
    if (paused.length === 0) return
    const { clock, refusedInARow } = this.pace
    const terms = { inARow: refusedInARow, random: clock.random(), now: clock.now() }
    const delays = paused.map(({ refusal, kind }) =>
      retryDelay(refusal, { ...terms, isQuota: kind === 'QUOTA' }),
    )
    const isRate = paused.some(({ kind }) => kind === 'RATE')
    const delay = Math.max(...delays)
    const longest = paused[delays.indexOf(delay)]
    this.pace.pause(delay, isRate, longest ? this.#pauseCause(longest) : null)
  }

  #pauseCause({ refusal: { error, httpStatus }, kind }: Paused): PauseCause {
    return {
      isQuota: kind === 'QUOTA',
      ...(isSuccess(httpStatus) ? {} : { httpStatus }),
      ...(error ? { rpcCode: error.code, providerText: this.#redact(error) } : {}),
    }
  }

  #redact(error: RpcError): string {
    const { endpoint, secrets } = this.#options
    return redactProviderText(textOf(error), endpoint, secrets)
  }

  async #post(calls: readonly RpcCall[]): Promise<NodeResponse> {
    const { endpoint, fetch, timeoutMs } = this.#options
    const messages = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(messages.length === 1 ? messages[0] : messages),
      signal: AbortSignal.timeout(withBatch(timeoutMs, calls.length)),
    })
    const { status } = response
    const retryAfter = response.headers.get('retry-after')
    const body = await readBounded(response, this.#maxBytes(calls))
    const bytes = body.length
    try {
      return { status, bytes, retryAfter, answer: await parseInTurns(body) }
    } catch (error) {
      if (!(error instanceof SyntaxError) || response.ok) throw error
      return { status, bytes, retryAfter, answer: null }
    }
  }

  #maxBytes(calls: readonly RpcCall[]): number {
    const { maximumAnswerBytes = limits.outboundAnswerBytes } = this.#options
    const ofMethods: Readonly<Record<string, number>> = limits.chainAnswerBytes
    const sum = calls.reduce(
      (bytes, { method }) => bytes + limits.chainAnswerOtherBytes + (ofMethods[method] ?? 0),
      0,
    )
    return Math.min(sum, maximumAnswerBytes)
  }
}

/** Timeout of a batch: 1 s more per 10 calls, up to 60 s. */
const withBatch = (timeoutMs: number, calls: number) =>
  Math.max(timeoutMs, Math.min(minuteMilliseconds, timeoutMs + 1000 * Math.floor(calls / 10)))

async function readBounded(response: Response, maxBytes: number): Promise<Buffer> {
  const structure = new StructureScan()
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.byteLength
    if (length > maxBytes) throw new AnswerTooLargeError()
    structure.feed(part)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
}

function memberOf(answer: unknown, name: 'id' | 'result' | 'error'): unknown {
  if (typeof answer !== 'object' || answer === null) return undefined
  return (answer as Readonly<Record<string, unknown>>)[name]
}

function errorOf(answer: unknown): RpcError | null {
  const error = memberOf(answer, 'error')
  if (typeof error !== 'object' || error === null) return null
  const { code, message, data } = error as Readonly<Record<string, unknown>>
  return typeof code === 'number' && typeof message === 'string' ? { code, message, data } : null
}

/** Nodes return the id as sent, or as text. */
const idOf = (answer: unknown) => `${memberOf(answer, 'id')}`

function refusalOf(
  { status, retryAfter }: NodeResponse,
  answer: unknown,
  terms: Partial<Pick<Refusal, 'isWideRange' | 'isWholeBatch'>>,
): Refusal {
  const error = errorOf(answer)
  return {
    httpStatus: status,
    retryAfter,
    error,
    isWideRange: false,
    isWholeBatch: false,
    ...terms,
  }
}

const isSuccess = (httpStatus: number) => httpStatus >= 200 && httpStatus <= 299

/** True for `eth_getLogs` over more than one block. */
export function isWideRange({ method, params: [filter] }: RpcCall): boolean {
  if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return false
  const { fromBlock, toBlock } = filter as Readonly<Record<string, unknown>>
  return fromBlock !== toBlock
}

type Sent = Pick<Waiting, 'method' | 'attempts'>

function failedRead(reason: ChainErrorReason, { method, attempts }: Sent, more: object = {}) {
  const { httpStatus } = more as { httpStatus?: number }
  const code = chainErrorCode(reason, httpStatus)
  return new ChainError({ code, reason, method, attempts, ...more })
}

function httpFailure(status: number, sent: Sent): ChainError {
  const reason = status === 413 ? 'ANSWER_TOO_LARGE' : 'HTTP_STATUS'
  return failedRead(reason, sent, { httpStatus: status })
}

/** Classifies a failed exchange. Stores no URL. */
function failureOf(error: unknown, sent: Sent): ChainError {
  if (error instanceof ChainError) return new ChainError({ ...error.facts, ...sent })
  if (error instanceof PacedOutError) {
    const { isQuota = false, ...evidence } = error.pauseCause ?? {}
    const reason = isQuota ? 'QUOTA_EXHAUSTED' : 'RATE_LIMITED'
    return failedRead(reason, sent, { ...evidence, retryAfterMs: error.delayMs })
  }
  if (error instanceof AnswerTooLargeError) return failedRead('ANSWER_TOO_LARGE', sent)
  if (error instanceof AnswerStructureError || error instanceof SyntaxError) {
    return failedRead('INCONSISTENT_ANSWER', sent)
  }
  const outbound = outboundCauseOf(error)
  if (outbound?.code === 'ANSWER_TOO_LARGE') return failedRead('ANSWER_TOO_LARGE', sent)
  if (outbound?.code === 'ADDRESS_NOT_PUBLIC') return failedRead('ADDRESS_REFUSED', sent)
  const isLate = error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)
  if (isLate || outbound?.code === 'TIMED_OUT') return failedRead('TIMEOUT', sent)
  const network = outbound instanceof OutboundFailedError ? { network: outbound.code } : {}
  return failedRead('NETWORK', sent, network)
}

function outboundCauseOf(error: unknown): OutboundError | null {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause !== undefined ? outboundCauseOf(error.cause) : null
}
