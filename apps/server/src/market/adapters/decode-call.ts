import type { contract } from '@liquidity-os/contract'
import {
  type AbiFunction,
  type AbiParameter,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
  size,
  slice,
} from 'viem'
import { textOrEmpty } from '../../texts.ts'
import type { Release } from './release.ts'

type Adapter = contract.Adapter

/** A call that a release can read. */
export interface ReadCall {
  readonly adapter: Adapter
  readonly declared: contract.AdapterFunction
  readonly abi: AbiFunction
  /** By the names of the signature; tuples as objects, lists as arrays. */
  readonly args: Readonly<Record<string, unknown>>
}

/** The function of an adapter as its interface. */
export const abiOf = ({ signature }: contract.AdapterFunction): AbiFunction =>
  parseAbiItem(`function ${signature}` as string) as AbiFunction

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
    const declared = adapter.functions.find((one) => one.selector === selector)
    const abi = declared && abiOf(declared)
    const args = abi && argumentsOf(abi, data)
    if (declared && abi && args) return { adapter, declared, abi, args }
  }
  return null
}

function isTarget(
  { contracts }: Adapter,
  chainId: number,
  to: string,
  assets: readonly string[],
): boolean {
  const same = (address: string) => address.toLowerCase() === to.toLowerCase()
  return contracts.length === 0
    ? assets.some(same)
    : contracts.some((one) => one.chainId === chainId && same(one.address))
}

/** The key of an argument. A signature may omit the names of parameters. */
export const parameterName = ({ name }: AbiParameter): string => textOrEmpty(name)

function argumentsOf(abi: AbiFunction, data: Hex): Record<string, unknown> | null {
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
    if (Array.isArray(value)) {
      return name === 'first' ? value[0] : name === 'last' ? value.at(-1) : undefined
    }
    return (value as Record<string, unknown> | undefined)?.[name]
  }, args)
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
