import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { Hex } from 'viem'
import { batchedCalls } from '../../../integrations/chain/safe-executions.ts'
import { type ReadCall, readCall, valueAt } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { conditionsOf, evaluateCondition } from './conditions.ts'

type Pair = contract.QualifiedVault['pair']

/** A call, planned or executed. */
export interface MadeCall {
  readonly to: string
  readonly value: bigint
  readonly data: Hex
  readonly operation: 0 | 1
}

/** Calls decoded by the signed adapter release. */
export interface ReadCalls {
  /** Individual calls. The calls of a listed batch replace the batch. */
  readonly plain: readonly MadeCall[]
  /** Release contracts among the call targets, with their expected code. */
  readonly expectedCode: ReadonlyMap<string, string>
  readonly isPlain: boolean | null
  /** One entry per plain call; null if no adapter decodes it. */
  readonly read: readonly (ReadCall | null)[]
}

const batchAdapter = 'safe-batch-call-only'
const allowanceAdapter = 'erc20-allowance'

/** Reads calls by a release, with the batches that it lists unfolded. */
export function readCalls(
  calls: readonly MadeCall[],
  chainId: number,
  terms: PolicyTerms,
  release: Release | null,
): ReadCalls {
  const expectedCode = new Map<string, string>()
  let isPlain: boolean | null = true
  const plain = calls.flatMap((call) => {
    if (call.operation === 0) return [call]
    const batch = release && readCall(release, chainId, call, [])
    const inner = batch?.adapter.adapterId === batchAdapter ? batchedCalls(call.data) : null
    if (release === null) isPlain = null
    else if (inner === null || inner.some(({ operation }) => operation === 1)) isPlain = false
    if (inner === null || !batch) return [call]
    noteCode(expectedCode, batch, chainId, call.to)
    return inner
  })
  const read = plain.map((call) => {
    const found = release && readCall(release, chainId, call, terms.approvedAssets)
    if (found) noteCode(expectedCode, found, chainId, call.to)
    return found
  })
  return { plain, expectedCode, isPlain, read }
}

function noteCode(known: Map<string, string>, { adapter }: ReadCall, chainId: number, to: string) {
  const at = adapter.contracts.find(
    (one) => one.chainId === chainId && one.address.toLowerCase() === to.toLowerCase(),
  )
  if (at) known.set(at.address, at.runtimeCodeHash)
}

/** Asset movements in decoded calls, if their arguments show them. */
export interface Movement {
  readonly assets: readonly string[] | null
  readonly adapterIds: readonly string[]
  readonly amountIn: bigint | null
  readonly assetIn: string | null
  readonly assetOut: string | null
  readonly minimumOut: bigint | null
}

/**
 * Tokens and amounts from call arguments. With several movements, the input is known only if all
 * use one token.
 */
export function movementOf({ plain, read }: ReadCalls): Movement {
  const known = read.filter((one) => one !== null)
  const isWhole = known.length === read.length
  const assets = new Set<string>()
  for (const [index, call] of plain.entries()) {
    if (call.value > 0n) assets.add('native')
    const found = read[index]
    if (!found) continue
    for (const role of [found.declared.roles.tokenIn, found.declared.roles.tokenOut]) {
      const token = valueAt(found.args, role)
      if (typeof token === 'string') assets.add(token)
    }
    if (found.adapter.adapterId === allowanceAdapter) assets.add(call.to)
  }
  const moving = known.filter(({ adapter }) => adapter.adapterId !== allowanceAdapter)
  const isAllowance = moving.length === 0
  const counted = isAllowance ? known : moving
  const parts = counted.map((one) => partOf(one, plain[read.indexOf(one)]))
  const [first] = parts
  const isOne = parts.every(({ assetIn }) => assetIn === first?.assetIn)
  return {
    assets: isWhole ? [...assets] : null,
    adapterIds: [...new Set(known.map(({ adapter }) => adapter.adapterId))],
    amountIn: isWhole && first && isOne ? sum(parts.map(({ amountIn }) => amountIn)) : null,
    assetIn: first && isOne ? first.assetIn : null,
    assetOut: parts.length === 1 ? (first?.assetOut ?? null) : null,
    minimumOut: parts.length === 1 ? (first?.minimumOut ?? null) : null,
  }
}

function partOf({ adapter, declared: { roles }, args }: ReadCall, call: MadeCall | undefined) {
  const amount = valueAt(args, roles.amountIn)
  const min = valueAt(args, roles.amountOutMinimum)
  const [tokenIn, tokenOut] = [valueAt(args, roles.tokenIn), valueAt(args, roles.tokenOut)]
  const isAllowance = adapter.adapterId === allowanceAdapter
  return {
    amountIn: typeof amount === 'bigint' ? amount : null,
    minimumOut: typeof min === 'bigint' ? min : null,
    assetIn: typeof tokenIn === 'string' ? tokenIn : isAllowance ? (call?.to ?? null) : null,
    assetOut: typeof tokenOut === 'string' ? tokenOut : null,
  }
}

const sum = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce<bigint | null>(
    (total, one) => (total === null || one === null ? null : total + one),
    0n,
  )

/** Checks calls against the compiled conditions. Null if a call cannot be decoded. */
export function evaluateCalldata(
  { read }: ReadCalls,
  terms: PolicyTerms,
  pair: Pair,
  safe: string,
): { readonly holds: boolean; readonly path: string | null } | null {
  let isWhole = true
  for (const call of read) {
    if (call === null) {
      isWhole = false
      continue
    }
    const verdict = evaluateCondition(conditionsOf(terms, pair, call.declared), call.args, safe)
    if (!verdict.holds) {
      return { holds: false, path: `${call.abi.name}.${verdict.path}: ${verdict.operator}` }
    }
  }
  return isWhole ? { holds: true, path: null } : null
}
