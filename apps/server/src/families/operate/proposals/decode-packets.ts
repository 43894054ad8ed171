import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, type Hex, size, slice } from 'viem'
import { batchedCalls } from '../../../integrations/chain/safe-executions.ts'
import {
  type ReadCall,
  readCall,
  serializeArguments,
  valueAt,
} from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { resolveSender, unfoldCall } from '../../../market/adapters/unfold-call.ts'
import { commitmentAddress } from '../autonomy-policies/api.ts'
import type { PlainCall } from './packet-calls.ts'
import { type StandardCall, standardCall } from './standard-calls.ts'

type Decoded = contract.ProposalCall

export interface CallContext {
  readonly chainId: number
  readonly safe: Address
  readonly pair: contract.QualifiedVault['pair']
  readonly release: Release | null
  readonly codes: ReadonlyMap<Address, Hex>
  readonly factories: readonly Address[]
}

/** A call with the facts that raise flags. */
export interface ReadPacketCall {
  readonly call: PlainCall
  readonly decoded: Decoded
  /** Recipients of outgoing assets, if the arguments show them. */
  readonly recipients: readonly Address[]
  readonly allowance: { readonly spender: Address; readonly amount: bigint } | null
  readonly isControl: boolean
  /** Nested calls in a batch that another contract executes. */
  readonly nested: ReturnType<typeof batchedCalls>
  /** True if the target is a contract of the release, or runs a published build. */
  readonly isKnownTarget: boolean
}

/** Reads a call: by the signed release, else by a published interface, else not at all. */
export function decodePacketCall(context: CallContext, call: PlainCall): ReadPacketCall {
  const { to, value, data } = call
  const common = {
    to,
    value: `${value}`,
    data,
    operation: 'CALL' as const,
    selector: size(data) < 4 ? null : slice(data, 0, 4),
  }
  const bare = { call, recipients: [], allowance: null, isControl: false, isKnownTarget: false }
  const coin = value > 0n ? `, with ${value} wei` : ''
  const unread = { adapterId: null, arguments: null, functionName: null }
  if (to === commitmentAddress) {
    const words = `Commit to the policy ${slice(data, 0, Math.min(32, size(data)))}${coin}.`
    const committed: Decoded = { ...common, ...unread, readBy: 'COMMITMENT', words }
    return { ...bare, decoded: committed, nested: null, isKnownTarget: true }
  }
  const nested = batchedCalls(data)
  if (data === '0x') {
    const coinCall: Decoded = {
      ...common,
      ...unread,
      readBy: 'COIN',
      words: `Send ${value} wei to ${to}.`,
    }
    return { ...bare, decoded: coinCall, nested: null, recipients: value > 0n ? [to] : [] }
  }
  return (
    byRelease(context, call, common, coin) ??
    byStandard(context, call, common, coin) ?? {
      ...bare,
      nested,
      decoded: {
        ...common,
        ...unread,
        readBy: null,
        words: `Call ${to}; the service cannot decode this call${coin}.`,
      },
    }
  )
}

type Common = Pick<Decoded, 'to' | 'value' | 'data' | 'operation' | 'selector'>

function byRelease(
  { release, chainId, pair, safe }: CallContext,
  call: PlainCall,
  common: Common,
  coin: string,
): ReadPacketCall | null {
  const read = release && readCall(release, chainId, call, [pair.base, pair.quote])
  if (!read) return null
  const nested = unfoldCall(read)
  // A nested call that the release does not read makes the whole call unreadable.
  if (nested.some(({ problem }) => problem !== null)) return null
  const parts = [read, ...nested.flatMap((one) => one.read ?? [])].map((one) =>
    resolveSender(one, safe),
  )
  const spender = valueAt(read.args, read.declared.roles.spender)
  const amount = valueAt(read.args, read.declared.roles.amountIn)
  const isAllowance = typeof spender === 'string' && typeof amount === 'bigint'
  const words = nested.length > 0 ? `${read.adapter.name}: ` : ''
  const sentences = parts
    .filter(({ declared: { kind } }) => kind !== 'MULTICALL' && kind !== 'ROUTER')
    .map((one) => sentenceOf(one, call.to, pair, safe))
  return {
    call,
    isControl: false,
    nested: batchedCalls(call.data),
    isKnownTarget: true,
    recipients: parts.flatMap(recipientsIn),
    allowance: isAllowance ? { spender: getAddress(spender), amount } : null,
    decoded: {
      ...common,
      adapterId: read.adapter.adapterId,
      arguments: serializeArguments(read.abi.inputs, read.args),
      functionName: read.abi.name,
      readBy: 'RELEASE',
      words: `${words}${sentences.join('; ')}${coin}.`.slice(0, 1000),
    },
  }
}

function recipientsIn({ args, declared: { roles } }: ReadCall): Address[] {
  return [roles.recipient, roles.payee, roles.owner].flatMap((path) => {
    const recipient = valueAt(args, path)
    return typeof recipient === 'string' ? [getAddress(recipient)] : []
  })
}

/** What a call does, from the roles of its arguments. */
function sentenceOf(
  { adapter, abi, args, declared: { kind, roles } }: ReadCall,
  to: Address,
  pair: CallContext['pair'],
  safe: Address,
): string {
  const at = (path: string | undefined) => valueAt(args, path)
  const [recipient, spender, amount] = [at(roles.recipient), at(roles.spender), at(roles.amountIn)]
  const [tokenIn, tokenOut] = [at(roles.tokenIn), at(roles.tokenOut)]
  if (typeof spender === 'string' && typeof amount === 'bigint') {
    return `Allow ${spender} to spend up to ${amount} of ${nameOf(to, pair)}`
  }
  if (typeof tokenIn === 'string' && typeof tokenOut === 'string') {
    return `Swap ${amount} of ${nameOf(tokenIn, pair)} for at least ${at(roles.amountOutMinimum)} of ${nameOf(tokenOut, pair)}, to ${recipient === safe ? 'the Safe' : recipient}`
  }
  if (kind === 'TRANSFER') {
    const [moved] = roles.amountsIn ?? []
    return `Transfer ${at(moved?.amount)} of ${nameOf(to, pair)} to ${at(roles.payee)}`
  }
  const list = serializeArguments(abi.inputs, args)
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ')
  return `${adapter.name}: ${abi.name}${list ? ` with ${list}` : ''}`
}

function byStandard(
  context: CallContext,
  call: PlainCall,
  common: Common,
  coin: string,
): ReadPacketCall | null {
  const code = context.codes.get(call.to) ?? '0x'
  const read = standardCall({ ...context, to: call.to, code }, call.data)
  if (!read) return null
  const { spender, amount } = read.args
  const allowance =
    read.abi.name === 'approve' && typeof spender === 'string' && typeof amount === 'bigint'
      ? { spender: getAddress(spender), amount }
      : null
  return {
    call,
    allowance,
    nested: null,
    isKnownTarget: read.isKnownCode,
    recipients: recipientsOf(read),
    isControl: read.kind === 'SAFE',
    decoded: {
      ...common,
      adapterId: null,
      functionName: read.abi.name,
      readBy: 'STANDARD',
      arguments: serializeArguments(read.abi.inputs, read.args),
      words: `${wordsOf(read, call.to, context)}${coin}.`.slice(0, 1000),
    },
  }
}

/** Argument names for recipients in published interfaces. */
const recipientNames = ['to', 'recipient']

function recipientsOf({ args, kind }: StandardCall): Address[] {
  if (kind === 'SAFE') return []
  const structs = Object.values(args).filter(
    (value): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  )
  return [args, ...structs].flatMap((members) =>
    recipientNames.flatMap((name) => {
      const value = members[name]
      return typeof value === 'string' ? [getAddress(value)] : []
    }),
  )
}

function wordsOf({ abi, args, kind }: StandardCall, to: Address, context: CallContext): string {
  const token = nameOf(to, context.pair)
  if (kind === 'TOKEN' && abi.name === 'transfer') {
    return `Transfer ${args.amount} of ${token} to ${args.to}`
  }
  if (kind === 'TOKEN' && abi.name === 'approve') {
    return `Allow ${args.spender} to spend up to ${args.amount} of ${token}`
  }
  const argumentText = serializeArguments(abi.inputs, args)
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ')
  const where = kind === 'SAFE' ? 'the Safe itself' : to
  return `${abi.name} on ${where}: ${argumentText || 'no arguments'}`
}

function nameOf(token: string, { base, quote }: CallContext['pair']): string {
  const is = (other: string) => other.toLowerCase() === token.toLowerCase()
  return is(base) ? `the base ${base}` : is(quote) ? `the quote ${quote}` : token
}
