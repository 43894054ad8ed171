import { type contract, testNetworksIn } from '@liquidity-os/contract'
import { daysOf } from '@liquidity-os/engine/mandates'
import type { Column, TableRow } from '@liquidity-os/sheet'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { hourSeconds } from '../../../units.ts'
import type { Export } from '../../exported-file.ts'
import { daysOfTerms, readStoredDays } from './evidence-of-days.ts'
import { type HourState, hourStates, lastDays, type MandateHour } from './hour-states.ts'
import { secondsOf, termsOf } from './mandate-terms.ts'
import { requireObserved } from './observed-mandate.ts'
import type { Mandate } from './records.ts'

/** The hours of the last days of a mandate, oldest first, without those that have not begun. */
export async function readHours(
  records: TenantRecords,
  { id, payload }: Pick<Mandate, 'id' | 'payload'>,
  days: number,
): Promise<MandateHour[]> {
  const terms = termsOf(payload)
  const asOf = Math.floor(records.now / 1000)
  const at = Math.max(terms.period.from, Math.min(asOf, secondsOf(payload.period.to) - 1))
  const span = lastDays(terms, at, days)
  const storedDays = await readStoredDays(records, id, daysOf(span))
  return hourStates({ terms, days: daysOfTerms(terms, storedDays), asOf }, span).filter(
    ({ bid, ask }) => bid !== 'AHEAD' || ask !== 'AHEAD',
  )
}

/** Hours in a row without enough data, with the share of time that has data. */
export interface HourGap {
  readonly from: number
  readonly to: number
  readonly knownSeconds: number
  readonly countedSeconds: number
}

export function gapsOf(hours: readonly MandateHour[]): HourGap[] {
  const gaps: HourGap[] = []
  for (const { day, hour, bid, ask, knownSeconds, countedSeconds } of hours) {
    if (bid !== 'GAP' && ask !== 'GAP') continue
    const from = day + hour * hourSeconds
    const last = gaps.at(-1)
    if (last?.to === from) {
      gaps[gaps.length - 1] = {
        from: last.from,
        to: from + hourSeconds,
        knownSeconds: last.knownSeconds + knownSeconds,
        countedSeconds: last.countedSeconds + countedSeconds,
      }
    } else {
      gaps.push({ from, to: from + hourSeconds, knownSeconds, countedSeconds })
    }
  }
  return gaps
}

/**
 * The uptime of a mandate by hour as a file, oldest first.
 *
 * @throws Failure 404, 409 for a draft, 422 without an uptime KPI
 */
export async function hoursExport(records: TenantRecords, id: string): Promise<Export> {
  const mandate = await requireObserved(records, id, 'params.view')
  const { title, marketMaker, pair, kpis } = mandate.payload
  const kpi = kpis.find(({ metric }) => metric === 'UPTIME_PIPS')
  if (!kpi) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { 'params.view': ['must name a mandate with an uptime KPI'] },
    })
  }
  const hours = await readHours(records, mandate, limits.mandateHoursDays)
  const count = (state: HourState) =>
    hours.filter(({ bid, ask }) => bid === state || ask === state).length
  return {
    name: `mandate-${title.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}-hours`,
    chainIds: testNetworksIn(JSON.stringify(pair)),
    workbook: {
      title: `${title}, uptime by hour`,
      facts: [
        { label: 'Market maker', value: marketMaker.name },
        { label: 'KPI', value: kpi.kpiId },
        { label: 'As of', value: records.now, kind: 'TIME' },
        { label: 'Hours', value: hours.length, kind: 'COUNT' },
        { label: 'Breached', value: count('BREACHED'), kind: 'COUNT' },
        { label: 'Data gaps', value: count('GAP'), kind: 'COUNT' },
      ],
      tables: [
        {
          id: 'hours',
          title: 'Hours',
          columns,
          rows: hours.map((one) => rowOf(one, mandate.payload)),
        },
      ],
      sources: [
        {
          kind: 'MarketMakerMandate',
          id,
          version: mandate.resourceVersion,
          hash: null,
          block: null,
          url: null,
        },
      ],
    },
  }
}

const columns: Column[] = [
  { key: 'from', title: 'from', kind: 'TIME' },
  { key: 'to', title: 'to', kind: 'TIME' },
  { key: 'bid', title: 'bids', kind: 'TEXT' },
  { key: 'ask', title: 'asks', kind: 'TEXT' },
  { key: 'known', title: 'observed', kind: 'COUNT', unit: 's' },
  { key: 'bidQuoted', title: 'bids as promised', kind: 'COUNT', unit: 's' },
  { key: 'askQuoted', title: 'asks as promised', kind: 'COUNT', unit: 's' },
  { key: 'counted', title: 'elapsed without exclusions', kind: 'COUNT', unit: 's' },
  { key: 'reason', title: 'reason', kind: 'TEXT' },
]

const words: Readonly<Record<HourState, string>> = {
  MET: 'Met',
  BREACHED: 'Breached',
  GAP: 'Data gap',
  EXCLUDED: 'Excluded',
  AHEAD: 'Not yet',
}

function rowOf(one: MandateHour, { exclusions }: contract.MarketMakerMandate): TableRow {
  const from = one.day + one.hour * hourSeconds
  const to = from + hourSeconds
  const excluded = exclusions.find((span) => secondsOf(span.from) < to && secondsOf(span.to) > from)
  const isGap = one.bid === 'GAP' || one.ask === 'GAP'
  const gap = isGap ? (one.knownSeconds === 0 ? 'No samples' : 'Too few samples') : null
  return [
    from * 1000,
    to * 1000,
    words[one.bid],
    words[one.ask],
    one.knownSeconds,
    one.bidSeconds,
    one.askSeconds,
    one.countedSeconds,
    gap ?? (excluded ? `Excluded: ${excluded.reason}` : null),
  ]
}
