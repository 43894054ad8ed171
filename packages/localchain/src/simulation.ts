import { type Address, type Hex, numberToHex, type PublicClient } from 'viem'

export type SimulatedCall = { readonly from: Address; readonly to: Address; readonly data: Hex }

export type SimulatedBlock = {
  /** Block time in seconds; absent follows the parent. */
  readonly timestamp?: number
  readonly calls: readonly SimulatedCall[]
}

export type SimulatedLog = {
  readonly address: Address
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
}

export type SimulatedResult = {
  readonly succeeded: boolean
  /** Return data of the call, or its revert data. */
  readonly returnData: Hex
  readonly gasUsed: bigint
  readonly logs: readonly SimulatedLog[]
}

type RpcResult = {
  readonly status: Hex
  readonly returnData: Hex
  readonly gasUsed: Hex
  readonly logs: readonly SimulatedLog[]
  readonly error?: { readonly data?: Hex }
}

/**
 * Executes blocks of calls on top of the latest block and discards them (`eth_simulateV1`). It runs
 * the same code in the same machine as a mined transaction, without the mining.
 *
 * @param gasPerCall gas limit per call; the block gas limit is the sum over its calls
 */
export async function simulateBlocks(
  client: PublicClient,
  blocks: readonly SimulatedBlock[],
  gasPerCall = 30_000_000n,
): Promise<SimulatedResult[][]> {
  const blockStateCalls = blocks.map(({ timestamp, calls }) => ({
    blockOverrides: {
      gasLimit: numberToHex(gasPerCall * BigInt(calls.length + 1)),
      ...(timestamp !== undefined && { time: numberToHex(timestamp) }),
    },
    calls: calls.map((call) => ({ ...call, gas: numberToHex(gasPerCall) })),
  }))
  const request = client.request as (call: {
    method: string
    params: unknown[]
  }) => Promise<readonly { readonly calls: readonly RpcResult[] }[]>
  const options = { blockStateCalls, validation: false }
  const simulated = await request({ method: 'eth_simulateV1', params: [options, 'latest'] })
  return simulated.map(({ calls }) =>
    calls.map(({ status, returnData, gasUsed, logs, error }) => ({
      succeeded: status === '0x1',
      returnData: status === '0x1' ? returnData : (error?.data ?? returnData),
      gasUsed: BigInt(gasUsed),
      logs,
    })),
  )
}
