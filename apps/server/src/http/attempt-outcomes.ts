import { CanonicalJsonError, canonicalize } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import { ConflictError, StoreUnavailableError } from '../store/database/database.ts'

/** What is lost before anything is written is lost for reading alone, and the answer may say so. */
export function withNothingWritten(cause: unknown): unknown {
  return cause instanceof StoreUnavailableError
    ? new Failure('LIQUIDITY_STORE_UNAVAILABLE', { cause })
    : cause
}

/**
 * A value without a canonical form is the fault of the request only if its body has none either. One that the service
 * computed is a fault of the service.
 *
 * @param body null where the request has none
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

/** Does the work at the first call, and gives every call what came of it. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= work()
    return done
  }
}

/** Null where the request is refused for its form. */
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
