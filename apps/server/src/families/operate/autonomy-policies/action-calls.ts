import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { Hex } from 'viem'
import { batchedCalls } from '../../../integrations/chain/safe-executions.ts'
import {
  contractAt,
  type ExpectedCode,
  expectedCode,
} from '../../../market/adapters/contract-code.ts'
import { type ReadCall, readCall } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { resolveSender, unfoldCall } from '../../../market/adapters/unfold-call.ts'

/** A call, planned or executed. */
export interface MadeCall {
  readonly to: string
  readonly value: bigint
  readonly data: Hex
  readonly operation: 0 | 1
}

/** A call of the Safe, or a call nested in it. The rules apply to each. */
export interface ActionStep {
  /** The call of the Safe. Nested calls act on the same target, without value. */
  readonly to: string
  readonly value: bigint
  /** Calldata of a call of the Safe; null for a nested call. */
  readonly data: Hex | null
  /** Null if no adapter decodes the call, or if it is refused. */
  readonly read: ReadCall | null
  /** Function, with the position inside the outer call. */
  readonly path: string
  /** Reason of a refusal; null for an unreadable call of the Safe itself. */
  readonly problem: string | null
}

/** Calls decoded by the signed adapter release. */
export interface ReadCalls {
  /** Individual calls. The calls of a listed batch replace the batch. */
  readonly plain: readonly MadeCall[]
  /** Release contracts among the call targets, with their expected code. */
  readonly expectedCode: readonly ExpectedCode[]
  readonly isPlain: boolean | null
  /** The plain calls in order, each followed by the calls nested in it. */
  readonly steps: readonly ActionStep[]
}

export const batchAdapter = 'safe-batch-call-only'

/**
 * Reads calls by a release, with the batches that it lists unfolded.
 *
 * @param safe the caller, for routers that have a constant for it
 */
export function readCalls(
  calls: readonly MadeCall[],
  chainId: number,
  terms: Pick<PolicyTerms, 'approvedAssets'>,
  release: Release | null,
  safe: string,
): ReadCalls {
  const codes = new Map<string, ExpectedCode>()
  let isPlain: boolean | null = true
  const plain = calls.flatMap((call) => {
    if (call.operation === 0) return [call]
    const batch = release && readCall(release, chainId, call, [])
    const inner = batch?.adapter.adapterId === batchAdapter ? batchedCalls(call.data) : null
    if (release === null) isPlain = null
    else if (inner === null || inner.some(({ operation }) => operation === 1)) isPlain = false
    if (inner === null || !batch) return [call]
    noteCode(codes, batch, chainId, call.to)
    return inner
  })
  const steps = plain.flatMap((call) => {
    const read = release && readCall(release, chainId, call, terms.approvedAssets)
    if (read) noteCode(codes, read, chainId, call.to)
    return stepsOf(call, read, safe)
  })
  return { plain, expectedCode: [...codes.values()], isPlain, steps }
}

const byCall =
  'a batch that is called acts as the batch contract; only the Safe can execute one, by delegate call'

function stepsOf(
  { to, value, data, operation }: MadeCall,
  read: ReadCall | null,
  safe: string,
): ActionStep[] {
  if (read === null) return [{ to, value, data, read, path: to, problem: null }]
  const isCalledBatch = read.declared.kind === 'BATCH' && operation === 0
  const own: ActionStep = {
    to,
    value,
    data,
    read: resolveSender(read, safe),
    path: read.abi.name,
    problem: isCalledBatch ? byCall : null,
  }
  const nested = unfoldCall(read).map(
    (one): ActionStep => ({
      to,
      value: 0n,
      data: null,
      read: one.read && resolveSender(one.read, safe),
      path: one.read ? `${one.path}.${one.read.abi.name}` : one.path,
      problem: one.problem,
    }),
  )
  return [own, ...nested]
}

function noteCode(
  known: Map<string, ExpectedCode>,
  { adapter }: ReadCall,
  chainId: number,
  to: string,
) {
  const at = contractAt(adapter, chainId, to)
  if (at) known.set(`${adapter.adapterId} ${at.address}`, expectedCode(adapter, at))
}
