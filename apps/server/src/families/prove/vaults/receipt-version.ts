import type { contract } from '@liquidity-os/contract'
import type { Release } from '../../../market/adapters/release.ts'
import { type Bound, isExpected, sourceOf } from '../../../market/proposals/agreed-packets.ts'
import { sentLegs } from '../../../market/sent-legs.ts'
import type { TenantRecords, Version } from '../../../store/records/tenant-records.ts'
import { judgeExecution } from '../../operate/autonomy-policies/face.ts'
import { type ChainReceipt, isWhole } from './receipts-of-block.ts'

type Receipt = contract.ExecutionReceipt

interface Writing {
  readonly release: Release | null
  readonly vault: {
    readonly id: string
    readonly resourceVersion: string
    readonly payload: contract.QualifiedVault
  }
  readonly receipt: ChainReceipt
  /** The packet that it is of; null where none that was approved has its hash. */
  readonly bound: Bound | null
}

/** A receipt as it is kept: what the chain says, judged by the policy of then and bound to the packet that was agreed. */
export async function receiptVersion(
  records: TenantRecords,
  { release, vault, receipt, bound }: Writing,
): Promise<Version<Receipt>> {
  const judged = await judgeExecution({ records, release }, vault, receipt)
  const reconciliation = reconciliationOf(receipt, bound)
  const legs = await sentLegs(records, vault.id)
  // Of several legs in one batch the first is named.
  const sent = legs.find(({ transactionHash }) => transactionHash === receipt.transactionHash)
  const leg = sent ? { planId: sent.planId, legIndex: sent.legIndex } : null
  return {
    status: isWhole(receipt) ? 'COMPLETED' : 'PARTIAL',
    payload: {
      ...{ vault: { id: vault.id, resourceVersion: vault.resourceVersion }, ...receipt },
      ...{ proposal: bound && sourceOf(bound.proposal), leg, ...judged, reconciliation },
    },
    reason: `Executed in block ${receipt.block.number}`,
    event: judged.verdict === 'VIOLATING' ? 'receipt.violating' : 'receipt.recorded',
    eventPayload: {
      ...{ vaultId: vault.id, transactionHash: receipt.transactionHash },
      ...{ outcome: receipt.outcome, safeTxHash: receipt.safeTxHash, verdict: judged.verdict },
      ...{ reconciliation, proposalId: bound?.proposal.id ?? null },
    },
  }
}

/** Gaps that leave open what moved. */
const openEffects = ['NATIVE_UNATTRIBUTED', 'TRANSFERS_TRUNCATED', 'POSITIONS_NOT_SUMMED']

export const areEffectsKnown = ({ gaps }: Pick<Receipt, 'gaps'>): boolean =>
  !gaps.some(({ code }) => openEffects.includes(code))

/** What a series expects is of all its packets together, and judged when the last of them is registered. */
function reconciliationOf(receipt: ChainReceipt, bound: Bound | null): Receipt['reconciliation'] {
  if (bound === null) return 'UNREGISTERED'
  const { packets, expectedEffects } = bound.proposal.payload
  if (packets.length > 1) return 'MATCHED'
  const isMatched = isExpected(expectedEffects, receipt.effects.net, areEffectsKnown(receipt))
  return isMatched ? 'MATCHED' : 'UNEXPECTED_EFFECT'
}
