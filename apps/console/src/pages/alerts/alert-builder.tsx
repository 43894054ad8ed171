import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { marketSummariesQuery } from '../../api/markets.ts'
import { useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { Choice, TextField } from '../../forms/fields.tsx'
import formStyles from '../../forms/form.module.css'
import type { SearchParams } from '../../routes.tsx'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toList, toPage, toRecord, useOpenPage } from '../../ui/page-link.tsx'
import { Empty, Panel, Skeleton } from '../../ui/parts.tsx'
import { useMarketTokens } from '../market-figures.tsx'
import styles from '../pages.module.css'
import { ChannelChoice } from './channel-choice.tsx'
import { RulePreview } from './rule-preview.tsx'
import {
  bands,
  comparators,
  durations,
  firstTerms,
  metrics,
  nameOf,
  readValue,
  type Severity,
  sides,
  type Terms,
  type Tokens,
  thresholdOf,
  windows,
} from './threshold-terms.ts'

/** Interval of repeat notifications, in seconds. */
const repeatSeconds = 14_400
/** Rest of the input before the preview is computed, in milliseconds. */
const previewDelay = 300

const severities: Readonly<Record<Severity, string>> = {
  INFO: 'Info',
  WARNING: 'Warning',
  CRITICAL: 'Critical',
}

/** Creates an alert rule with a threshold: metric, market, limit, preview and channels. */
export function AlertBuilder() {
  const { organizationId } = useMembership()
  const { market: requestedPair } = useSearch({ strict: false }) as SearchParams
  const summaries = useQuery(marketSummariesQuery(organizationId))
  const tokensOf = useMarketTokens()
  if (summaries.error)
    return <Fault error={summaries.error} onRetry={() => void summaries.refetch()} />
  if (!summaries.data) return <Skeleton lines={6} />
  const markets = summaries.data.markets.map((market) => ({
    pairKey: market.pairKey,
    tokens: tokensOf(market),
  }))
  const first = markets.find(({ pairKey }) => pairKey === requestedPair) ?? markets[0]
  if (!first) {
    return (
      <Empty title="No market to monitor" isPage>
        <p>
          An alert rule needs a watched market.{' '}
          <PageLink to={toPage('markets/new')}>Watch a market</PageLink>
        </p>
      </Empty>
    )
  }
  return (
    <>
      <p className={styles.trail}>
        <PageLink to={toList('alert-rules')}>Alert rules</PageLink>
      </p>
      <header className={styles.head}>
        <div>
          <h1>New alert</h1>
          <p>
            Notifies when a figure of a market crosses a limit. For events of the service, such as a
            failed job,{' '}
            <PageLink to={toList('alert-rules', { form: 'createAlertRule' })}>
              route system events
            </PageLink>
            .
          </p>
        </div>
      </header>
      <Builder markets={markets} first={first.pairKey} />
    </>
  )
}

interface Market {
  readonly pairKey: string
  readonly tokens: Tokens
}

function Builder({ markets, first }: { markets: readonly Market[]; first: string }) {
  const { role } = useMembership()
  const openPage = useOpenPage()
  const { change, post, fault, isSending } = useChange()
  const [terms, setTerms] = useState<Terms>({ ...firstTerms, pairKey: first })
  const [name, setName] = useState<string | null>(null)
  const [channels, setChannels] = useState<readonly string[]>([])
  const market = markets.find(({ pairKey }) => pairKey === terms.pairKey)
  if (!market) return null
  const { tokens } = market
  const read = readValue(terms, tokens)
  const composed = nameOf(terms, tokens)
  const set = (more: Partial<Terms>) => setTerms((before) => ({ ...before, ...more }))
  const disabledReason =
    permissionReason(role, 'operate') ??
    (read.fault
      ? 'Correct the limit.'
      : read.value === null
        ? 'Enter a limit.'
        : channels.length === 0
          ? 'Choose a channel.'
          : isSending
            ? 'Saving…'
            : null)
  const create = () =>
    void change(async () => {
      if (read.value === null) return
      const payload = {
        name: name?.trim() || composed,
        threshold: thresholdOf(terms, read.value),
        forSeconds: terms.forSeconds,
        channels,
        repeatSeconds,
      }
      const { id } = await post<{ id: string }>({
        path: '/alert-rules',
        body: { payload, reason: 'Created in the console' },
      })
      await openPage(toRecord('alert-rules', id))
    })
  return (
    <form
      className={styles.stack}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (disabledReason === null) create()
      }}
    >
      <Panel title="Condition">
        <div className={formStyles.form}>
          <Condition terms={terms} markets={markets} fault={read.fault} onChange={set} />
          <Preview terms={terms} value={read.value} tokens={tokens} />
        </div>
      </Panel>
      <Panel title="Notify">
        <div className={formStyles.form}>
          <ChannelChoice chosen={channels} onChange={setChannels} />
          <Choice
            label="Severity"
            value={terms.severity}
            options={severities}
            onChange={(severity) => set({ severity })}
          />
          <TextField label="Name" value={name ?? composed} onChange={setName} />
          {fault === null ? null : <Fault error={fault} />}
          <div className={styles.actions}>
            <ChangeButton
              look="primary"
              icon="bell-ring"
              disabledReason={disabledReason}
              onClick={create}
            >
              Create alert
            </ChangeButton>
          </div>
        </div>
      </Panel>
    </form>
  )
}

function Condition({
  terms,
  markets,
  fault,
  onChange,
}: {
  terms: Terms
  markets: readonly Market[]
  fault: string | null
  onChange: (more: Partial<Terms>) => void
}) {
  const { hasDepth, hasWindow, unit } = metrics[terms.metric]
  const tokens = markets.find(({ pairKey }) => pairKey === terms.pairKey)?.tokens
  const pairs = Object.fromEntries(
    markets.map(({ pairKey, tokens: { base, quote } }) => [
      pairKey,
      `${base.symbol}/${quote.symbol}`,
    ]),
  )
  const metricLabels = Object.fromEntries(
    Object.entries(metrics).map(([metric, { label }]) => [metric, label]),
  ) as Record<Terms['metric'], string>
  return (
    <div className={formStyles.members}>
      <Choice
        label="When"
        value={terms.metric}
        options={metricLabels}
        onChange={(metric) => onChange({ metric, value: '' })}
      />
      <Choice
        label="Of market"
        value={terms.pairKey}
        options={pairs}
        onChange={(pairKey) => onChange({ pairKey, value: '' })}
      />
      {hasDepth ? (
        <>
          <Choice
            label="Within"
            value={`${terms.bandPips}`}
            options={Object.fromEntries(
              bands.map((band) => [`${band}`, `${band / 10_000} % of the price`]),
            )}
            onChange={(band) => onChange({ bandPips: Number(band) })}
          />
          <Choice
            label="Side"
            value={terms.side}
            options={sides}
            onChange={(side) => onChange({ side })}
          />
        </>
      ) : null}
      {hasWindow ? (
        <Choice
          label="Over"
          value={`${terms.windowSeconds}`}
          options={windows}
          onChange={(seconds) => onChange({ windowSeconds: Number(seconds) })}
        />
      ) : null}
      <Choice
        label="Condition"
        value={terms.comparator}
        options={comparators}
        onChange={(comparator) => onChange({ comparator })}
      />
      <TextField
        label="Limit"
        value={terms.value}
        unit={tokens ? unit(tokens) : ''}
        fault={fault}
        onChange={(value) => onChange({ value })}
      />
      <Choice
        label="For"
        value={`${terms.forSeconds}`}
        options={durations}
        onChange={(seconds) => onChange({ forSeconds: Number(seconds) })}
      />
    </div>
  )
}

/** The preview of the last 30 days, computed when the input rests. */
function Preview({ terms, value, tokens }: { terms: Terms; value: string | null; tokens: Tokens }) {
  const wanted = value === null ? null : JSON.stringify(thresholdOf(terms, value))
  const [rested, setRested] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRested(wanted), previewDelay)
    return () => clearTimeout(timer)
  }, [wanted])
  if (value === null) return <p className={formStyles.help}>Enter a limit to see past firings.</p>
  if (rested === null || rested !== wanted) return <Skeleton lines={3} />
  return (
    <RulePreview
      threshold={rested}
      forSeconds={terms.forSeconds}
      value={value}
      terms={terms}
      tokens={tokens}
    />
  )
}
