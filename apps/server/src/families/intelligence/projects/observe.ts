import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { confirmRequester } from '../../../threads.ts'
import { type Analysis, findToken, ReadingError, type TokenLookup } from '../discovery/api.ts'

/** Retry delay for busy or unavailable sources, in seconds. */
const retryAfterSeconds = 2

/**
 * Reads a token through the public reader, with the same limits.
 *
 * @throws Failure LIQUIDITY_PROJECT_IDENTIFIER_INVALID, LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE
 */
export async function observe(
  services: TokenLookup,
  identifier: contract.PublicIdentifier,
): Promise<Analysis> {
  // Confirms the caller's access again before any external request.
  await confirmRequester()
  return withSources(async () => {
    const found = await findToken(services, identifier, identifierField)
    if (!found.faults) return found.reading.analysis
    throw new Failure('LIQUIDITY_PROJECT_IDENTIFIER_INVALID', { fieldErrors: found.faults })
  })
}

export const identifierField = 'payload.identifier.'

/** Maps failed public reads to LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE with a retry delay. */
export async function withSources<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof ReadingError)) throw cause
    throw new Failure('LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE', { cause, retryAfterSeconds })
  }
}
