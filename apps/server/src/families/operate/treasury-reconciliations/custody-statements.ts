import type { FieldErrors, SourceRef } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { custodyEvidence, custodyOf, isLive } from '../../prove/treasury-custody/api.ts'
import { currentSources } from '../../sources.ts'

export interface CustodyStatement {
  readonly source: SourceRef
  readonly container: string
  readonly assetKey: string
  readonly quantity: bigint
  /** Block of the statement; null for an off-chain custodian. */
  readonly blockNumber: number | null
  readonly isLive: boolean
}

/**
 * Statements of the evidence in a request, in request order.
 *
 * @throws Failure 404 LIQUIDITY_RECONCILIATION_EVIDENCE_UNAVAILABLE for unknown evidence, 412
 * LIQUIDITY_SOURCE_VERSION_CHANGED for an outdated version
 */
export async function readStatements(
  records: TenantRecords,
  refs: readonly SourceRef[],
  { at }: { readonly at: string },
): Promise<CustodyStatement[]> {
  if (refs.length === 0) return []
  const found = await custodyEvidence.find(records, { ids: refs.map(({ id }) => id) })
  const byId = new Map(found.map((one) => [one.id, one]))
  const missing: FieldErrors = {}
  for (const [index, { resourceType, id }] of refs.entries()) {
    if (byId.get(id)?.resourceType === resourceType) continue
    missing[`${at}evidence.${index}`] = [`must name custody evidence, got ${resourceType} ${id}`]
  }
  if (Object.keys(missing).length > 0) {
    throw new Failure('LIQUIDITY_RECONCILIATION_EVIDENCE_UNAVAILABLE', { fieldErrors: missing })
  }
  await currentSources(
    records,
    refs.map((ref, index) => ({ ref, at: `${at}evidence.${index}` })),
  )
  return refs.flatMap(({ id }) => {
    const evidence = byId.get(id)
    if (!evidence) throw new Error(`The evidence ${id} no longer exists.`)
    const isLiveNow = isLive(evidence, records.now)
    return custodyOf(evidence).map(
      ({ container, assetKey, quantity, block, evidence: source }) => ({
        source,
        container,
        assetKey,
        quantity,
        isLive: isLiveNow,
        blockNumber: container.startsWith('eip155:') ? (block?.number ?? null) : null,
      }),
    )
  })
}
