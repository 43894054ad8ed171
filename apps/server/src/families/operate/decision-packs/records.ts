import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

const dueKind = 'decision-pack-due'

/** An undecided pack holds its due name until the sweep records its expiry. */
export const decisionPacks = recordFamily(contract.decisionPackFamily, {
  names: ({ id, status, payload }) =>
    status === 'DRAFT' || status === 'VALIDATED'
      ? [{ kind: dueKind, name: dueName(payload.expiresAt, id) }]
      : [],
  nameKinds: [dueKind],
})

export const expireDecisionPacks = decisionPacks.expiry({
  actor: 'decision-pack-expiry',
  overdue: overdueNames(dueKind),
  until: ({ expiresAt }) => expiresAt,
  event: 'decision_pack.expired',
  eventDetails: ({ expiresAt }) => ({ expiresAt }),
})
