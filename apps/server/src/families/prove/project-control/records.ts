import { contract } from '@liquidity-os/contract'
import { dueName } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

export const nonceName = 'project-control-nonce'
export const challengeDue = 'project-control-challenge-due'
export const proofDue = 'project-control-proof-due'

/** A challenge holds its nonce permanently, and its due name while open. */
export const controlChallenges = recordFamily(contract.projectControlChallengeFamily, {
  names: ({ id, status, payload }) => [
    { kind: nonceName, name: payload.nonce },
    ...(status === 'ACTIVE' ? [{ kind: challengeDue, name: dueName(payload.expiresAt, id) }] : []),
  ],
  nameKinds: [nonceName, challengeDue],
})

export const controlProofs = recordFamily(contract.projectControlProofFamily, {
  names: ({ id, status, payload }) =>
    status === 'ACTIVE' ? [{ kind: proofDue, name: dueName(payload.validUntil, id) }] : [],
  nameKinds: [proofDue],
})
