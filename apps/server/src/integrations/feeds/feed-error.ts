/** Why an answer of a provider is none that can be used. */
export type AnswerFault =
  /** Not the members that the shape has, or no JSON that two readers understand alike. */
  | 'SHAPE'
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'SIGNATURE'
  /** Of another pair, symbol or time than was asked for. */
  | 'WRONG_SUBJECT'
  | 'STALE'
  /** From the future. */
  | 'CLOCK'
  /** No newer than what it said before. */
  | 'REPLAYED'
  /** At a bound that the source itself does not pass, or not above zero. */
  | 'CLAMPED'
  /** Of other decimals than it says, or than before. */
  | 'DECIMALS'

/** A source of prices gave no answer, or none that is used. Nothing that it wrote is in the message. */
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
