import type { contract } from '@liquidity-os/contract'
import { AssetClassifier } from '../../../market/treasury/asset-classes.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import type { PinnedSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { obligationFigures } from './obligation-figures.ts'
import { valued } from './valued.ts'

type Input = Extract<contract.TreasuryBucketInput, { entryKind: 'OBLIGATION' }>
type Settlement = contract.TreasuryBucket['settlements'][number]

/**
 * Entry of an obligation with its total, paid and overdue amounts.
 *
 * @param settlements all payment transfers, oldest first
 * @param more.now milliseconds since 1970
 * @param more.field prefix of the request's field paths
 * @param snapshot snapshot for reading new settlements; omitted without new ones
 */
export async function owedEntry(
  records: TenantRecords,
  input: Input,
  settlements: readonly Settlement[],
  { now, field }: { readonly now: number; readonly field: string },
  snapshot: PinnedSnapshot | null = null,
): Promise<{ payload: contract.TreasuryObligation; status: 'ACTIVE' | 'PARTIAL' }> {
  const settled = settlements.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const { total, remaining, overdue } = obligationFigures(input.obligation, settled, now)
  const owed = remaining ?? overdue
  const at = Math.floor(now / 1000)
  const parts = [{ asset: input.asset, quantity: owed }]
  const worth = input.valuation
    ? await valued(records, input.valuation, parts, { at, rounding: 'UP', field })
    : { value: null, prices: [], gaps: [] }
  const decimals = (await assetsOf(records)).get(input.asset)?.decimals ?? null
  const classifier = await AssetClassifier.read(records, snapshot)
  const classified = await classifier.classOf({ assetKey: input.asset })
  const computation = treasuryComputation({
    request: input,
    snapshot: snapshot?.view ?? null,
    prices: worth.prices,
    gaps: worth.gaps,
    limitations: snapshot?.limitations ?? [],
  })
  return {
    status: computation.completeness === 'COMPLETED' ? 'ACTIVE' : 'PARTIAL',
    payload: {
      ...input,
      containerKey: null,
      ...classified,
      decimals,
      observed: null,
      split: null,
      rollForward: null,
      loaned: null,
      disposition: null,
      total: total === null ? null : `${total}`,
      settled: `${settled}`,
      remaining: remaining === null ? null : `${remaining}`,
      overdue: `${overdue}`,
      settlements: [...settlements],
      value: worth.value,
      computation,
    },
  }
}
