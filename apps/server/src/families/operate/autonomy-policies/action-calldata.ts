import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import { valueAt } from '../../../market/adapters/decode-call.ts'
import type { ActionStep, ReadCalls } from './action-calls.ts'
import type { GivenAllowance, Movement } from './action-movement.ts'
import type { ActionState } from './action-state.ts'
import { conditionsOf, evaluateCondition } from './conditions.ts'

type Pair = contract.QualifiedVault['pair']

/** Input of the calldata rule. */
export interface JudgedCalldata {
  readonly calls: ReadCalls
  readonly movement: Movement
  readonly state: ActionState
  readonly terms: PolicyTerms
  readonly pair: Pair
  readonly safe: string
  /** True for a contract of the release. Anyone can take tokens that a router or manager holds. */
  readonly isReleaseContract: (address: string) => boolean
  /** True for a contract that makes any call for any caller. */
  readonly isBatchContract: (address: string) => boolean
  /** Allowances that a protected execution plan of the vault gives, for all its legs. */
  readonly isPlanned: (allowance: GivenAllowance) => boolean
}

type Calldata = { readonly holds: boolean; readonly path: string | null }

/**
 * Checks calls against the compiled conditions and against the state of positions. Null if a call
 * cannot be decoded, or if the state is unknown.
 */
export function evaluateCalldata(judged: JudgedCalldata): Calldata | null {
  let isWhole = true
  for (const step of judged.calls.steps) {
    const path = faultOfStep(judged, step)
    if (path === undefined) isWhole = false
    else if (path !== null) return { holds: false, path }
  }
  for (const allowance of judged.movement.allowances) {
    const path = faultOfAllowance(judged, allowance)
    if (path === undefined) isWhole = false
    else if (path !== null) return { holds: false, path }
  }
  return isWhole ? { holds: true, path: null } : null
}

/** Path of the failing condition; null if all hold, undefined if unknown. */
function faultOfStep(
  { terms, pair, safe, state, isReleaseContract }: JudgedCalldata,
  step: ActionStep,
): string | null | undefined {
  const { read, path, problem } = step
  if (problem !== null) return `${path}: ${problem}`
  if (read === null) return undefined
  const verdict = evaluateCondition(conditionsOf(terms, pair, read.declared), read.args, safe)
  if (!verdict.holds) return `${path}.${verdict.path}: ${verdict.operator}`
  const { positionId, payee } = read.declared.roles
  const paid = valueAt(read.args, payee)
  if (typeof paid === 'string' && isReleaseContract(paid)) {
    return `${path}.${payee}: a contract of the release cannot receive a transfer`
  }
  if (positionId === undefined) return null
  const position = state.positionOf(step)
  if (position === null) return undefined
  if (position === 'NONE') return `${path}.${positionId}: no such position`
  const isOwn = position.owner.toLowerCase() === safe.toLowerCase()
  return isOwn ? null : `${path}.${positionId}: the position belongs to ${position.owner}`
}

/**
 * An allowance must equal the use by later calls of the action, or be 0. Everyone could take an
 * allowance of a batch contract.
 */
function faultOfAllowance(
  { isPlanned, isBatchContract }: JudgedCalldata,
  allowance: GivenAllowance,
): string | null | undefined {
  const { step, spender, amount, used, isUsed } = allowance
  if (spender !== null && amount !== 0n && isBatchContract(spender)) {
    return `${step.path}.spender: a batch contract cannot receive an allowance`
  }
  if (!isUsed || amount === 0n || amount === used) return null
  if (isPlanned(allowance)) return null
  if (amount === null || used === null) return undefined
  return `${step.path}.amount: must be ${used}, the amount that the next calls use, or 0`
}
