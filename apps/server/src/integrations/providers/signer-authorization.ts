import { type Address, type Hex, hashTypedData } from 'viem'

/** Statement that Safe owners sign to authorize an Ed25519 key for passports. */
export interface SignerAuthorization {
  readonly chainId: number
  readonly safe: Address
  readonly organizationHash: Hex
  /** The 32 raw bytes in base64. */
  readonly publicKey: string
  /** UTC in whole seconds. */
  readonly issuedAt: string
  readonly expiresAt: string
}

const secondsOf = (time: string) => BigInt(Math.floor(Date.parse(time) / 1000))

/** The EIP-712 document, as wallets show it. */
export function signerDocument(requested: SignerAuthorization) {
  const { chainId, safe, organizationHash, publicKey, issuedAt, expiresAt } = requested
  return {
    domain: {
      name: 'Liquidity OS Passport Signer',
      version: '1',
      chainId,
      verifyingContract: safe,
    },
    types: {
      PassportSignerAuthorization: [
        { name: 'organizationHash', type: 'bytes32' },
        { name: 'publicKey', type: 'bytes32' },
        { name: 'issuedAt', type: 'uint64' },
        { name: 'expiresAt', type: 'uint64' },
      ],
    },
    primaryType: 'PassportSignerAuthorization',
    message: {
      organizationHash,
      publicKey: `0x${Buffer.from(publicKey, 'base64').toString('hex')}` as Hex,
      issuedAt: secondsOf(issuedAt),
      expiresAt: secondsOf(expiresAt),
    },
  } as const
}

export const signerDigest = (requestedValue: SignerAuthorization): Hex =>
  hashTypedData(signerDocument(requestedValue))
