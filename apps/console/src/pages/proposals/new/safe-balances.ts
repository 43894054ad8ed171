import type { contract } from '@liquidity-os/contract'

/** Tokens that the service reads in one request. */
const maxAssets = 40

/** A balance of the Safe and the block of its read. */
export type HeldBalance = contract.VaultSafe['balances'][number] & { readonly block: number }

export interface SafeBalances extends Omit<contract.VaultSafe, 'balances'> {
  readonly balances: readonly HeldBalance[]
}

/** Tokens in slices that fit one request each; one empty slice without tokens. */
export function sliceTokens(addresses: readonly string[]): string[][] {
  const slices: string[][] = []
  for (let start = 0; start === 0 || start < addresses.length; start += maxAssets)
    slices.push(addresses.slice(start, start + maxAssets))
  return slices
}

/** Reads of one Safe as one: the control of the newest block, each balance once from its newest block. */
export function mergeReads(reads: readonly contract.VaultSafe[]): SafeBalances {
  const ordered = reads.toSorted((a, b) => a.block.number - b.block.number)
  const newest = ordered.at(-1)
  if (!newest) throw new Error('The Safe was not read.')
  const balances = new Map(
    ordered.flatMap(({ block, balances }) =>
      balances.map((one) => [one.asset.toLowerCase(), { ...one, block: block.number }] as const),
    ),
  )
  return { ...newest, balances: [...balances.values()] }
}
