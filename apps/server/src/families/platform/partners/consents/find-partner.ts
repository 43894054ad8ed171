import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../../services.ts'
import { type Row, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { findActivePartner } from '../brands/active-partner.ts'

type Partner = VersionedRecord<contract.PartnerTenant>

/** ACTIVE partner by id, in any organization, or null. */
export async function findStandingPartner(
  services: RecordReading,
  partnerId: string,
): Promise<Partner | null> {
  const [partner = null] = await queryActive(services, sql`partner_id = ${partnerId}`, 1)
  return partner
}

/**
 * ACTIVE partners of the deployment, newest first, with one more than the limit to detect further
 * pages.
 */
export function findActivePartners(
  services: RecordReading,
  { host, partnerId }: { host?: string; partnerId?: string },
  limit: number,
): Promise<Partner[]> {
  const where =
    partnerId !== undefined
      ? sql`partner_id = ${partnerId} ${host === undefined ? { text: '' } : sql`and host = ${host}`}`
      : host !== undefined
        ? sql`partner_id is not null and host = ${host}`
        : sql`partner_id is not null`
  return queryActive(services, where, limit + 1)
}

async function queryActive(services: RecordReading, where: Sql, limit: number): Promise<Partner[]> {
  const [rows = []] = await services.database.global([
    sql`select held_by, partner_id from partner_hosts where ${where}
      order by partner_id desc limit ${limit}`,
  ])
  const found = await Promise.all(rows.map((row) => read(services, row)))
  return found.filter((partner) => partner !== null)
}

const read = (services: RecordReading, row: Row) =>
  findActivePartner(services, textOf(row, 'held_by'), textOf(row, 'partner_id'))
