import { detectors, LEAST_SAMPLES, leastWarningAmong } from '@liquidity-os/engine/detection'
import { pathStream } from '@liquidity-os/engine/random'
import {
  areEnoughLarge,
  chooseRecoveries,
  diagnoseMarket,
  type HourlyWindow,
  hourlyInterval,
  type MarketDiagnostics,
  type MarketSample,
  measureMarket,
  type Recovery,
  type ScoreResult,
  type Suspicion,
  scoreMarket,
  suspiciousTrades,
  type TapeTrade,
} from '@liquidity-os/engine/scoring'
import { median } from '@liquidity-os/engine/statistics'
import type { OwnerShare } from '../../../market/depth-by-owner.ts'
import { type DrawBlock, drawnMoments, lastEventBlock } from '../../../market/drawn-moments.ts'
import { fundingGaps, originsUnknown, washTradesUnseen } from '../../../market/flow-gaps.ts'
import { midPriceOfX36 } from '../../../market/mid-price.ts'
import { findOwnTrades, type OwnFlowKind } from '../../../market/own-flow.ts'
import { depthsByProvider } from '../../../market/provider-depths.ts'
import { fundingOfVenues } from '../../../market/trader-funding.ts'
import { momentsOf, type VenueHistory } from '../../../market/venue-history.ts'
import { hourSeconds } from '../../../units.ts'
import {
  gridSecondsOf,
  type LastSample,
  MarketSampler,
  measuredSizeOf,
  type SampledMoments,
  type SampleTerms,
} from './market-sampler.ts'
import { type SampleRun, sampleRunsOf } from './reliability-samples.ts'
import { VenueWalk } from './venue-walk.ts'
import {
  LargestSoFar,
  largestOf,
  noTrades,
  tradeKey,
  type WatchedTrades,
} from './watched-trades.ts'

/** Input of a score. Only bytes and plain data, because it crosses a thread boundary. */
export interface ScoreTask extends SampleTerms {
  /** A venue used only as price reference. */
  reference: VenueHistory | null
  /** LP shares by venue, from its newest observation; null if unknown. */
  providers: readonly (readonly OwnerShare[] | null)[]
  usableSlippagePips: number
  /** Reasons for which the score has no grade: terms other than the published ones. */
  ungraded: readonly string[]
  /** TVL at the last reading of the venues, in quote atoms; null if unknown. */
  valueLocked: string | null
  quoteDecimals: number
  hasCriticalAnomaly: boolean
  /** Declared accounts of the issuer, checksummed. */
  issuerAccounts: readonly string[]
  /** Those of them whose holder signed. */
  provenAccounts: readonly string[]
  seed: Uint8Array
}

export interface MeasuredScore {
  result: ScoreResult
  interval90: readonly [number, number] | null
  diagnostics: MarketDiagnostics
  /** Median slippage of the worse side at the requested size; null without samples. */
  requestedSlippagePips: number | null
  /** Market at the end of the observed window; null without a price there. */
  last: LastSample | null
  /** False if the drawn samples of the last day contradict `last`. */
  isLastSustained: boolean
  /** False if the last day has too few observed samples for claims. */
  areRecentEnough: boolean
  /** Block whose hash drew the samples; null for a window without events. */
  drawBlock: DrawBlock | null
  /** Share of depth over time from liquidity removed within ten minutes; null if unknown. */
  shortLivedDepthPips: number | null
  /** The samples of the reliability, in order. */
  sampleRuns: SampleRun[]
  course: CoursePoint[]
  /** Flow of the issuer; null without trades or without their signers. */
  ownFlow: OwnFlow | null
  /** Descriptions of missing measurements. */
  gaps: { code: string; detail: string }[]
}

export interface OwnFlow {
  trades: number
  volumeQuote: string
  /** Shares of the whole volume, rounded down. */
  sharePips: number
  /** Part of the declared accounts, and of signers that they funded or that paid them. */
  issuerSharePips: number
  /** Part of issuerSharePips that rests on declared accounts without proof. */
  assertedSharePips: number
}

/** Mean of the samples in a period. */
export interface CoursePoint {
  from: number
  samples: number
  midX18: string | null
  midX36: string | null
  isMidCoarse: boolean
  depthBuyQuote: string | null
  depthSellQuote: string | null
  slippagePips: number | null
  spreadPips: number | null
  deviationPips: number | null
}

const coursePoints = 168

/**
 * Measures and scores a market. Pure: equal tasks give equal scores on every machine.
 *
 * An account that the issuer declared without proof can belong to a third party. So if such accounts
 * trade, the score is the lower one of two: without their flow, and with it.
 */
export default function measureScore(task: ScoreTask): MeasuredScore {
  const declared = measure(task)
  const { ownFlow } = declared
  const isProven = task.provenAccounts.length === task.issuerAccounts.length
  if (isProven || ownFlow?.trades === 0) return declared
  const proven = measure({ ...task, issuerAccounts: task.provenAccounts })
  const assertedSharePips = (ownFlow?.issuerSharePips ?? 0) - (proven.ownFlow?.issuerSharePips ?? 0)
  const lower = isBelow(proven.result, declared.result) ? proven : declared
  const confidencePips = Math.min(declared.result.confidencePips, proven.result.confidencePips)
  return {
    ...lower,
    result: { ...lower.result, confidencePips },
    ownFlow: ownFlow && { ...ownFlow, assertedSharePips },
    gaps: [...lower.gaps, ...(assertedSharePips > 0 ? [assertedGap(assertedSharePips)] : [])],
  }
}

const stateOrder = ['ABSTAINED', 'PARTIAL', 'COMPLETED'] as const satisfies ScoreResult['state'][]

/** True if a result says less for a market than another one. */
function isBelow(result: ScoreResult, other: ScoreResult): boolean {
  const [state, otherState] = [result, other].map((one) => stateOrder.indexOf(one.state))
  if (state !== otherState) return state! < otherState!
  const pointsOf = (one: ScoreResult) => one.scorePips ?? one.indicativeScorePips ?? 0
  return pointsOf(result) < pointsOf(other)
}

const assertedGap = (pips: number) => ({
  code: 'OWN_FLOW_ASSERTED',
  detail: `${pips} pips of the volume count as own flow because of accounts that the issuer declared without a signature of their holders. The score is the lower one with and without this flow.`,
})

function measure(task: ScoreTask): MeasuredScore {
  const { window, sampleSeconds } = task
  const drawBlock = lastEventBlock(task.histories, window.to)
  const moments: SampledMoments = {
    samples: drawnMoments(window, sampleSeconds, drawBlock),
    grid: momentsOf(window, gridSecondsOf(sampleSeconds)),
    last: lastMomentOf(task),
  }
  const observed = observe(task, moments)
  const { sampler, trades, suspicious, own, recoveries } = observed
  const compared = sampler.compared()
  const { samples } = compared
  const hourly = hourlyWindow(task, sampler, {
    trades,
    suspicious,
    own,
    recoveries,
    samples,
    priceSources: compared.sources,
  })
  const result = withoutGrade(scoreMarket(measureMarket(hourly)), task.ungraded)
  const hasScore = result.state !== 'ABSTAINED'
  const stream = pathStream(task.seed, 0, 'bootstrap', false)
  return {
    result,
    interval90: hasScore ? hourlyInterval(hourly, stream) : null,
    // Wash trades and own flow are not real volume and carry no price information.
    diagnostics: diagnoseMarket(sampler.grid, withoutAny(withoutAny(trades, suspicious), own), {
      valueLocked: task.valueLocked === null ? null : Number(task.valueLocked),
      quoteUnit: 10 ** task.quoteDecimals,
    }),
    requestedSlippagePips:
      sampler.requestedSlippages.length === 0
        ? null
        : Math.round(median(sampler.requestedSlippages)),
    last: sampler.last,
    isLastSustained: sampler.isLastSustained(),
    areRecentEnough: sampler.areRecentEnough,
    drawBlock,
    shortLivedDepthPips: shortLivedShare(task, observed.walks, samples),
    sampleRuns: sampleRunsOf(samples, task.usableSlippagePips),
    course: courseOf(samples, sampler.mids, window, sampleSeconds),
    ownFlow: suspicious && ownFlowOf(trades, own),
    gaps: [
      ...(trades.length > 0 ? flowGaps(task, trades, suspicious) : []),
      ...(task.reference && !compared.isReferenceSource
        ? [referenceGap(compared.referenceSpoke, samples.length)]
        : []),
      ...hiddenFalls(samples),
    ],
  }
}

/** Terms that the caller chose can improve a score, so a result with own terms is indicative. */
function withoutGrade(result: ScoreResult, reasons: readonly string[]): ScoreResult {
  if (reasons.length === 0 || result.state === 'ABSTAINED') return result
  return {
    ...result,
    state: 'PARTIAL',
    reasons: [...result.reasons, ...reasons],
    scorePips: null,
    indicativeScorePips: result.scorePips ?? result.indicativeScorePips,
    grade: null,
  }
}

interface Observed {
  sampler: MarketSampler
  walks: readonly VenueWalk[]
  /** In the order of time. */
  trades: readonly TapeTrade[]
  suspicious: ReadonlyMap<TapeTrade, Suspicion> | null
  /** Own flow; only calls and receipts of declared accounts if a signer is unknown. */
  own: ReadonlyMap<TapeTrade, OwnFlowKind>
  /** Excludes suspicious trades and own flow. */
  recoveries: readonly Recovery[]
}

/**
 * Walks the window. A second pass is needed if suspicious trades were among the largest and too few
 * trades of the reference size remain. The first pass did not track smaller trades.
 */
function observe(task: ScoreTask, moments: SampledMoments): Observed {
  const { histories, window, reference } = task
  const size = measuredSizeOf(task)
  const seen =
    look(task, moments, reference, new LargestSoFar(size)) ??
    look(task, moments, reference, largestOf(histories, window))
  if (seen === null) throw new Error('The search for the largest trades must run first.')
  const first = observedOf(seen, task)
  const watched = seen.walks.flatMap((walk) => walk.recoveries)
  const { recoveries, suspicious, own } = first
  const isComplete =
    recoveries.length === watched.length || areEnoughLarge(watched, recoveries, size)
  if (isComplete || suspicious === null) return first
  const excluded = new Set(
    [...suspicious.keys(), ...own.keys()].map(({ venueId, block, position }) =>
      tradeKey(venueId, block, position),
    ),
  )
  const again = look(task, moments, reference, largestOf(histories, window, excluded))
  if (again === null) throw new Error('The first search must not be abandoned.')
  return observedOf(again, task)
}

function observedOf(
  { sampler, walks }: NonNullable<ReturnType<typeof look>>,
  { histories, issuerAccounts }: ScoreTask,
): Observed {
  const trades = walks
    .flatMap((walk) => walk.trades)
    .sort((a, b) => a.at - b.at || a.block - b.block || a.position - b.position)
  const suspicious = suspiciousTrades(trades, fundingOfVenues(histories).funding)
  // Without signers, only the accounts that called the pool or received from it are known.
  const own = findOwnTrades(trades, suspicious ? histories : [], new Set(issuerAccounts))
  const isExcluded = (trade: TapeTrade) => suspicious?.has(trade) === true || own.has(trade)
  const recoveries = walks.flatMap((walk) =>
    // A recovery belongs to a trade of its walk.
    walk.recoveries.filter(({ place }) => !isExcluded(walk.trades[place]!)),
  )
  return { sampler, walks, trades, suspicious, own, recoveries }
}

function withoutAny(
  trades: readonly TapeTrade[],
  excluded: ReadonlyMap<TapeTrade, unknown> | null,
): readonly TapeTrade[] {
  return excluded === null ? trades : trades.filter((trade) => !excluded.has(trade))
}

/** Null without volume. */
function ownFlowOf(
  trades: readonly TapeTrade[],
  own: ReadonlyMap<TapeTrade, OwnFlowKind>,
): OwnFlow | null {
  const sum = (some: readonly TapeTrade[]) =>
    some.reduce((total, { volumeQuote }) => total + volumeQuote, 0n)
  const whole = sum(trades)
  if (whole === 0n) return null
  const share = (part: bigint) => Number((part * 1_000_000n) / whole)
  const volume = sum([...own.keys()])
  const ofIssuer = [...own].flatMap(([trade, kind]) => (kind === 'SHARED_FUNDS' ? [] : [trade]))
  return {
    trades: own.size,
    volumeQuote: `${volume}`,
    sharePips: share(volume),
    issuerSharePips: share(sum(ofIssuer)),
    assertedSharePips: 0,
  }
}

/**
 * Takes all samples. Returns null if the tracker gave up, because the largest trades must then be
 * found first.
 */
function look(
  task: ScoreTask,
  moments: SampledMoments,
  reference: VenueHistory | null,
  watched: WatchedTrades,
): { sampler: MarketSampler; walks: readonly VenueWalk[] } | null {
  const { histories, window } = task
  const { samples, grid, last } = moments
  const visited = [...new Set([...samples, ...grid, ...(last === null ? [] : [last])])]
  visited.sort((a, b) => a - b)
  const walks = histories.map((history) => new VenueWalk(history, visited, window, watched))
  const referenceWalk = reference && new VenueWalk(reference, visited, window, noTrades)
  const sampler = new MarketSampler(walks, referenceWalk, task, moments)
  for (const moment of visited) {
    if (watched.isGivenUp) return null
    sampler.take(moment)
  }
  for (const walk of walks) walk.finish()
  return watched.isGivenUp ? null : { sampler, walks }
}

/** The latest moment in the window with observations of all venues; null without one. */
function lastMomentOf({
  histories,
  window,
}: Pick<ScoreTask, 'histories' | 'window'>): number | null {
  const isObserved = (moment: number) =>
    histories.every(({ stretches }) =>
      stretches.some(({ from, to }) => from <= moment && moment <= to),
    )
  const ends = histories.flatMap(({ stretches }) => stretches.map(({ to }) => to))
  const moments = [window.to, ...ends].filter(
    (moment) => window.from <= moment && moment <= window.to && isObserved(moment),
  )
  return moments.length === 0 ? null : moments.reduce((a, b) => Math.max(a, b))
}

/** The depth of a StableSwap pool has no owners in its events, so its share is unknown. */
function shortLivedShare(
  { histories, window }: ScoreTask,
  walks: readonly VenueWalk[],
  samples: readonly MarketSample[],
): number | null {
  if (samples.length === 0 || histories.some(({ kind }) => kind === 'STABLESWAP')) return null
  const short = walks.reduce((sum, { shortLived }) => sum + shortLived.depthSeconds, 0)
  const depth = samples.reduce(
    (sum, { depthBuy, depthSell }) => sum + Number(depthBuy < depthSell ? depthBuy : depthSell),
    0,
  )
  const whole = (depth / samples.length) * (window.to - window.from)
  if (short === 0) return 0
  return whole <= short ? 1_000_000 : Math.round((short / whole) * 1_000_000)
}

/** Depth so volatile that the anomaly detector would consider a large drop usual. */
function hiddenFalls(samples: readonly MarketSample[]): MeasuredScore['gaps'] {
  if (samples.length < LEAST_SAMPLES) return []
  const spec = detectors.LIQUIDITY_DISAPPEARANCE
  const depths = samples.map(({ depthBuy, depthSell }) =>
    depthBuy < depthSell ? depthBuy : depthSell,
  )
  const min = leastWarningAmong(spec, depths)
  if (min === null || min <= spec.effects[1]) return []
  const warningText =
    min > 1_000_000n ? 'never reaches WARNING by its size' : `reaches WARNING from ${min} pips`
  const detail = `Depth varies so much that a decline ${warningText}. The absence of an open anomaly is weak evidence.`
  return [{ code: 'FALLS_HIDDEN_BY_SPREAD', detail }]
}

/** Gaps in flow data, and the measured share if the data is partial. */
function flowGaps(
  { histories }: ScoreTask,
  trades: readonly TapeTrade[],
  suspicious: Observed['suspicious'],
): MeasuredScore['gaps'] {
  if (suspicious === null) return [originsUnknown]
  const kinds = [...suspicious.values()]
  const counts = suspicions.map((one) => `${kinds.filter((kind) => kind === one).length} ${one}`)
  const detail = `${washTradesUnseen.detail} Detected: ${counts.join(', ')}.`
  return [{ ...washTradesUnseen, detail }, ...fundingGaps(histories, trades)]
}

const suspicions = [
  'ONE_SIGNER',
  'LINKED_SIGNERS',
  'ONE_CONTRACT',
  'SANDWICH',
] as const satisfies Suspicion[]

const referenceGap = (spoke: number, samples: number) => ({
  code: spoke === 0 ? 'REFERENCE_NOT_OBSERVED' : 'REFERENCE_SELDOM_OBSERVED',
  detail: `The reference has a price at ${spoke} of ${samples} samples. Nine tenths are required, so it does not count as a price source.`,
})

interface MeasuredFlow extends Pick<Observed, 'trades' | 'suspicious' | 'own' | 'recoveries'> {
  samples: readonly MarketSample[]
  priceSources: number
}

function hourlyWindow(
  task: ScoreTask,
  { depths, last }: MarketSampler,
  { trades: all, suspicious, own, recoveries, samples, priceSources }: MeasuredFlow,
): HourlyWindow {
  // Wash trades of the issuer stay, because without them its flow would look clean.
  const trades = all.filter((trade) => suspicious?.has(trade) === true || own?.has(trade) !== true)
  const { window, sampleSeconds, usableSlippagePips } = task
  const hours = Math.ceil((window.to - window.from) / hourSeconds)
  const flow = Array.from({ length: hours }, () => ({
    volumeQuote: 0n,
    suspiciousVolumeQuote: suspicious && 0n,
  }))
  for (const trade of trades) {
    // Trades of the window belong to its hours.
    const one = flow[Math.floor((trade.at - window.from) / hourSeconds)]!
    one.volumeQuote += trade.volumeQuote
    if (suspicious?.has(trade) && one.suspiciousVolumeQuote !== null) {
      one.suspiciousVolumeQuote += trade.volumeQuote
    }
  }
  const { chosen, method } = chooseRecoveries(recoveries, measuredSizeOf(task))
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  return {
    ...window,
    sampleSeconds,
    referenceTradeSizeQuote: measuredSizeOf(task),
    usableSlippagePips,
    samples,
    recoveries: { durations: chosen, method },
    concentration: last === null ? null : concentrationOf(task, depths),
    volumeQuote: sum(flow.map(({ volumeQuote }) => volumeQuote)),
    suspiciousVolumeQuote: suspicious && sum(flow.map((one) => one.suspiciousVolumeQuote ?? 0n)),
    trades: trades.length,
    suspiciousTrades: suspicious?.size ?? null,
    priceSources,
    hasCriticalAnomaly: task.hasCriticalAnomaly,
    flow,
  }
}

/** If a venue's LPs are unknown, venues count as providers instead. */
function concentrationOf(
  { providers }: ScoreTask,
  depths: readonly bigint[],
): NonNullable<HourlyWindow['concentration']> {
  const knownDepths = depths.flatMap((depth, index) => {
    const shares = providers[index]
    return shares ? [{ depth, providers: shares }] : []
  })
  return knownDepths.length === depths.length
    ? { depths: depthsByProvider(knownDepths), by: 'PROVIDER' }
    : { depths, by: 'VENUE' }
}

function courseMid(
  priceX36: number | null,
): Pick<CoursePoint, 'midX18' | 'midX36' | 'isMidCoarse'> {
  if (priceX36 === null) return { midX18: null, midX36: null, isMidCoarse: false }
  return midPriceOfX36(BigInt(Math.round(priceX36)))
}

/** Medians over equal parts of the window, limited to the points of the chart. */
function courseOf(
  samples: readonly MarketSample[],
  mids: readonly bigint[],
  window: { from: number; to: number },
  sampleSeconds: number,
): CoursePoint[] {
  const step = Math.max(sampleSeconds, Math.ceil((window.to - window.from) / coursePoints))
  const count = Math.floor((window.to - window.from) / step) + 1
  const groups: number[][] = Array.from({ length: count }, () => [])
  for (const [itemIndex, { at }] of samples.entries()) {
    groups[Math.floor((at - window.from) / step)]?.push(itemIndex)
  }
  return groups.map((places, index) => {
    const middle = (read: (place: number) => number | null) => {
      const values = places.flatMap((place) => read(place) ?? [])
      return values.length === 0 ? null : median(values)
    }
    const whole = (value: number | null) => (value === null ? null : Math.round(value))
    const atoms = (value: number | null) => (value === null ? null : `${BigInt(Math.round(value))}`)
    const sampleAt = (place: number) => samples[place]!
    return {
      from: window.from + index * step,
      samples: places.length,
      ...courseMid(middle((place) => Number(mids[place]!))),
      depthBuyQuote: atoms(middle((place) => Number(sampleAt(place).depthBuy))),
      depthSellQuote: atoms(middle((place) => Number(sampleAt(place).depthSell))),
      slippagePips: whole(
        middle((place) =>
          Math.max(sampleAt(place).slippageBuyPips, sampleAt(place).slippageSellPips),
        ),
      ),
      spreadPips: whole(middle((place) => sampleAt(place).spreadPips)),
      deviationPips: whole(middle((place) => sampleAt(place).deviationPips)),
    }
  })
}
