import type { contract } from '@liquidity-os/contract'
import type { MadeCall, ReadCalls } from './action-calls.ts'
import type { Movement } from './action-movement.ts'

/** Movements of an execution on chain. */
export type Executed = Pick<contract.ExecutionReceipt, 'effects' | 'outcome' | 'safeAddress'>

/** Tokens that left the Safe beyond its calls: the gas refund of its transaction. */
export interface Refund {
  readonly token: string
  readonly amount: bigint
  /** Null if the effects do not show one receiver. */
  readonly receiver: string | null
}

/**
 * Outflows of an execution that its calls do not explain.
 *
 * A Safe pays the refund after the calls, so a receipt shows it as the last transfer. Calls explain
 * at most their declared amounts, and failed calls explain none. Calls that are not all decoded can
 * explain any amount; other rules then stay undecided.
 *
 * @see Safe 1.3.0 and 1.4.1, `handlePayment`: a receiver of 0 means the sender of the transaction
 */
export function refundsOf(
  { effects, outcome, safeAddress }: Executed,
  calls: ReadCalls | null,
  moved: Movement | null,
): Refund[] {
  const isFailed = outcome === 'FAILURE'
  const explained = isFailed
    ? new Map<string, bigint>()
    : moved && calls && explainedBy(calls, moved)
  if (explained === null) return []
  const isOut = ({ from }: { from: string }) => isSame(from, safeAddress)
  const byToken = Map.groupBy(effects.transfers.filter(isOut), ({ asset }) => asset.toLowerCase())
  const refunds = [...byToken].flatMap(([key, transfers]): Refund[] => {
    const left = transfers.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    const amount = left - (explained.get(key) ?? 0n)
    const last = transfers.at(-1)
    if (amount <= 0n || !last) return []
    const receiver = BigInt(last.amount) === amount ? last.to : null
    return [{ token: last.asset, amount, receiver }]
  })
  const native = effects.net.find(({ asset }) => asset === 'native')
  const spent = isFailed || !calls || !moved ? 0n : coinOf(calls.plain, moved)
  const amount = -BigInt(native?.delta ?? '0') - spent
  return amount > 0n ? [...refunds, { token: 'native', amount, receiver: null }] : refunds
}

/** Declared inputs of the calls by token; null if one is unknown. */
function explainedBy({ steps }: ReadCalls, { moving }: Movement): Map<string, bigint> | null {
  if (steps.some(({ read }) => read === null)) return null
  const explained = new Map<string, bigint>()
  for (const { kind, amountsIn } of moving) {
    if (kind === 'APPROVE') continue
    for (const { token, amount } of amountsIn) {
      if (token === null || amount === null) return null
      const key = token.toLowerCase()
      explained.set(key, (explained.get(key) ?? 0n) + amount)
    }
  }
  return explained
}

/** Coin that calls send, less the coin that unwraps return to the Safe. */
function coinOf(calls: readonly MadeCall[], { moving }: Movement): bigint {
  const sent = calls.reduce(
    (sum, { value, operation }) => (operation === 0 ? sum + value : sum),
    0n,
  )
  const unwrapped = moving
    .filter(({ kind }) => kind === 'UNWRAP')
    .flatMap(({ amountsIn, amountsOut }) =>
      amountsIn.length > 0
        ? amountsIn.map(({ amount }) => amount)
        : amountsOut.map(({ minimum }) => minimum),
    )
  return unwrapped.reduce<bigint>((sum, amount) => sum - (amount ?? 0n), sent)
}

/**
 * Reason for which a refund breaks the calldata rule; null if its receiver is approved. Tokens that
 * a contract of the release holds belong to anyone.
 */
export function faultOfRefund(
  { token, amount, receiver }: Refund,
  isReceiver: (address: string) => boolean,
): string | null {
  if (receiver !== null && isReceiver(receiver)) return null
  const to = receiver === null ? '' : ` to ${receiver}`
  return `refund: ${amount} of ${token} left the Safe${to} beyond its calls; the receiver must be an approved contract`
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
