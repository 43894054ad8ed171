import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { knownAssets } from './known-assets.ts'
import { normalForm } from './normal-form.ts'
import { requireSoundAssumptions } from './validate-assumption.ts'
import { requireObligations } from './validate-obligation.ts'

type Input = contract.TreasuryAssumptionInput

/**
 * Normalizes and validates a set: first its content, then its references.
 *
 * @param at prefix of its field paths: empty, or `assumptions.`
 * @throws Failure 422 for contradictions, unknown assets or invalid links to obligations. Failure
 * 404 for an unknown obligation, 412 for an outdated one.
 */
export async function evaluateAssumptions(
  records: TenantRecords,
  input: Input,
  at: string,
): Promise<Pick<contract.TreasuryAssumptions, 'assumptions' | 'assets'>> {
  requireSoundAssumptions(input, at)
  await requireObligations(records, input.lines, at)
  const assumptions = normalForm(input)
  return { assumptions, assets: await knownAssets(records, input, at) }
}
