import type { contract } from '@liquidity-os/contract'
import type { LoanReading, Span } from '@liquidity-os/engine/mandates'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isoOf, secondsOf } from './mandate-terms.ts'
import { loanKind, observations } from './records.ts'

/** Loan observations in a period, by time. */
export async function loanReadings(
  records: TenantRecords,
  mandateId: string,
  { from, to }: Span,
): Promise<(LoanReading & { hash: string })[]> {
  const [rows = []] = await records.query([
    sql`select record_id from names where organization_id = ${records.organizationId}
      and kind = ${loanKind} and name >= ${`${mandateId}|${isoOf(from)}`}
      and name <= ${`${mandateId}|${isoOf(to)}~`} order by name`,
  ])
  const ids = rows.map((row) => textOf(row, 'record_id'))
  if (ids.length === 0) return []
  const found = await observations.find(records, { ids, order: 'OLDEST' })
  return found.map(({ payload }) => readingOf(payload as contract.MandateLoanReading))
}

const readingOf = (reading: contract.MandateLoanReading): LoanReading & { hash: string } => ({
  at: secondsOf(reading.at),
  onChain: BigInt(reading.onChain),
  attested: BigInt(reading.attested),
  lent: BigInt(reading.lent),
  hash: reading.evidenceHash,
})

/** Time of the last loan reading in Unix seconds; null if never read. */
export async function lastLoanReading(
  records: TenantRecords,
  mandateId: string,
): Promise<number | null> {
  const [rows = []] = await records.query([
    sql`select name from names where organization_id = ${records.organizationId}
      and kind = ${loanKind} and name > ${`${mandateId}|`} and name < ${`${mandateId}}`}
      order by name desc limit 1`,
  ])
  return rows[0] ? secondsOf(textOf(rows[0], 'name').split('|')[1]!) : null
}
