import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

export type Policy = VersionedRecord<contract.AutonomyPolicy>

const vaultKind = 'policy-vault'
const envelopeKind = 'policy-envelope'
const dueKind = 'policy-due'

/** One current policy of a vault. */
export const policyOfVault = (vaultId: string) => ({ kind: vaultKind, name: vaultId })
/** Unique name of an owner commitment: one execution can activate only one policy. */
export const envelopeName = (receiptId: string) => ({ kind: envelopeKind, name: receiptId })

export const policies = recordFamily(contract.policyFamily, {
  names: ({ id, status, payload }) => [
    ...payload.usedEnvelopes.map(envelopeName),
    ...(status === 'ACTIVE' || status === 'PAUSED'
      ? [
          policyOfVault(payload.vaultId),
          { kind: dueKind, name: dueName(new Date(payload.expiresAt).toISOString(), id) },
        ]
      : []),
  ],
  nameKinds: [vaultKind, envelopeKind, dueKind],
})

/**
 * Records expired policies. Readers compare `expiresAt` with the clock, so they do not depend on
 * this sweep.
 */
export const expirePolicies = policies.expiry({
  actor: 'policy-expiry',
  overdue: overdueNames(dueKind),
  until: ({ expiresAt }) => expiresAt,
  event: 'policy.expired',
  eventDetails: ({ vaultId, policyHash }) => ({ vaultId, policyHash }),
})
