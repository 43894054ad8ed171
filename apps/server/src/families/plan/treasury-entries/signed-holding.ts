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
 * What the evidence that a request names says of a holding.
 *
 * @throws Failure 404 or 412 for evidence that is not there or not current, 422 LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE
 *   where it holds no more, or speaks of another container or asset
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
    throw needsEvidence(held, at, `what expired ${evidence.payload.statement.expiresAt}`)
  }
  const key = containerKeyOf(held.container)
  const said = custodyOf(evidence)
  const one = said.find(({ container, assetKey }) => container === key && assetKey === held.asset)
  if (one) return one
  const { container } = evidence.payload.statement
  throw needsEvidence(held, at, `that of ${said.map(({ assetKey }) => assetKey)} in ${container}`)
}

/**
 * What the latest live evidence says of a holding.
 *
 * @param at field of the request, for the refusal
 * @throws Failure 422 LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE where there is none
 */
export async function latestCustody(
  records: TenantRecords,
  held: Held,
  at: string,
): Promise<LiveCustody> {
  const live = await liveCustody(records, containerKeyOf(held.container))
  const found = live.find(({ assetKey }) => assetKey === held.asset)
  if (found) return found
  throw needsEvidence(held, at, 'none that holds now')
}

/** The refusal of a holding off chain that nothing signed speaks of. */
export const needsEvidence = ({ asset, container }: Held, at: string, came: string): Failure =>
  new Failure('LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE', {
    fieldErrors: {
      [at]: [
        `must name live custody evidence of ${asset} in ${containerKeyOf(container)}, got ${came}`,
      ],
    },
  })

/** A signed quantity in place of one that is read; what is restricted and worth is of now. */
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
