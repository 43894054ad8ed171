import type { ChainErrorDetails } from '@liquidity-os/contract'
import type { TickFault } from '@liquidity-os/engine/amm'
import type { OutboundFailure } from '../outbound/outbound-error.ts'

/** Error codes of a chain read; the API's error table has one entry for each. */
export type ChainErrorCode =
  | 'LIQUIDITY_CHAIN_UNAVAILABLE'
  | 'LIQUIDITY_CHAIN_RATE_LIMITED'
  | 'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED'
  | 'LIQUIDITY_CHAIN_REQUEST_REFUSED'
  | 'LIQUIDITY_CHAIN_REORGED'
  | 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'
  | 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE'

/** Cause, for the log and for decisions inside this folder. */
export type ChainErrorReason =
  | 'TIMEOUT'
  | 'NETWORK'
  /** The deployment forbids this address; no request was sent. */
  | 'ADDRESS_REFUSED'
  | 'HTTP_STATUS'
  | 'ANSWER_TOO_LARGE'
  /** The provider limits its rate for longer than the read waits. */
  | 'RATE_LIMITED'
  /** The calls of a day or of a plan are used up. */
  | 'QUOTA_EXHAUSTED'
  | 'REQUEST_REFUSED'
  | 'RANGE_REFUSED'
  | 'UNKNOWN_BLOCK'
  | 'STATE_PRUNED'
  | 'CANONICAL_HASH_CHANGED'
  | 'HASHES_DIFFER'
  | 'ANSWERS_DIFFER'
  /**
   * The provider contradicts itself or the request, for example with another hash than requested.
   */
  | 'INCONSISTENT_ANSWER'

/**
 * Code of a read without a usable response, by its cause. Only a provider that did not respond is
 * unavailable; a client error is a refusal.
 */
export function chainErrorCode(reason: ChainErrorReason, httpStatus?: number): ChainErrorCode {
  if (reason === 'RATE_LIMITED') return 'LIQUIDITY_CHAIN_RATE_LIMITED'
  if (reason === 'QUOTA_EXHAUSTED') return 'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED'
  const isClientError = httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500
  const isRefused =
    reason === 'REQUEST_REFUSED' ||
    reason === 'RANGE_REFUSED' ||
    (reason === 'HTTP_STATUS' && isClientError && httpStatus !== 408)
  return isRefused ? 'LIQUIDITY_CHAIN_REQUEST_REFUSED' : 'LIQUIDITY_CHAIN_UNAVAILABLE'
}

/** Facts about a failed read. Contains no URLs, because they can include keys. */
export type ChainErrorFacts = {
  readonly code: ChainErrorCode
  readonly reason: ChainErrorReason
  /** Provider ID and host name, if a registered provider was read. */
  readonly provider?: ProviderName
  readonly method?: string
  /** Range of blocks of the request. */
  readonly fromBlock?: number
  readonly toBlock?: number
  /** Number of times that the call was sent. */
  readonly attempts?: number
  /** Error text of the provider, without keys, see `redactProviderText`. */
  readonly providerText?: string
  /** Smaller number of blocks that the refusal of a range names. */
  readonly namedBlocks?: number
  readonly httpStatus?: number
  readonly rpcCode?: number
  /** Time until the provider takes calls again. */
  readonly retryAfterMs?: number
  /** Failure below HTTP. */
  readonly network?: OutboundFailure
  readonly blockNumber?: number
  /** Contradicting parts of a pool's state. */
  readonly contradiction?: TickFault['code']
}

export interface ProviderName {
  readonly providerId: string
  readonly host: string
}

/** A failed chain read. The message contains no text from the provider. */
export class ChainError extends Error {
  readonly code: ChainErrorCode
  readonly facts: ChainErrorFacts

  constructor(facts: ChainErrorFacts) {
    const details = Object.entries(facts).filter(([name]) => !hiddenFacts.has(name))
    super(`${facts.code}: ${details.map(([name, value]) => `${name} ${value}`).join(', ')}`)
    this.name = 'ChainError'
    this.code = facts.code
    this.facts = facts
  }
}

const hiddenFacts: ReadonlySet<string> = new Set(['code', 'provider', 'providerText'])

/** The contract reverted an `eth_call`; a fact about the contract, not about the provider. */
export class CallRevertedError extends Error {
  constructor() {
    super('the contract reverted the call')
    this.name = 'CallRevertedError'
  }
}

const reasonTexts: Readonly<Record<ChainErrorReason, string>> = {
  TIMEOUT: 'had no response within the time limit',
  NETWORK: 'failed in the network',
  ADDRESS_REFUSED: 'was not sent, because this deployment forbids the address',
  HTTP_STATUS: 'was answered without a result',
  ANSWER_TOO_LARGE: 'had a response that is too large',
  RATE_LIMITED: 'was refused because of the rate limit of the provider',
  QUOTA_EXHAUSTED: 'was refused because the quota of the provider is used up',
  REQUEST_REFUSED: 'was refused',
  RANGE_REFUSED: 'was refused even for the smallest range of blocks',
  UNKNOWN_BLOCK: 'named a block that the provider does not have',
  STATE_PRUNED: 'needs state that the provider no longer has',
  CANONICAL_HASH_CHANGED: 'read a block that a chain reorganization replaced',
  HASHES_DIFFER: 'had different block hashes from two providers',
  ANSWERS_DIFFER: 'had different responses from two providers',
  INCONSISTENT_ANSWER: 'had a response that does not match the request',
}

/**
 * A sentence with method, blocks, cause and codes of a failed read; empty if the method is unknown.
 *
 * @param now Unix time in ms for a stored sentence, which names the time of the next call
 */
export function describeChainFacts(facts: Omit<ChainErrorFacts, 'code'>, now?: number): string {
  const { reason, method, httpStatus, rpcCode, retryAfterMs } = facts
  if (method === undefined) return ''
  const codes = [
    httpStatus === undefined ? [] : [`HTTP ${httpStatus}`],
    rpcCode === undefined ? [] : [`code ${rpcCode}`],
  ].flat()
  const why = codes.length === 0 ? '' : ` (${codes.join(', ')})`
  const next =
    retryAfterMs === undefined
      ? ''
      : ` The provider accepts calls again ${now === undefined ? `in ${Math.ceil(retryAfterMs / 1000)} s` : `at ${utcTime(now + retryAfterMs)}`}.`
  return `${method}${describeBlocks(facts)} ${reasonTexts[reason]}${why}.${next}`
}

/** A time to the second, rounded up. */
const utcTime = (milliseconds: number) =>
  `${new Date(Math.ceil(milliseconds / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

function describeBlocks({ fromBlock, toBlock }: Pick<ChainErrorFacts, 'fromBlock' | 'toBlock'>) {
  if (fromBlock === undefined || toBlock === undefined) return ''
  return fromBlock === toBlock ? ` for block ${fromBlock}` : ` for blocks ${fromBlock}–${toBlock}`
}

/** Evidence of a failed read for operators, as the contract shows it. */
export function chainErrorDetails(facts: ChainErrorFacts, now: number): ChainErrorDetails {
  const { provider, method, rpcCode, httpStatus, fromBlock, toBlock, attempts, retryAfterMs } =
    facts
  return {
    providerId: provider?.providerId ?? null,
    host: provider?.host ?? null,
    reason: facts.reason,
    method: method ?? null,
    rpcCode: rpcCode ?? null,
    httpStatus: httpStatus ?? null,
    ...(fromBlock !== undefined && toBlock !== undefined && { fromBlock, toBlock }),
    attempts: attempts ?? 1,
    retryAt: retryAfterMs === undefined ? null : new Date(now + retryAfterMs).toISOString(),
    providerText: facts.providerText ?? null,
  }
}
