import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import type { RecordReading } from '../../../../services.ts'
import { textOf } from '../../../../store/database/row.ts'
import { sql } from '../../../../store/database/sql.ts'
import { fetchedBytes } from '../../../fetched-bytes.ts'
import { findActivePartner } from './active-partner.ts'

export default handle(contract.getVerifiedPartnerBrandLogo, async (request): Promise<Outcome> => {
  const { params, services, fail } = request
  const { contentHash } = params
  const holder = await findHolder(services, contentHash)
  if (!holder) throw fail('LIQUIDITY_PARTNER_LOGO_UNAVAILABLE')
  const { organizationId, logo } = holder
  const ending = logo.mediaType === 'image/png' ? 'png' : 'webp'
  const named = { called: 'logo', ending, isShown: true }
  const found = await fetchedBytes(services, organizationId, contentHash, named)
  return {
    ...found,
    headers: {
      ...found.headers,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  }
})

/** Several partners may use the same logo. A paused one must not hide it for the others. */
async function findHolder(services: RecordReading, contentHash: string) {
  const [rows = []] = await services.database.global([
    sql`select held_by, partner_id from partner_hosts where logo_hash = ${contentHash}
      order by host limit ${limits.logoHolders}`,
  ])
  for (const row of rows) {
    const organizationId = textOf(row, 'held_by')
    const partner = await findActivePartner(services, organizationId, textOf(row, 'partner_id'))
    const logo = partner?.payload.brand.logo
    if (logo?.contentHash === contentHash) return { organizationId, logo }
  }
  return null
}
