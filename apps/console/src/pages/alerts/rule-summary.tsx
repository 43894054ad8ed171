import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/changes.ts'
import { marketSummariesQuery } from '../../api/markets.ts'
import { useMembership } from '../../api/queries.ts'
import type { Item } from '../../api/records.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { durationOf } from '../../fields/numbers.ts'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Panel, Scrolled, Skeleton, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import { useMarketTokens } from '../market-figures.tsx'
import styles from '../pages.module.css'
import {
  comparators,
  firstTerms,
  type Metric,
  metrics,
  metricText,
  type Terms,
  type Tokens,
  valueText,
} from './threshold-terms.ts'

type Threshold = contract.AlertThreshold

const stateTexts: Readonly<Record<string, string>> = {
  OK: 'Within the limit',
  PENDING: 'Beyond the limit, not long enough to fire',
  FIRING: 'Firing',
  NO_DATA: 'No data',
}
const shownFirings = 20

/** Condition, state, last value and firings of a rule with a threshold. */
export function RuleSummary({ item }: { item: Item }) {
  const { organizationId, role } = useMembership()
  const { change, send, fault, isSending } = useChange()
  const payload = item.payload as contract.AlertRule
  const { threshold } = payload
  const summaries = useQuery({
    ...marketSummariesQuery(organizationId),
    enabled: threshold !== undefined,
  })
  const firings = useQuery({
    queryKey: [organizationId, 'alert-rule-firings', item.id, item.resourceVersion],
    queryFn: () =>
      read<contract.AlertRuleFirings>(organizationId, `/alert-rules/${item.id}/firings`),
    enabled: threshold !== undefined,
    refetchInterval: 15_000,
  })
  const tokensOf = useMarketTokens()
  if (threshold === undefined) return null
  if (firings.error) return <Fault error={firings.error} onRetry={() => void firings.refetch()} />
  if (!firings.data || !summaries.data) return <Skeleton lines={4} />
  const { pair, venueId } = threshold.subject
  const market = summaries.data.markets.find(
    (one) => one.pairKey === pair || one.venues.some((venue) => venue.venueId === venueId),
  )
  const tokens = market ? tokensOf(market) : null
  const status = String(item.status)
  const move = (next: string) =>
    void change(async () => {
      await send({
        method: 'PATCH',
        path: `/alert-rules/${item.id}`,
        ifMatch: String(item.resourceVersion),
        body: {
          status: next,
          reason: next === 'PAUSED' ? 'Paused in the console' : 'Resumed in the console',
        },
      })
    })
  const disabledReason = permissionReason(role, 'operate') ?? (isSending ? 'Saving…' : null)
  const { state, value, since } = firings.data
  return (
    <>
      <Panel
        title={sentenceOf(threshold, payload.forSeconds, tokens)}
        actions={
          status === 'REVOKED' ? null : (
            <ChangeButton
              isSmall
              disabledReason={disabledReason}
              onClick={() => move(status === 'PAUSED' ? 'ACTIVE' : 'PAUSED')}
            >
              {status === 'PAUSED' ? 'Resume' : 'Pause'}
            </ChangeButton>
          )
        }
      >
        <p>
          {state === null ? (
            'Not evaluated yet.'
          ) : (
            <>
              <State of={state} /> {stateTexts[state]}
              {since === null ? null : (
                <>
                  {' '}
                  since <Time at={since} />
                </>
              )}
              .
            </>
          )}
          {value === null || tokens === null
            ? null
            : ` Last value: ${withUnit(value, threshold, tokens)}.`}
        </p>
        {fault === null ? null : <Fault error={fault} />}
      </Panel>
      <Panel title="Firings" isFlush={firings.data.firings.length > 0}>
        {firings.data.firings.length === 0 ? (
          <p>This rule has not fired.</p>
        ) : (
          <Firings firings={firings.data.firings} threshold={threshold} tokens={tokens} />
        )}
      </Panel>
    </>
  )
}

const metricOf = ({ metric }: Threshold) => metric as Metric
const withUnit = (value: string, threshold: Threshold, tokens: Tokens) =>
  `${valueText(value, metricOf(threshold), tokens)} ${metrics[metricOf(threshold)].unit(tokens)}`

/** `2 % depth of ENS/WETH falls below 50 WETH for 10 min`. */
function sentenceOf(threshold: Threshold, forSeconds: number, tokens: Tokens | null): string {
  if (tokens === null) return 'Threshold'
  const { metric, comparator, bandPips, windowSeconds, value } = threshold
  const terms = {
    ...firstTerms,
    metric: metric as Metric,
    bandPips: bandPips ?? firstTerms.bandPips,
    windowSeconds: windowSeconds ?? firstTerms.windowSeconds,
  } as Terms
  const crosses = comparators[comparator.startsWith('L') ? 'LT' : 'GT']
  const pair = `${tokens.base.symbol}/${tokens.quote.symbol}`
  const lasts = forSeconds === 0 ? '' : ` for ${durationOf(forSeconds)}`
  return `${metricText(terms)} of ${pair} ${crosses} ${withUnit(value, threshold, tokens)}${lasts}`
}

function Firings({
  firings,
  threshold,
  tokens,
}: {
  firings: contract.AlertRuleFirings['firings']
  threshold: Threshold
  tokens: Tokens | null
}) {
  return (
    <Scrolled label="Firings">
      <table className={styles.table}>
        <thead>
          <tr>
            {['From', 'Until', 'Worst value', 'Severity'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {firings.slice(0, shownFirings).map(({ from, to, extreme, severity }) => (
            <tr key={from}>
              <th scope="row">
                <Time at={from} />
              </th>
              <td data-label="Until">{to === null ? 'now' : <Time at={to} />}</td>
              <td data-label="Worst value">
                {tokens === null ? '—' : withUnit(extreme, threshold, tokens)}
              </td>
              <td data-label="Severity">
                <State of={severity} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
