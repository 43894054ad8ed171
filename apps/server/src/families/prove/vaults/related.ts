import type { contract, Ref } from '@liquidity-os/contract'
import { pairKey } from '../../../market/pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { policiesOf } from '../../operate/autonomy-policies/face.ts'
import type { VaultBinding } from './holdings.ts'
import type { ControlFacts } from './judge-control.ts'

/** What other records say of a vault. */
export interface Related {
  readonly proof: ControlFacts['proof']
  readonly score: Ref | null
  readonly policy: Ref | null
}

export async function relatedTo(
  records: TenantRecords,
  { chainId, safe, pair }: VaultBinding,
  vaultId: string,
): Promise<Related> {
  const [policies, proofs, scores] = await Promise.all([
    policiesOf(records, vaultId),
    records.find<contract.ProjectControlProof>('ProjectControlProof', { status: ['ACTIVE'] }),
    records.find<{ request: { pair: typeof pair } }>('MarketQualityScore', { status: ['ACTIVE'] }),
  ])
  const proof = proofs.find(
    ({ payload }) =>
      payload.chainId === chainId &&
      payload.claimant === safe &&
      (payload.strength === 'FULL' || payload.strength === 'DELAYED') &&
      Date.parse(payload.validUntil) > records.now,
  )
  const policy = policies.find(({ status }) => status === 'ACTIVE' || status === 'PAUSED')
  const score = scores.find(({ payload }) => pairKey(payload.request.pair) === pairKey(pair))
  return {
    proof: proof
      ? { id: proof.id, strength: proof.payload.strength, token: proof.payload.token }
      : null,
    score: score ? { id: score.id, resourceVersion: score.resourceVersion } : null,
    policy: policy ? { id: policy.id, resourceVersion: policy.resourceVersion } : null,
  }
}
