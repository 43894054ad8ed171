import type { contract } from '@liquidity-os/contract'
import {
  type AbiFunction,
  type AbiParameter,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbiItem,
  size,
  slice,
} from 'viem'
import { textOrEmpty } from '../../texts.ts'
import { contractAt } from './contract-code.ts'
import type { Release } from './release.ts'

type Adapter = contract.Adapter
/** Declaration of a function, or of a router command, whose selector is one byte. */
export type Declared = Pick<contract.AdapterFunction, 'signature' | 'roles'> & {
  readonly selector: string
  readonly kind: contract.AdapterFunctionKind
  readonly commands: NonNullable<contract.AdapterFunction['commands']>
  /** Arguments that must be 0, because another value voids a declared role. */
  readonly zeros: readonly string[]
}

/** A call that a release can read. */
export interface ReadCall {
  readonly adapter: Adapter
  readonly declared: Declared
  readonly abi: AbiFunction
  /** By the names of the signature; tuples as objects, lists as arrays. */
  readonly args: Readonly<Record<string, unknown>>
}

const parsed = new Map<string, AbiFunction>()

/** The function of an adapter as its interface. */
export function abiOf({ signature }: Pick<contract.AdapterFunction, 'signature'>): AbiFunction {
  const before = parsed.get(signature)
  if (before) return before
  const abi = parseAbiItem(`function ${signature}` as string) as AbiFunction
  // Bounded: releases have at most 256 adapters with 64 functions each.
  parsed.set(signature, abi)
  return abi
}

/** Kinds of the adapters of releases before kinds existed. */
const firstKinds: Readonly<Record<string, contract.AdapterFunctionKind>> = {
  'erc20-allowance': 'APPROVE',
  'safe-batch-call-only': 'BATCH',
  'cow-gpv2-order': 'ORDER',
}

export function declaredOf(adapter: Adapter, declared: contract.AdapterFunction): Declared {
  const kind = declared.kind ?? firstKinds[adapter.adapterId] ?? 'SWAP'
  const paths = abiOf(declared).inputs.flatMap((input) => pathsOf(input, ''))
  const zeros = kind === 'SWAP' ? zerosOf(paths) : []
  // An allowance of Permit2 ends by itself.
  const isEnding = kind === 'APPROVE' && paths.includes('expiration')
  const roles = isEnding ? { deadline: 'expiration', ...declared.roles } : declared.roles
  return { ...declared, roles, kind, commands: declared.commands ?? [], zeros }
}

/**
 * The price limit of a swap with an exact output. Both Uniswap v3 routers require the whole output
 * only if `sqrtPriceLimitX96` is 0. Otherwise they stop at the limit, pay less and keep the input.
 * With an exact input, a limit only reduces the input, and the minimum output always binds.
 *
 * The signature decides, not a role, so that the rule also covers releases signed before it.
 *
 * @see SwapRouter and V3SwapRouter, `exactOutputInternal` and `exactInputSingle`
 */
function zerosOf(paths: readonly string[]): string[] {
  const isExactOutput = paths.some((path) => /(?:^|\.)amountInMax(?:imum)?$/.test(path))
  return isExactOutput ? paths.filter((path) => /(?:^|\.)sqrtPriceLimitX96$/.test(path)) : []
}

/** Paths of the values in an argument. */
function pathsOf(input: AbiParameter, above: string): string[] {
  const path = above === '' ? parameterName(input) : `${above}.${parameterName(input)}`
  return 'components' in input && input.type === 'tuple'
    ? input.components.flatMap((inner) => pathsOf(inner, path))
    : [path]
}

/**
 * Decodes a call with the adapters of a release. The target must be a contract of the adapter, or,
 * for asset adapters, one of `assets`. Calldata that does not re-encode to the same bytes is
 * rejected.
 */
export function readCall(
  { manifest }: Pick<Release, 'manifest'>,
  chainId: number,
  { to, data }: { readonly to: string; readonly data: Hex },
  assets: readonly string[],
): ReadCall | null {
  if (size(data) < 4) return null
  const selector = slice(data, 0, 4)
  for (const adapter of manifest.adapters) {
    if (!isTarget(adapter, chainId, to, assets)) continue
    const found = adapter.functions.find((one) => one.selector === selector)
    const declared = found && declaredOf(adapter, found)
    const abi = declared && abiOf(declared)
    const args = abi && argumentsOf(abi, data)
    if (declared && abi && args) return { adapter, declared, abi, args }
  }
  return null
}

function isTarget(
  adapter: Adapter,
  chainId: number,
  to: string,
  assets: readonly string[],
): boolean {
  return adapter.contracts.length === 0
    ? assets.some((asset) => asset.toLowerCase() === to.toLowerCase())
    : contractAt(adapter, chainId, to) !== undefined
}

/**
 * True for a batch contract of a release. It makes any call for any caller, so an allowance to it is
 * an allowance to everyone. The other contracts of a release take tokens from their caller only.
 */
export const isBatchContract = (
  { manifest }: Pick<Release, 'manifest'>,
  chainId: number,
  address: string,
): boolean =>
  manifest.adapters.some(
    (adapter) =>
      contractAt(adapter, chainId, address) !== undefined &&
      adapter.functions.some((one) => declaredOf(adapter, one).kind === 'BATCH'),
  )

/** The key of an argument. A signature may omit the names of parameters. */
export const parameterName = ({ name }: AbiParameter): string => textOrEmpty(name)

export function argumentsOf(abi: AbiFunction, data: Hex): Record<string, unknown> | null {
  try {
    const { args } = decodeFunctionData({ abi: [abi], data })
    const given = (args ?? []) as readonly unknown[]
    if (encodeFunctionData({ abi: [abi], args: given }) !== data) return null
    return Object.fromEntries(
      abi.inputs.map((input, index) => [parameterName(input), given[index]]),
    )
  } catch {
    return null
  }
}

/** The value at a path of a release; undefined if the path does not exist. */
export function valueAt(args: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined
  return path.split('.').reduce<unknown>((value, name) => {
    const items = typeof value === 'string' ? tokensOfPath(value) : value
    if (Array.isArray(items)) {
      return name === 'first' ? items[0] : name === 'last' ? items.at(-1) : undefined
    }
    return (value as Record<string, unknown> | undefined)?.[name]
  }, args)
}

/**
 * Tokens of a Uniswap v3 path: 20 bytes of a token, then 3 bytes of a fee and 20 of the next token,
 * repeated. Null for other bytes.
 */
export function tokensOfPath(value: string): string[] | null {
  const bytes = (value.length - 2) / 2
  if (!/^0x[0-9a-fA-F]*$/.test(value) || bytes < 43 || (bytes - 20) % 23 !== 0) return null
  return Array.from({ length: (bytes - 20) / 23 + 1 }, (_, index) => {
    const start = index * 23
    return getAddress(slice(value as Hex, start, start + 20))
  })
}

export function serializeArguments(
  inputs: readonly AbiParameter[],
  args: Readonly<Record<string, unknown>>,
): { name: string; value: string }[] {
  return inputs.map(({ name = '' }) => ({ name, value: serializeValue(args[name]) }))
}

function serializeValue(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return `[${value.map(serializeValue).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, inner]) => `${name}: ${serializeValue(inner)}`)
    return `{ ${parts.join(', ')} }`
  }
  return String(value)
}
