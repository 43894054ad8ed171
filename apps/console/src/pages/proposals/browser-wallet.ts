import type { SafeTx } from './safe-hash.ts'

/** A wallet extension of the browser (EIP-1193). */
export interface BrowserWallet {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

/** Wallet extension in this browser; null if none is installed. */
export function browserWallet(): BrowserWallet | null {
  const { ethereum } = window as unknown as { ethereum?: BrowserWallet }
  return ethereum ?? null
}

export interface OwnerSignature {
  readonly owner: string
  readonly signature: string
}

/** The typed data of a Safe transaction, as a wallet shows it. @see EIP-712; Safe 1.3.0 and later */
export function safeTypedData(chainId: number, safe: string, call: SafeTx, nonce: string) {
  return {
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      SafeTx: [
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
      ],
    },
    domain: { chainId, verifyingContract: safe },
    primaryType: 'SafeTx',
    message: {
      to: call.to,
      value: call.value,
      data: call.data,
      operation: call.operation,
      safeTxGas: call.safeTxGas,
      baseGas: call.baseGas,
      gasPrice: call.gasPrice,
      gasToken: call.gasToken,
      refundReceiver: call.refundReceiver,
      nonce,
    },
  } as const
}

/**
 * Asks the wallet for an account and its signature over a Safe transaction.
 *
 * @throws Error if the user refuses, or the wallet returns no signature
 */
export async function signInWallet(
  wallet: BrowserWallet,
  typedData: ReturnType<typeof safeTypedData>,
): Promise<OwnerSignature> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const [owner] = Array.isArray(accounts) ? (accounts as unknown[]) : []
  if (typeof owner !== 'string') throw new Error('The wallet shared no account.')
  const chainId = `0x${typedData.domain.chainId.toString(16)}`
  await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  const signature = await wallet.request({
    method: 'eth_signTypedData_v4',
    params: [owner, JSON.stringify(typedData)],
  })
  if (typeof signature !== 'string') throw new Error('The wallet returned no signature.')
  return { owner, signature }
}

/** Reason that a wallet did not sign, for its user. @see EIP-1193 */
export function walletProblem(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 4001) return 'You rejected the request in the wallet.'
  if (code === 4902) return 'The wallet does not know the chain of the Safe. Add it first.'
  return typeof message === 'string' ? message : 'The wallet did not complete the request.'
}
