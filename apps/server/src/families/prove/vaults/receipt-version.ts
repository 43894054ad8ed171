import type { contract } from '@liquidity-os/contract'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { inconsistent } from '../../../integrations/chain/client.ts'
import { agreeOnAnswer } from '../../../integrations/chain/finalized.ts'
import { readHeader } from '../../../integrations/chain/header.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { type ExecutedLeg, legOfExecution, legsOfVault } from '../../../market/plan-legs.ts'
import { type Bound, isExpected, sourceOf } from '../../../market/proposals/agreed-packets.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords, Version } from '../../../store/records/tenant-records.ts'
import {
  type ExecutionFacts,
  judgeExecution,
  runsCode,
} from '../../operate/autonomy-policies/api.ts'
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
  /** Where the code at the block of the receipt is read. */
  readonly chain: PinnedChain
  /** The packet that it is of; null where none that was approved has its hash. */
  readonly bound: Bound | null
}

/** A receipt as it is kept: what the chain says, judged by the policy of then and bound to the packet that was agreed. */
export async function receiptVersion(
  records: TenantRecords,
  { release, vault, receipt, chain, bound }: Writing,
): Promise<Version<Receipt>> {
  const found = legOfExecution(await legsOfVault(records, vault.id), receipt)
  const judged = await judgeExecution({ records, release }, vault, receipt, {
    ...agreedTerms(found, bound),
    isCodeKnown: (expected) => ranCode(chain, receipt.block, expected),
  })
  const reconciliation = reconciliationOf(receipt, bound)
  const leg = found && { planId: found.leg.planId, legIndex: found.leg.planned.legIndex }
  return {
    status: isWhole(receipt) ? 'COMPLETED' : 'PARTIAL',
    payload: {
      vault: { id: vault.id, resourceVersion: vault.resourceVersion },
      ...receipt,
      proposal: bound && sourceOf(bound.proposal),
      leg,
      ...judged,
      reconciliation,
    },
    reason: `Executed in block ${receipt.block.number}`,
    event: judged.verdict === 'VIOLATING' ? 'receipt.violating' : 'receipt.recorded',
    eventPayload: {
      vaultId: vault.id,
      transactionHash: receipt.transactionHash,
      outcome: receipt.outcome,
      safeTxHash: receipt.safeTxHash,
      verdict: judged.verdict,
      reconciliation,
      proposalId: bound?.proposal.id ?? null,
    },
  }
}

/**
 * What was agreed of an execution and no chain tells: its route, and for calls that only agree to an order what is traded.
 * A leg that was given up says nothing; of an execution that belongs to no leg its packet says the route.
 */
function agreedTerms(
  found: ExecutedLeg | null,
  bound: Bound | null,
): Omit<ExecutionFacts, 'isCodeKnown'> {
  if (found === null) return { route: bound?.proposal.payload.action.route ?? null }
  const { isVoid, planned, sellToken, buyToken } = found.leg
  if (isVoid) return { route: null }
  const { route, kind, adapterId } = planned
  // What else is in a batch has amounts of its own, which those of the leg must not stand for.
  if (kind === 'POOL' || !found.isAlone) return { route }
  return {
    route,
    adapterId: adapterId ?? undefined,
    stated: {
      assetIn: sellToken,
      assetOut: buyToken,
      amountIn: BigInt(planned.sellAmount),
      expectedOut: BigInt(planned.expectedBuy),
      minimumOut: BigInt(planned.minimumBuy),
    },
  }
}

/**
 * Whether each contract ran the code that a release was signed for, at the block of an execution; null if no provider
 * keeps the state of that block any more.
 *
 * @throws ChainError as the reads do
 */
async function ranCode(
  { chainId, clients }: PinnedChain,
  { number, hash }: Receipt['block'],
  expected: ReadonlyMap<string, string>,
): Promise<boolean | null> {
  try {
    const block = await agreeOnAnswer(clients, (client) => readHeader(client, number))
    if (block.hash !== hash) throw inconsistent('eth_getBlockByNumber')
    return await runsCode({ chainId, clients, block }, expected)
  } catch (error) {
    if (error instanceof ChainError && error.code === 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE') {
      return null
    }
    throw error
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
