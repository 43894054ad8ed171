import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import type { SafeCall } from '../../../integrations/chain/safe-executions.ts'
import { readCall, serializeArguments } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { effectsOf } from './effects.ts'
import type { ExecutedBlock, Execution } from './executions.ts'
import { type PlainCall, type Resolved, resolveExecution, selectorOf } from './resolve-execution.ts'

type Receipt = contract.ExecutionReceipt

/** Receipt data from the chain alone, without vault, approvals and policy. */
export type ChainReceipt = Omit<
  Receipt,
  'vault' | 'proposal' | 'leg' | 'policyInForce' | 'verdict' | 'rules' | 'reconciliation'
>

/** A Safe, with the clients that read its calls. */
interface SafeContext {
  readonly chainId: number
  readonly safe: Address
  readonly pair: contract.QualifiedVault['pair']
  readonly release: Release | null
  /** Calls that approved packets of the vault would execute. */
  readonly approved: readonly SafeCall[]
}

/** Receipts of all Safe executions in a block, in log order. */
export async function receiptsOfBlock(
  client: ChainClient,
  context: SafeContext,
  executed: ExecutedBlock,
  received: readonly PlacedLog[],
): Promise<ChainReceipt[]> {
  const resolved: Resolved[] = []
  for (const execution of executed.executions) {
    resolved.push(await resolveExecution(client, context, executed, execution))
  }
  const effects = effectsOf(executed, resolved, context.safe, received)
  return executed.executions.flatMap((execution, index) => {
    const [found, effect] = [resolved[index], effects[index]]
    if (!found || !effect) return []
    return [receiptOf(context, executed, execution, found, effect)]
  })
}

function receiptOf(
  context: SafeContext,
  { block }: ExecutedBlock,
  { logged, log, receipt }: Execution,
  { nonce, calls, signers, gaps }: Resolved,
  effect: ReturnType<typeof effectsOf>[number],
): ChainReceipt {
  const { chainId, safe } = context
  return {
    safeAddress: safe,
    via: logged.via,
    safeTxHash: logged.via === 'SAFE' ? logged.hash : null,
    nonce: nonce === null ? null : `${nonce}`,
    module: logged.via === 'MODULE' ? logged.module : null,
    transactionHash: log.transactionHash,
    block: blockOf(chainId, block),
    logIndex: log.logIndex,
    outcome: logged.succeeded ? 'SUCCESS' : 'FAILURE',
    executor: receipt.from,
    signers: signers === null ? null : [...signers],
    signersResolved: signers !== null,
    calls: calls === null ? null : calls.map((call) => serializeCall(context, call)),
    effects: effect.effects,
    gas: {
      used: `${receipt.gasUsed}`,
      effectivePriceWei: `${receipt.effectiveGasPrice}`,
      payer: receipt.from,
    },
    gaps: [...gaps, ...effect.gaps],
  }
}

/** True if all inputs of a receipt are known. */
export const isWhole = ({ calls, signersResolved }: ChainReceipt): boolean =>
  calls !== null && signersResolved

function serializeCall(
  { chainId, pair, release }: SafeContext,
  call: PlainCall,
): contract.DecodedCall {
  const { to, value, data, operation } = call
  const read = release && readCall(release, chainId, call, [pair.base, pair.quote])
  return {
    to,
    value: `${value}`,
    selector: selectorOf(data),
    data,
    operation,
    adapterId: read?.adapter.adapterId ?? null,
    arguments: read ? serializeArguments(read.abi.inputs, read.args) : null,
  }
}
