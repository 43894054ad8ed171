import type { contract } from '@liquidity-os/contract'
import { type Sql, sql } from '../../../../store/database/sql.ts'

/**
 * Shows the brand of a partner on its host. Requires the host row of the named challenge: without
 * it the domain is lost, and the transaction fails.
 */
export function showBrand(
  partnerId: string,
  { host, domainChallenge, brand }: contract.PartnerTenant,
): Sql {
  return sql`with shown as (update partner_hosts set partner_id = ${partnerId},
      logo_hash = ${brand.logo?.contentHash ?? null}
      where host = ${host} and challenge_id = ${domainChallenge.id} returning 1)
    select require_expected(count(*) = 1) from shown`
}

/** Removes the brand; the host stays bound to its challenge. */
export function hideBrand(partnerId: string): Sql {
  return sql`update partner_hosts set partner_id = null, logo_hash = null
    where partner_id = ${partnerId}`
}
