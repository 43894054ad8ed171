import type { Services } from '../context.ts'
import { ConflictError } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Change } from '../records/change.ts'
import { TenantRecords } from '../records/tenant-records.ts'

/** Organizations that are asked in one message, and records that one of them has swept at a time. */
const organizationsAtOnce = 100
const portion = 200

/** The name that a record holds until its time is over has been written down; it begins with that time. */
export const dueName = (expiresAt: string, id: string) => `${expiresAt}|${id}`

/** Above the name of everything that ends at a time or before. */
const dueBound = (now: number) => `${new Date(now).toISOString()}~`

/** What ends by itself, and what is written down then. */
export interface Ending {
  /** Kind of the names that are held, see `dueName`. */
  name: string
  /** The part of the service that acts. */
  actor: string
  /** @returns null where nothing is left to be written */
  end: (records: TenantRecords, recordId: string) => Promise<Change | null>
}

/** Writes down what has run out. It counts no more from that moment on, swept or not. */
export async function sweepOverdue(services: Services, ending: Ending): Promise<void> {
  for (let after = ''; ; ) {
    const [organizations = []] = await services.database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${organizationsAtOnce}`,
    ])
    const ids = organizations.map(({ id }) => id ?? '')
    for (const { organizationId, recordId } of await overdueOf(services, ids, ending.name)) {
      await tryToEnd(services, ending, organizationId, recordId)
    }
    after = ids.at(-1) ?? ''
    if (ids.length < organizationsAtOnce) return
  }
}

async function overdueOf(
  { database, clock }: Services,
  organizationIds: readonly string[],
  name: string,
): Promise<{ organizationId: string; recordId: string }[]> {
  const bound = dueBound(clock())
  const answers = await database.tenants(
    organizationIds.map((organizationId) => ({
      organizationId,
      statements: [
        sql`select distinct record_id from (select record_id from names
          where organization_id = ${organizationId} and kind = ${name} and name < ${bound}
          order by name limit ${portion}) as due`,
      ],
    })),
  )
  return organizationIds.flatMap((organizationId, place) =>
    (answers[place]?.[0] ?? []).map((row) => ({ organizationId, recordId: row.record_id ?? '' })),
  )
}

/** One record that cannot be read must not keep the others waiting. */
async function tryToEnd(
  services: Services,
  { actor, end }: Ending,
  organizationId: string,
  recordId: string,
): Promise<void> {
  const { database, verified, artifacts, committer, clock, log } = services
  try {
    const records = new TenantRecords({
      ...{ organizationId, actor: { kind: 'SYSTEM', id: actor }, now: clock() },
      ...{ database, verified, artifacts },
    })
    const change = await end(records, recordId)
    if (change) await committer.commit(change)
  } catch (error) {
    // Another change came first, and has told of it or will be met again.
    if (error instanceof ConflictError) return
    log.warn({ err: error, organizationId, recordId, actor }, 'What has run out was not ended.')
  }
}
