import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useChange } from '../api/changes.ts'
import {
  itemQuery,
  useMembership,
  useSymbols,
  type VenueLine,
  venuesQuery,
} from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { read } from '../api/send.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import { familyOfKey } from '../declared/families.ts'
import type { FamilyEntry } from '../declared/types.ts'
import { AmountFault, atomsOf, shortDecimal, utcOf } from '../fields/numbers.ts'
import { UnitsContext, unitsOf, useUnits } from '../fields/units.tsx'
import formStyles from '../forms/form.module.css'
import type { SearchParams } from '../routes.tsx'
import { Button, ChangeButton } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { PageLink, toPage, toRecord } from '../ui/page-link.tsx'
import { Empty, Panel, Scrolled, Skeleton } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'
import { RangeField } from './range-field.tsx'
import { reported, StudyOutcome, useVerdict } from './study.tsx'
import { StudyOutputs } from './study-outputs.tsx'
import { compareVerdicts } from './verdict.ts'
import {
  eventsIn,
  isReplayable,
  labelOfRange,
  maxRanges,
  type Observed,
  readRanges,
  studyOf,
  windowOf,
  writeRanges,
} from './workbench-terms.ts'

const ended = ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED']

/** Compares LP ranges over the observed market: choose, run, compare with the previous run. */
export function Workbench() {
  const { organizationId } = useMembership()
  const requested = useSearch({ strict: false }) as SearchParams
  const venues = useQuery(venuesQuery(organizationId))
  const symbols = useSymbols()
  if (venues.error) return <Fault error={venues.error} onRetry={() => void venues.refetch()} />
  if (!venues.data) return <Skeleton lines={8} />
  const open = venues.data.filter(isReplayable)
  const venue = open.find(({ id }) => id === requested.venue) ?? open[0]
  if (!venue) {
    return (
      <Empty title="No indexed market" isPage>
        <p>
          Set up a market to backtest LP ranges.{' '}
          <PageLink to={toPage('markets/new')}>Watch a market</PageLink>
        </p>
      </Empty>
    )
  }
  return (
    <UnitsContext value={unitsOf(venue.payload.pair, symbols)}>
      <header className={styles.head}>
        <div>
          <h1>Compare ranges</h1>
          <p>Backtest LP ranges vs HODL and the full range on market history.</p>
        </div>
      </header>
      <Bench key={venue.id} venue={venue} venues={open} />
    </UnitsContext>
  )
}

function Bench({ venue, venues }: { venue: VenueLine; venues: readonly VenueLine[] }) {
  const { organizationId, role } = useMembership()
  const requestedValue = useSearch({ strict: false }) as SearchParams
  const navigate = useNavigate()
  const { base, quote } = useUnits()
  const { change, post, fault, isSending } = useChange()
  const observations = useQuery({
    queryKey: [organizationId, 'venue-observations', 'of', venue.id],
    queryFn: () =>
      read<Observed[]>(organizationId, '/venue-observations', { subject: venue.id, limit: 100 }),
  })
  const [ranges, setRanges] = useState(() => readRanges(requestedValue.ranges))
  const [typed, setTyped] = useState({
    base: requestedValue.base ?? '1,000',
    quote: requestedValue.quote ?? '10',
  })
  const isWhole = requestedValue.window !== 'newest'
  const set = (more: Record<string, string>) =>
    void navigate({ to: '.', search: { ...requestedValue, ...more } as never, replace: true })
  const window = windowOf(observations.data ?? [], isWhole)
  const amounts = {
    base: readAmount(typed.base, base?.decimals ?? 0),
    quote: readAmount(typed.quote, quote?.decimals ?? 0),
  }
  const isDoubled = new Set(ranges.map(labelOfRange)).size < ranges.length
  const disabledReason =
    permissionReason(role, 'simulate') ??
    (window.length === 0
      ? 'No observations for this venue yet.'
      : amounts.base.fault || amounts.quote.fault
        ? 'Correct the marked amounts.'
        : isDoubled
          ? 'Two ranges are equal.'
          : isSending
            ? 'Running the backtest…'
            : null)
  const run = () =>
    void change(async () => {
      const payload = studyOf({
        venue,
        observations: window,
        ranges,
        base: amounts.base.atoms ?? 0n,
        quote: amounts.quote.atoms ?? 0n,
      })
      const body = { payload, reason: 'Ranges compared in the console' }
      const made = await post<{ id: string } | { study: { id: string } }>({
        path: '/studies',
        body,
      })
      const id = 'study' in made ? made.study.id : made.id
      set({
        ranges: writeRanges(ranges),
        base: typed.base,
        quote: typed.quote,
        run: id,
        before:
          id === requestedValue.run ? (requestedValue.before ?? '') : (requestedValue.run ?? ''),
      })
    })
  return (
    <div className={styles.stack}>
      <Panel title="Inputs">
        <div className={formStyles.form}>
          <div className={formStyles.members}>
            <VenueField
              venue={venue}
              venues={venues}
              onChange={(id) => set({ venue: id, run: '' })}
            />
            <WindowField
              window={window}
              isWhole={isWhole}
              onChange={(whole) => set({ window: whole ? '' : 'newest' })}
            />
            <AmountField
              unit={base?.symbol ?? ''}
              text={typed.base}
              fault={amounts.base.fault}
              onChange={(text) => setTyped({ ...typed, base: text })}
            />
            <AmountField
              unit={quote?.symbol ?? ''}
              text={typed.quote}
              fault={amounts.quote.fault}
              onChange={(text) => setTyped({ ...typed, quote: text })}
            />
          </div>
          {ranges.map((range, index) => (
            <RangeField
              // biome-ignore lint/suspicious/noArrayIndexKey: a range has nothing else that stays while it is moved
              key={index}
              name={`Range ${index + 1}`}
              range={range}
              onChange={(next) => setRanges(ranges.with(index, next))}
              onRemove={ranges.length === 1 ? null : () => setRanges(ranges.toSpliced(index, 1))}
            />
          ))}
          <div className={styles.actions}>
            <ChangeButton
              look="primary"
              icon="flask-conical"
              disabledReason={disabledReason}
              onClick={run}
            >
              {isSending ? 'Running…' : 'Run backtest'}
            </ChangeButton>
            <Button
              icon="plus"
              disabledReason={ranges.length >= maxRanges ? `Maximum ${maxRanges} ranges.` : null}
              onClick={() => setRanges([...ranges, { lowerPips: 100_000, upperPips: 110_000 }])}
            >
              Add range
            </Button>
          </div>
        </div>
      </Panel>
      {fault === null ? null : <Fault error={fault} />}
      {requestedValue.run ? (
        <Outcome id={requestedValue.run} before={requestedValue.before ?? ''} />
      ) : null}
    </div>
  )
}

function readAmount(
  text: string,
  decimals: number,
): { atoms: bigint | null; fault: string | null } {
  try {
    const atoms = atomsOf(text, decimals)
    return atoms < 0n ? { atoms: null, fault: 'Must be at least 0.' } : { atoms, fault: null }
  } catch (error) {
    if (!(error instanceof AmountFault)) throw error
    return { atoms: null, fault: error.message }
  }
}

function VenueField({
  venue,
  venues,
  onChange,
}: {
  venue: VenueLine
  venues: readonly VenueLine[]
  onChange: (id: string) => void
}) {
  const id = useId()
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>Venue</label>
      <select id={id} value={venue.id} onChange={({ target }) => onChange(target.value)}>
        {venues.map((one) => (
          <option key={one.id} value={one.id}>
            {one.payload.name}
          </option>
        ))}
      </select>
    </div>
  )
}

function WindowField({
  window,
  isWhole,
  onChange,
}: {
  window: readonly Observed[]
  isWhole: boolean
  onChange: (isWhole: boolean) => void
}) {
  const id = useId()
  const from = window[0]?.payload.range.from
  const to = window.at(-1)?.payload.range.to
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>Period</label>
      <select
        id={id}
        value={isWhole ? 'whole' : 'newest'}
        onChange={({ target }) => onChange(target.value === 'whole')}
      >
        <option value="whole">Full history without data gaps</option>
        <option value="newest">Latest observation</option>
      </select>
      <p className={formStyles.help}>
        {from && to
          ? `#${from.number.toLocaleString('en-US')} to #${to.number.toLocaleString('en-US')}, ${utcOf(from.timestamp)} to ${utcOf(to.timestamp)}, ${eventsIn(window).toLocaleString('en-US')} events`
          : 'No complete observation yet.'}
      </p>
    </div>
  )
}

function AmountField({
  unit,
  text,
  fault,
  onChange,
}: {
  unit: string
  text: string
  fault: string | null
  onChange: (text: string) => void
}) {
  const id = useId()
  return (
    <div className={formStyles.field} data-fault={fault !== null || undefined}>
      <label htmlFor={id}>Initial {unit}</label>
      <div className={formStyles.withUnit}>
        <input
          id={id}
          value={text}
          inputMode="decimal"
          aria-invalid={fault !== null}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => onChange(target.value)}
        />
        <span>{unit}</span>
      </div>
      <p id={`${id}-help`} className={formStyles.help}>
        {fault ? <strong>{fault}</strong> : 'All candidates start with equal value.'}
      </p>
    </div>
  )
}

const studies = familyOfKey('studies') as FamilyEntry

function useStudy(id: string) {
  const { organizationId } = useMembership()
  return useQuery({
    ...itemQuery(organizationId, studies, id),
    enabled: id !== '',
    refetchInterval: ({ state }) =>
      ended.includes(String(state.data?.item.status ?? 'COMPLETED')) ? false : 1_000,
  })
}

function Outcome({ id, before }: { id: string; before: string }) {
  const study = useStudy(id)
  const earlier = useStudy(before)
  if (study.error) return <Fault error={study.error} onRetry={() => void study.refetch()} />
  const item = study.data?.item
  if (!item) return <Skeleton lines={6} />
  const status = String(item.status)
  return (
    <>
      <Panel title="Backtest">
        <p role="status">
          <State of={status} />{' '}
          {ended.includes(status)
            ? 'Saved as a study. No transaction was sent.'
            : 'Running the backtest…'}
        </p>
        {status === 'FAILED' ? (
          <Notice tone="bad" title="The study failed. See its page for the reason." />
        ) : null}
        <p className={styles.actions}>
          <PageLink to={toRecord('studies', id)}>Open study</PageLink>
        </p>
      </Panel>
      <StudyOutcome item={item} />
      {reported.has(status) ? <StudyOutputs item={item} /> : null}
      {earlier.data?.item ? <Since item={item} before={earlier.data.item} /> : null}
    </>
  )
}

/** Lower bounds vs HODL of both runs. */
function Since({ item, before }: { item: Item; before: Item }) {
  const { quote } = useUnits()
  const [now, then] = [useVerdict(item).data, useVerdict(before).data]
  if (!now || !then) return null
  const decimals = quote?.decimals ?? 0
  const { rows, gone } = compareVerdicts(now, then)
  return (
    <Panel title={`Change from the previous run, in ${quote?.symbol ?? 'smallest units'}`} isFlush>
      <Scrolled label="Change from the previous run">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Position</th>
              <th scope="col">vs HODL, lower bound</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ armId, label, low, change, labelBefore }) => (
              <tr key={armId}>
                <th scope="row">
                  {label}
                  {labelBefore === label ? null : <small> (was {labelBefore})</small>}
                </th>
                <td data-label="vs HODL, lower bound">{shortDecimal(low, decimals, 5)}</td>
                <td data-label="Change">
                  {change === null
                    ? 'new'
                    : change === 0n
                      ? 'unchanged'
                      : `${change > 0n ? '+' : ''}${shortDecimal(change, decimals, 5)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {gone.length === 0 ? null : <p className={styles.foot}>Removed: {gone.join(', ')}.</p>}
    </Panel>
  )
}
