import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useAssets, useMembership } from '../api/queries.ts'
import { read } from '../api/send.ts'
import { Exact, Missing } from '../fields/exact.tsx'
import { monthsText, runwayEnd } from '../fields/figures.ts'
import { durationOf } from '../fields/numbers.ts'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toList, toRecord } from '../ui/page-link.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import uiStyles from '../ui/ui.module.css'
import { cashRunway } from './cash-runway.ts'
import styles from './markets.module.css'

type Summary = contract.TreasurySummary
type Scenario = Summary['latest']['runways'][number]

/** Runway and balances of the treasury. */
export function RunwayTile() {
  const { organizationId } = useMembership()
  const summary = useQuery({
    queryKey: [organizationId, 'treasury', 'summary'],
    queryFn: () => read<Summary>(organizationId, '/treasury/summary'),
    staleTime: 60_000,
  })
  if (summary.error)
    return (
      <Panel title="Treasury">
        <Fault error={summary.error} onRetry={() => void summary.refetch()} />
      </Panel>
    )
  if (!summary.data)
    return (
      <Panel title="Treasury">
        <Skeleton lines={3} />
      </Panel>
    )
  const { byAsset, latest } = summary.data
  if (byAsset.length === 0 && latest.runways.length === 0)
    return (
      <Panel title="Treasury">
        <div className={styles.none}>
          <p>No holdings recorded.</p>
          <PageLink
            to={toList('treasury-entries', { form: 'createTreasuryEntries' })}
            className={uiStyles.button}
          >
            Add holding
          </PageLink>
        </div>
      </Panel>
    )
  return (
    <Panel title="Treasury">
      <Runway summary={summary.data} />
      {byAsset.length === 0 ? null : <Balances lines={byAsset} />}
    </Panel>
  )
}

/** The base scenario, else the first one. */
export const headlineScenario = (runways: readonly Scenario[]): Scenario | undefined =>
  runways.find(({ scenarioId }) => scenarioId === 'base') ?? runways[0]

function Runway({ summary: { latest, asOf } }: { summary: Summary }) {
  const scenario = headlineScenario(latest.runways)
  const { source, ageSeconds } = latest.projection
  if (!scenario || !source || ageSeconds === null)
    return (
      <div className={styles.none}>
        <p>No projection covers all current holdings.</p>
        <PageLink
          to={toList('treasury/projections', { form: 'createTreasuryProjection' })}
          className={uiStyles.button}
        >
          Compute runway
        </PageLink>
      </div>
    )
  const { controlledRunway, runway, scenarioId } = scenario
  const { net, warning } = cashRunway({ runway, controlledRunway })
  const { monthsX3, beyondHorizon } = net
  const liquid = runway.liquid.net
  const months = monthsText(monthsX3)
  const start = Date.parse(asOf) - ageSeconds * 1000
  return (
    <>
      <p className={styles.runway}>
        <PageLink to={toRecord('treasury/projections', source.id)}>
          Runway {beyondHorizon ? 'over ' : ''}
          {months} months
        </PageLink>
      </p>
      <p>
        Cash, {scenarioId} case,{' '}
        {beyondHorizon ? 'lasts longer than the plan' : `runs out ${runwayEnd(start, monthsX3)}`}
      </p>
      <p className={styles.quiet}>
        {liquid.monthsX3 > monthsX3
          ? `All liquid holdings, proven or not: ${liquid.beyondHorizon ? 'over ' : ''}${monthsText(liquid.monthsX3)} months. `
          : null}
        {warning === null ? null : `${warning} `}
        Computed {durationOf(ageSeconds)} ago.
      </p>
    </>
  )
}

function Balances({ lines }: { lines: Summary['byAsset'] }) {
  const assetOf = useAssets()
  return (
    <dl className={styles.balances} aria-label="Balances by asset">
      {lines.map(({ assetKey, quantity }) => {
        const asset = assetOf(assetKey)
        const [, address = assetKey] = /\/erc20:(0x.+)$/.exec(assetKey) ?? []
        return (
          <div key={assetKey} className={styles.balance}>
            <dt>{asset?.symbol ?? `${address.slice(0, 6)}…${address.slice(-4)}`}</dt>
            <dd>
              {asset === null ? (
                <Missing reason="Unknown decimals: no venue trades the token." />
              ) : (
                <Exact atoms={quantity} decimals={asset.decimals} unit={asset.symbol} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
