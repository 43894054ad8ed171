import type { contract, Ref } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { pairKey } from '../../../market/pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { policiesOf } from '../../operate/autonomy-policies/api.ts'
import type { ControlFacts } from './evaluate-control.ts'
import type { VaultBinding } from './holdings.ts'

export interface Related {
  readonly proof: ControlFacts['proof']
  readonly score: Ref | null
  readonly policy: Ref | null
  /** The active passport of the vault. */
  readonly passport: Ref | null
}

/**
 * The current proof that project control ends at a Safe, immediately or after a delay; null if none
 * exists.
 */
export async function controlProofOf(
  records: TenantRecords,
  { chainId, safe }: { readonly chainId: number; readonly safe: string },
): Promise<VersionedRecord<contract.ProjectControlProof> | null> {
  const proofs = await records.find<contract.ProjectControlProof>('ProjectControlProof', {
    status: ['ACTIVE'],
  })
  const found = proofs.find(
    ({ payload }) =>
      payload.chainId === chainId &&
      payload.claimant === safe &&
      (payload.strength === 'FULL' || payload.strength === 'DELAYED') &&
      Date.parse(payload.validUntil) > records.now,
  )
  return found ?? null
}

export async function relatedTo(
  records: TenantRecords,
  { chainId, safe, pair }: VaultBinding,
  vaultId: string,
): Promise<Related> {
  const [policies, proof, passportId, scores] = await Promise.all([
    policiesOf(records, vaultId),
    controlProofOf(records, { chainId, safe }),
    records.holder({ kind: 'passport-vault', name: vaultId }),
    records.find<{ request: { pair: typeof pair } }>('MarketQualityScore', { status: ['ACTIVE'] }),
  ])
  const passport = passportId && (await records.text('LiquidityPassport', passportId))
  const policy = policies.find(({ status }) => status === 'ACTIVE' || status === 'PAUSED')
  const score = scores.find(({ payload }) => pairKey(payload.request.pair) === pairKey(pair))
  return {
    proof: proof
      ? { id: proof.id, strength: proof.payload.strength, token: proof.payload.token }
      : null,
    score: score ? { id: score.id, resourceVersion: score.resourceVersion } : null,
    policy: policy ? { id: policy.id, resourceVersion: policy.resourceVersion } : null,
    passport:
      passport && passportId ? { id: passportId, resourceVersion: passport.resourceVersion } : null,
  }
}
