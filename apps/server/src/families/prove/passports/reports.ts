import type { contract, SourceRef } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { pairKey } from '../../../market/pair.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** A report that a passport names by its content hash; why it cannot, where it cannot. */
export interface BoundReport {
  readonly hash: string
  readonly source: SourceRef | null
  /** The signed body, by the hash under which it is stored. */
  readonly artifactHash: string | null
  readonly fault: string | null
}

type Pair = contract.QualifiedVault['pair']

const most = 128

/** Reports by their hashes in that order; without hashes the newest usable one. */
export async function readReports(
  records: TenantRecords,
  pair: Pair,
  hashes: readonly string[] | null,
): Promise<BoundReport[]> {
  const signed = await signedReports(records)
  if (hashes !== null) {
    return Promise.all(
      hashes.map((hash) =>
        judged(
          records,
          pair,
          hash,
          signed.find((one) => one.hash === hash),
        ),
      ),
    )
  }
  for (const one of signed) {
    const report = await judged(records, pair, one.hash, one)
    if (report.fault === null) return [report]
  }
  return []
}

interface SignedReport {
  readonly hash: string
  readonly reportHash: string
  readonly source: SourceRef
}

/** Newest first. */
async function signedReports(records: TenantRecords): Promise<SignedReport[]> {
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId}
      and kind = 'study.report_signed' order by era desc, transaction_id desc, ordinal desc limit ${most}`,
  ])
  return rows.map((row) => {
    const { subject, payload } = openEvent(textOf(row, 'body'))
    const { contentHash, reportHash, reportedVersion } = payload as Record<string, string>
    if (!contentHash || !reportHash || !reportedVersion) {
      throw new Error('An event of a signed report names no hash.')
    }
    return {
      hash: contentHash,
      reportHash,
      source: {
        resourceType: subject.resourceType,
        id: subject.id,
        resourceVersion: reportedVersion,
      },
    }
  })
}

async function judged(
  records: TenantRecords,
  pair: Pair,
  hash: string,
  signed: SignedReport | undefined,
): Promise<BoundReport> {
  if (!signed) {
    const fault = 'must be the contentHash of a signed report of this organization'
    return { hash, source: null, artifactHash: null, fault }
  }
  const body = JSON.parse((await records.artifact(signed.reportHash)).toString('utf8')) as {
    state: string
    pair: Pair
    assessesMarketHealth: boolean
  }
  const fault =
    body.state !== 'COMPLETED'
      ? `must be of a COMPLETED study; this one is ${body.state} and assesses nothing`
      : pairKey(body.pair) === pairKey(pair)
        ? null
        : 'must be about the pair of the vault'
  return { hash, source: signed.source, artifactHash: signed.reportHash, fault }
}
