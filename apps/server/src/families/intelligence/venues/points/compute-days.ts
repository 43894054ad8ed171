import { observationsById } from '../../../../market/completed-observations.ts'
import { type ObservedPart, observedParts } from '../../../../market/observed-parts.ts'
import { firstBlock, lastBlock, type ObservedSpan } from '../../../../market/observed-spans.ts'
import { ofVenue, spanColumns, spanIs, spanOfRow } from '../../../../market/span-rows.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../../units.ts'
import type { VenueProfile } from '../venue.ts'
import { marketOf, secondsOf } from './count-points.ts'
import { type Point, PointTable, type StoredPoint } from './point.ts'
import type { PointsTask } from './points-task.ts'

/** Points of some days of a venue, computed from its sealed observations. */
export interface ComputedDays {
  /** Starts of UTC days, in Unix seconds. */
  readonly days: readonly number[]
  /** All resolutions, without retention. */
  readonly points: readonly StoredPoint[]
  /** Times without a gap, ascending, in Unix seconds. */
  readonly observed: readonly { readonly from: number; readonly until: number }[]
  /** Fails with a conflict if the venue has other observations by now. */
  readonly check: Sql
}

/** Folds one observation, in a thread or not. */
export type Fold = (task: PointsTask) => Point[] | Promise<Point[]>

/** How to fold, and the points of observations that were folded before. */
export interface Folding {
  readonly fold: Fold
  readonly folded?: Map<string, Point[] | Promise<Point[]>>
}

/** @param days consecutive starts of UTC days, ascending */
export async function computeDays(
  records: TenantRecords,
  { fold, folded = new Map() }: Folding,
  venue: { readonly id: string; readonly payload: VenueProfile },
  days: readonly number[],
): Promise<ComputedDays> {
  const [from, until] = [days[0]!, days.at(-1)! + daySeconds]
  const spans = await countedSpans(records, venue.id, { from, until })
  const parts = observedParts(spans)
  const table = new PointTable({ from, until })
  const observed: { from: number; until: number }[] = []
  for (const [index, part] of parts.entries()) {
    const [before, after] = [parts[index - 1], parts[index + 1]]
    const times = timesOf(part, before, after)
    const last = observed.at(-1)
    if (last && before && before.to === part.from - 1) last.until = Math.max(last.until, times.to)
    else observed.push({ from: times.from, until: times.to })
    if (times.to < from || times.from >= until) continue
    const key = [part.observation.id, part.from, part.to, times.from, times.to].join(' ')
    const points = folded.get(key) ?? pointsOf(records, fold, venue.payload, part, times)
    folded.set(key, points)
    table.add(part.observation.id, await points)
  }
  return {
    days,
    observed,
    points: table.all(),
    check: expectSpans(records.organizationId, venue.id, { from, until }, spans),
  }
}

type Window = { readonly from: number; readonly until: number }
type Part = ObservedPart<ObservedSpan>

/** Observations that count and touch a time, or share or adjoin blocks with one that does. */
async function countedSpans(
  records: Pick<TenantRecords, 'organizationId' | 'query'>,
  venueId: string,
  { from, until }: Window,
): Promise<ObservedSpan[]> {
  const ask = async (condition: Sql) => {
    const [rows = []] = await records.query([
      sql`select ${spanColumns} from venue_spans s where ${ofVenue(records.organizationId, venueId)}
        and ${spanIs.continuable} and ${condition} order by s.first_block, s.id`,
    ])
    return rows.map(spanOfRow)
  }
  let spans = await ask(sql`s.last_at >= ${from} and s.first_at < ${until}`)
  for (let isComplete = spans.length === 0; !isComplete; ) {
    const first = Math.min(...spans.map(firstBlock))
    const last = Math.max(...spans.map(lastBlock))
    const overlapping = await ask(
      sql`s.reads_events and s.last_block >= ${first} and s.first_block <= ${last}`,
    )
    isComplete = overlapping.length === spans.length
    spans = overlapping
  }
  if (spans.length === 0) return []
  const first = Math.min(...spans.map(firstBlock))
  const last = Math.max(...spans.map(lastBlock))
  // Neighbors only show that no block is missing in between.
  return ask(sql`s.reads_events and s.last_block >= ${first - 1} and s.first_block <= ${last + 1}`)
}

/** Fails unless the same observations count. A new neighbor makes the affected days due again. */
function expectSpans(
  organizationId: string,
  venueId: string,
  { from, until }: Window,
  spans: readonly ObservedSpan[],
): Sql {
  const ids = spans
    .filter(
      ({ payload: { range } }) =>
        secondsOf(range.to.timestamp) >= from && secondsOf(range.from.timestamp) < until,
    )
    .map(({ id }) => id)
    .sort()
    .join(' ')
  return sql`select require_expected(coalesce(string_agg(s.id, ' ' order by s.id), '') = ${ids})
    from venue_spans s where ${ofVenue(organizationId, venueId)} and ${spanIs.continuable}
    and s.last_at >= ${from} and s.first_at < ${until}`
}

/** Time that a part covers; a part that another observation cuts ends where that one begins. */
function timesOf(part: Part, before: Part | undefined, after: Part | undefined) {
  const { range } = part.observation.payload
  const isCutBefore = part.from > firstBlock(part.observation)
  const isCutAfter = part.to < lastBlock(part.observation)
  return {
    from: secondsOf(
      isCutBefore && before ? before.observation.payload.range.to.timestamp : range.from.timestamp,
    ),
    to: secondsOf(
      isCutAfter && after ? after.observation.payload.range.from.timestamp : range.to.timestamp,
    ),
    isCut: isCutBefore || isCutAfter,
  }
}

async function pointsOf(
  records: TenantRecords,
  fold: Fold,
  profile: VenueProfile,
  { observation, from: fromBlock, to: toBlock }: Part,
  { from, to, isCut }: ReturnType<typeof timesOf>,
) {
  const { id, payload } = observation
  const { range, events } = payload
  const record = (await observationsById(records, [id])).get(id)
  if (!record) throw new Error(`Observation ${id} does not exist.`)
  return fold({
    start: await records.artifact(record.payload.start.artifactHash),
    events: await records.sharedArtifact(events.artifactHash),
    ...marketOf(profile),
    observed: { from: secondsOf(range.from.timestamp), to: secondsOf(range.to.timestamp) },
    part: isCut ? { fromBlock, toBlock, from, to } : null,
  })
}
