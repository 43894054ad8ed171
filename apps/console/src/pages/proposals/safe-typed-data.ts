import type { SafeTx } from './safe-hash.ts'

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

/** First signature of 65 bytes in a text, such as the output of a signing tool or a JSON file. */
export const signatureIn = (text: string): string | null =>
  /0x[0-9a-fA-F]{130}(?![0-9a-fA-F])/.exec(text)?.[0] ?? null
