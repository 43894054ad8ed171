import type { SourceRef } from '@liquidity-os/contract'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { liveCustody } from '../../prove/treasury-custody/face.ts'
import type { Entry } from './read-sources.ts'
import { summaryHolding } from './summary-holding.ts'
import { coveredOf } from './summary-standing.ts'

/** What live custody evidence says of some holdings. */
export interface Coverage {
  readonly evidence: readonly SourceRef[]
  /** Labels of the holdings of which nothing says anything. */
  readonly uncovered: readonly string[]
  /** Least share of their value that is covered, over the quotes that they are valued in; null where none has a value. */
  readonly coveredPips: number | null
}

/** How far live custody evidence stands behind holdings. */
export async function coverageOf(
  records: TenantRecords,
  entries: readonly Entry[],
): Promise<Coverage> {
  const custody = await liveCustody(records)
  const keys = new Map(custody.map((one) => [`${one.container}|${one.assetKey}`, one.evidence]))
  const found = entries.flatMap((entry) =>
    entry.payload.entryKind === 'ASSET'
      ? [
          {
            label: entry.payload.label,
            evidence: keys.get(`${containerKeyOf(entry.payload.container)}|${entry.payload.asset}`),
          },
        ]
      : [],
  )
  const counted = entries.flatMap((entry) =>
    summaryHolding(entry, records.now).map((holding) => ({ entry, holding })),
  )
  const covered = coveredOf(counted, custody).map(({ coveredPips }) => coveredPips)
  return {
    evidence: found.flatMap(({ evidence }) => evidence ?? []),
    uncovered: found.flatMap(({ label, evidence }) => (evidence ? [] : [label])),
    coveredPips: covered.length === 0 ? null : Math.min(...covered),
  }
}
