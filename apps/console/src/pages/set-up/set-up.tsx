import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePlace } from '../../api/queries.ts'
import styles from '../pages.module.css'

import { ChainStep, chainsQuery } from './chain-step.tsx'
import { MarketStep } from './market-step.tsx'
import { WatchStep } from './watch-step.tsx'

/** From an address of a chain to a market that is watched: where the chain is read, what is watched, and its first index. */
export function SetUp() {
  const asked = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const set = (more: Record<string, string>) =>
    void navigate({ to: '.', search: { ...asked, ...more } as never, replace: true })
  const { data: providers } = useQuery(chainsQuery(usePlace().organizationId))
  const chains = new Set(providers?.map(({ payload }) => payload.configuration.chainId))
  // Where there is one chain, nobody has to say which.
  const [only = null] = chains.size === 1 ? chains : []
  const chainId = Number(asked.chain) || only
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Market setup</h1>
          <p>Connect a node, select a market and index it.</p>
        </div>
      </header>
      <div className={styles.stack}>
        <ChainStep chainId={chainId} onChain={(chain) => set({ chain: String(chain) })} />
        {chainId === null ? null : (
          <MarketStep
            chainId={chainId}
            address={asked.address ?? ''}
            onAddress={(address) => set({ address, job: '', venue: '' })}
            onWatched={(venue, job) => set({ venue, job })}
          />
        )}
        {asked.venue ? <WatchStep venueId={asked.venue} jobId={asked.job ?? ''} /> : null}
      </div>
    </>
  )
}
