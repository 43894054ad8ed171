import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'

interface FileCall {
  readonly to: string
  readonly value: string
  readonly data: string
}

export interface FileTerms {
  readonly chainId: number
  readonly safeAddress: string
  readonly title: string
  readonly createdAt: string
  readonly calls: readonly FileCall[]
}

/**
 * A batch for the Transaction Builder of the Safe wallet, with the checksum that the wallet compares
 * at import.
 *
 * @see Safe Transaction Builder, batch file version 1.0
 */
export function transactionFile({ chainId, safeAddress, title, createdAt, calls }: FileTerms) {
  const batch = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: Date.parse(createdAt),
    meta: {
      name: title,
      description: '',
      createdFromSafeAddress: safeAddress,
      createdFromOwnerAddress: '',
    },
    transactions: calls.map(({ to, value, data }) => ({
      to,
      value,
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  }
  // The name of a batch is not part of its checksum.
  const text = serialize({ ...batch, meta: { ...batch.meta, name: null } })
  const checksum = `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`
  return { ...batch, meta: { ...batch.meta, checksum } }
}

/** The form of an object whose hash is the checksum: sorted names, then the values in their order. */
function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  const members = names.map((name) => `${serialize((value as Record<string, unknown>)[name])},`)
  return `{${JSON.stringify(names)}${members.join('')}}`
}
