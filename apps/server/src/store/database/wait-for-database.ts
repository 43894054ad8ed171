import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { limits } from '../../limits.ts'
import { StoreUnavailableError } from './database.ts'

/** Maximum wait for a database that does not respond. */
export interface Patience {
  log: Logger
  /** Ends the waiting. */
  signal: AbortSignal
}

/** SQLSTATE and system codes for an unknown server, or one that does not listen. */
export const awayCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]
/** Codes of a server that starts, stops, recovers, is full, or lost the connection. */
const passingCodes = ['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300', '25006']

function isAway(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if ([...awayCodes, ...passingCodes].includes(code)) return true
  return code === '' && /terminat|timeout/i.test(message)
}

export function causeOf(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return message || code
}

/**
 * Repeats an action while the database does not respond, with growing delays. Logs each attempt.
 *
 * @param action must be repeatable after a partial failure
 * @param database name for the log
 * @throws the error of the action, or after an abort
 */
export async function waitForDatabase<T>(
  action: () => Promise<T>,
  { log, signal }: Patience,
  database: string,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action()
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error
      log.warn(
        { attempt, database, because: causeOf(error) },
        'The database does not respond yet; the service waits. DATABASE_URL sets its address.',
      )
      const pause = Math.min(2 ** (attempt - 1) * 250, limits.databaseWaitMilliseconds)
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }
}
