import { contract } from '@liquidity-os/contract'
import { isTestNetwork, unnamedSimulatedMarket } from '@liquidity-os/contract/test-networks'
import { thinSeries } from '@liquidity-os/engine/statistics'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { readStudyVerdict, vsHodlCourse } from '../studies/api.ts'
import { type Amounts, amountsAsGiven, amountsOfCapital } from './amounts.ts'
import { redactComparison, redactPaths, redactPositions } from './redact-paths.ts'
import { redactStrategy, type Strategy } from './redact-strategy.ts'

type Study = Static<typeof contract.SimulationStudy>
type Result = NonNullable<Study['result']>
type ArmResult = Static<typeof contract.ArmResult>
type Shared = Static<typeof contract.SharedSimulationStudy>
type Disclosure = Static<typeof contract.StudyDisclosure>

/** A row of a stored series; amounts and prices are decimal strings, times are seconds. */
export interface SeriesRow {
  timestamp: number
  priceX18: string
  netVsHold: string
}

/** Sources of a shared study. Only the fields that `redact` picks are disclosed. */
export interface SharedSources {
  share: { expiresAt: string; disclosure: Disclosure }
  study: VersionedRecord<Study>
  isSuperseded: boolean
  organizationName: string
  /** Null for a study of an inline market. */
  venue: Static<typeof contract.VenueProfile> | null
  /** Strategy definitions by candidate. */
  strategies: ReadonlyMap<string, Strategy>
  /** By series name in the result. */
  series: ReadonlyMap<string, readonly SeriesRow[]>
}

/**
 * Public content of one generation of a study. Fields are picked by name, so a new study field is
 * hidden by default. Organization id, record ids, wallets and reasons are never disclosed.
 *
 * The hashes of specification, inputs and series are also omitted. `resultHash` and
 * `resourceVersion` reveal no secrets while part of their content is unknown. With the input
 * hashes, a reader could guess the capital, compute the result and verify the guess.
 */
export function redact(sources: SharedSources): Shared {
  const { share, study, venue } = sources
  const { showOrganization, showAmounts, showVenueAddress, showAssumptions } = share.disclosure
  const { spec, result } = study.payload
  const amounts = showAmounts
    ? amountsAsGiven(spec.capital)
    : amountsOfCapital(spec.capital, result?.startPriceX18 ?? null)
  return {
    schemaVersion: 'shared-simulation-study-v1',
    resourceVersion: study.resourceVersion,
    resultHash: result?.resultHash ?? null,
    superseded: sources.isSuperseded,
    name: spec.name,
    kind: spec.kind,
    state: result?.state ?? 'FAILED',
    reasons: result?.reasons ?? [],
    assessesMarketHealth: result?.assessesMarketHealth ?? false,
    ...simulatedOf(study.payload),
    computedAt: study.createdAt,
    expiresAt: share.expiresAt,
    organization: showOrganization ? { name: sources.organizationName } : null,
    venue: showVenueAddress && venue ? venueOf(venue, result) : null,
    decimals: { base: spec.pair.baseDecimals, quote: spec.pair.quoteDecimals },
    unit: showAmounts ? 'ATOMS' : 'MILLIONTHS_OF_CAPITAL',
    capital: amounts && { ...amounts.capital, normalization: spec.capital.normalization },
    startPriceX18: result?.startPriceX18 ?? null,
    endPriceX18: result?.endPriceX18 ?? null,
    fidelity: fidelityOf(result),
    parity: result && { verdict: result.parity.verdict, basis: result.parity.basis },
    // Market sizes are public on chain. Next to rescaled amounts they would reveal the scale.
    market: showAmounts ? (result?.market ?? null) : null,
    arms: armsOf(sources, amounts),
    verdict: verdictOf(study),
    paths: result?.paths ?? null,
    coverage: result?.coverage ?? null,
    overfitting: result?.overfitting ?? null,
    calibration: showAssumptions ? (result?.calibration ?? null) : null,
    ...figuresOf(sources, amounts),
    assumptions: showAssumptions && result ? assumptionsOf(result) : null,
    gaps: (result?.gaps ?? []).map(({ code }) => code),
    engine: result && {
      engineVersion: result.evidence.engineVersion,
      engineBuildHash: result.evidence.engineBuildHash,
    },
  }
}

/** The use of a test network is public. The network itself is as secret as the venue. */
function simulatedOf({ spec, result }: Study): Pick<Shared, 'simulated'> {
  const chainIds = [spec.pair, ...(result?.evidence.blocks ?? [])].map(({ chainId }) => chainId)
  return chainIds.some(isTestNetwork) ? { simulated: unnamedSimulatedMarket } : {}
}

/** The verdict without amounts: shares of the capital do not reveal the scale. */
function verdictOf(study: SharedSources['study']): NonNullable<Shared['verdict']> {
  const verdict = readStudyVerdict(study)
  const { code, sentence, withheld, windowSeconds, annualRatesWithheld, arms } = verdict
  return {
    code,
    sentence,
    withheld,
    windowSeconds,
    annualRatesWithheld,
    arms: arms.map(({ armId, isBenchmark, netVsHodlPips, vsHodlAprPips, feeAprPips, runs }) => ({
      armId,
      isBenchmark,
      netVsHodlPips,
      vsHodlAprPips,
      feeAprPips,
      runs: runs.map(sharedRun),
    })),
  }
}

type VerdictRun = contract.StudyVerdictArm['runs'][number]

const sharedRun = ({
  flowModel,
  netVsHodlPips,
  vsHodlAprPips,
  feesPips,
  feeAprPips,
  ilPips,
}: VerdictRun) => ({ flowModel, netVsHodlPips, vsHodlAprPips, feesPips, feeAprPips, ilPips })

function venueOf(venue: NonNullable<SharedSources['venue']>, result: Result | null) {
  const { name, kind, chainId, address, base, quote } = { ...venue, ...venue.pair }
  return { name, kind, chainId, address, base, quote, blocks: blocksOf(result) }
}

function fidelityOf(result: Result | null): Shared['fidelity'] {
  if (!result?.fidelity) return null
  const { eventsReplayed, eventsExact } = result.fidelity
  return { eventsReplayed, eventsExact }
}

/** The candidates of a replay; candidates on paths have no flow model. */
function replayedArms(result: Result): ArmResult[] {
  return result.arms.filter((arm): arm is ArmResult => 'flowModel' in arm)
}

function blocksOf(result: Result | null) {
  return (result?.evidence.blocks ?? []).map(({ chainId, number, hash, timestamp }) => ({
    chainId,
    number,
    hash,
    timestamp,
  }))
}

function assumptionsOf({ evidence }: Result) {
  return evidence.assumptions.map(({ code, value, source }) => ({ code, value, source }))
}

function armsOf({ share, study, strategies }: SharedSources, amounts: Amounts | null) {
  const isShown = share.disclosure.showStrategyParameters
  return study.payload.spec.arms.map((arm): Shared['arms'][number] => {
    const { armId, label } = arm
    if ('position' in arm) {
      return {
        armId,
        label,
        kind: 'POSITION',
        position: isShown ? arm.position : null,
        strategy: null,
      }
    }
    const known = 'definition' in arm ? arm.definition : strategies.get(armId)
    const definition = isShown && amounts ? known : undefined
    const strategy = definition && amounts ? redactStrategy(definition, amounts) : null
    return { armId, label, kind: 'STRATEGY', position: null, strategy }
  })
}

/** Numbers and lines of the arms; empty if no scale exists. */
function figuresOf({ share, study, series }: SharedSources, amounts: Amounts | null) {
  const { result } = study.payload
  if (!result || !amounts) {
    return { results: [], comparisons: [], feeBand: [], prices: [], series: [] }
  }
  const replayed = replayedArms(result)
  const { spec } = study.payload
  const lines = replayed.map((arm) => {
    const { armId, flowModel } = arm
    const rows = series.get(`${armId}.${flowModel}`) ?? []
    return { armId, flowModel, rows, course: vsHodlCourse(arm, { spec, result }, rows) }
  })
  const verdict = readStudyVerdict(study)
  /** HODL of the starting inventory of a candidate; nothing if the result does not contain it. */
  const hodlOf = (armId: string, model: string | null) => {
    const runs = verdict.arms.find((arm) => arm.armId === armId)?.runs ?? []
    const hodl = runs.find(({ flowModel }) => flowModel === model)?.hodlPnlQuote
    return hodl === undefined ? undefined : amounts.quote(hodl)
  }
  return {
    results: result.arms.map((arm) => {
      if ('flowModel' in arm) {
        const hodlPnl = hodlOf(arm.armId, arm.flowModel)
        const shared = resultOf(arm, share.disclosure, amounts)
        return { ...shared, ...(hodlPnl !== undefined && { hodlPnl }) }
      }
      const hodlPnlMean = hodlOf(arm.armId, null)
      const shared = redactPaths(arm, share.disclosure, amounts)
      return { ...shared, ...(hodlPnlMean !== undefined && { hodlPnlMean }) }
    }),
    comparisons: result.comparisons.map((comparison) => redactComparison(comparison, amounts)),
    feeBand: result.feeBand.map(({ armId, lowQuote, highQuote }) => ({
      armId,
      lowQuote: amounts.quote(lowQuote),
      highQuote: amounts.quote(highQuote),
    })),
    // The market is the same for every arm.
    prices: thinned(pricesOf(lines[0]?.rows ?? []), ({ priceX18 }) => Number(priceX18)),
    series: lines.map(({ armId, flowModel, course }) => ({
      armId,
      flowModel,
      points: thinned(course, ({ netVsHold }) => Number(netVsHold)).map(
        ({ seconds, netVsHold, netVsHodl }) => ({
          seconds,
          netVsHold: amounts.quote(`${netVsHold}`),
          netVsHodl: netVsHodl === null ? null : amounts.quote(`${netVsHodl}`),
        }),
      ),
    })),
  }
}

function resultOf(
  arm: ArmResult,
  { showAmounts, showStrategyParameters }: Disclosure,
  amounts: Amounts,
): Static<typeof contract.SharedArmResult> {
  const both = ({ base, quote }: { base: string; quote: string }) => ({
    base: amounts.base(base),
    quote: amounts.quote(quote),
  })
  const { done, refused, ownVolumeQuote } = arm.operations
  return {
    armId: arm.armId,
    flowModel: arm.flowModel,
    waterfallHolder: linesOf(arm.waterfallHolder, amounts),
    waterfallMaker: linesOf(arm.waterfallMaker, amounts),
    depth: arm.depth.map(({ bandPips, side, samples, medianQuote, worst5Quote, worst1Quote }) => ({
      bandPips,
      side,
      samples,
      medianQuote: amounts.quote(medianQuote),
      worst5Quote: amounts.quote(worst5Quote),
      worst1Quote: amounts.quote(worst1Quote),
    })),
    // Readers who know the market could derive the size from its slippage.
    slippage: showAmounts ? arm.slippage : null,
    failure: arm.failure.map(({ rule, failed, timeSharePips }) => ({
      kind: rule.kind,
      rule: showAmounts ? rule : null,
      failed,
      timeSharePips,
    })),
    maxDrawdown: {
      quote: amounts.quote(arm.risk.maxDrawdown.quote),
      pips: arm.risk.maxDrawdown.pips,
    },
    timeInRangePips: arm.timeInRangePips,
    end: both(arm.end),
    fees: both(arm.fees),
    ownVolumeQuote: amounts.quote(ownVolumeQuote),
    operations: showStrategyParameters ? { done, refused } : null,
    positions: redactPositions(arm.positions, { showAmounts, showStrategyParameters }),
    flow: showAmounts ? arm.flow : null,
  }
}

/** A P&L breakdown; each line is an amount of quote. */
function linesOf<Waterfall extends Record<string, string>>(
  waterfall: Waterfall,
  { quote }: Amounts,
): Waterfall {
  const lines = Object.entries(waterfall).map(([line, amount]) => [line, quote(amount)])
  return Object.fromEntries(lines) as Waterfall
}

/** Prices with their seconds since the first row. */
function pricesOf(rows: readonly SeriesRow[]) {
  const start = rows[0]?.timestamp ?? 0
  return rows.map(({ timestamp, priceX18 }) => ({ seconds: timestamp - start, priceX18 }))
}

/** The points that preserve the shape of a line. */
function thinned<Point extends { readonly seconds: number }>(
  points: readonly Point[],
  read: (point: Point) => number,
): Point[] {
  const shownIndexes = thinSeries(
    points.map(({ seconds }) => seconds),
    points.map(read),
    contract.sharedSeriesPoints,
  )
  return shownIndexes.flatMap((index) => points[index] ?? [])
}
