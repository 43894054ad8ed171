import { CanonicalJsonError } from '@liquidity-os/evidence'
import type { Logger } from 'pino'
import { Failure } from '../failure.ts'
import { StandbyError, StoreUnavailableError } from '../store/database/database.ts'

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
    if (!isKnown) return new Failure('LIQUIDITY_OUTCOME_UNKNOWN', { cause: error })
    const message = storeMessage(error, isReading)
    return new Failure('LIQUIDITY_STORE_UNAVAILABLE', { cause: error, ...(message && { message }) })
  }
  return new Failure('LIQUIDITY_INTERNAL_ERROR', { cause: error })
}

/** What a database that does answer says of itself, by SQLSTATE; null where it does not answer. */
function storeMessage(error: StoreUnavailableError, isReading: boolean): string | null {
  const { code } = (error.cause ?? {}) as { code?: string }
  const ending = isReading ? '' : ' Nothing was written.'
  if (code === '25006' || error.cause instanceof StandbyError) {
    return `The database is read-only now.${ending}`
  }
  if (code === '53100') return `The disk of the database is full.${ending}`
  if (code === '53300') return `The database has no connection left.${ending}`
  if (code === '57014') return `The database did not finish in time.${ending}`
  return null
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
