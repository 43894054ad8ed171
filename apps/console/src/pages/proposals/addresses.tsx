import type { contract } from '@liquidity-os/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { addressLabelsQuery } from '../../api/liquidity.ts'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import type { Assets } from '../../fields/units.tsx'
import { Copied } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { inFours } from './call-effects.ts'
import { chainAssets } from './chain-assets.ts'

type Proposal = contract.ProposalWorkspace

interface Named {
  /** Names by lower-case address. */
  readonly names: ReadonlyMap<string, string>
  readonly assetOf: Assets
}

const NamedContext = createContext<Named>({ names: new Map(), assetOf: () => null })
export const useNamed = (): Named => useContext(NamedContext)

const maxAddresses = 100

/** Up to 100 addresses of a proposal that a reader compares, in lower case. */
export function addressesOf({ action, packets, baselineControl, flags }: Proposal): string[] {
  const text = JSON.stringify([
    action.safeAddress,
    baselineControl.owners,
    packets.map(({ decodedCalls }) => decodedCalls.map((call) => [call.to, call.arguments])),
    flags.map(({ detail }) => detail),
  ])
  const found = text.match(/\b0x[0-9a-fA-F]{40}\b/g) ?? []
  return [...new Set(found.map((address) => address.toLowerCase()))].slice(0, maxAddresses)
}

/** Provides names and tokens of addresses on the chain of a Safe. */
export function NamedAddresses({
  chainId,
  safeAddress,
  addresses,
  children,
}: {
  chainId: number
  safeAddress: string
  /** Lower case. The same list between renders. */
  addresses: readonly string[]
  children: React.ReactNode
}) {
  const { organizationId } = useMembership()
  const labels = useQuery(addressLabelsQuery(organizationId, addresses))
  const assetOf = useChainAssets(chainId, addresses)
  const named = useMemo(() => {
    const names = new Map(labels.data ?? [])
    if (!names.has(safeAddress.toLowerCase())) names.set(safeAddress.toLowerCase(), 'this Safe')
    return { names, assetOf }
  }, [labels.data, safeAddress, assetOf])
  return <NamedContext value={named}>{children}</NamedContext>
}

const maxAssets = 100
/** Addresses that are looked up in the catalog. */
const maxLookups = 12

/**
 * Assets of a chain that the token contract or the catalog describes: those of the organization, and
 * the given addresses.
 */
export function useChainAssets(chainId: number, addresses: readonly string[] = []): Assets {
  const { organizationId } = useMembership()
  const { data } = useQuery({
    queryKey: [organizationId, 'assets', chainId],
    queryFn: () =>
      read<contract.KnownAsset[]>(organizationId, '/assets', { chainId, limit: maxAssets }),
    staleTime: 60_000,
  })
  const findAsset = chainAssets(data ?? [], chainId)
  const unknown = data ? addresses.filter((address) => findAsset(address) === null) : []
  const found = useQueries({
    queries: unknown.slice(0, maxLookups).map((address) => ({
      queryKey: [organizationId, 'assets', chainId, address],
      queryFn: () =>
        read<contract.KnownAsset[]>(organizationId, '/assets', {
          chainId,
          query: address,
          limit: 1,
        }),
      staleTime: 600_000,
    })),
    combine: (results) => results.flatMap((one) => one.data ?? []),
  })
  return useMemo(() => chainAssets([...(data ?? []), ...found], chainId), [data, found, chainId])
}

/** A checksummed address in full, with its name or its token symbol. */
export function FullAddress({ address }: { address: string }) {
  const { names, assetOf } = useNamed()
  const name = assetOf(address)?.symbol ?? names.get(address.toLowerCase())
  return (
    <span className={styles.fullAddress}>
      {name ? <b>{name}</b> : null}
      <Copied text={address} shown={inFours(address)} label={name ?? 'Address'} />
    </span>
  )
}
