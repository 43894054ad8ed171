import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { HeldName } from '../../../family-parts.ts'
import { dueName } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

export type Evidence = VersionedRecord<contract.TreasuryCustodyEvidence>

/** Kinds of names of evidence: what it calls itself, its nonce, and its end while that is not written down. */
export const evidenceName = 'custody-evidence'
export const nonceName = 'custody-nonce'
export const evidenceDueName = 'custody-due'

/** Identity and nonce stay taken when the evidence has expired: what was signed once stays signed. */
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
