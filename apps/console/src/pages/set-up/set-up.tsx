import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMembership } from '../../api/queries.ts'
import { PageLink, toPage } from '../../ui/page-link.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'

import { ChainStep, chainIdsOf, chainsQuery } from './chain-step.tsx'
import { MarketStep } from './market-step.tsx'
import { WatchStep } from './watch-step.tsx'

/** Setup from a chain address to watched markets: RPC provider, market selection, first index. */
export function SetUp() {
  const requested = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const set = (more: Record<string, string>) =>
    void navigate({ to: '.', search: { ...requested, ...more } as never, replace: true })
  const { data: providers } = useQuery(chainsQuery(useMembership().organizationId))
  const chains = chainIdsOf(providers)
  // With exactly one chain, the user need not choose.
  const [only = null] = chains.length === 1 ? chains : []
  const chainId = Number(requested.chain) || only
  const [venueId, ...others] = (requested.venue ?? '').split(',').filter(Boolean)
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Watch a market</h1>
          <p>Connect a node, select a market and index it.</p>
        </div>
      </header>
      <div className={styles.stack}>
        <Panel title="1. Connect a chain">
          <ChainStep chainId={chainId} onChain={(chain) => set({ chain: String(chain) })} />
        </Panel>
        {chainId === null ? null : (
          <Panel title="2. Find your token">
            <MarketStep
              chainId={chainId}
              address={requested.address ?? ''}
              onAddress={(address) => set({ address, venue: '' })}
              onWatched={(venueIds) => set({ venue: venueIds.join(',') })}
            />
          </Panel>
        )}
        {venueId === undefined ? null : (
          <Panel title="3. Watch markets">
            <WatchStep venueIds={[venueId, ...others]} />
            <p className={styles.actions}>
              <PageLink to={toPage('studies/new', { venue: venueId })}>Backtest ranges</PageLink>
            </p>
          </Panel>
        )}
      </div>
    </>
  )
}
