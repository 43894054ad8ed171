import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'

type Container = contract.TreasuryContainer

export type NamedAsset =
  | { readonly kind: 'NATIVE'; readonly chainId: number }
  | { readonly kind: 'TOKEN'; readonly chainId: number; readonly address: Address }
  | {
      readonly kind: 'POSITION'
      readonly chainId: number
      readonly address: Address
      readonly tokenId: bigint
    }
  | { readonly kind: 'MONEY'; readonly code: string }

/** Reads a key that its schema has let pass. */
export function namedAsset(assetKey: string): NamedAsset {
  const [space = '', rest = ''] = assetKey
    .split('/', 1)
    .concat(assetKey.split('/').slice(1).join('/'))
  if (space.startsWith('iso4217:')) return { kind: 'MONEY', code: space.slice('iso4217:'.length) }
  const chainId = Number(space.slice('eip155:'.length))
  if (rest === 'slip44:60') return { kind: 'NATIVE', chainId }
  const [standard = '', tail = ''] = rest.split(':')
  const [address = '', tokenId = '0'] = tail.split('/')
  const at = { chainId, address: getAddress(address) }
  return standard === 'erc721'
    ? { kind: 'POSITION', ...at, tokenId: BigInt(tokenId) }
    : { kind: 'TOKEN', ...at }
}

export const tokenKey = (chainId: number, address: string) =>
  `eip155:${chainId}/erc20:${address.toLowerCase()}`

/** Text key of a container; entries, evidence and reconciliations match by it. */
export function containerKeyOf(container: Container): string {
  return 'address' in container
    ? `eip155:${container.chainId}:${container.address.toLowerCase()}`
    : `custodian:${container.providerId}:${container.accountReferenceHash}`
}
