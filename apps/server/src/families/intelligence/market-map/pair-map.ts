import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import { confirmedStates, type ObservationRecord } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { ownPositionsAt } from '../../../market/own-positions.ts'
import { pairKey } from '../../../market/pair.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import type { Services } from '../../../services.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds, hourSeconds } from '../../../units.ts'
import type { ScorePayload } from '../scores/api.ts'
import { mapInThread } from './map-in-thread.ts'
import type { MappedMarket } from './map-task.ts'
import { comparedBands, compareTargets, wantedDepths } from './targets.ts'

export type PairMap = Static<typeof contract.PairMap>
type VenueLine = PairMap['venues'][number]

interface Known {
  venue: VenueRecord
  observations: readonly ObservationRecord[]
  freshnessSeconds: number | null
}

/** The venues of one pair combined, from their newest sealed states. */
export async function pairMapOf(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  venues: readonly VenueRecord[],
  requested: readonly string[] | null,
): Promise<PairMap> {
  const { pair } = venues[0]!.payload
  const sizesQuote = requested ?? (await sizesOfNewestScore(records, pair))
  const known = await Promise.all(venues.map((venue) => knownOf(records, venue)))
  const seen = known.filter(({ observations }) => observations.length > 0)
  const wanted = await wantedDepths(records, pair)
  const mapped = await mapInThread(awaited, {
    sizesQuote,
    targetBands: comparedBands(wanted),
    venues: await Promise.all(
      seen.map(async ({ venue, observations, freshnessSeconds }) => ({
        venueId: venue.id,
        orientation: venueOrientation(venue.payload),
        feePips: venue.payload.feePips ?? 3000,
        state: await records.artifact(observations[0]!.payload.state.artifactHash),
        owned: knownOwn(venue, observations),
        isStale: (freshnessSeconds ?? 0) > limits.mapFreshSeconds,
      })),
    ),
  })
  const lines = known.map((one) => {
    const index = seen.indexOf(one)
    return lineOf(one, index < 0 ? null : mapped.venues[index]!, records.now)
  })
  const fresh = seen.filter(
    ({ freshnessSeconds }) => (freshnessSeconds ?? 0) <= limits.mapFreshSeconds,
  )
  const { targets, reasons: notCompared } = compareTargets(wanted, mapped.composite)
  const reasons = [
    ...(seen.length < known.length ? ['VENUE_NOT_OBSERVED'] : []),
    ...(fresh.length < seen.length ? ['VENUE_STALE'] : []),
    ...(sizesQuote.length === 0 ? ['NO_SIZES'] : []),
    ...seen.flatMap(({ venue, observations }) => ownOf(venue, observations).reasons),
    'GAS_NOT_CHARGED',
    ...notCompared,
  ]
  return {
    pair,
    asOf: seen.map(({ observations }) => observations[0]!.payload.state.at),
    state:
      mapped.composite === null
        ? 'ABSTAINED'
        : fresh.length < known.length
          ? 'PARTIAL'
          : 'COMPLETED',
    reasons: [...new Set(reasons)],
    venues: lines,
    composite: mapped.composite && withoutTargets(mapped.composite),
    targets,
    coveragePips: Math.floor((1_000_000 * fresh.length) / known.length),
  }
}

function withoutTargets({ targetDepth: _, ...shown }: NonNullable<MappedMarket['composite']>) {
  return shown
}

/** Owned positions of a venue, from its newest observation. */
const ownOf = ({ payload }: VenueRecord, observations: readonly ObservationRecord[]) =>
  ownPositionsAt(payload.ownedPositions, observations[0]?.payload.positionTokens)

/** Null if the venue names no position, or some are unknown. */
function knownOwn(venue: VenueRecord, observations: readonly ObservationRecord[]) {
  const { positions, areKnown } = ownOf(venue, observations)
  return venue.payload.ownedPositions?.length && areKnown ? positions : null
}

async function knownOf(records: TenantRecords, venue: VenueRecord): Promise<Known> {
  const observations = await confirmedStates(records, venue.id, limits.mapObservations)
  const [newest] = observations
  const age = newest ? records.now - Date.parse(newest.payload.state.at.timestamp) : null
  return {
    venue,
    observations,
    freshnessSeconds: age === null ? null : Math.max(0, Math.floor(age / 1000)),
  }
}

function lineOf(
  { venue, observations, freshnessSeconds }: Known,
  mapped: Pick<
    VenueLine,
    | 'midX18'
    | 'midX36'
    | 'isMidCoarse'
    | 'depth'
    | 'depthSharePips'
    | 'tvlQuote'
    | 'ownDepthSharePips'
  > | null,
  now: number,
): VenueLine {
  const volume24hQuote = volumeOfDay(observations, Math.floor(now / 1000))
  const nothing = {
    midX18: null,
    midX36: null,
    isMidCoarse: false,
    depth: [],
    depthSharePips: null,
    tvlQuote: null,
  }
  return {
    venueId: venue.id,
    kind: venue.payload.kind,
    status: venue.status,
    freshnessSeconds,
    feePips: venue.payload.feePips ?? 3000,
    ...(mapped ?? { ...nothing, ownDepthSharePips: null }),
    volume24hQuote,
    flags: [
      ...(freshnessSeconds === null ? ['NOT_OBSERVED'] : []),
      ...(freshnessSeconds !== null && freshnessSeconds > limits.mapFreshSeconds ? ['STALE'] : []),
      ...(mapped?.midX18 === null ? ['NO_PRICE'] : []),
      ...(volume24hQuote === null ? ['VOLUME_24H_UNKNOWN'] : []),
    ],
  }
}

/**
 * Volume of the last 24 h, in quote atoms. Null unless the observations are consecutive and leave
 * less than one hour uncovered.
 */
export function volumeOfDay(
  observations: readonly ObservationRecord[],
  now: number,
): string | null {
  const seconds = (time: string) => Date.parse(time) / 1000
  const inside = observations
    .filter(
      ({ status, payload }) =>
        status === 'COMPLETED' && seconds(payload.range.from.timestamp) >= now - daySeconds,
    )
    .toSorted((a, b) => a.payload.range.from.number - b.payload.range.from.number)
  let covered = 0
  let until = -1
  let volume = 0n
  for (const { payload } of inside) {
    const { from, to } = payload.range
    // Overlapping observations would count trades twice.
    if (from.number <= until) return null
    covered += seconds(to.timestamp) - seconds(from.timestamp)
    until = to.number
    volume += BigInt(payload.metrics.volumeQuote)
  }
  return covered >= daySeconds - hourSeconds ? `${volume}` : null
}

async function sizesOfNewestScore(
  records: TenantRecords,
  pair: PairMap['pair'],
): Promise<string[]> {
  const scores = await records.find<ScorePayload>('MarketQualityScore', {
    where: sql`lower(${member('payload.request.pair.base')}) = ${pair.base.toLowerCase()}`,
    limit: limits.mapScores,
  })
  const found = scores
    .map(({ payload }) => payload.request)
    .find((request) => pairKey(request.pair) === pairKey(pair))
  return (found?.tradeSizesQuote ?? []).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
}
