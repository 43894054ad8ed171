import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

const dueKind = 'proposal-due'
const executionKind = 'proposal-execution'

/** Unique name of a Safe execution: it belongs to one packet permanently. */
export const executionName = ({
  chainId,
  safeAddress,
  safeTxHash,
}: {
  readonly chainId: number
  readonly safeAddress: string
  readonly safeTxHash: string
}) => ({ kind: executionKind, name: [chainId, safeAddress, safeTxHash].join('|').toLowerCase() })

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
