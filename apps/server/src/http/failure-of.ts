import { CanonicalJsonError } from '@liquidity-os/evidence'
import type { Logger } from 'pino'
import { Failure } from '../failure.ts'
import { StandbyError, StoreUnavailableError } from '../store/database/database.ts'

/**
 * Converts any thrown value into a failure for the caller.
 *
 * @param isReading true if the request cannot have changed data
 */
export function failureOf(error: unknown, isReading: boolean): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CanonicalJsonError) {
    return new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        [error.path.join('.') || '(body)']: [
          'must contain only integers below 2^53 and well-formed text',
        ],
      },
      cause: error,
    })
  }
  if (error instanceof StoreUnavailableError) {
    const isKnown = isReading || !error.mayBeWritten
    if (!isKnown) return new Failure('LIQUIDITY_OUTCOME_UNKNOWN', { cause: error })
    const message = storeMessage(error, isReading)
    return new Failure('LIQUIDITY_STORE_UNAVAILABLE', { cause: error, ...(message && { message }) })
  }
  return new Failure('LIQUIDITY_INTERNAL_ERROR', { cause: error })
}

/** Message for a database that responds with an error, by SQLSTATE; null if it does not respond. */
function storeMessage(error: StoreUnavailableError, isReading: boolean): string | null {
  const { code } = (error.cause ?? {}) as { code?: string }
  const ending = isReading ? '' : ' No data was written.'
  if (code === '25006' || error.cause instanceof StandbyError) {
    return `The database is currently read-only.${ending}`
  }
  if (code === '53100') return `The database disk is full.${ending}`
  if (code === '53300') return `The database has no free connection.${ending}`
  if (code === '57014') return `The database query timed out.${ending}`
  return null
}

/** Logs service errors with their cause, and rejections at debug level. */
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
