import type { ChartSpec } from '@liquidity-os/drawing'
import { decimalOf } from '@liquidity-os/drawing/numbers'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMembership } from '../../api/queries.ts'
import { ask } from '../../api/send.ts'
import { Fault } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/parts.tsx'
import { HistoryChart } from '../market-history.tsx'
import { firedText, type Preview } from './preview-text.ts'
import { metrics, metricText, type Terms, type Tokens, valueText } from './threshold-terms.ts'

/** The metric over 30 days with the limit, and how often the rule would have fired. */
export function RulePreview({
  threshold,
  forSeconds,
  value,
  terms,
  tokens,
}: {
  /** JSON of the contract's threshold. */
  threshold: string
  forSeconds: number
  value: string
  terms: Terms
  tokens: Tokens
}) {
  const { organizationId } = useMembership()
  const preview = useQuery({
    queryKey: [organizationId, 'alert-preview', threshold, forSeconds],
    queryFn: () =>
      ask<{ data: Preview }>(
        organizationId,
        { id: 'previewAlertRule', method: 'POST', path: '/alert-rules/preview' },
        { body: { threshold: JSON.parse(threshold), forSeconds } },
      ).then(({ body }) => body.data),
    staleTime: 60_000,
  })
  const chart = useMemo(
    () => (preview.data ? previewChart(preview.data, { value, terms, tokens }) : null),
    [preview.data, value, terms, tokens],
  )
  if (preview.error) return <Fault error={preview.error} onRetry={() => void preview.refetch()} />
  if (!preview.data || !chart) return <Skeleton lines={6} />
  const { current } = preview.data
  return (
    <>
      <p role="status">
        <strong>{firedText(preview.data)}</strong>{' '}
        {current === null
          ? 'No current value.'
          : `Now ${valueText(current, terms.metric, tokens)} ${metrics[terms.metric].unit(tokens)}.`}
      </p>
      <HistoryChart chart={{ spec: chart, table: chart.table }} />
    </>
  )
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

export function previewChart(
  { series, firings }: Preview,
  { value, terms, tokens }: { value: string; terms: Terms; tokens: Tokens },
): ChartSpec {
  const { unit, decimals } = metrics[terms.metric]
  const places = decimals(tokens)
  const limit = decimalOf(value, places)
  const label = metricText(terms)
  return {
    id: 'alert-preview',
    kind: 'xy',
    title: 'Last 30 days',
    summary: `${label} with the limit of the rule. Dashed lines mark the start of each firing.`,
    x: { label: 'Time', unit: 'UTC', scale: 'time' },
    y: { label, unit: unit(tokens), scale: 'linear' },
    table: {
      columns: [
        { key: 'time', label: 'Time', unit: 'UTC' },
        { key: 'value', label, unit: unit(tokens) },
        { key: 'limit', label: 'Limit', unit: unit(tokens) },
      ],
      rows: series.map(([at, atoms]) => [
        timeOf(at),
        atoms === null ? null : decimalOf(atoms, places),
        limit,
      ]),
    },
    series: [
      { id: 'value', label, mark: 'line', role: 'observed', x: 'time', y: ['value'] },
      { id: 'limit', label: 'Limit', mark: 'line', role: 'limit', x: 'time', y: ['limit'] },
    ],
    markers: firings.slice(0, 20).map(({ from }) => ({
      at: timeOf(from),
      label: 'Firing',
      tone: 'warn' as const,
    })),
    empty: 'No data in the last 30 days.',
  }
}
