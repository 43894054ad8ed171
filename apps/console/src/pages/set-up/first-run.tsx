import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership, type VenueLine, venuesQuery } from '../../api/queries.ts'
import { chainName } from '../../fields/value.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/parts.tsx'
import { isReplayable } from '../workbench-terms.ts'

import { ChainStep, chainIdsOf, chainsQuery } from './chain-step.tsx'
import { MarketStep } from './market-step.tsx'
import styles from './step.module.css'
import { Step } from './step.tsx'
import { StudyStep } from './study-step.tsx'
import { indexJobsQuery, isRunning, jobOf, WatchStep } from './watch-step.tsx'

/** Steps from an empty organization to its first study. Records determine the state of each. */
export function FirstRun() {
  const { organizationId } = useMembership()
  const providers = useQuery(chainsQuery(organizationId))
  const venues = useQuery(venuesQuery(organizationId))
  const jobs = useQuery(indexJobsQuery(organizationId))
  const [chosenChain, setChosenChain] = useState<number | null>(null)
  const [address, setAddress] = useState('')
  /** True after only some of the selected markets were added. */
  const [isIncomplete, setIncomplete] = useState(false)
  const failed = [providers, venues, jobs].find(({ error }) => error)
  const fault = failed ? <Fault error={failed.error} onRetry={() => void failed.refetch()} /> : null
  if (!providers.data || !venues.data || !jobs.data) return fault ?? <Skeleton lines={8} />
  const chains = chainIdsOf(providers.data)
  const chainId = chosenChain ?? chains[0] ?? null
  const watched = venues.data.filter(({ status }) => status === 'VALIDATED')
  const newest = watched.flatMap((venue) => {
    const job = jobOf(jobs.data, venue.id)
    return job ? [{ venue, job }] : []
  })
  const indexed = newest.filter(({ job }) => job.status === 'COMPLETED')
  const replayed = watched.filter(isReplayable)
  // A long range stores its observations in segments, so only a completed job has all of them.
  const studied = indexed.find(({ venue }) => isReplayable(venue))
  const isConnected = chains.length > 0
  const isWatching = isConnected && watched.length > 0
  // A job that runs or failed keeps its step open.
  const isIndexed = isWatching && indexed.length > 0 && indexed.length === newest.length
  const isIndexing = newest.some(({ job }) => isRunning(job))
  return (
    <>
      {fault}
      <ol className={styles.steps}>
        <Step
          number={1}
          title="Connect a chain"
          state={isConnected ? 'DONE' : 'OPEN'}
          summary={chains.map((chain) => chainName(String(chain))).join(', ')}
        >
          <ChainStep chainId={chainId} onChain={setChosenChain} />
        </Step>
        <Step
          number={2}
          title="Find your token"
          state={isWatching && !isIncomplete ? 'DONE' : isConnected ? 'OPEN' : 'LATER'}
          summary={
            isWatching ? namesOf(watched) : 'Paste its address. The service finds its pools.'
          }
        >
          {chainId === null ? null : (
            <MarketStep
              chainId={chainId}
              address={address}
              onAddress={(next) => {
                setAddress(next)
                setIncomplete(false)
              }}
              onWatched={() => {
                setAddress('')
                setIncomplete(false)
              }}
              onFailed={() => setIncomplete(true)}
            />
          )}
        </Step>
        <Step
          number={3}
          title="Watch markets"
          state={isIndexed ? 'DONE' : isWatching ? 'OPEN' : 'LATER'}
          summary={
            isWatching
              ? indexText(indexed.length, watched.length)
              : 'The service indexes every trade.'
          }
          reopenLabel="Show"
        >
          {isIndexed ? null : <p>{indexText(indexed.length, watched.length)}</p>}
          <WatchStep venueIds={watched.map(({ id }) => id)} />
        </Step>
        <Step
          number={4}
          title="Run the first study"
          state={isWatching && (studied || isIndexed) ? 'OPEN' : 'LATER'}
          summary={
            isIndexing && replayed.length > 0
              ? 'Available when the index of a Uniswap v2 or v3 pool completes.'
              : 'Backtest price ranges against HODL.'
          }
        >
          {studied ? (
            <StudyStep venue={studied.venue} indexJobId={studied.job.id} />
          ) : (
            <p>
              {replayed.length === 0
                ? 'Backtests require a Uniswap v2 or v3 pool. Add one under “Find your token”.'
                : 'No Uniswap v2 or v3 pool is indexed yet. Index one under “Watch markets”.'}
            </p>
          )}
        </Step>
      </ol>
    </>
  )
}

const namesOf = (venues: readonly VenueLine[]) =>
  venues.length > 2
    ? `${venues.length} markets`
    : venues.map(({ payload }) => payload.name).join(', ')

const indexText = (indexed: number, watched: number): string =>
  indexed < watched ? `${indexed} of ${watched} indexed` : 'All events indexed'
