import type { Hex } from 'viem'
import { isAnswer } from './answers.ts'
import { CallRevertedError, ChainError } from './chain-error.ts'
import { classifyRefusal, type RefusalKind, type RpcError } from './rpc-refusals.ts'
import {
  isWideRange,
  type RpcCall,
  RpcTransport,
  type RpcTransportOptions,
} from './rpc-transport.ts'

export interface ChainClientOptions extends RpcTransportOptions {
  /** Chain ID registered for the provider; `assertChains` verifies it. */
  readonly chainId?: number
}

/** A JSON-RPC provider of one chain. It reports failures; the caller decides on retries. */
export interface ChainClient {
  readonly chainId: number | null
  readonly transport: RpcTransport
}

export function chainClient({ chainId, ...options }: ChainClientOptions): ChainClient {
  return { chainId: chainId ?? null, transport: new RpcTransport(options) }
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
  const answer = await client.transport.send({ method, params })
  if ('error' in answer) throw refusalError(answer, { method, params })
  // The client checks the form of a response; its users check the meaning.
  if (!(await isAnswer(method, answer.result))) throw inconsistent(method)
  return answer.result as Answer
}

/** The provider contradicts itself or the request, or its response is invalid. */
export function inconsistent(method: string): ChainError {
  const code = 'LIQUIDITY_CHAIN_UNAVAILABLE'
  return new ChainError({ code, reason: 'INCONSISTENT_ANSWER', method })
}

/**
 * Verifies that each provider serves its registered chain, because a URL can be redirected.
 *
 * @throws ChainError INCONSISTENT_ANSWER for a provider of another chain
 */
export async function assertChains(clients: readonly ChainClient[]): Promise<void> {
  const method = 'eth_chainId'
  await Promise.all(
    clients.map(async (client) => {
      if (client.chainId === null) return
      if (Number(await ask<Hex>(client, method, [])) !== client.chainId) throw inconsistent(method)
    }),
  )
}

function refusalError(
  { error, httpStatus }: { readonly error: RpcError; readonly httpStatus: number },
  call: RpcCall,
): Error {
  const { method } = call
  const isHttpError = httpStatus < 200 || httpStatus > 299
  const facts = { method, rpcCode: error.code, ...(isHttpError ? { httpStatus } : {}) }
  const isWide = isWideRange(call)
  const refusal = { httpStatus, retryAfter: null, error, isWholeBatch: false }
  // A node can also refuse a single block with the words of a range.
  const kind = classifyRefusal({ ...refusal, isWideRange: method === 'eth_getLogs' })
  if (kind === 'REVERT') return new CallRevertedError()
  if (kind === 'UNKNOWN_BLOCK' || kind === 'PRUNED') {
    const reason = kind === 'PRUNED' ? 'STATE_PRUNED' : kind
    return new ChainError({ code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', reason, ...facts })
  }
  const isRange = kind === 'RANGE' || (isWide && !otherKinds.has(kind))
  const reason = isRange ? 'RANGE_REFUSED' : reasonOf(kind)
  return new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', reason, ...facts })
}

/** Refusals of a wide range that a smaller range does not change. */
const otherKinds: ReadonlySet<RefusalKind> = new Set(['UNSUPPORTED', 'AUTH', 'RATE', 'QUOTA'])

const reasonOf = (kind: RefusalKind) =>
  kind === 'RATE' || kind === 'QUOTA' ? 'RATE_LIMITED' : 'REQUEST_REFUSED'
