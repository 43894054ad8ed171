import { limits } from '../limits.ts'
import type { Row } from '../store/database/row.ts'

/**
 * Recently authenticated callers, so their next mutation skips the lookup; its own transaction
 * checks them. Only a hint: no response relies on it alone.
 */
export class KnownCallers {
  readonly #known = new Map<string, { identity: Row; readAt: number }>()

  /** The actor behind a credential, which never changes, however long ago it was seen. */
  actorOf(organizationId: string, hintKey: string): string | undefined {
    const { identity } = this.#known.get(`${organizationId}|${hintKey}`) ?? {}
    return identity?.user_id ?? identity?.credential_id ?? undefined
  }

  /** The caller's row if it was read lately, else null. */
  recent(organizationId: string, hintKey: string, now: number): Row | null {
    const known = this.#known.get(`${organizationId}|${hintKey}`)
    if (!known || now - known.readAt > limits.knownCallerMilliseconds) return null
    return known.identity
  }

  remember(organizationId: string, hintKey: string, identity: Row, readAt: number): void {
    if (this.#known.size > limits.knownCallers) this.#known.clear()
    this.#known.set(`${organizationId}|${hintKey}`, { identity, readAt })
  }

  forget(organizationId: string, hintKey: string): void {
    this.#known.delete(`${organizationId}|${hintKey}`)
  }
}

/** True if two reads of a caller grant the same access. */
export function isSameCaller(before: Row, after: Row | null): boolean {
  return after !== null && Object.keys(before).every((name) => before[name] === after[name])
}
