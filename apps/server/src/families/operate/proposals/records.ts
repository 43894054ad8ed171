import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'

const dueKind = 'proposal-due'
const executionKind = 'proposal-execution'

/** An execution of a Safe is that of one packet, for ever. */
export const executionName = ({
  chainId,
  safeAddress,
  safeTxHash,
}: {
  readonly chainId: number
  readonly safeAddress: string
  readonly safeTxHash: string
}) => ({ kind: executionKind, name: [chainId, safeAddress, safeTxHash].join('|').toLowerCase() })

/** What is neither decided nor executed holds the name of its end until that is written down. */
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
