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
