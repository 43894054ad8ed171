import type { Database } from '../store/database/database.ts'
import { integerOf, optionalIntegerOf, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { AdministrationError, requireOrganization } from './administration.ts'

interface OrganizationQuota {
  readonly organizationId: string
  readonly name: string
  /**
   * Storage used, in bytes; null if the deployment has no quota, because usage is not counted then.
   * The JSON output of the command line has this name.
   */
  readonly keptBytes: number | null
  /** Storage quota, in bytes; null if the deployment has no quota. */
  readonly mostBytes: number | null
  /** True if the organization has its own quota; false if it uses the quota of the deployment. */
  readonly isOwn: boolean
  /** When its rows were last measured. */
  readonly measuredAt: string | null
}

/**
 * Storage use and quota of organizations, highest share of the quota first.
 *
 * @param maxBytes quota of the deployment, in bytes per organization; null for no quota
 * @param organizationId null for all
 * @param max maximum number of organizations
 */
export async function listQuotas(
  database: Database,
  maxBytes: number | null,
  { organizationId, max }: { organizationId: string | null; max: number },
): Promise<OrganizationQuota[]> {
  if (organizationId !== null) await requireOrganization(database, organizationId)
  const one = organizationId === null ? sql`` : sql`where o.id = ${organizationId}`
  const [rows = []] = await database.dispatch([
    sql`select o.id, o.name, coalesce(u.bytes, 0) as bytes, u.most_bytes, u.measured_at
      from organizations o left join organization_usage u on u.organization_id = o.id ${one}
      order by coalesce(u.bytes, 0)::double precision / coalesce(u.most_bytes, ${maxBytes}, 1) desc, o.id limit ${max}`,
  ])
  return rows.map((row) => {
    const [own, measuredAt] = [
      optionalIntegerOf(row, 'most_bytes'),
      optionalIntegerOf(row, 'measured_at'),
    ]
    return {
      organizationId: textOf(row, 'id'),
      name: textOf(row, 'name'),
      keptBytes: maxBytes === null ? null : integerOf(row, 'bytes'),
      mostBytes: maxBytes === null ? null : (own ?? maxBytes),
      isOwn: own !== null,
      measuredAt: measuredAt === null ? null : new Date(measuredAt).toISOString(),
    }
  })
}

/**
 * Sets the quota of one organization. All processes apply it within seconds.
 *
 * @param deploymentBytes quota of the deployment, in bytes per organization; null for no quota
 * @param maxBytes quota of this organization, in bytes; null for the quota of the deployment
 * @throws AdministrationError if the deployment has no quota, because the service then counts no bytes
 */
export async function setQuota(
  database: Database,
  deploymentBytes: number | null,
  { organizationId, maxBytes }: { organizationId: string; maxBytes: number | null },
): Promise<void> {
  await requireOrganization(database, organizationId)
  if (deploymentBytes === null && maxBytes !== null) {
    throw new AdministrationError(
      'An organization quota requires MAX_ORGANIZATION_BYTES, because the service counts no bytes without it. ' +
        `Set it for the service and for this command. To limit only this organization, set MAX_ORGANIZATION_BYTES=${Number.MAX_SAFE_INTEGER}.`,
    )
  }
  await database.tenant(organizationId, [
    sql`insert into organization_usage (organization_id, bytes, most_bytes) values (${organizationId}, 0, ${maxBytes})
      on conflict (organization_id) do update set most_bytes = excluded.most_bytes`,
  ])
}
