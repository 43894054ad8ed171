import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, size, slice } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import {
  batchedCalls,
  carriedCalls,
  detailedCall,
  detailedModuleCall,
  loggedHashes,
  type SafeCall,
  type SignedSafeCall,
} from '../../../integrations/chain/safe-executions.ts'
import { executedSigners } from '../../../integrations/chain/safe-signers.ts'
import { type ExecutedBlock, type Execution, isCallOnlyBatch } from './executions.ts'

type Gap = contract.ExecutionReceipt['gaps'][number]

export interface PlainCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly operation: 'CALL' | 'DELEGATECALL'
}

/** Data on an execution beyond its log. Unknown values are null, with a reason in `gaps`. */
export interface Resolved {
  readonly nonce: bigint | null
  readonly call: SignedSafeCall | null
  readonly calls: readonly PlainCall[] | null
  readonly signers: readonly Address[] | null
  readonly gaps: readonly Gap[]
}

const gap = (code: string, detail: string): Gap => ({ code, detail })
/** Maximum nonces of a Safe per block; more are not tried. */
const maxNonces = 256n

interface SafeContext {
  readonly chainId: number
  readonly safe: Address
  /** Calls of approved packets: a relayer can execute one without visible call data. */
  readonly approved: readonly SafeCall[]
}

/** Finds the executed call: its hash must equal the hash that the Safe logged. */
export async function resolveExecution(
  client: ChainClient,
  context: SafeContext,
  executed: ExecutedBlock,
  execution: Execution,
): Promise<Resolved> {
  return execution.logged.via === 'SAFE'
    ? resolveSigned(client, context, executed, execution, execution.logged.hash)
    : resolveModule(client, executed, execution, execution.logged.module)
}

async function resolveSigned(
  client: ChainClient,
  context: SafeContext,
  executed: ExecutedBlock,
  { own, receipt, sent }: Execution,
  hash: Hex,
): Promise<Resolved> {
  const { before, after } = executed
  const details = [...own, ...receipt.logs].flatMap((log) =>
    log.address === context.safe ? (detailedCall(log) ?? []) : [],
  )
  const agreed = context.approved.map((call): SignedSafeCall => ({ ...call, signatures: '0x' }))
  const candidates = [...details, ...carriedCalls(sent.input), ...agreed]
  const nonces = noncesOf(executed)
  if (nonces === null) {
    const detail = 'The provider lacks the state of the parent block, so nonces cannot be tested.'
    return unresolved([gap('STATE_UNAVAILABLE', detail)])
  }
  const found = nonces
    .flatMap((nonce) => candidates.map((call) => ({ nonce, call })))
    .find(({ nonce, call }) =>
      loggedHashes(context.chainId, context.safe, call, nonce).includes(hash),
    )
  if (!found) {
    const detail = 'No call in the transaction or in the Safe logs has the logged hash.'
    return unresolved([gap('CALLS_UNRESOLVED', detail)])
  }
  const { nonce, call } = found
  const threshold = before?.safe?.threshold
  const owners = [...(before?.safe?.owners ?? []), ...(after?.safe?.owners ?? [])]
  const signers =
    threshold === undefined ? null : await executedSigners(hash, call.signatures, threshold, owners)
  const calls = await plainCalls(client, executed, call)
  const unknown = 'The signatures do not match owners of the Safe around that block.'
  return { nonce, call, calls, signers, gaps: signers ? [] : [gap('SIGNERS_UNRESOLVED', unknown)] }
}

/** Nonces that a block used; null if the state before the block is unknown. */
function noncesOf({ before, after, executions }: ExecutedBlock): bigint[] | null {
  const first = before?.safe?.nonce
  if (first === undefined) return null
  const signed = BigInt(executions.filter(({ logged }) => logged.via === 'SAFE').length)
  const last = after?.safe?.nonce ?? first + signed
  const count = last - first > maxNonces ? maxNonces : last - first
  return Array.from({ length: Number(count) }, (_, index) => first + BigInt(index))
}

async function resolveModule(
  client: ChainClient,
  executed: ExecutedBlock,
  { own, receipt, log }: Execution,
  module: Address,
): Promise<Resolved> {
  // Module call details nest like calls: the last open one ends here.
  const moduleCalls = receipt.logs
    .filter(({ address, logIndex }) => address === log.address && logIndex < log.logIndex)
    .flatMap((one) => detailedModuleCall(one) ?? [])
    .filter((call) => call.module.toLowerCase() === module.toLowerCase())
  const call = own.length > 0 ? moduleCalls.at(-1) : undefined
  if (!call) {
    const detail = 'A Safe build that is not the L2 build does not log module calls.'
    return unresolved([gap('CALLS_UNRESOLVED', detail)], [])
  }
  const operation = call.operation === 1 ? 1 : 0
  const calls = await plainCalls(client, executed, { ...call, operation })
  return { nonce: null, call: null, calls, signers: [], gaps: [] }
}

const unresolved = (gaps: readonly Gap[], signers: readonly Address[] | null = null): Resolved => ({
  nonce: null,
  call: null,
  calls: null,
  signers,
  gaps,
})

/** Effective calls: the calls in a known batch contract, else the call itself. */
async function plainCalls(
  client: ChainClient,
  { block }: ExecutedBlock,
  { to, value, data, operation }: Pick<SignedSafeCall, 'to' | 'value' | 'data' | 'operation'>,
): Promise<PlainCall[]> {
  const itself: PlainCall = {
    to,
    value,
    data,
    operation: operation === 1 ? 'DELEGATECALL' : 'CALL',
  }
  if (operation === 0) return [itself]
  const batched = batchedCalls(data)
  if (batched === null || !(await isCallOnlyBatch(client, block, to))) return [itself]
  return batched.map((call) => ({
    to: call.to,
    value: call.value,
    data: call.data,
    operation: call.operation === 1 ? 'DELEGATECALL' : 'CALL',
  }))
}

/** Function selector of a call; null if the data is too short. */
export const selectorOf = (data: Hex): Hex | null => (size(data) < 4 ? null : slice(data, 0, 4))
