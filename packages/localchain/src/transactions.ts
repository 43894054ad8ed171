import {
  type Address,
  decodeErrorResult,
  type Hex,
  hexToBigInt,
  type Log,
  numberToHex,
  type PublicClient,
  parseAbi,
} from 'viem'

/** A transaction from one of the chain's unlocked accounts. */
export type TransactionRequest = {
  readonly from: Address
  /** Absent for a contract creation. */
  readonly to?: Address
  readonly data?: Hex
  /** Wei. */
  readonly value?: bigint
  /** Gas limit, default 12 million: no estimation, so that a revert is mined like any other result. */
  readonly gas?: bigint
}

/** A mined transaction that succeeded. */
export type Mined = {
  readonly transactionHash: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly gasUsed: bigint
  readonly contractAddress: Address | null
  readonly logs: readonly Log<bigint, number, false>[]
}

/** Sends one transaction and waits for the block that holds it. */
export type Send = (request: TransactionRequest) => Promise<Mined>

type RpcLog = {
  readonly address: Address
  readonly data: Hex
  readonly topics: [Hex, ...Hex[]]
} & {
  readonly [field in 'blockHash' | 'transactionHash']: Hex
} & { readonly [field in 'blockNumber' | 'logIndex' | 'transactionIndex']: Hex }

type RpcReceipt = Pick<Mined, 'transactionHash' | 'blockHash' | 'contractAddress'> & {
  readonly [field in 'status' | 'blockNumber' | 'gasUsed']: Hex
} & { readonly logs: readonly RpcLog[] }

const defaultGas = 12_000_000n

/**
 * Makes the sender of a local chain.
 *
 * @returns a function that throws TransactionRevertedError when the transaction was mined and failed
 */
export function sender(client: PublicClient): Send {
  // viem types neither `eth_sendTransactionSync` nor a plain request by name; both are JSON-RPC.
  const request = client.request as (call: {
    method: string
    params: unknown[]
  }) => Promise<unknown>
  return async ({ from, to, data, value, gas = defaultGas }) => {
    const call = {
      from,
      gas: numberToHex(gas),
      ...(to && { to }),
      ...(data && { data }),
      ...(value !== undefined && { value: numberToHex(value) }),
    }
    const sent = { method: 'eth_sendTransactionSync', params: [call] }
    const receipt = (await request(sent)) as RpcReceipt
    if (receipt.status !== '0x1') {
      const before = numberToHex(hexToBigInt(receipt.blockNumber) - 1n)
      const failure = await request({ method: 'eth_call', params: [call, before] }).catch(
        (error: unknown) => error,
      )
      throw new TransactionRevertedError({ reason: revertReason(failure) })
    }
    return {
      transactionHash: receipt.transactionHash,
      blockNumber: hexToBigInt(receipt.blockNumber),
      blockHash: receipt.blockHash,
      gasUsed: hexToBigInt(receipt.gasUsed),
      contractAddress: receipt.contractAddress,
      logs: receipt.logs.map((log) => ({
        ...log,
        blockNumber: hexToBigInt(log.blockNumber),
        logIndex: Number(log.logIndex),
        transactionIndex: Number(log.transactionIndex),
        removed: false,
      })),
    }
  }
}

const errorAbi = parseAbi(['error Error(string reason)'])

/** The string of Solidity's `Error(string)`, or the raw data of any other failure. */
export function decodeRevert(data: Hex): string {
  if (!data.startsWith('0x08c379a0')) return data
  return decodeErrorResult({ abi: errorAbi, data }).args[0]
}

function revertReason(failure: unknown): string {
  for (let error = failure; error instanceof Error; error = error.cause) {
    const data = (error as { data?: unknown }).data
    if (typeof data === 'string' && data.startsWith('0x')) return decodeRevert(data as Hex)
  }
  return failure instanceof Error ? failure.message : ''
}

/** The transaction was mined and had no effect. */
export class TransactionRevertedError extends Error {
  readonly reason: string

  constructor(facts: { readonly reason: string }) {
    super(`the transaction reverted: ${facts.reason}`)
    this.name = 'TransactionRevertedError'
    this.reason = facts.reason
  }
}
