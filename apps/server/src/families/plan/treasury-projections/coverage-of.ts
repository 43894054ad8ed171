import type { SourceRef } from '@liquidity-os/contract'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type LiveCustody, liveCustody } from '../../prove/treasury-custody/api.ts'
import type { Entry } from './read-sources.ts'
import { summaryHolding } from './summary-holding.ts'
import { coveredOf } from './summary-status.ts'

export interface Coverage {
  readonly evidence: readonly SourceRef[]
  /** Labels of holdings without evidence of a balance. */
  readonly uncovered: readonly string[]
  /**
   * Smallest covered share: by value in each quote, and by quantity for holdings without value. 0
   * if a holding was never observed.
   */
  readonly coveredPips: number
}

/** Coverage of holdings by the live custody evidence of the organization. */
export async function coverageOf(
  records: TenantRecords,
  entries: readonly Entry[],
): Promise<Coverage> {
  return coverageBy(await liveCustody(records), entries, records.now)
}

/** The same from valid evidence. Holdings of one asset in one container share its evidence. */
export function coverageBy(
  custody: readonly LiveCustody[],
  entries: readonly Entry[],
  now: number,
): Coverage {
  const live = new Map(custody.map((one) => [`${one.container}|${one.assetKey}`, one]))
  const found = entries.map((entry) => ({ entry, evidence: evidenceOf(entry, live) }))
  const counted = entries.flatMap((entry) =>
    summaryHolding(entry, custody, now).map((holding) => ({ entry, holding })),
  )
  const byValue = coveredOf(counted, custody).map(({ coveredPips }) => coveredPips)
  const unpriced = counted.filter(({ holding }) => holding.value === null)
  const byQuantity = [...Map.groupBy(unpriced, ({ entry }) => evidenceOf(entry, live))].map(
    ([evidence, some]) =>
      shareOf(
        evidence?.quantity ?? 0n,
        some.reduce((sum, { holding }) => sum + BigInt(holding.quantity), 0n),
      ),
  )
  const unseen = counted.length < entries.length ? [0] : []
  return {
    evidence: found.flatMap(({ evidence }) => evidence?.evidence ?? []),
    uncovered: found.flatMap(({ entry, evidence }) =>
      evidence === null && 'label' in entry.payload ? [entry.payload.label] : [],
    ),
    coveredPips: Math.min(1_000_000, ...byValue, ...byQuantity, ...unseen),
  }
}

/** Live evidence of a holding; null if missing or for a balance of 0. */
function evidenceOf(
  { payload }: Entry,
  live: ReadonlyMap<string, LiveCustody>,
): LiveCustody | null {
  if (payload.entryKind !== 'ASSET') return null
  const found = live.get(`${containerKeyOf(payload.container)}|${payload.asset}`)
  return found && found.quantity > 0n ? found : null
}

const shareOf = (part: bigint, whole: bigint): number =>
  whole === 0n || part >= whole ? 1_000_000 : Number((part * 1_000_000n) / whole)
