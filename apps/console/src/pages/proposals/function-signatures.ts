import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'
import { type Argument, readArgument } from './serialized-arguments.ts'

/** A function of a published interface. */
export interface FunctionSignature {
  readonly name: string
  readonly selector: string
  /** Names of the arguments, or of the members of the only tuple. */
  readonly names: readonly string[]
  /** True if the only argument is a tuple. */
  readonly isTuple: boolean
}

/** Reads `transfer(address to, uint256 amount)` or `collect((uint256 tokenId, …) params)`. */
export function readSignature(text: string): FunctionSignature {
  const isTuple = /\(\(/.test(text)
  const [, name = '', list = ''] = /^(\w+)\(+([^()]*)\)/.exec(text) ?? []
  const parameters = list === '' ? [] : list.split(', ').map((one) => one.split(' '))
  const types = parameters.map(([type]) => type).join(',')
  const canonical = isTuple ? `${name}((${types}))` : `${name}(${types})`
  return {
    name,
    selector: `0x${bytesToHex(keccak_256(utf8ToBytes(canonical)).slice(0, 4))}`,
    names: parameters.map(([, parameter]) => String(parameter)),
    isTuple,
  }
}

/**
 * Arguments by the names of the signature, matched by order: interfaces name the same argument
 * differently. Null if their number differs.
 */
export function readArguments(
  { names, isTuple }: FunctionSignature,
  given: readonly { value: unknown }[],
): ReadonlyMap<string, Argument> | null {
  const read = given.map(({ value }) => readArgument(String(value)))
  const [only] = read
  const isObject = typeof only === 'object' && !Array.isArray(only)
  if (isTuple && (read.length !== 1 || !isObject)) return null
  const values = isTuple ? (Object.values(only ?? {}) as Argument[]) : read
  if (values.length !== names.length) return null
  return new Map(names.map((name, index) => [name, values[index] ?? '']))
}
