import {
  type Address,
  concatHex,
  encodeFunctionData,
  encodePacked,
  type Hex,
  hashTypedData,
  type LocalAccount,
  parseEventLogs,
  size,
  zeroAddress,
} from 'viem'
import { multiSendAbi, safeAbi, safeProxyFactoryAbi } from './abis.ts'
import type { Localchain } from './localchain.ts'

/** A Safe transaction whose gas is paid by whoever sends it: refund fields are zero. */
export type SafeTransaction = {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  /** 0 call, 1 delegate call. */
  readonly operation: 0 | 1
  readonly nonce: bigint
}

const refund = {
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
} as const

const safeTransactionFields = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
] as const

/**
 * Creates a Safe 1.4.1 through the genuine proxy factory.
 *
 * @param owners    signers
 * @param threshold signatures needed, 1..owners.length
 * @param saltNonce tells apart Safes of the same owners, default 0
 */
export async function createSafe(
  chain: Localchain,
  terms: {
    readonly owners: readonly Address[]
    readonly threshold: number
    readonly saltNonce?: bigint
  },
): Promise<Address> {
  const { safeSingleton, safeProxyFactory, fallbackHandler } = chain.contracts
  const owners = [...terms.owners]
  const none = [zeroAddress, '0x'] as const
  const setup = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [
      ...([owners, BigInt(terms.threshold), ...none] as const),
      ...([fallbackHandler, zeroAddress, 0n, zeroAddress] as const),
    ],
  })
  const data = encodeFunctionData({
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [safeSingleton, setup, terms.saltNonce ?? 0n],
  })
  const mined = await chain.send({ from: chain.accounts[0]!.address, to: safeProxyFactory, data })
  const [created] = parseEventLogs({
    abi: safeProxyFactoryAbi,
    logs: [...mined.logs],
    eventName: 'ProxyCreation',
  })
  if (created === undefined) throw new Error('the proxy factory created no Safe')
  return created.args.proxy
}

/** The EIP-712 document of a Safe transaction, as owners sign it. */
export function safeTypedData(chainId: number, safe: Address, transaction: SafeTransaction) {
  return {
    domain: { chainId, verifyingContract: safe },
    types: { SafeTx: safeTransactionFields },
    primaryType: 'SafeTx',
    message: { ...transaction, ...refund },
  } as const
}

/** The hash owners sign; equals the contract's `getTransactionHash`. */
export function safeTransactionHash(
  chainId: number,
  safe: Address,
  transaction: SafeTransaction,
): Hex {
  return hashTypedData(safeTypedData(chainId, safe, transaction))
}

/** Signs with every given owner and joins the signatures in ascending order of the signers. */
export async function signSafeTransaction(
  chainId: number,
  safe: Address,
  transaction: SafeTransaction,
  signers: readonly LocalAccount[],
): Promise<Hex> {
  const document = safeTypedData(chainId, safe, transaction)
  const ascending = [...signers].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  return concatHex(await Promise.all(ascending.map((signer) => signer.signTypedData(document))))
}

/** Encodes `execTransaction`. */
export function safeExecutionData(transaction: SafeTransaction, signatures: Hex): Hex {
  const { to, value, data, operation } = transaction
  const { safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = refund
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [
      ...([to, value, data, operation, safeTxGas, baseGas, gasPrice] as const),
      ...([gasToken, refundReceiver, signatures] as const),
    ],
  })
}

/** Encodes several plain calls as one `multiSend`, to be delegate-called by a Safe. */
export function multiSendData(
  calls: readonly { readonly to: Address; readonly value?: bigint; readonly data: Hex }[],
): Hex {
  const packed = calls.map(({ to, value = 0n, data }) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, to, value, BigInt(size(data)), data],
    ),
  )
  return encodeFunctionData({
    abi: multiSendAbi,
    functionName: 'multiSend',
    args: [concatHex(packed)],
  })
}
