import type { contract } from '@liquidity-os/contract'
import { isSameSize } from '../../../market/graded-size.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { activeScoreOf, type ScorePayload } from '../../intelligence/scores/api.ts'
import type { Passport } from './records.ts'

export type PassportState = contract.PublicLiquidityPassport['state']

/** From best to worst; a passport depends on the grade of its score. */
const grades = 'ABCDE'

/**
 * Current state of a passport, by precedence: revoked, expired, changed control, lower score,
 * current.
 */
export async function readPassportState(
  records: TenantRecords,
  { status, payload }: Passport,
): Promise<PassportState> {
  if (status === 'REVOKED') return 'REVOKED'
  if (status === 'EXPIRED' || Date.parse(payload.validUntil) <= records.now) return 'EXPIRED'
  const { sourceBindings, vaultId } = payload
  const [vault, bound] = await Promise.all([
    records.current<contract.QualifiedVault>('QualifiedVault', vaultId),
    records.version<contract.QualifiedVault>(
      'QualifiedVault',
      vaultId,
      sourceBindings.vault.resourceVersion,
    ),
  ])
  if (!vault || !bound) throw new Error(`The vault ${vaultId} of a passport is not stored.`)
  const now = vault.record.payload
  const isSameControl =
    now.controlEpoch === sourceBindings.controlEpoch &&
    now.control.singleton === bound.record.payload.control.singleton
  if (!isSameControl) return 'STALE_CONTROL'
  return (await hasScore(records, payload, bound.record.payload.pair)) ? 'CURRENT' : 'STALE_SCORE'
}

/**
 * True if the active score has at least the grade of the bound one. Scores of different sizes are
 * not comparable.
 */
async function hasScore(
  records: TenantRecords,
  { sourceBindings: { marketQualityScore } }: contract.LiquidityPassport,
  pair: contract.QualifiedVault['pair'],
): Promise<boolean> {
  const [active, bound] = await Promise.all([
    activeScoreOf(records, pair),
    records.version<ScorePayload>(
      'MarketQualityScore',
      marketQualityScore.id,
      marketQualityScore.resourceVersion,
    ),
  ])
  const grade = bound?.record.payload.grade
  if (!bound || grade == null) throw new Error('A passport has a score without a grade.')
  if (!active || Date.parse(active.record.payload.validUntil) <= records.now) return false
  if (!isSameSize(active.record, bound.record)) return false
  return grades.indexOf(active.record.payload.grade ?? 'E') <= grades.indexOf(grade)
}
