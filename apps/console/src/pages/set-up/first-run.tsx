import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership, type VenueLine, venuesQuery } from '../../api/queries.ts'
import type { Job, Workspace } from '../../api/records.ts'
import { Fault } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/parts.tsx'
import { isReplayable } from '../workbench-terms.ts'

import { ChainStep, chainIdsOf, chainsQuery } from './chain-step.tsx'
import { MarketStep } from './market-step.tsx'
import styles from './step.module.css'
import { Step, type StepState } from './step.tsx'
import { StudyStep } from './study-step.tsx'
import { indexJobsQuery, jobOf, WatchStep } from './watch-step.tsx'

/** Steps from an empty organization to its first study. Records determine the state of each. */
export function FirstRun({ counts }: Pick<Workspace, 'counts'>) {
  const { organizationId } = useMembership()
  const providers = useQuery(chainsQuery(organizationId))
  const venues = useQuery(venuesQuery(organizationId))
  const jobs = useQuery(indexJobsQuery(organizationId))
  const [chosenChain, setChosenChain] = useState<number | null>(null)
  const [address, setAddress] = useState('')
  for (const query of [providers, venues, jobs])
    if (query.error) return <Fault error={query.error} onRetry={() => void query.refetch()} />
  if (!providers.data || !venues.data || !jobs.data) return <Skeleton lines={8} />
  const chains = chainIdsOf(providers.data)
  const chainId = chosenChain ?? chains[0] ?? null
  const watched = venues.data.filter(({ status }) => status === 'VALIDATED')
  const isObserved = (counts.VenueObservation ?? 0) > 0
  const studied = watched.filter(isReplayable)
  const venue =
    studied.find(({ id }) => jobOf(jobs.data, id)?.status === 'COMPLETED') ??
    (isObserved ? studied[0] : undefined)
  const done = [
    chains.length > 0,
    watched.length > 0,
    isObserved || watched.some(({ id }) => jobOf(jobs.data, id)?.status === 'COMPLETED'),
  ]
  const stateOf = (index: number): StepState =>
    done[index] ? 'DONE' : done.slice(0, index).every(Boolean) ? 'OPEN' : 'LATER'
  return (
    <ol className={styles.steps}>
      <Step
        number={1}
        title="Connect a chain"
        state={stateOf(0)}
        summary={chains.map((chain) => `Chain ${chain}`).join(', ')}
      >
        <ChainStep chainId={chainId} onChain={setChosenChain} />
      </Step>
      <Step
        number={2}
        title="Find your token"
        state={stateOf(1)}
        summary={done[1] ? namesOf(watched) : 'Paste its address. The service finds its pools.'}
      >
        {chainId === null ? null : (
          <MarketStep
            chainId={chainId}
            address={address}
            onAddress={setAddress}
            onWatched={() => setAddress('')}
          />
        )}
      </Step>
      <Step
        number={3}
        title="Watch markets"
        state={stateOf(2)}
        summary={done[2] ? indexText(watched, jobs.data) : 'The service indexes every trade.'}
      >
        <WatchStep venueIds={watched.map(({ id }) => id)} />
      </Step>
      <Step
        number={4}
        title="Run the first study"
        state={stateOf(3)}
        summary="Backtest price ranges against HODL."
      >
        {venue ? (
          <StudyStep venue={venue} />
        ) : (
          <p>Backtests require a Uniswap v2 or v3 pool. Add one under “Find your token”.</p>
        )}
      </Step>
    </ol>
  )
}

const namesOf = (venues: readonly VenueLine[]) =>
  venues.length > 2
    ? `${venues.length} markets`
    : venues.map(({ payload }) => payload.name).join(', ')

function indexText(venues: readonly VenueLine[], jobs: readonly Job[]): string {
  const indexed = venues.filter(({ id }) => jobOf(jobs, id)?.status === 'COMPLETED')
  return indexed.length < venues.length && indexed.length > 0
    ? `${indexed.length} of ${venues.length} indexed`
    : 'All events indexed'
}
