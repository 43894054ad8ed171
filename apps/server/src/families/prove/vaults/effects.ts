import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, type Hex, hexToBigInt, size, slice, toEventHash } from 'viem'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import { receivedBy } from '../../../integrations/chain/safe-executions.ts'
import type { ExecutedBlock, Execution } from './executions.ts'
import type { Resolved } from './resolve-execution.ts'

type Effects = contract.ExecutionReceipt['effects']
type Gap = contract.ExecutionReceipt['gaps'][number]

const transferTopic = toEventHash('Transfer(address,address,uint256)')
const maxTransfers = 1000

/**
 * Net effects of one block's executions on the Safe.
 *
 * Tokens are counted by their Transfer logs. The native coin is counted by call values, receive
 * logs and gas refunds. It is included only if the total equals the balance change of the block.
 *
 * @param received logs of the Safe in the block that report received coins, including those outside
 * executions
 */
export function effectsOf(
  executed: ExecutedBlock,
  resolved: readonly Resolved[],
  safe: Address,
  received: readonly PlacedLog[],
): { readonly effects: Effects; readonly gaps: readonly Gap[] }[] {
  const moved = executed.executions.map((execution, index) =>
    nativeDelta(execution, resolved[index], safe),
  )
  const isNativeKnown = agrees(executed, moved, safe, received)
  return executed.executions.map((execution, index) => {
    const { transfers, gaps } = transfersOf(execution, safe)
    const net = new Map<string, bigint>()
    for (const { asset, from, amount } of transfers) {
      const signed = from === safe ? -BigInt(amount) : BigInt(amount)
      net.set(asset, (net.get(asset) ?? 0n) + signed)
    }
    const native = moved[index] ?? 0n
    if (isNativeKnown && native !== 0n) net.set('native', native)
    return {
      effects: {
        transfers,
        net: [...net].map(([asset, delta]) => ({ asset, delta: `${delta}` })),
      },
      gaps: isNativeKnown ? gaps : [...gaps, nativeGap(executed)],
    }
  })
}

function nativeDelta(execution: Execution, resolved: Resolved | undefined, safe: Address): bigint {
  const { logged, own } = execution
  const came = sumOf(own.filter(({ address }) => address === safe))
  const call = resolved?.call
  const isRefundedInCoin = call !== null && call !== undefined && BigInt(call.gasToken) === 0n
  const refund = logged.via === 'SAFE' && isRefundedInCoin ? logged.payment : 0n
  // A failed execution moves nothing by its calls, but it pays its refund.
  if (!logged.succeeded) return came - refund
  // A batch is a delegate call, so the moved value is that of its calls.
  const went = (resolved?.calls ?? []).reduce(
    (sum, { to, value, operation }) => (operation === 'CALL' && to !== safe ? sum + value : sum),
    0n,
  )
  return came - went - refund
}

const sumOf = (logs: readonly PlacedLog[]) =>
  logs.reduce((sum, log) => sum + (receivedBy(log) ?? 0n), 0n)

function agrees(
  { before, after, executions }: ExecutedBlock,
  moved: readonly bigint[],
  safe: Address,
  received: readonly PlacedLog[],
): boolean {
  if (!before || !after) return false
  const inside = new Set(
    executions.flatMap(({ own }) =>
      own.filter(({ address }) => address === safe).map(({ logIndex }) => logIndex),
    ),
  )
  const outside = sumOf(received.filter(({ logIndex }) => !inside.has(logIndex)))
  const total = moved.reduce((sum, one) => sum + one, outside)
  return total === after.balanceWei - before.balanceWei
}

function nativeGap({ block, before, after }: ExecutedBlock): Gap {
  const detail =
    before && after
      ? `The balance of the native coin changed from ${before.balanceWei} to ${after.balanceWei} wei in block ${block.number}; calls and logs do not explain it.`
      : 'The provider lacks the state of the block or of its parent.'
  return { code: 'NATIVE_UNATTRIBUTED', detail }
}

function transfersOf(
  { own }: Execution,
  safe: Address,
): { transfers: Effects['transfers']; gaps: Gap[] } {
  const transfers: Effects['transfers'] = []
  let positions = 0
  for (const { address, topics, data } of own) {
    if (topics[0] !== transferTopic || topics[1] === undefined || topics[2] === undefined) continue
    const [from, to] = [addressOf(topics[1]), addressOf(topics[2])]
    if (from !== safe && to !== safe) continue
    if (topics.length !== 3 || size(data) !== 32) {
      positions += 1
      continue
    }
    // A transfer to the same account has no effect.
    if (from === to) continue
    const amount = `${hexToBigInt(data)}`
    transfers.push({ asset: getAddress(address), from, to, amount })
  }
  const gaps: Gap[] = []
  if (positions > 0) {
    const detail = `${positions} moved tokens of other standards have no amount.`
    gaps.push({ code: 'POSITIONS_NOT_SUMMED', detail })
  }
  if (transfers.length > maxTransfers) {
    const detail = `${transfers.length} transfers; only the first ${maxTransfers} are listed and summed.`
    gaps.push({ code: 'TRANSFERS_TRUNCATED', detail })
  }
  return { transfers: transfers.slice(0, maxTransfers), gaps }
}

const addressOf = (topic: Hex): Address => getAddress(slice(topic, 12))
