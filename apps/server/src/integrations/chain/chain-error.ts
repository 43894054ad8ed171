import type { TickFault } from '@liquidity-os/engine/amm'
import type { OutboundFailure } from '../outbound/outbound-error.ts'

/** Error codes of a chain read; the API's error table has one entry for each. */
export type ChainErrorCode =
  | 'LIQUIDITY_CHAIN_UNAVAILABLE'
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
  /** The provider limits its rate or quota for longer than the read waits. */
  | 'RATE_LIMITED'
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

/** Facts about a failed read. Contains no URLs or provider texts, because they can include keys. */
export type ChainErrorFacts = {
  readonly code: ChainErrorCode
  readonly reason: ChainErrorReason
  readonly method?: string
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

/** A failed chain read. The message contains no text from the provider. */
export class ChainError extends Error {
  readonly code: ChainErrorCode
  readonly facts: ChainErrorFacts

  constructor(facts: ChainErrorFacts) {
    const details = Object.entries(facts).filter(([name]) => name !== 'code')
    super(`${facts.code}: ${details.map(([name, value]) => `${name} ${value}`).join(', ')}`)
    this.name = 'ChainError'
    this.code = facts.code
    this.facts = facts
  }
}

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
  RATE_LIMITED: 'was refused because of the rate limit or the quota of the provider',
  REQUEST_REFUSED: 'was refused',
  RANGE_REFUSED: 'was refused even for the smallest range of blocks',
  UNKNOWN_BLOCK: 'named a block that the provider does not have',
  STATE_PRUNED: 'needs state that the provider no longer has',
  CANONICAL_HASH_CHANGED: 'read a block that a chain reorganization replaced',
  HASHES_DIFFER: 'had different block hashes from two providers',
  ANSWERS_DIFFER: 'had different responses from two providers',
  INCONSISTENT_ANSWER: 'had a response that does not match the request',
}

/** A sentence with method, cause and codes of a failed read; empty if the method is unknown. */
export function describeChainFacts(facts: Omit<ChainErrorFacts, 'code'>): string {
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
      : ` The provider accepts calls again in ${Math.ceil(retryAfterMs / 1000)} s.`
  return `${method} ${reasonTexts[reason]}${why}.${next}`
}
