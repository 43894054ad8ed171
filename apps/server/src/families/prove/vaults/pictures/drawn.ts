import type { contract } from '@liquidity-os/contract'

/** A vault and its newest receipts, oldest first: the part that charts use. */
export interface DrawnVault {
  readonly vault: contract.QualifiedVault
  readonly receipts: readonly contract.ExecutionReceipt[]
}

/** Verified, declared by the organization, and unknown. */
export const lights = { sound: '#009e73', declared: '#0072b2', unknown: '#d55e00' } as const

/** Short form of an address: both ends. */
export const shortAddress = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`
