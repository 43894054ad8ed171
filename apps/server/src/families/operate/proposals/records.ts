import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { executionKind, executionName } from '../../../market/proposals/agreed-packets.ts'
import { recordFamily } from '../../record-family.ts'

const dueKind = 'proposal-due'

/** A pending proposal holds its due name until the sweep records its expiry. */
export const proposals = recordFamily(contract.proposalFamily, {
  names: ({ id, status, payload }) => [
    ...(status === 'DRAFT' || status === 'VALIDATED' || status === 'ACTIVE'
      ? [{ kind: dueKind, name: dueName(payload.review.expiresAt, id) }]
      : []),
    ...payload.packets.flatMap(({ state, hashes }) =>
      state === 'EXECUTED' ? [executionName({ ...payload.action, ...hashes })] : [],
    ),
  ],
  nameKinds: [dueKind, executionKind],
})

export const comparisons = recordFamily(contract.proposalComparisonFamily)

export const overdueProposals = overdueNames(dueKind)
