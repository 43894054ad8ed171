import type { Operation } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Departure } from '../access/departure.ts'
import { Failure } from '../failure.ts'
import type { Handler, Outcome } from '../http/handler.ts'
import { limits } from '../limits.ts'
import { required } from '../required.ts'
import type { RecordSweeping, Services } from '../services.ts'
import { ConflictError } from '../store/database/database.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'
import {
  closeSlug,
  holderOf,
  isTaken,
  overdueHolders,
  type SlugHolder,
  type SlugKind,
  takeSlug,
} from './public-slugs.ts'
import type { Records } from './record-family.ts'
import { recordReply } from './record-reply.ts'

/** The fields that all shares have. */
interface SharePayload {
  readonly slug: string
  readonly url: string
  readonly expiresAt: string
}

interface Rules<Payload> {
  readonly kind: SlugKind
  /** Events are `{event}.created`, `.revoked` and `.expired`. */
  readonly event: string
  /** Details of each event: the shared record. */
  readonly details: (payload: Payload) => Readonly<Record<string, unknown>>
}

interface Creation {
  readonly records: TenantRecords
  readonly organizationId: string
  readonly services: Pick<Services, 'database'>
  readonly body: { readonly reason: string; readonly evidenceHashes?: readonly string[] }
}

/**
 * Public links to records of one family. A link works from its creation until it is revoked or
 * expires. Its slug is unique in the deployment and never used again.
 */
export class ShareLinks<Payload extends SharePayload> {
  readonly #records: Records<Payload>
  readonly #rules: Rules<Payload>

  constructor(records: Records<Payload>, rules: Rules<Payload>) {
    this.#records = records
    this.#rules = rules
  }

  /** @param taken failure if another share has the slug */
  create(
    { records, organizationId, services, body }: Creation,
    payload: Payload,
    taken: () => Failure,
  ): Outcome {
    const { kind, event, details } = this.#rules
    const { slug, expiresAt } = payload
    const { sealed, change } = this.#records.first(records, {
      status: 'ACTIVE',
      payload,
      reason: body.reason,
      evidenceHashes: body.evidenceHashes ?? [],
      event: `${event}.created`,
      eventPayload: { ...details(payload), expiresAt },
    })
    const holder = { organizationId, shareId: sealed.record.id }
    const statements = [takeSlug(kind, slug, holder, Date.parse(expiresAt))]
    const claimTaken = async () => ((await isTaken(services.database, kind, slug)) ? taken() : null)
    return { ...recordReply(sealed, { ...change, statements }, 201), claimTaken }
  }

  revoke<const O extends Operation>(operation: O): Handler {
    const { kind, event, details } = this.#rules
    const terminal = required(this.#records.declared.refusals?.terminal, 'code of an ended share')
    return this.#records.supersede(operation, {
      to: 'REVOKED',
      admit: ({ now }, { payload }) => {
        // The link can expire before the sweep marks it.
        if (Date.parse(payload.expiresAt) <= now) throw new Failure(terminal)
      },
      decide: ({ now }, { payload }) => ({
        payload,
        event: `${event}.revoked`,
        eventPayload: details(payload),
        statements: () => [closeSlug(kind, payload.slug, now)],
      }),
    })
  }

  /** Revokes the links of a removed member. */
  departure(): Departure {
    const { kind, event, details } = this.#rules
    return this.#records.departure({
      outcome: 'REVOKED',
      title: ({ url }) => url,
      event: `${event}.revoked`,
      eventPayload: details,
      statements: ({ payload }, { now }) => [closeSlug(kind, payload.slug, now)],
    })
  }

  /** The active share of a slug; null if the slug is unknown, revoked or expired. */
  async open(
    services: Pick<Services, 'artifacts' | 'database' | 'verified'>,
    slug: string,
    now: number,
  ): Promise<{ records: TenantRecords; share: VersionedRecord<Payload> } | null> {
    const { database, verified, artifacts } = services
    const holder = await holderOf(database, this.#rules.kind, slug, now)
    if (!holder) return null
    const { organizationId } = holder
    const actor = { kind: 'SYSTEM', id: 'public' } as const
    const records = new TenantRecords({
      purpose: 'REQUEST',
      organizationId,
      actor,
      now,
      database,
      verified,
      artifacts,
    })
    const share = (await this.#records.current(records, holder.shareId))?.record
    // The slug only locates the record. The record, with its verified hash, determines whether the
    // link is active.
    const isOpen =
      share?.status === 'ACTIVE' &&
      share.payload.slug === slug &&
      Date.parse(share.payload.expiresAt) > now
    return isOpen ? { records, share } : null
  }

  /** Marks expired shares. Readers are refused from the moment of expiry on, marked or not. */
  async expire(services: RecordSweeping): Promise<void> {
    // Processes overdue shares in portions. Speed is not critical, because reads check the expiry.
    const portion = limits.sweptRecords
    const { database, clock } = services
    for (;;) {
      const overdue = await overdueHolders(database, this.#rules.kind, clock(), portion)
      const closed = await Promise.all(overdue.map((holder) => this.#tryToExpire(services, holder)))
      // Another node may have processed the rest. A batch without progress ends the walk.
      if (overdue.length < portion || !closed.includes(true)) return
    }
  }

  /** A failure of one share must not block the others. */
  async #tryToExpire(services: RecordSweeping, holder: SlugHolder): Promise<boolean> {
    try {
      return await this.#expire(services, holder)
    } catch (error) {
      if (!(error instanceof ConflictError)) {
        services.log.warn({ err: error, shareId: holder.shareId }, 'Failed to expire a share.')
      }
      return false
    }
  }

  /** Appends the last version of a share, and closes its slug. */
  async #expire(
    { database, verified, artifacts, committer, clock }: RecordSweeping,
    { organizationId, shareId }: SlugHolder,
  ): Promise<boolean> {
    const { kind, event, details } = this.#rules
    const now = clock()
    const actor = { kind: 'SYSTEM', id: `${event.replace('_', '-')}-expiry` } as const
    const records = new TenantRecords({
      purpose: 'REQUEST',
      organizationId,
      actor,
      now,
      database,
      verified,
      artifacts,
    })
    const current = await this.#records.current(records, shareId)
    if (current?.record.status !== 'ACTIVE') return false
    const { payload, evidenceHashes } = current.record
    const { change } = this.#records.next(records, current, {
      status: 'EXPIRED',
      payload,
      reason: 'Expired',
      evidenceHashes,
      event: `${event}.expired`,
      eventPayload: details(payload),
    })
    await committer.commit({ ...change, statements: [closeSlug(kind, payload.slug, now)] })
    return true
  }
}

/**
 * Expiry of a new link, in milliseconds since 1970.
 *
 * @throws Failure 400 if the requested time is past or too late
 */
export function expiryOf(expiresAt: string | undefined, now: number): number {
  if (expiresAt === undefined) return now + limits.shareMilliseconds
  const at = Date.parse(expiresAt)
  if (at > now && at <= now + limits.shareMostMilliseconds) return at
  const latest = new Date(now + limits.shareMostMilliseconds).toISOString()
  throw new Failure('LIQUIDITY_INVALID_REQUEST', {
    fieldErrors: {
      'payload.expiresAt': [`must be in the future and by ${latest}, got ${expiresAt}`],
    },
  })
}
