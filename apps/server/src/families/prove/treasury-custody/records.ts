import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { HeldName } from '../../../family-parts.ts'
import { dueName } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

export type Evidence = VersionedRecord<contract.TreasuryCustodyEvidence>

/** Name kinds of evidence: evidence id, nonce, and due name until expiry is recorded. */
export const evidenceName = 'custody-evidence'
export const nonceName = 'custody-nonce'
export const evidenceDueName = 'custody-due'

/**
 * Id and nonce stay reserved after expiry, because the signature remains valid cryptographically.
 */
export function namesOfEvidence({
  id,
  status,
  payload: { statement },
}: Pick<Evidence, 'id' | 'status' | 'payload'>): HeldName[] {
  const { evidenceId, nonce, expiresAt } = statement
  const due = { kind: evidenceDueName, name: dueName(new Date(expiresAt).toISOString(), id) }
  return [
    { kind: evidenceName, name: evidenceId },
    { kind: nonceName, name: nonce },
    ...(status === 'ACTIVE' ? [due] : []),
  ]
}

export const custodyEvidence = recordFamily(contract.treasuryCustodyFamily, {
  names: namesOfEvidence,
  nameKinds: [evidenceName, nonceName, evidenceDueName],
})
