import { decodeAbiParameters, encodeAbiParameters, getAddress, type Hex, size, slice } from 'viem'
import {
  abiOf,
  argumentsOf,
  type Declared,
  declaredOf,
  parameterName,
  type ReadCall,
  valueAt,
} from './decode-call.ts'

/** A call inside another call, which a release reads or refuses. */
export interface NestedCall {
  /** Null if the call is refused. */
  readonly read: ReadCall | null
  /** Position from the outer function inwards, such as `multicall.data.1`. */
  readonly path: string
  /** Reason of a refusal. */
  readonly problem: string | null
}

const maxDepth = 2
const maxNested = 16

/**
 * Calls inside a multicall or a router execution, in order. A call without nested calls gives none.
 *
 * Multicalls are read to depth 2 and 16 calls. A nested call that the adapter does not declare is a
 * refusal, not a gap: it acts with the rights of the outer call.
 */
export function unfoldCall(outer: ReadCall): NestedCall[] {
  const nested = nestedIn(outer, outer.abi.name, 1)
  if (nested.length <= maxNested) return nested
  const problem = `${nested.length} nested calls, at most ${maxNested} are read`
  return [...nested.slice(0, maxNested), { read: null, path: outer.abi.name, problem }]
}

function nestedIn(outer: ReadCall, above: string, depth: number): NestedCall[] {
  const { kind, roles } = outer.declared
  if (kind !== 'MULTICALL' && kind !== 'ROUTER') return []
  const items = valueAt(outer.args, roles.calls)
  const calls = Array.isArray(items) ? (items as readonly Hex[]) : []
  if (kind === 'ROUTER') return commandsIn(outer, calls, above)
  return calls.flatMap((data, index) => {
    const path = `${above}.${roles.calls}.${index}`
    if (depth > maxDepth) {
      return [{ read: null, path, problem: `nested deeper than ${maxDepth} calls` }]
    }
    const read = readNested(outer, data)
    if (read === null) {
      const selector = size(data) < 4 ? data : slice(data, 0, 4)
      return [
        { read, path, problem: `${selector} is not a function of ${outer.adapter.adapterId}` },
      ]
    }
    return [{ read, path, problem: null }, ...nestedIn(read, path, depth + 1)]
  })
}

function readNested({ adapter }: ReadCall, data: Hex): ReadCall | null {
  const selector = size(data) < 4 ? null : slice(data, 0, 4)
  const found = adapter.functions.find((one) => one.selector === selector)
  if (!found) return null
  const declared = declaredOf(adapter, found)
  const abi = abiOf(declared)
  const args = argumentsOf(abi, data)
  return args && { adapter, declared, abi, args }
}

function commandsIn(outer: ReadCall, inputs: readonly Hex[], above: string): NestedCall[] {
  const { commands } = outer.args
  const bytes = typeof commands === 'string' ? (commands as Hex) : '0x'
  if (size(bytes) !== inputs.length) {
    const problem = `${size(bytes)} commands with ${inputs.length} inputs`
    return [{ read: null, path: `${above}.commands`, problem }]
  }
  return inputs.map((input, index) => {
    const command = slice(bytes, index, index + 1)
    const path = `${above}.commands.${index}`
    const read = readCommand(outer, command, input)
    if (read !== null) return { read, path, problem: null }
    return { read, path, problem: `command ${command} is not readable` }
  })
}

function readCommand({ adapter, declared }: ReadCall, command: Hex, input: Hex): ReadCall | null {
  const found = declared.commands.find((one) => one.command === command)
  if (!found) return null
  const own: Declared = { ...found, selector: found.command, commands: [], zeros: [] }
  const abi = abiOf(own)
  try {
    const given = decodeAbiParameters(abi.inputs, input) as readonly unknown[]
    if (encodeAbiParameters(abi.inputs, given) !== input) return null
    const args = Object.fromEntries(
      abi.inputs.map((one, index) => [parameterName(one), given[index]]),
    )
    return { adapter, declared: own, abi, args }
  } catch {
    return null
  }
}

/**
 * The call with the caller in place of the router's constant for it. Some routers read a recipient
 * of 1 as the caller.
 */
export function resolveSender(read: ReadCall, sender: string): ReadCall {
  const { senderAlias } = read.adapter
  const { recipient } = read.declared.roles
  if (senderAlias === undefined || recipient === undefined) return read
  const given = valueAt(read.args, recipient)
  if (typeof given !== 'string' || given.toLowerCase() !== senderAlias.toLowerCase()) return read
  return { ...read, args: replaced(read.args, recipient.split('.'), getAddress(sender)) }
}

function replaced(
  args: ReadCall['args'],
  [name = '', ...rest]: readonly string[],
  value: string,
): ReadCall['args'] {
  if (rest.length === 0) return { ...args, [name]: value }
  return { ...args, [name]: replaced(args[name] as ReadCall['args'], rest, value) }
}
