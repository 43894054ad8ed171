import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentSources } from '../../sources.ts'
import { requireSoundAssumptions } from './assumption-faults.ts'
import { knownAssets } from './known-assets.ts'
import { normalForm } from './normal-form.ts'

type Input = contract.TreasuryAssumptionInput

/** The kind of record that is an obligation. */
const obligationType = 'TreasuryBucket'

/**
 * A set as it is kept, after everything that may be wrong with it: first in itself, then in what it names.
 *
 * @param at what paths of its fields begin with: nothing, or `assumptions.`
 * @throws Failure 422 for a set that contradicts itself or names an asset that nobody knows, 404 for an obligation that
 *   is none of this organization, 412 for one that has changed
 */
export async function judgeAssumptions(
  records: TenantRecords,
  input: Input,
  at: string,
): Promise<Pick<contract.TreasuryAssumptions, 'assumptions' | 'assets'>> {
  requireSoundAssumptions(input, at)
  await requireObligations(records, input, at)
  const assumptions = normalForm(input)
  return { assumptions, assets: await knownAssets(records, input, at) }
}

async function requireObligations(
  records: TenantRecords,
  { lines }: Input,
  at: string,
): Promise<void> {
  const named = lines.flatMap(({ obligation: ref }, place) =>
    ref ? [{ ref, at: `${at}lines.${place}.obligation` }] : [],
  )
  const others = named.filter(({ ref }) => ref.resourceType !== obligationType)
  if (others.length > 0) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: Object.fromEntries(
        others.map(({ ref, at: field }) => [
          `${field}.resourceType`,
          [`must be ${obligationType}, got ${ref.resourceType}`],
        ]),
      ),
    })
  }
  await currentSources(records, named)
}
