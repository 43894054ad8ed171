import type { contract } from '@liquidity-os/contract'
import type { Hex } from 'viem'
import { contractAt } from '../../../market/adapters/contract-code.ts'
import { valueAt } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import type { PlanLeg } from '../../../market/plan-legs.ts'
import { type ActionStep, readCalls } from './action-calls.ts'
import type { Movement } from './action-movement.ts'

type Receipt = Pick<contract.ExecutionReceipt, 'calls' | 'effects' | 'outcome' | 'safeAddress'>
type Leg = Pick<PlanLeg, 'planned' | 'sellToken' | 'allowances'>

/** An allowance that executed calls gave, with the amount that no execution used yet. */
export interface OpenAllowance {
  readonly token: string
  readonly spender: string
  readonly amount: bigint
  /** True for an allowance of a protected execution plan, byte for byte. */
  readonly isPlanned: boolean
}

interface Given extends Omit<OpenAllowance, 'amount'> {
  readonly step: ActionStep
  amount: bigint
}

interface Reading {
  readonly release: Release | null
  readonly chainId: number
  readonly pair: contract.QualifiedVault['pair']
  /** Legs of plans, for the calls that give their allowances. */
  readonly legs: readonly Leg[]
  /** Legs whose sale counts as turnover already. */
  readonly counted: readonly Leg[]
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Allowances of executions that their spenders can still use, as far as the executions show.
 *
 * Each allowance counts by its own, because a spender can use one before the next replaces it. An
 * execution that calls the spender uses its newest allowance first, by the amount that left the
 * Safe. Within one execution a later allowance replaces an earlier one.
 *
 * @param receipts in execution order
 */
export function openAllowances(receipts: readonly Receipt[], reading: Reading): OpenAllowance[] {
  const given: Given[] = []
  for (const receipt of receipts) {
    if (receipt.outcome === 'SUCCESS') given.push(...applied(given, receipt, reading))
  }
  for (const { planned, sellToken, allowances } of reading.counted) {
    const own = given.filter(({ step }) => allowances.some((one) => gives(one, step)))
    use(own, (one) => isSame(one.token, sellToken), BigInt(planned.sellAmount))
  }
  return given
    .filter(({ amount }) => amount > 0n)
    .map(({ token, spender, amount, isPlanned }) => ({ token, spender, amount, isPlanned }))
}

/** Uses earlier allowances in place, and returns the allowances of one execution. */
function applied(earlier: Given[], receipt: Receipt, reading: Reading): Given[] {
  const own: Given[] = []
  const left = outflowsOf(receipt)
  for (const step of stepsOf(receipt, reading)) {
    const allowance = givenBy(step, reading)
    if (allowance !== null) {
      const { token, spender, amount } = allowance
      for (const one of own) {
        if (isSame(one.token, token) && isSame(one.spender, spender)) one.amount = 0n
      }
      // Permit2 can move only what the token allows it, and its own allowance counts instead.
      use(
        [...earlier, ...own],
        (one) => isSame(one.token, token) && isSame(one.spender, step.to),
        amount,
      )
      own.push(allowance)
      continue
    }
    for (const [token, amount] of left) {
      const used = use(
        [...earlier, ...own],
        (one) => isSame(one.token, token) && isSame(one.spender, step.to),
        amount,
      )
      left.set(token, amount - used)
    }
  }
  return own
}

/** Reduces allowances by an amount, the newest first, and returns the used part. */
function use(given: readonly Given[], isUsed: (one: Given) => boolean, amount: bigint): bigint {
  let rest = amount
  for (const one of given.toReversed()) {
    if (!isUsed(one)) continue
    const part = lesser(one.amount, rest)
    one.amount -= part
    rest -= part
  }
  return amount - rest
}

function stepsOf({ calls, safeAddress }: Receipt, { release, chainId, pair }: Reading) {
  if (calls === null || release === null) return []
  const made = calls.map(({ to, value, data, operation }) => ({
    to,
    value: BigInt(value),
    data: data as Hex,
    operation: operation === 'DELEGATECALL' ? (1 as const) : (0 as const),
  }))
  // An allowance of a token outside the policy counts too. An NFT manager has the same function.
  const isKnown = (to: string) =>
    release.manifest.adapters.some((one) => contractAt(one, chainId, to) !== undefined)
  const approvedAssets = [
    pair.base,
    pair.quote,
    ...made.map(({ to }) => to).filter((to) => !isKnown(to)),
  ]
  return readCalls(made, chainId, { approvedAssets }, release, safeAddress).steps
}

function givenBy(step: ActionStep, { legs }: Reading): Given | null {
  const { read, to } = step
  if (read?.declared.kind !== 'APPROVE') return null
  const { amountIn, amountsIn, tokenIn, spender: spenderPath } = read.declared.roles
  const amount = valueAt(read.args, amountsIn?.[0]?.amount ?? amountIn)
  const tokenPath = amountsIn?.[0]?.token ?? tokenIn ?? '$target'
  const token = tokenPath === '$target' ? to : valueAt(read.args, tokenPath)
  const spender = valueAt(read.args, spenderPath)
  if (typeof token !== 'string' || typeof spender !== 'string') return null
  if (typeof amount !== 'bigint') return null
  const isPlanned = legs.some(({ allowances }) => allowances.some((one) => gives(one, step)))
  return { token, spender, amount, isPlanned, step }
}

const gives = ({ to, data }: { to: string; data: string }, step: ActionStep) =>
  step.data !== null && isSame(step.to, to) && isSame(step.data, data)

/** Net outflow by token. */
const outflowsOf = ({ effects }: Receipt) =>
  new Map(
    effects.net.flatMap(({ asset, delta }): [string, bigint][] =>
      delta.startsWith('-') ? [[asset, -BigInt(delta)]] : [],
    ),
  )

/**
 * Allowances that stay open after an action. Its calls to a spender use earlier allowances only
 * beyond the allowances that the action gives itself. An order uses those of its plan.
 */
export function openAfter(
  open: readonly OpenAllowance[],
  { moving, allowances }: Pick<Movement, 'moving' | 'allowances'>,
  order: { readonly token: string; readonly amount: bigint } | null,
): OpenAllowance[] {
  let rest = [...open]
  const reduce = (isUsed: (one: OpenAllowance) => boolean, amount: bigint) => {
    let left = amount
    rest = rest.map((one) => {
      if (!isUsed(one)) return one
      const part = lesser(one.amount, left)
      left -= part
      return { ...one, amount: one.amount - part }
    })
  }
  const uses = moving.flatMap(({ step, amountsIn }) =>
    amountsIn.flatMap(({ token, amount }) =>
      token === null || amount === null ? [] : [{ token, amount, spender: step.to }],
    ),
  )
  const byAllowance = Map.groupBy(uses, ({ token, spender }) => `${token} ${spender}`.toLowerCase())
  for (const [key, some] of byAllowance) {
    const nameOf = (one: { token: string | null; spender: string | null }) =>
      `${one.token} ${one.spender}`.toLowerCase()
    const sum = some.reduce((total, { amount }) => total + amount, 0n)
    const given = allowances
      .filter((one) => nameOf(one) === key)
      .reduce((total, { amount }) => total + (amount ?? 0n), 0n)
    if (sum > given) reduce((one) => nameOf(one) === key, sum - given)
  }
  if (order) reduce((one) => one.isPlanned && isSame(one.token, order.token), order.amount)
  return rest
}
