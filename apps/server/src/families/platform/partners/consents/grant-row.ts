import type { contract } from '@liquidity-os/contract'
import type { Services } from '../../../../services.ts'
import { integerOf, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'

type Payload = contract.PartnerConsent

/**
 * Makes a consent visible to the organization of the partner, which can find it only by this row.
 */
export function openGrant(
  organizationId: string,
  consentId: string,
  { partnerOrganizationId, partnerId, expiresAt }: Payload,
): Sql {
  return sql`insert into partner_grants
    (organization_id, consent_id, partner_organization_id, partner_id, expires_at)
    values (${organizationId}, ${consentId}, ${partnerOrganizationId}, ${partnerId},
      ${Date.parse(expiresAt)})`
}

export function closeGrant(organizationId: string, consentId: string, now: number): Sql {
  return sql`update partner_grants set closed_at = ${now} where organization_id = ${organizationId}
    and consent_id = ${consentId} and closed_at is null`
}

/** A consent that is open to a partner, as the partner's organization finds it. */
export interface OpenGrant {
  readonly organizationId: string
  readonly consentId: string
}

/** Moment for the row policy that shows open grants to a partner's organization. */
const asOf = (now: number): Sql => sql`select set_config('app.moment', ${`${now}`}, true)`

/** Additional condition: an organization that grants to itself would also see closed grants. */
const isOpen = (now: number): Sql => sql`closed_at is null and expires_at > ${now}`

/**
 * Consents open to a partner at a moment, read under the row policy of its organization.
 *
 * @param now milliseconds since 1970
 */
export async function openGrantsOf(
  { database }: Pick<Services, 'database'>,
  partnerOrganizationId: string,
  partnerId: string,
  now: number,
): Promise<OpenGrant[]> {
  const [, rows = []] = await database.tenant(partnerOrganizationId, [
    asOf(now),
    sql`select organization_id, consent_id from partner_grants
      where partner_organization_id = ${partnerOrganizationId} and partner_id = ${partnerId}
      and ${isOpen(now)} order by organization_id, consent_id`,
  ])
  return rows.map((row) => ({
    organizationId: textOf(row, 'organization_id'),
    consentId: textOf(row, 'consent_id'),
  }))
}

/** Number of open consents of a partner at a time. */
export async function countGrantsOf(
  { database }: Pick<Services, 'database'>,
  partnerOrganizationId: string,
  partnerId: string,
  now: number,
): Promise<number> {
  const [, [row] = []] = await database.tenant(partnerOrganizationId, [
    asOf(now),
    sql`select count(*) as number from partner_grants
      where partner_organization_id = ${partnerOrganizationId} and partner_id = ${partnerId}
      and ${isOpen(now)}`,
  ])
  return integerOf(row ?? {}, 'number')
}
