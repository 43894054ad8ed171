import { limits } from '../../limits.ts'
import { OutboundError, OutboundFailedError } from '../outbound/outbound-error.ts'
import { ChainError, type ChainErrorReason } from './chain-error.ts'
import { AnswerStructureError, parseInTurns, StructureScan } from './parse-answer.ts'

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
}

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Error from a node. @see JSON-RPC 2.0, section 5.1 */
export interface RpcError {
  readonly code: number
  readonly message: string
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError }

interface Waiting extends RpcCall {
  readonly settle: (answer: RpcAnswer) => void
  readonly fail: (error: Error) => void
}

/**
 * JSON-RPC over HTTP. Calls of one event loop turn share a request. Response size is limited by
 * method, structure is checked on arrival, and long responses are parsed in turns. A provider
 * therefore cannot block the process.
 *
 * @see https://www.jsonrpc.org/specification
 */
export class RpcTransport {
  readonly #options: RpcTransportOptions
  #waiting: Waiting[] = []

  constructor(options: RpcTransportOptions) {
    this.#options = options
  }

  /** @throws ChainError if no response arrives */
  send(call: RpcCall): Promise<RpcAnswer> {
    return new Promise((settle, fail) => {
      if (this.#waiting.push({ ...call, settle, fail }) > 1) return
      setImmediate(() => {
        const { batchSize = limits.chainBatchCalls } = this.#options
        const waiting = this.#waiting.splice(0)
        while (waiting.length > 0) void this.#exchange(waiting.splice(0, batchSize))
      })
    })
  }

  async #exchange(calls: readonly Waiting[]): Promise<void> {
    try {
      const { status, answer } = await this.#post(calls)
      const answers = Array.isArray(answer) ? answer : [answer]
      const byId = new Map(answers.map((one) => [memberOf(one, 'id'), one]))
      for (const [id, call] of calls.entries()) {
        // A node that rejects a whole batch returns a single error.
        const own = byId.get(id) ?? (Array.isArray(answer) ? undefined : answer)
        const error = errorOf(own)
        if (error) call.settle({ error })
        else if (status < 200 || status > 299) call.fail(httpFailure(status, call.method))
        else call.settle({ result: memberOf(own, 'result') })
      }
    } catch (error) {
      for (const { method, fail } of calls) fail(failureOf(error, method))
    }
  }

  async #post(calls: readonly RpcCall[]): Promise<{ status: number; answer: unknown }> {
    const { endpoint, fetch, timeoutMs } = this.#options
    const messages = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(messages.length === 1 ? messages[0] : messages),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status } = response
    const bytes = await readBounded(response, this.#maxBytes(calls))
    try {
      return { status, answer: await parseInTurns(bytes) }
    } catch (error) {
      if (!(error instanceof SyntaxError) || response.ok) throw error
      return { status, answer: null }
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
  const { code, message } = error as Readonly<Record<string, unknown>>
  return typeof code === 'number' && typeof message === 'string' ? { code, message } : null
}

function unavailable(reason: ChainErrorReason, method: string, more: object = {}): ChainError {
  return new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', reason, method, ...more })
}

function httpFailure(status: number, method: string): ChainError {
  const reason = status === 413 ? 'ANSWER_TOO_LARGE' : 'HTTP_STATUS'
  return unavailable(reason, method, { httpStatus: status })
}

/** Classifies a failed exchange. Stores no provider text and no URL. */
function failureOf(error: unknown, method: string): ChainError {
  if (error instanceof AnswerTooLargeError) return unavailable('ANSWER_TOO_LARGE', method)
  if (error instanceof AnswerStructureError || error instanceof SyntaxError) {
    return unavailable('INCONSISTENT_ANSWER', method)
  }
  const outbound = outboundCauseOf(error)
  if (outbound?.code === 'ANSWER_TOO_LARGE') return unavailable('ANSWER_TOO_LARGE', method)
  if (outbound?.code === 'ADDRESS_NOT_PUBLIC') return unavailable('ADDRESS_REFUSED', method)
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  if (isLate || outbound?.code === 'TIMED_OUT') return unavailable('TIMEOUT', method)
  const network = outbound instanceof OutboundFailedError ? { network: outbound.code } : {}
  return unavailable('NETWORK', method, network)
}

function outboundCauseOf(error: unknown): OutboundError | null {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause !== undefined ? outboundCauseOf(error.cause) : null
}
