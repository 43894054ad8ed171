import type { contract, SourceRef } from '@liquidity-os/contract'
import { pairKey } from '../../../market/pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type SignedReport, signedReports } from '../../simulate/study-reports/api.ts'

/** A report named by content hash, or the reason it cannot be used. */
export interface BoundReport {
  readonly hash: string
  readonly source: SourceRef | null
  /** Storage hash of the signed body. */
  readonly artifactHash: string | null
  readonly fault: string | null
}

type Pair = contract.QualifiedVault['pair']

/** Reports in the order of the given hashes. Default: the newest usable one. */
export async function readReports(
  records: TenantRecords,
  pair: Pair,
  hashes: readonly string[] | null,
): Promise<BoundReport[]> {
  const signed = await signedReports(records)
  if (hashes !== null) {
    return Promise.all(
      hashes.map((hash) =>
        checkReport(
          records,
          pair,
          hash,
          signed.find((one) => one.hash === hash),
        ),
      ),
    )
  }
  for (const one of signed) {
    const report = await checkReport(records, pair, one.hash, one)
    if (report.fault === null) return [report]
  }
  return []
}

async function checkReport(
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
      ? `must be of a COMPLETED study; this one is ${body.state}`
      : pairKey(body.pair) === pairKey(pair)
        ? null
        : 'must be about the pair of the vault'
  return { hash, source: signed.source, artifactHash: signed.reportHash, fault }
}
