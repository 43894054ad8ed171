import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

const dueKind = 'policy-draft-due'

export const policyDrafts = recordFamily(contract.policyDraftFamily, {
  names: ({ id, status, payload }) =>
    status === 'EXPIRED' ? [] : [{ kind: dueKind, name: dueName(payload.expiresAt, id) }],
  nameKinds: [dueKind],
})

export const expireDrafts = policyDrafts.expiry({
  actor: 'policy-draft-expiry',
  overdue: overdueNames(dueKind),
  until: ({ expiresAt }) => expiresAt,
  event: 'policy_intent.expired',
  eventDetails: ({ vaultId }) => ({ vaultId }),
})
