/** Reason a provider response is rejected. */
export type AnswerFault =
  /** Fields differ from the schema, or the JSON is ambiguous. */
  | 'SHAPE'
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'SIGNATURE'
  /** For another pair, symbol or time than requested. */
  | 'WRONG_SUBJECT'
  | 'STALE'
  /** From the future. */
  | 'CLOCK'
  /** Not newer than the previous response. */
  | 'REPLAYED'
  /** At a bound that the source itself cannot pass, or not above zero. */
  | 'CLAMPED'
  /** Decimals differ from the declaration, or from earlier responses. */
  | 'DECIMALS'
  /** The contract did not exist at the start. */
  | 'START_BLOCK'

/** A price source returned no usable response. The message contains no provider text. */
export class FeedError extends Error {
  readonly code: 'LIQUIDITY_PROVIDER_UNAVAILABLE' | 'LIQUIDITY_PROVIDER_ANSWER_REFUSED'
  readonly reason: string

  private constructor(code: FeedError['code'], reason: string, options?: ErrorOptions) {
    super(`${code}: ${reason}`, options)
    this.name = 'FeedError'
    this.code = code
    this.reason = reason
  }

  static unavailable(reason: string, options?: ErrorOptions): FeedError {
    return new FeedError('LIQUIDITY_PROVIDER_UNAVAILABLE', reason, options)
  }

  static refused(fault: AnswerFault, detail: string): FeedError {
    return new FeedError('LIQUIDITY_PROVIDER_ANSWER_REFUSED', `${fault}, ${detail}`)
  }
}
