import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMembership } from '../../api/queries.ts'
import styles from '../pages.module.css'

import { ChainStep, chainsQuery } from './chain-step.tsx'
import { MarketStep } from './market-step.tsx'
import { WatchStep } from './watch-step.tsx'

/** Setup from a chain address to a monitored market: RPC provider, venue selection, first index. */
export function SetUp() {
  const requested = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const set = (more: Record<string, string>) =>
    void navigate({ to: '.', search: { ...requested, ...more } as never, replace: true })
  const { data: providers } = useQuery(chainsQuery(useMembership().organizationId))
  const chains = new Set(providers?.map(({ payload }) => payload.configuration.chainId))
  // With exactly one chain, the user need not choose.
  const [only = null] = chains.size === 1 ? chains : []
  const chainId = Number(requested.chain) || only
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Watch a market</h1>
          <p>Connect a node, select a market and index it.</p>
        </div>
      </header>
      <div className={styles.stack}>
        <ChainStep chainId={chainId} onChain={(chain) => set({ chain: String(chain) })} />
        {chainId === null ? null : (
          <MarketStep
            chainId={chainId}
            address={requested.address ?? ''}
            onAddress={(address) => set({ address, job: '', venue: '' })}
            onWatched={(venue, job) => set({ venue, job })}
          />
        )}
        {requested.venue ? (
          <WatchStep venueId={requested.venue} jobId={requested.job ?? ''} />
        ) : null}
      </div>
    </>
  )
}
