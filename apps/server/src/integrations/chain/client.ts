import type { Hex } from 'viem'
import { isAnswer } from './answers.ts'
import {
  CallRevertedError,
  ChainError,
  type ChainErrorCode,
  type ChainErrorReason,
  chainErrorCode,
  type ProviderName,
} from './chain-error.ts'
import { namedLogBlocks } from './log-width.ts'
import { classifyRefusal, type RefusalKind, textOf } from './rpc-refusals.ts'
import {
  isWideRange,
  type RpcAnswer,
  type RpcCall,
  RpcTransport,
  type RpcTransportOptions,
} from './rpc-transport.ts'

export interface ChainClientOptions extends RpcTransportOptions {
  /** Chain ID registered for the provider; `assertChains` verifies it. */
  readonly chainId?: number
  /** Names the provider in errors. */
  readonly provider?: ProviderName
  /** Receives errors of the node. */
  readonly onError?: (error: ChainError) => void
}

/** A JSON-RPC provider of one chain. It reports failures; the caller decides on retries. */
export interface ChainClient {
  readonly chainId: number | null
  readonly provider: ProviderName | null
  readonly onError: ((error: ChainError) => void) | null
  readonly transport: RpcTransport
}

export function chainClient({
  chainId,
  provider,
  onError,
  ...options
}: ChainClientOptions): ChainClient {
  return {
    chainId: chainId ?? null,
    provider: provider ?? null,
    onError: onError ?? null,
    transport: new RpcTransport(options),
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
  const call = { method, params }
  try {
    const answer = await client.transport.send(call)
    if ('error' in answer) throw refusalError(answer, call)
    // The client checks the form of a response; its users check the meaning.
    if (!(await isAnswer(method, answer.result))) throw inconsistent(method)
    return answer.result as Answer
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const complete = withRequest(error, client, call)
    if (concernsNode(complete)) client.onError?.(complete)
    throw complete
  }
}

const faultCodes: ReadonlySet<ChainErrorCode> = new Set([
  'LIQUIDITY_CHAIN_UNAVAILABLE',
  'LIQUIDITY_CHAIN_RATE_LIMITED',
  'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED',
])

/**
 * True for a fault of the node: no response, a rejected key, or a refused single block. The service
 * sends other methods and ranges only to learn the limits, so their refusal is no fault.
 */
function concernsNode({ code, facts }: ChainError): boolean {
  const { reason, httpStatus, fromBlock, toBlock } = facts
  if (faultCodes.has(code)) return true
  if (httpStatus === 401 || httpStatus === 403) return true
  return reason === 'RANGE_REFUSED' && fromBlock === toBlock
}

/** Adds the provider and the requested blocks to an error. */
function withRequest({ facts, cause }: ChainError, { provider }: ChainClient, call: RpcCall) {
  const error = new ChainError({ ...facts, ...blocksOf(call), ...(provider && { provider }) })
  error.cause = cause
  return error
}

function blocksOf({ method, params: [filter] }: RpcCall): { fromBlock?: number; toBlock?: number } {
  if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return {}
  const { fromBlock, toBlock } = filter as Readonly<Record<string, unknown>>
  if (typeof fromBlock !== 'string' || typeof toBlock !== 'string') return {}
  const range = { fromBlock: Number(fromBlock), toBlock: Number(toBlock) }
  return Number.isSafeInteger(range.fromBlock) && Number.isSafeInteger(range.toBlock) ? range : {}
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
  { error, httpStatus, attempts, providerText }: Extract<RpcAnswer, { error: unknown }>,
  call: RpcCall,
): Error {
  const { method } = call
  const isHttpError = httpStatus < 200 || httpStatus > 299
  const facts = {
    method,
    rpcCode: error.code,
    ...(isHttpError ? { httpStatus } : {}),
    attempts,
    providerText,
  }
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
  // Internal errors of a node often pass, so a job tries again.
  const isInternal = error.code === internalError || httpStatus >= 500
  const isTransient = isInternal && (kind === 'REFUSED' || kind === 'RANGE_OR_RATE') && !isRange
  const code = isTransient ? 'LIQUIDITY_CHAIN_UNAVAILABLE' : chainErrorCode(reason)
  const namedBlocks = isRange ? namedLogBlocks(textOf(error), widthOf(call)) : null
  return new ChainError({ code, reason, ...facts, ...(namedBlocks !== null && { namedBlocks }) })
}

/** Blocks of an `eth_getLogs`; 0 for other calls. */
function widthOf(call: RpcCall): number {
  const { fromBlock, toBlock } = blocksOf(call)
  return fromBlock === undefined || toBlock === undefined ? 0 : toBlock - fromBlock + 1
}

/** @see JSON-RPC 2.0, section 5.1 */
const internalError = -32_603

/** Refusals of a wide range that a smaller range does not change. */
const otherKinds: ReadonlySet<RefusalKind> = new Set(['UNSUPPORTED', 'AUTH', 'RATE', 'QUOTA'])

function reasonOf(kind: RefusalKind): ChainErrorReason {
  if (kind === 'QUOTA') return 'QUOTA_EXHAUSTED'
  return kind === 'RATE' ? 'RATE_LIMITED' : 'REQUEST_REFUSED'
}
