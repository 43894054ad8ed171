import { CanonicalJsonError } from '@liquidity-os/evidence'
import type { Logger } from 'pino'
import { Failure } from '../failure.ts'
import { StoreUnavailableError } from '../store/database/database.ts'

/**
 * Any thrown value as a failure that a caller may be told of.
 *
 * @param isReading whether the request can have changed nothing
 */
export function failureOf(error: unknown, isReading: boolean): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CanonicalJsonError) {
    return new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        [error.path.join('.') || '(body)']: [
          'must hold integers below 2^53 and well-formed text only',
        ],
      },
      cause: error,
    })
  }
  if (error instanceof StoreUnavailableError) {
    const isKnown = isReading || !error.mayBeWritten
    return new Failure(isKnown ? 'LIQUIDITY_STORE_UNAVAILABLE' : 'LIQUIDITY_OUTCOME_UNKNOWN', {
      cause: error,
    })
  }
  return new Failure('LIQUIDITY_INTERNAL_ERROR', { cause: error })
}

/** Tells the log: our own faults with their cause, refusals for whoever looks closely. */
export function logFailure(
  log: Logger,
  failure: Failure,
  at: { correlationId: string; operationId: string },
): void {
  const { status, code } = failure
  const line = { ...at, status, code }
  if (status >= 500 && status !== 501) {
    log.error({ ...line, err: failure.cause ?? failure }, failure.message)
  } else log.debug(line, failure.message)
}
