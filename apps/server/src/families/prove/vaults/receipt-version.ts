import type { contract } from '@liquidity-os/contract'
import { inconsistent } from '../../../integrations/chain/client.ts'
import { agreeOnAnswer } from '../../../integrations/chain/finalized.ts'
import { readHeader } from '../../../integrations/chain/header.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { type ExecutedLeg, legOfExecution, legsOfVault } from '../../../market/plan-legs.ts'
import { type Bound, isExpected, sourceOf } from '../../../market/proposals/agreed-packets.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords, Version } from '../../../store/records/tenant-records.ts'
import {
  type ActionReads,
  checkCode,
  type ExecutionFacts,
  evaluateExecution,
  firstState,
  readState,
  unknownState,
  unlessUnavailable,
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
  readonly chain: PinnedChain
  /** Packet of the receipt; null if no approved packet has its hash. */
  readonly bound: Bound | null
  /** Receipts of the same observation before this one. */
  readonly earlier?: readonly Receipt[]
}

/**
 * Record of a receipt: chain data, evaluated by the policy at that time and linked to the approved
 * packet.
 */
export async function receiptVersion(
  records: TenantRecords,
  { release, vault, receipt, chain, bound, earlier = [] }: Writing,
): Promise<Version<Receipt>> {
  const found = legOfExecution(await legsOfVault(records, vault.id), receipt)
  const evaluated = await evaluateExecution({ records, release }, vault, receipt, {
    ...agreedTerms(found, bound),
    reads: executionReads(chain, receipt.block),
    earlier,
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
      ...evaluated,
      reconciliation,
    },
    reason: `Executed in block ${receipt.block.number}`,
    event: evaluated.verdict === 'VIOLATING' ? 'receipt.violating' : 'receipt.recorded',
    eventPayload: {
      vaultId: vault.id,
      transactionHash: receipt.transactionHash,
      outcome: receipt.outcome,
      safeTxHash: receipt.safeTxHash,
      verdict: evaluated.verdict,
      reconciliation,
      proposalId: bound?.proposal.id ?? null,
    },
  }
}

/**
 * Approved terms that are not on chain: the route, and the trade behind calls that only approve an
 * order. A voided leg has no terms. An execution without a leg uses its packet's route.
 */
function agreedTerms(
  found: ExecutedLeg | null,
  bound: Bound | null,
): Omit<ExecutionFacts, 'reads' | 'earlier'> {
  if (found === null) return { route: bound?.proposal.payload.action.route ?? null }
  const { isVoid, planned, sellToken, buyToken } = found.leg
  if (isVoid) return { route: null }
  const { route, kind, adapterId } = planned
  // Other calls in a batch have their own amounts, so the leg's amounts cannot be used.
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
 * Code at the block of an execution. Positions are read before it, because a burn deletes them, and
 * at it for a position of the same block. Unknown if no provider still has the historical state.
 *
 * @throws ChainError like the reads
 */
function executionReads(
  { chainId, clients }: PinnedChain,
  { number, hash }: Receipt['block'],
): ActionReads {
  const at = async (height: number): Promise<PinnedChain> => {
    const block = await agreeOnAnswer(clients, (client) => readHeader(client, height))
    if (height === number && block.hash !== hash) throw inconsistent('eth_getBlockByNumber')
    return { chainId, clients, block }
  }
  const pruned = 'No provider has the state of the block of the execution.'
  return {
    checkCode: (expected) =>
      unlessUnavailable(async () => checkCode(await at(number), expected), {
        isKnown: null,
        problem: pruned,
      }),
    readState: (calls) =>
      unlessUnavailable(async () => {
        const before = number > 0 ? [await readState(await at(number - 1), calls)] : []
        return firstState([...before, await readState(await at(number), calls)])
      }, unknownState),
  }
}

/** Gaps that leave the movements incomplete. */
const openEffects = ['NATIVE_UNATTRIBUTED', 'TRANSFERS_TRUNCATED', 'POSITIONS_NOT_SUMMED']

export const areEffectsKnown = ({ gaps }: Pick<Receipt, 'gaps'>): boolean =>
  !gaps.some(({ code }) => openEffects.includes(code))

/**
 * A series declares expected effects for all its packets together. They are checked when the last
 * packet is registered.
 */
function reconciliationOf(receipt: ChainReceipt, bound: Bound | null): Receipt['reconciliation'] {
  if (bound === null) return 'UNREGISTERED'
  const { packets, expectedEffects } = bound.proposal.payload
  if (packets.length > 1) return 'MATCHED'
  const isMatched = isExpected(expectedEffects, receipt.effects.net, areEffectsKnown(receipt))
  return isMatched ? 'MATCHED' : 'UNEXPECTED_EFFECT'
}
