import type { contract, SourceRef } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  custodyOf,
  type Evidence,
  isLive,
  type LiveCustody,
  liveCustody,
} from '../../prove/treasury-custody/api.ts'
import { currentSources } from '../../sources.ts'
import type { KnownHolding } from './holding-figures.ts'

type Held = Pick<
  Extract<contract.TreasuryBucketInput, { entryKind: 'ASSET' }>,
  'asset' | 'container'
>

/**
 * Custody statement in the evidence of a request.
 *
 * @throws Failure 404 or 412 for missing or outdated evidence, 422
 * LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE if it expired, or names another container or asset
 */
export async function namedCustody(
  records: TenantRecords,
  held: Held,
  ref: SourceRef,
): Promise<LiveCustody> {
  const at = 'payload.observation.evidence'
  const [found] = await currentSources(records, [{ ref, at }])
  if (found?.resourceType !== 'TreasuryCustodyEvidence') {
    throw needsEvidence(held, at, `a ${ref.resourceType}`)
  }
  const evidence = found as Evidence
  if (!isLive(evidence, records.now)) {
    throw needsEvidence(
      held,
      at,
      `evidence that expired at ${evidence.payload.statement.expiresAt}`,
    )
  }
  const key = containerKeyOf(held.container)
  const stated = custodyOf(evidence)
  const one = stated.find(({ container, assetKey }) => container === key && assetKey === held.asset)
  if (one) return one
  const { container } = evidence.payload.statement
  throw needsEvidence(
    held,
    at,
    `evidence of ${stated.map(({ assetKey }) => assetKey)} in ${container}`,
  )
}

/**
 * Custody statement in the latest live evidence of a holding.
 *
 * @param at field of the request, for the error
 * @throws Failure 422 LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE without live evidence
 */
export async function latestCustody(
  records: TenantRecords,
  held: Held,
  at: string,
): Promise<LiveCustody> {
  const live = await liveCustody(records, containerKeyOf(held.container))
  const found = live.find(({ assetKey }) => assetKey === held.asset)
  if (found) return found
  throw needsEvidence(held, at, 'no live evidence')
}

/** Error for an off-chain holding without signed evidence. */
export const needsEvidence = ({ asset, container }: Held, at: string, came: string): Failure =>
  new Failure('LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE', {
    fieldErrors: {
      [at]: [
        `must name live custody evidence of ${asset} in ${containerKeyOf(container)}, got ${came}`,
      ],
    },
  })

/** Entry from a signed quantity instead of a chain read. Restrictions and value are current. */
export async function signedHolding(
  records: TenantRecords,
  { asset }: Held,
  { quantity, evidence, assurance }: LiveCustody,
): Promise<KnownHolding> {
  const known = (await assetsOf(records)).get(asset)
  return {
    holding: {
      balance: quantity,
      proof: 'SIGNED',
      decimals: known?.decimals ?? null,
      legs: [],
      evidence: null,
    },
    asOf: Math.floor(records.now / 1000),
    snapshot: null,
    sources: [evidence],
    limitations: assurance === 'SIGNATURE_ONLY' ? ['CUSTODIAN_WORD_ONLY'] : [],
  }
}
