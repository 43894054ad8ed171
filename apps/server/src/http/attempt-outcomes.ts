import { CanonicalJsonError, canonicalize } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import { ConflictError, StoreUnavailableError } from '../store/database/database.ts'

/** A store failure before any write affects only reads, so the response may state that. */
export function withNothingWritten(cause: unknown): unknown {
  return cause instanceof StoreUnavailableError
    ? new Failure('LIQUIDITY_STORE_UNAVAILABLE', { cause })
    : cause
}

/**
 * A value without canonical form is a request error only if the body also has no canonical form.
 * Otherwise the service computed it, which is a service error.
 *
 * @param body null for a request without a body
 */
export function blame(cause: unknown, body: unknown): unknown {
  if (!(cause instanceof CanonicalJsonError)) return cause
  try {
    canonicalize(body)
  } catch (fault) {
    return fault
  }
  return new Error('A computed value has no canonical form.', { cause })
}

/** Runs the work on the first call; all calls share its result. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= work()
    return done
  }
}

export async function readable(fingerprint: Promise<string>): Promise<string | null> {
  try {
    return await fingerprint
  } catch (cause) {
    if (cause instanceof Failure) return null
    throw cause
  }
}

/** Names are unique in an organization, slugs in the deployment. */
const nameKeys: ReadonlySet<string | null> = new Set(['names_pkey', 'public_slugs_pkey'])
export const isNameTaken = (cause: unknown) =>
  cause instanceof ConflictError && nameKeys.has(cause.constraint)
