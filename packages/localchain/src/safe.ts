import {
  type Address,
  concatHex,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  hashTypedData,
  type LocalAccount,
  size,
  slice,
  toEventHash,
  zeroAddress,
} from 'viem'
import { multiSendAbi, safeAbi, safeProxyFactoryAbi } from './abis.ts'
import { type ArtifactName, artifact } from './artifacts.ts'
import type { Localchain } from './localchain.ts'

/** A Safe transaction. By default its sender pays the gas: refund fields are zero. */
export type SafeTransaction = Partial<SafeRefund> & {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  /** 0 call, 1 delegate call. */
  readonly operation: 0 | 1
  readonly nonce: bigint
}

/** Gas that a Safe pays back. */
export type SafeRefund = {
  readonly safeTxGas: bigint
  readonly baseGas: bigint
  readonly gasPrice: bigint
  /** Zero for the native coin. */
  readonly gasToken: Address
  /** Zero for the sender of the transaction. */
  readonly refundReceiver: Address
}

const noRefund: SafeRefund = {
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
}

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
 * Digest that an owner signs to register a delegate with the Safe Transaction Service.
 *
 * @param seconds Unix time; the signature is valid for an hour
 * @see Safe Transaction Service, `POST /api/v2/delegates/`
 */
export const delegateDigest = (chainId: number, delegate: Address, seconds: number): Hex =>
  hashTypedData({
    domain: { name: 'Safe Transaction Service', version: '1.0', chainId },
    types: {
      Delegate: [
        { name: 'delegateAddress', type: 'address' },
        { name: 'totp', type: 'uint256' },
      ],
    },
    primaryType: 'Delegate',
    message: { delegateAddress: delegate, totp: BigInt(Math.floor(seconds / 3600)) },
  })

/** Contracts of a Safe release, used to create accounts. */
export type SafeRelease = {
  readonly singleton: Address
  readonly proxyFactory: Address
  readonly fallbackHandler: Address
}

/** Deploys the genuine contracts of Safe 1.3.0, whose accounts are still the most of all. */
export async function deploySafe13(chain: Localchain): Promise<SafeRelease> {
  const put = (name: ArtifactName) => chain.deploy(artifact(name).bytecode)
  return {
    singleton: await put('GnosisSafe'),
    proxyFactory: await put('GnosisSafeProxyFactory'),
    fallbackHandler: await put('GnosisCompatibilityFallbackHandler'),
  }
}

const proxyCreation = toEventHash('ProxyCreation(address,address)')

/**
 * Creates a Safe through the original proxy factory, by default of release 1.4.1.
 *
 * @param owners signers
 * @param threshold signatures needed, 1..owners.length
 * @param saltNonce distinguishes Safes of the same owners, default 0
 */
export async function createSafe(
  chain: Localchain,
  terms: {
    readonly owners: readonly Address[]
    readonly threshold: number
    readonly saltNonce?: bigint
    readonly release?: SafeRelease
  },
): Promise<Address> {
  const { safeSingleton, safeProxyFactory } = chain.contracts
  const {
    singleton = safeSingleton,
    proxyFactory = safeProxyFactory,
    fallbackHandler = chain.contracts.fallbackHandler,
  } = terms.release ?? {}
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
    args: [singleton, setup, terms.saltNonce ?? 0n],
  })
  const mined = await chain.send({ from: chain.accounts[0]!.address, to: proxyFactory, data })
  const created = mined.logs.find(({ topics }) => topics[0] === proxyCreation)
  if (created === undefined) throw new Error('the proxy factory created no Safe')
  // 1.4.1 logs the account as a topic, 1.3.0 as the first word of the data.
  const word = created.topics[1] ?? slice(created.data, 0, 32)
  return getAddress(slice(word, 12, 32))
}

/** The EIP-712 document of a Safe transaction, as owners sign it. */
export function safeTypedData(chainId: number, safe: Address, transaction: SafeTransaction) {
  return {
    domain: { chainId, verifyingContract: safe },
    types: { SafeTx: safeTransactionFields },
    primaryType: 'SafeTx',
    message: { ...noRefund, ...transaction },
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
  return concatHex(
    await Promise.all(ascending(signers).map((signer) => signer.signTypedData(document))),
  )
}

/** The EIP-712 document of a message of a Safe, as owners sign it: 1.3.0 and later. */
export function safeMessageTypedData(chainId: number, safe: Address, message: Hex) {
  return {
    domain: { chainId, verifyingContract: safe },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message },
  } as const
}

/** Signs a message of a Safe with every given owner, joined in ascending order of the signers. */
export async function signSafeMessage(
  chainId: number,
  safe: Address,
  message: Hex,
  signers: readonly LocalAccount[],
): Promise<Hex> {
  const document = safeMessageTypedData(chainId, safe, message)
  return concatHex(
    await Promise.all(ascending(signers).map((signer) => signer.signTypedData(document))),
  )
}

const ascending = (signers: readonly LocalAccount[]) =>
  signers.toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))

/** Encodes `execTransaction`. */
export function safeExecutionData(transaction: SafeTransaction, signatures: Hex): Hex {
  const { to, value, data, operation } = transaction
  const { safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = { ...noRefund, ...transaction }
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
