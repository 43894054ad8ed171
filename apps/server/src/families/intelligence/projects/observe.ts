import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { PublicChainAccess } from '../../../services.ts'
import { confirmRequester } from '../../../threads.ts'
import { type Analysis, findToken, ReadingError } from '../discovery/api.ts'

/** Seconds after which sources that were busy or away may be asked again. */
const retryAfterSeconds = 2

/**
 * Reads a token for an organization as it is read for a stranger.
 *
 * @throws Failure LIQUIDITY_PROJECT_IDENTIFIER_INVALID, LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE
 */
export async function observe(
  services: PublicChainAccess,
  identifier: contract.PublicIdentifier,
): Promise<Analysis> {
  // Nothing leaves the process for somebody who may have been sent away meanwhile.
  await confirmRequester()
  return withSources(async () => {
    const found = await findToken(services, identifier, identifierField)
    if (!found.faults) return found.reading.analysis
    throw new Failure('LIQUIDITY_PROJECT_IDENTIFIER_INVALID', { fieldErrors: found.faults })
  })
}

export const identifierField = 'payload.identifier.'

/** Turns what strangers are told of their sources into what members are. */
export async function withSources<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof ReadingError)) throw cause
    throw new Failure('LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE', { cause, retryAfterSeconds })
  }
}
