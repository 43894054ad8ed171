import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { knownAssets } from './known-assets.ts'
import { normalForm } from './normal-form.ts'
import { requireSoundAssumptions } from './validate-assumption.ts'
import { requireObligations } from './validate-obligation.ts'

type Input = contract.TreasuryAssumptionInput

/**
 * A set as it is kept, after everything that may be wrong with it: first in itself, then in what it names.
 *
 * @param at what paths of its fields begin with: nothing, or `assumptions.`
 * @throws Failure 422 for a set that contradicts itself, names an asset that nobody knows, links what is no active
 *   obligation in the asset of the line, or repeats one, 404 for an obligation that is none of this organization, 412
 *   for one that has changed
 */
export async function judgeAssumptions(
  records: TenantRecords,
  input: Input,
  at: string,
): Promise<Pick<contract.TreasuryAssumptions, 'assumptions' | 'assets'>> {
  requireSoundAssumptions(input, at)
  await requireObligations(records, input.lines, at)
  const assumptions = normalForm(input)
  return { assumptions, assets: await knownAssets(records, input, at) }
}
