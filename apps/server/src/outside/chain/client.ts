import {
  BaseError,
  createPublicClient,
  type Hex,
  HttpRequestError,
  type HttpTransport,
  http,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import { limits } from '../../limits.ts'
import { OutboundError, OutboundFailedError } from '../outbound/outbound-error.ts'
import { isAnswer } from './answers.ts'
import { CallRevertedError, ChainError, type ChainErrorReason } from './chain-error.ts'

export type ChainClientOptions = {
  /** JSON-RPC address; whatever key it needs is part of it or of what `fetch` adds. */
  readonly endpoint: string
  /** The guarded outbound fetch; the platform's own only where the operator chose the address. */
  readonly fetch: typeof fetch
  /** Longest wait for one answer. */
  readonly timeoutMs: number
  /** Longest answer that is read, default 32 MiB. */
  readonly maximumAnswerBytes?: number
  /** Most calls in one HTTP request, default 100; 1 never batches. */
  readonly batchSize?: number
  /** The chain that the provider was registered for, which `assertChains` asks for again. */
  readonly chainId?: number
}

export type ChainClient = PublicClient<HttpTransport>

/**
 * A viem client over an injected fetch, without retries: a failure is reported, and whoever asked
 * decides whether to ask again.
 */
export function chainClient(options: ChainClientOptions): ChainClient {
  const { batchSize = limits.chainBatchCalls, maximumAnswerBytes = limits.outboundAnswerBytes } =
    options
  const transport = http(options.endpoint, {
    ...{ retryCount: 0, timeout: options.timeoutMs },
    fetchFn: boundedFetch(options.fetch, maximumAnswerBytes),
    // The library's own limit is lower and its error says nothing of width, so that no chunk would be halved.
    maxResponseBodySize: false,
    batch: batchSize > 1 && { batchSize, wait: 0 },
  })
  const client = createPublicClient({ transport, cacheTime: 0 })
  if (options.chainId !== undefined) expectedChains.set(client, options.chainId)
  return client
}

/** A fetch that stops reading, and fails, when an answer passes the limit. */
function boundedFetch(fetchAnswer: typeof fetch, maximumBytes: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetchAnswer(input, init)
    const parts: Uint8Array[] = []
    let length = 0
    for await (const part of answer.body ?? []) {
      length += part.byteLength
      if (length > maximumBytes) throw new AnswerTooLargeError({ maximumBytes })
      parts.push(part)
    }
    const { status, statusText, headers } = answer
    const body = status === 204 ? null : Buffer.concat(parts)
    return new Response(body, { status, statusText, headers })
  }
}

/**
 * Sends one JSON-RPC request.
 *
 * @throws CallRevertedError when a contract reverted
 * @throws ChainError for everything else that is not an answer
 */
export async function ask<Answer>(
  client: ChainClient,
  method: string,
  params: readonly unknown[],
): Promise<Answer> {
  // viem types requests by a closed list of methods; the form of an answer is checked below, its sense where it is used.
  const request = client.request as (call: {
    readonly method: string
    readonly params: readonly unknown[]
  }) => Promise<unknown>
  let answer: unknown
  try {
    answer = await request({ method, params })
  } catch (error) {
    throw chainError(error, method)
  }
  if (!isAnswer(method, answer)) throw inconsistent(method)
  return answer as Answer
}

/** The provider contradicts itself or the question, or says what is no answer to it. */
export function inconsistent(method: string): ChainError {
  const code = 'LIQUIDITY_CHAIN_UNAVAILABLE'
  return new ChainError({ code, reason: 'INCONSISTENT_ANSWER', method })
}

/**
 * Asks every provider whether it is of the chain that it was registered for: an address can be pointed elsewhere.
 *
 * @throws ChainError INCONSISTENT_ANSWER for one that is of another chain
 */
export async function assertChains(clients: readonly ChainClient[]): Promise<void> {
  const method = 'eth_chainId'
  await Promise.all(
    clients.map(async (client) => {
      const expected = expectedChains.get(client)
      if (expected === undefined) return
      if (Number(await ask<Hex>(client, method, [])) !== expected) throw inconsistent(method)
    }),
  )
}

const expectedChains = new WeakMap<ChainClient, number>()

function chainError(error: unknown, method: string): Error {
  const unavailable = (reason: ChainErrorReason, more: object = {}): ChainError =>
    new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', reason, method, ...more })
  if (!(error instanceof BaseError)) return unavailable('INCONSISTENT_ANSWER')
  const find = <Kind>(kind: abstract new (...args: never[]) => Kind): Kind | null =>
    error.walk((cause) => cause instanceof kind) as Kind | null
  const failed = find(OutboundError)
  const outbound = failed?.code
  if (outbound === 'ANSWER_TOO_LARGE' || find(AnswerTooLargeError)) {
    return unavailable('ANSWER_TOO_LARGE')
  }
  if (outbound === 'TIMED_OUT' || find(TimeoutError)) return unavailable('TIMEOUT')
  if (outbound === 'ADDRESS_NOT_PUBLIC') return unavailable('ADDRESS_REFUSED')
  const refused = find(RpcRequestError)
  if (refused) return refusal(refused, method)
  const httpError = find(HttpRequestError)
  if (!httpError) return unavailable('INCONSISTENT_ANSWER')
  const { status } = httpError
  if (status === undefined) {
    return unavailable(
      'NETWORK',
      failed instanceof OutboundFailedError ? { network: failed.code } : {},
    )
  }
  const reason = status === 413 ? 'ANSWER_TOO_LARGE' : 'HTTP_STATUS'
  return unavailable(reason, { httpStatus: status })
}

/** The words by which nodes and providers say that a block or its state is not there. */
const missingBlock =
  /header not found|unknown block|block not found|hash is not currently canonical/i
const missingState = /missing trie node|state .*(not available|unavailable|pruned)|pruned|archive/i
const tooMuch = /range|too many|too large|limit|more than \d+ (results|logs)|response size|timeout/i

function refusal(error: RpcRequestError, method: string): Error {
  const { code: rpcCode, details } = error
  const facts = { method, rpcCode }
  if (rpcCode === 3 || /revert/i.test(details)) return new CallRevertedError()
  if (rpcCode === -32001 || missingBlock.test(details)) {
    const code = 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'
    return new ChainError({ code, reason: 'UNKNOWN_BLOCK', ...facts })
  }
  if (missingState.test(details)) {
    const code = 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'
    return new ChainError({ code, reason: 'STATE_PRUNED', ...facts })
  }
  const isRange = method === 'eth_getLogs' && (rpcCode === -32005 || tooMuch.test(details))
  const reason = isRange ? 'RANGE_REFUSED' : 'REQUEST_REFUSED'
  return new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', reason, ...facts })
}

class AnswerTooLargeError extends Error {
  constructor(facts: { readonly maximumBytes: number }) {
    super(`the answer is longer than ${facts.maximumBytes} bytes`)
    this.name = 'AnswerTooLargeError'
  }
}
