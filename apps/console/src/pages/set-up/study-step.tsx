import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/changes.ts'
import { useMembership, useSymbols, type VenueLine } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { atomsOf } from '../../fields/numbers.ts'
import { unitsOf } from '../../fields/units.tsx'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toPage, toRecord, useOpenPage } from '../../ui/page-link.tsx'
import { Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { firstRanges, labelOfRange, type Observed, studyOf, windowOf } from '../workbench-terms.ts'

import { firstCapital } from './first-capital.ts'

/** Runs the first study of a market with proposed ranges and capital, and opens it. */
export function StudyStep({ venue, indexJobId }: { venue: VenueLine; indexJobId: string }) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const openPage = useOpenPage()
  const { base, quote } = unitsOf(venue.payload.pair, useSymbols())
  const observations = useQuery({
    queryKey: [organizationId, 'venue-observations', 'of', venue.id, indexJobId],
    queryFn: () =>
      read<Observed[]>(organizationId, '/venue-observations', { subject: venue.id, limit: 100 }),
  })
  const window = windowOf(observations.data ?? [], true)
  const { pair } = venue.payload
  const figures = figuresOf(pair, window.at(-1))
  const capital = figures && firstCapital(figures)
  const run = ({ base, quote }: NonNullable<typeof capital>) =>
    void change(async () => {
      const payload = studyOf({
        venue,
        observations: window,
        ranges: firstRanges,
        base: atomsOf(base, pair.baseDecimals),
        quote: atomsOf(quote, pair.quoteDecimals),
      })
      const made = await post<{ id: string } | { study: { id: string } }>({
        path: '/studies',
        body: { payload, reason: 'First study' },
      })
      await openPage(toRecord('studies', 'study' in made ? made.study.id : made.id))
    })
  const disabledReason =
    permissionReason(role, 'simulate') ??
    (isSending
      ? 'Starting the study…'
      : observations.data
        ? window.length === 0
          ? 'No complete observation yet.'
          : null
        : 'Loading the market data.')
  return (
    <>
      {observations.error ? (
        <Fault error={observations.error} onRetry={() => void observations.refetch()} />
      ) : null}
      {capital ? (
        <>
          <p>
            Backtest of {firstRanges.map(labelOfRange).join(', ')} and the full range against HODL,
            with {capital.base} {base?.symbol} and {capital.quote} {quote?.symbol} on{' '}
            {venue.payload.name}.
          </p>
          <p className={styles.actions}>
            <ChangeButton
              look="primary"
              icon="flask-conical"
              disabledReason={disabledReason}
              onClick={() => run(capital)}
            >
              {isSending ? 'Starting…' : 'Run the first study'}
            </ChangeButton>
            <PageLink to={toPage('studies/new', { venue: venue.id, ...capital })}>
              Change ranges and amounts
            </PageLink>
          </p>
        </>
      ) : observations.data ? (
        <p>
          {venue.payload.name} {figures ? 'holds too little' : 'has no price and TVL'} to propose
          amounts.{' '}
          <PageLink to={toPage('studies/new', { venue: venue.id })}>
            Choose ranges and amounts
          </PageLink>
        </p>
      ) : observations.error ? null : (
        <Skeleton lines={2} />
      )}
      {fault === null ? null : <Fault error={fault} />}
    </>
  )
}

/** Price and TVL at the end of an observation, however old; null if either is unknown. */
function figuresOf(pair: VenueLine['payload']['pair'], observation: Observed | undefined) {
  const { metrics } = observation?.payload ?? {}
  if (!metrics || metrics.tvlQuote === '0') return null
  // Observations of earlier releases have only the X18 form.
  const priceX36 = metrics.midX36 ?? `${BigInt(metrics.midX18) * 10n ** 18n}`
  if (priceX36 === '0') return null
  return {
    base: { decimals: pair.baseDecimals },
    quote: { decimals: pair.quoteDecimals },
    priceX36,
    tvlQuote: metrics.tvlQuote,
  }
}
