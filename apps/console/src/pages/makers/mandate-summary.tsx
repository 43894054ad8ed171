import type { contract } from '@liquidity-os/contract'
import {
  inconclusiveReasons,
  measuredText,
  observedText,
  promiseText,
  trustTexts,
  verdictTexts,
} from '@liquidity-os/contract/mandate-words'
import { useQuery } from '@tanstack/react-query'
import { useMembership } from '../../api/queries.ts'
import type { Item } from '../../api/records.ts'
import { utcOf } from '../../fields/numbers.ts'
import { ExportLinks } from '../../ui/export-links.tsx'
import { Fault, Notice } from '../../ui/notice.tsx'
import { Fold, Panel, Skeleton, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { Figure, usePictures } from '../pictures.tsx'
import { AddEvidence } from './add-evidence.tsx'
import { breachedSpans, gapSpans, type HourSpan } from './hour-spans.ts'
import { MandateLinks } from './mandate-links.tsx'
import {
  evaluationsQuery,
  formatIn,
  hasUptime,
  hoursQuery,
  type MandateRecord,
  usePairTokens,
} from './mandates.ts'

/** Promises of a mandate with their results, the hours, the data gaps, evidence and the public link. */
export function MandateSummary({ item }: { item: Item }) {
  const mandate = item as unknown as MandateRecord
  if (mandate.status === 'DRAFT')
    return (
      <>
        <Facts mandate={mandate} />
        <Notice tone="hold" title="A draft is not measured">
          <p>Activate the mandate with “Edit mandate” to add evidence and see results.</p>
        </Notice>
      </>
    )
  return (
    <>
      <Facts mandate={mandate} />
      <Promises mandate={mandate} />
      <Charts mandate={mandate} />
      {hasUptime(mandate.payload) ? <Hours mandate={mandate} /> : null}
      <div className={styles.two}>
        <AddEvidence mandate={mandate} />
        <MandateLinks mandateId={mandate.id} />
      </div>
    </>
  )
}

function Facts({ mandate: { payload } }: { mandate: MandateRecord }) {
  const { base, quote } = usePairTokens(payload.pair)
  const { marketMaker, venues, period } = payload
  const facts = {
    'Market maker': marketMaker.name,
    Market: `${base.symbol}/${quote.symbol}`,
    [venues.length === 1 ? 'Venue' : 'Venues']: venues.map(({ name }) => name).join(', '),
    Period: `${period.from.slice(0, 10)} to ${period.to.slice(0, 10)}`,
  }
  return (
    <dl className={styles.figures}>
      {Object.entries(facts).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Promises({ mandate }: { mandate: MandateRecord }) {
  const { organizationId } = useMembership()
  const results = useQuery(evaluationsQuery(organizationId, mandate))
  return (
    <Panel
      title="Promises"
      note={results.data ? <>as of {utcOf(results.data.asOf)}</> : undefined}
      actions={<ExportLinks view={`mandates/${mandate.id}`} of="results" />}
    >
      {results.error ? (
        <Fault error={results.error} onRetry={() => void results.refetch()} />
      ) : !results.data ? (
        <Skeleton lines={mandate.payload.kpis.length} />
      ) : results.data.evaluations.length === 0 ? (
        <p>No window has begun.</p>
      ) : (
        <ul className={styles.lines} aria-label="Promises">
          {results.data.evaluations.map((evaluation) => (
            <PromiseLine key={evaluation.kpiId} evaluation={evaluation} payload={mandate.payload} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function PromiseLine({
  evaluation,
  payload,
}: {
  evaluation: contract.KpiEvaluation
  payload: contract.MarketMakerMandate
}) {
  const { quote } = usePairTokens(payload.pair)
  const format = formatIn(quote)
  const kpi = payload.kpis.find(({ kpiId }) => kpiId === evaluation.kpiId)
  if (!kpi) return null
  const { verdict, reason, trust, window, contradictions, told } = evaluation
  const details = [
    measuredText(evaluation, kpi, format),
    observedText(evaluation),
    ...(trust === null ? [] : [trustTexts[trust]]),
    ...(contradictions === 0 ? [] : [`${contradictions} contradicted samples`]),
  ]
  return (
    <li>
      <State of={verdict} />
      <span>
        <strong>{promiseText(kpi, payload.venues, format)}</strong>
        <br />
        {details.join(' · ')}
        {reason === null ? null : `. ${inconclusiveReasons[reason]}`}
      </span>
      <small>
        {window.isRunning ? 'since ' : null}
        <Time at={window.from} />
        {window.isRunning ? null : (
          <>
            {' to '}
            <Time at={window.to} />
          </>
        )}
        {told === null ? null : `, published as ${verdictTexts[told.verdict].toLowerCase()}`}
      </small>
    </li>
  )
}

/** The hours and the loan; the intervals repeat the promises and are folded. */
function Charts({ mandate: { id, payload } }: { mandate: MandateRecord }) {
  const { data } = usePictures('market-maker-mandates', id)
  const shown = (data ?? []).filter(({ table }) => table.rows.length > 0)
  const intervals = shown.find(({ name }) => name === 'mandate-intervals')
  return (
    <>
      {hasUptime(payload) && data === undefined ? <Skeleton lines={8} /> : null}
      {shown
        .filter((picture) => picture !== intervals)
        .map((picture) => (
          <Figure key={picture.name} picture={picture} />
        ))}
      {intervals === undefined ? null : (
        <Fold title="Results and thresholds" note="Bounds of each KPI as a chart">
          <Figure picture={intervals} />
        </Fold>
      )}
    </>
  )
}

const shownSpans = 8

function Hours({ mandate }: { mandate: MandateRecord }) {
  const { organizationId } = useMembership()
  const hours = useQuery(hoursQuery(organizationId, mandate))
  if (hours.error) return <Fault error={hours.error} onRetry={() => void hours.refetch()} />
  if (!hours.data) return <Skeleton lines={4} />
  return (
    <div className={styles.two}>
      <Panel
        title="Breached hours"
        note="last 90 days"
        actions={<ExportLinks view={`mandates/${mandate.id}/hours`} of="hours" />}
      >
        <Spans spans={breachedSpans(hours.data)} none="No hour misses the promise." />
      </Panel>
      <Panel title="Data gaps" note="last 90 days">
        <Spans spans={gapSpans(hours.data)} none="No data gaps." />
      </Panel>
    </div>
  )
}

function Spans({ spans, none }: { spans: readonly HourSpan[]; none: string }) {
  if (spans.length === 0) return <p>{none}</p>
  return (
    <>
      <ul className={`${styles.lines} ${styles.spans}`}>
        {spans.slice(0, shownSpans).map(({ from, to, note }) => (
          <li key={from}>
            <span>{spanText(from, to)}</span>
            <small>{note}</small>
          </li>
        ))}
      </ul>
      {spans.length > shownSpans ? <p>{spans.length - shownSpans} more in the CSV file.</p> : null}
    </>
  )
}

/** `2026-11-28 21:00 to 24:00 UTC`; with both days if the span is longer. */
function spanText(from: string, to: string): string {
  const [day, last] = [from.slice(0, 10), to.slice(0, 10)]
  const end = to.slice(11, 16)
  const isDay = day === last || (end === '00:00' && Date.parse(to) - Date.parse(from) <= 86_400_000)
  return isDay
    ? `${day} ${from.slice(11, 16)} to ${end === '00:00' ? '24:00' : end} UTC`
    : `${day} ${from.slice(11, 16)} to ${last} ${end} UTC`
}
