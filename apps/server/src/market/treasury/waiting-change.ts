import type { Actor } from '@liquidity-os/evidence'
import { limits } from '../../limits.ts'
import { integerOf } from '../../store/database/row.ts'
import { sql } from '../../store/database/sql.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'

/** A change that weakens protection, and waits for a second OWNER or for its effective time. */
export interface WaitingChange {
  readonly requestedBy: Actor
  readonly requestedAt: string
  /** Effective time without a second OWNER; null if others existed at the request. */
  readonly effectiveAt: string | null
  readonly expiresAt: string
}

/** Number of OWNERs at a time, in milliseconds since 1970. */
export type OwnersAt = (at: number) => Promise<number>

/** Number of OWNERs at a time, counting only current members. */
export const ownersOf =
  (records: TenantRecords): OwnersAt =>
  async (at) => {
    const [rows] = await records.query([
      sql`select count(*) as owners from memberships
        where organization_id = ${records.organizationId} and role = 'OWNER' and created_at <= ${at}`,
    ])
    return integerOf(rows?.[0] ?? {}, 'owners')
  }

/** The terms of a change requested now. */
export async function requestedNow(records: TenantRecords): Promise<WaitingChange> {
  const { now } = records
  const isAlone = (await ownersOf(records)(now)) === 1
  const at = (milliseconds: number) => new Date(now + milliseconds).toISOString()
  return {
    requestedBy: records.actor,
    requestedAt: at(0),
    effectiveAt: isAlone ? at(limits.looseningAloneMilliseconds) : null,
    expiresAt: at(limits.looseningConfirmedMilliseconds),
  }
}

/**
 * State of a pending change at a time. The change of a sole OWNER takes effect at its time. If
 * other OWNERs existed by then, another OWNER must confirm it. Without timely confirmation it
 * expires.
 *
 * @param ownersAt called only if it decides
 */
export async function changeState(
  { effectiveAt, expiresAt }: WaitingChange,
  now: number,
  ownersAt: OwnersAt,
): Promise<'WAITS' | 'IN_FORCE' | 'EXPIRED'> {
  if (effectiveAt !== null && Date.parse(effectiveAt) <= now) {
    if ((await ownersAt(Date.parse(effectiveAt))) === 1) return 'IN_FORCE'
  }
  return Date.parse(expiresAt) <= now ? 'EXPIRED' : 'WAITS'
}

/** Effective time or expiry of a change. */
export const dueOf = ({ effectiveAt, expiresAt }: WaitingChange): string => effectiveAt ?? expiresAt
