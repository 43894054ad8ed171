import {
  type Abi,
  type AbiParameter,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem'
import { CallRevertedError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { blockArgument, type Pin } from './finalized.ts'

type ViewName<Interface extends Abi> = ContractFunctionName<Interface, 'pure' | 'view'>

/** A view function of a contract and its arguments. */
export type ViewCall<Interface extends Abi, Name extends ViewName<Interface>> = {
  readonly address: Address
  readonly abi: Interface
  readonly functionName: Name
  readonly args?: ContractFunctionArgs<Interface, 'pure' | 'view', Name>
  /** Caller address, for contracts that restrict callers; optional. */
  readonly from?: Address
}

/**
 * Calls a view function at a pinned block.
 *
 * @throws CallRevertedError if it reverts, or returns empty or malformed data
 */
export async function readContract<const Interface extends Abi, Name extends ViewName<Interface>>(
  client: ChainClient,
  pin: Pin,
  call: ViewCall<Interface, Name>,
): Promise<ContractFunctionReturnType<Interface, 'pure' | 'view', Name>> {
  // viem cannot see that the arguments belong to the name while both are type parameters.
  const { abi, functionName, args } = call as unknown as {
    abi: Abi
    functionName: string
    args?: readonly AbiParameter[]
  }
  const data = encodeFunctionData({ abi, functionName, args: args ?? [] })
  const asking = call.from ? { from: call.from } : {}
  const request = [{ ...asking, to: call.address, data }, blockArgument(pin)]
  const answer = await ask<Hex>(client, 'eth_call', request)
  try {
    return decodeFunctionResult({ abi, functionName, data: answer }) as ContractFunctionReturnType<
      Interface,
      'pure' | 'view',
      Name
    >
  } catch {
    throw new CallRevertedError()
  }
}

/** Result of a contract call; null if it reverts, or returns empty or malformed data. */
export async function answered<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}

/**
 * Runs tasks in small batches and preserves their order, so a long scan never floods a provider.
 */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  size: number,
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(read))))
  }
  return results
}
