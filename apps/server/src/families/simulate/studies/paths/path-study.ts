import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import {
  midPrice,
  type Orientation,
  PoolRevertError,
  type StableVariant,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import { depthLadder, slippageTable } from '@liquidity-os/engine/depth'
import { type MonteCarloData, monteCarloSpec, runPaths } from '@liquidity-os/engine/montecarlo'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import { compileStrategy, rangeAround } from '@liquidity-os/engine/strategy'
import { estimateCost, monteCarloSize, type StudyArm } from '@liquidity-os/engine/study'
import { limits } from '../../../../limits.ts'
import { type BlockTime, publishedBlockTime } from '../../../../market/block-time.ts'
import {
  InlineMarketError,
  marketOfInline,
  orientationOf,
  type SimulatedMarket,
} from '../../../../market/inline-market.ts'
import { calibrationOf, observeReturns } from '../../../../market/observed-returns.ts'
import type { ReferencePrices } from '../../../../market/prices/named-reference.ts'
import { minuteSeconds, yearSeconds } from '../../../../units.ts'
import { exactDefinition, type StrategyBehaviour } from '../../../plan/strategies/api.ts'
import { exactFailureRule, gasOf } from '../exact-terms.ts'
import { pauseAssumptions } from '../simulated-pauses.ts'
import { studyDefaults } from '../study-defaults.ts'
import { priceX18, type StudyResult } from '../study-hashes.ts'
import type { StudySpec } from '../validate-spec.ts'
import { type Assumption, type Knowledge, pathModels, UncalibratableError } from './path-models.ts'
import { sensitivityMilliseconds } from './sensitivity.ts'
import { stepAssumptions, stepCandidates, UnknownBlockTimeError } from './step-terms.ts'

/** Observed market of a study; fields are null for an inline market. */
export interface ObservedMarket {
  market: SimulatedMarket
  events: Iterable<PoolEvent>
  window: { fromBlock: number; toBlock: number }
  /** External prices; null if only the pool price exists. */
  reference: ReferencePrices | null
}

/** A Monte Carlo study that is ready to run, as plain data. */
export interface PathStudy {
  data: MonteCarloData
  calibration: StudyResult['calibration']
  assumptions: Assumption[]
  startPriceX18: string
  /** The capital at the start price, quote atoms, rounded down. */
  startValueQuote: string
  market: NonNullable<StudyResult['market']>
  marketKind: 'UNISWAP_V2' | 'UNISWAP_V3' | StableVariant
  milliseconds: number
  /** Memory for the samples of all paths. */
  sampleBytes: number
}

/** A study that cannot run, with errors in the caller's terms. */
export class StudyRefusal extends Error {
  readonly code: ErrorCode
  readonly fieldErrors: FieldErrors

  constructor(code: ErrorCode, fieldErrors: FieldErrors) {
    super(code)
    this.code = code
    this.fieldErrors = fieldErrors
  }
}

const defaults = { ...studyDefaults, paths: 1000, halfWidthPips: 2500 }
/** Grid for volatility and jumps: five minutes, or the requested step if finer. */
const calibrationSeconds = 5 * minuteSeconds

/**
 * Creates a study from a valid specification: market, models with parameters, arms.
 *
 * @param strategies definitions of the arms that name a strategy, by arm
 * @param observed observed venue; null for an inline market
 * @throws StudyRefusal 422 if the market or the data do not allow the study
 */
export function pathStudyOf(
  spec: StudySpec,
  seed: Uint8Array,
  strategies: Readonly<Record<string, StrategyBehaviour>>,
  observed: ObservedMarket | null,
): PathStudy {
  const { market, orientation } = marketOf(spec, observed)
  const known = observed ? knowledgeOf(spec, observed, orientation) : nothingKnown
  const blockTime = publishedBlockTime(spec.pair.chainId) ?? known.returns?.blockTime ?? null
  const { data, assumptions } = finest(spec, stepsOf(spec, blockTime), (stepSeconds) =>
    dataOf(spec, seed, strategies, { market, orientation, known, stepSeconds }),
  )
  requireDeposits(data)
  const { bandsPips, tradeSizesQuote = [], stepSeconds } = data.cfg
  const startPrice = midPrice(market, orientation)
  const written = spec.arms.flatMap((arm) => ('definition' in arm ? [arm.definition] : []))
  return {
    data,
    calibration: known.calibration,
    assumptions: [
      ...assumptions,
      ...termsOf(spec, data),
      ...stepAssumptions(blockTime, stepSeconds, {
        feePips: feePipsOf(market),
        volatility: volatilityOf(data),
      }),
      ...pauseAssumptions([...Object.values(strategies), ...written]),
    ],
    startPriceX18: priceX18(startPrice) ?? '0',
    startValueQuote: `${(BigInt(spec.capital.base) * startPrice.num) / startPrice.den + BigInt(spec.capital.quote)}`,
    market: toJsonSafe({
      depth: depthLadder(market, orientation, bandsPips),
      slippage: slippageTable(market, orientation, tradeSizesQuote),
    }) as unknown as NonNullable<StudyResult['market']>,
    marketKind: market.kind === 'STABLESWAP' ? market.variant : market.kind,
    milliseconds: millisecondsOf(spec, data),
    sampleBytes: sampleBytesOf(data),
  }
}

/**
 * The study with the finest step that still runs interactively; otherwise with the coarsest step.
 */
function finest<Study extends { data: MonteCarloData }>(
  spec: StudySpec,
  steps: readonly number[],
  at: (stepSeconds: number) => Study,
): Study {
  let study: Study | null = null
  for (const stepSeconds of steps) {
    study = at(stepSeconds)
    if (millisecondsOf(spec, study.data) <= limits.interactiveStudyMilliseconds) break
  }
  if (!study) throw new Error('The study has no step.')
  return study
}

function stepsOf(spec: StudySpec, blockTime: BlockTime | null): number[] {
  try {
    return stepCandidates(spec, blockTime)
  } catch (error) {
    if (!(error instanceof UnknownBlockTimeError)) throw error
    throw new StudyRefusal('LIQUIDITY_STUDY_INPUT_INVALID', {
      'payload.stepSeconds': [error.message],
    })
  }
}

function millisecondsOf({ sensitivity }: StudySpec, data: MonteCarloData): number {
  const { milliseconds } = estimateCost(monteCarloSize(data))
  return milliseconds + (sensitivity ? sensitivityMilliseconds(data) : 0)
}

interface StudyContext {
  market: SimulatedMarket
  orientation: Orientation
  known: Knowledge
  stepSeconds: number
}

/** The run, with the assumptions of its models. */
function dataOf(
  spec: StudySpec,
  seed: Uint8Array,
  strategies: Readonly<Record<string, StrategyBehaviour>>,
  { market, orientation, known, stepSeconds }: StudyContext,
): { data: MonteCarloData; assumptions: Assumption[] } {
  const { price, flow, others, scenario, assumptions } = modelsOf(spec, stepSeconds, known)
  const sampleSeconds = spec.sampleSeconds ?? defaults.sampleSeconds
  const { tradeSizesQuote, targetBaseShare } = spec
  const withoutArms: MonteCarloData = {
    s0: market,
    price,
    flow,
    others,
    ...(scenario ? { scenario } : {}),
    steps: (spec.horizonSeconds ?? 0) / stepSeconds,
    paths: spec.paths ?? defaults.paths,
    halfWidthPips: spec.halfWidthPips ?? defaults.halfWidthPips,
    arms: [],
    actionLatencySeconds: spec.actionLatencySeconds ?? defaults.latencySeconds,
    cfg: {
      seed,
      orientation,
      stepSeconds,
      sampleEverySteps: Math.max(1, Math.round(sampleSeconds / stepSeconds)),
      capital: {
        base: BigInt(spec.capital.base),
        quote: BigInt(spec.capital.quote),
        normalization: spec.capital.normalization,
      },
      bandsPips: spec.bandsPips ?? defaults.bandsPips,
      tradeSizesQuote: tradeSizesQuote.map(BigInt),
      failure: (spec.failure ?? []).map(exactFailureRule),
      gas: gasOf(spec.costs ?? null),
      minProfitQuote: BigInt(spec.minProfitQuote ?? '0'),
      ...(targetBaseShare
        ? { targetBaseShare: { tolerancePips: defaults.tolerancePips, ...targetBaseShare } }
        : {}),
    },
  }
  const volatility = volatilityOf(withoutArms)
  const arms = armsOf(spec, strategies, { market, orientation, volatility })
  return { data: { ...withoutArms, arms, volatility }, assumptions }
}

/** Every arm must open on the first step of a path, otherwise the study is rejected. */
function requireDeposits(data: MonteCarloData): void {
  const still = { kind: 'GBM', annualDrift: 0, annualVolatility: 0 } as const
  const { scenario: _, ...first } = { ...data, price: still, flow: null, steps: 1 }
  try {
    runPaths(monteCarloSpec(first), 0, 1)
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    throw new StudyRefusal('LIQUIDITY_STUDY_INPUT_INVALID', {
      'payload.capital': [`cannot be deposited: ${error.message}`],
    })
  }
}

const nothingKnown: Knowledge = { calibration: null, returns: null }

function marketOf(spec: StudySpec, observed: ObservedMarket | null) {
  if (observed) return { market: observed.market, orientation: orientationOf(spec.pair) }
  if (!('inline' in spec.market)) throw new Error('The market is neither observed nor inline.')
  const { inline } = spec.market
  try {
    const market = marketOfInline(inline, spec.pair)
    return { market, orientation: orientationOf(spec.pair, inline) }
  } catch (error) {
    if (!(error instanceof InlineMarketError)) throw error
    throw new StudyRefusal('LIQUIDITY_STUDY_INPUT_INVALID', error.fieldErrors)
  }
}

function knowledgeOf(
  spec: StudySpec,
  { market, events, window, reference }: ObservedMarket,
  orientation: Orientation,
): Knowledge {
  const stepSeconds = spec.stepSeconds ?? defaults.stepSeconds
  // Resampled returns are steps of the path, so they are read at its step.
  const isResampled = spec.price?.kind === 'BLOCK_BOOTSTRAP'
  const grid = isResampled ? stepSeconds : Math.min(stepSeconds, calibrationSeconds)
  const returns = observeReturns(events, orientation, grid, reference?.points ?? null)
  const feePips = feePipsOf(market)
  const bandFeePips = reference === null ? feePips : reference.bandFeePips
  return { returns, calibration: calibrationOf(returns, feePips, window, bandFeePips) }
}

function feePipsOf(market: SimulatedMarket): number {
  if (market.kind === 'UNISWAP_V3') return market.feePips
  if (market.kind === 'STABLESWAP') return Number(market.feeX10 / 10_000n)
  return Number((market.fee.numerator * 1_000_000n) / market.fee.denominator)
}

function modelsOf(spec: StudySpec, stepSeconds: number, known: Knowledge) {
  try {
    return pathModels(spec, stepSeconds, known)
  } catch (error) {
    if (!(error instanceof UncalibratableError)) throw error
    const returns = known.returns?.logReturns.length ?? 0
    const why = error.why ?? `${returns} returns are too few to calibrate it`
    throw new StudyRefusal('LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE', {
      [error.field]: [`must be declared or calibrated, but ${why}`],
    })
  }
}

/** Standard deviation of ln price per root of a second, jumps included. */
function volatilityOf(data: MonteCarloData): number {
  const size = monteCarloSize(data)
  return size.kind === 'MONTE_CARLO' ? size.annualVolatility / Math.sqrt(yearSeconds) : 0
}

interface ArmMarket {
  market: SimulatedMarket
  orientation: Orientation
  volatility: number
}

function armsOf(
  spec: StudySpec,
  strategies: Readonly<Record<string, StrategyBehaviour>>,
  place: ArmMarket,
): StudyArm[] {
  const unaligned: FieldErrors = {}
  const faults: FieldErrors = {}
  const arms = spec.arms.map((arm, index): StudyArm => {
    const { armId } = arm
    const at = `payload.arms.${index}`
    if ('position' in arm) return positionOf(arm, at, place, unaligned)
    const input = 'definition' in arm ? arm.definition : strategies[armId]
    if (!input) throw new Error(`The strategy of ${armId} was not loaded.`)
    const definition = exactDefinition(input)
    const compiled = compileStrategy(definition, place)
    if (!compiled.ok) {
      const member = 'definition' in arm ? `${at}.definition` : `${at}.strategy`
      for (const { path, message } of compiled.errors) {
        const field = `${member}.${path}`
        faults[field] = [...(faults[field] ?? []), message]
      }
    }
    return { armId, kind: 'STRATEGY', definition }
  })
  if (Object.keys(unaligned).length > 0) {
    throw new StudyRefusal('LIQUIDITY_STUDY_TICK_UNALIGNED', unaligned)
  }
  if (Object.keys(faults).length > 0) {
    throw new StudyRefusal('LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE', faults)
  }
  return arms
}

function positionOf(
  { armId, position }: Extract<StudySpec['arms'][number], { position: unknown }>,
  at: string,
  { market, orientation }: ArmMarket,
  unaligned: FieldErrors,
): StudyArm {
  if (position.kind === 'HOLD' || position.kind === 'FULL_RANGE') {
    return { armId, kind: position.kind }
  }
  if (market.kind !== 'UNISWAP_V3') {
    throw new StudyRefusal('LIQUIDITY_STUDY_INPUT_INVALID', {
      [`${at}.position`]: [`must be HOLD or FULL_RANGE: a ${market.kind} has no price ranges`],
    })
  }
  const { tickSpacing } = market
  if (position.kind === 'RANGE') {
    return { armId, kind: 'V3_RANGE', ...rangeAround(position, { ...market, orientation }) }
  }
  for (const edge of ['tickLower', 'tickUpper'] as const) {
    if (position[edge] % tickSpacing === 0) continue
    unaligned[`${at}.position.${edge}`] = [
      `must be a multiple of ${tickSpacing}, got ${position[edge]}`,
    ]
  }
  const { tickLower, tickUpper } = position
  return { armId, kind: 'V3_RANGE', tickLower, tickUpper }
}

/** Assumptions outside of the models, default or declared. */
function termsOf(spec: StudySpec, { cfg, actionLatencySeconds }: MonteCarloData): Assumption[] {
  const source = (declared: unknown) => (declared === undefined ? 'DEFAULT' : 'DECLARED')
  return [
    { code: 'STEP_SECONDS', value: `${cfg.stepSeconds}`, source: source(spec.stepSeconds) },
    {
      code: 'SAMPLE_SECONDS',
      value: `${cfg.sampleEverySteps * cfg.stepSeconds}`,
      source: source(spec.sampleSeconds),
    },
    {
      code: 'GAS',
      value: spec.costs ? cfg.gas.baseFee.kind : 'NOT_CHARGED',
      source: source(spec.costs),
    },
    // All arms except HODL close their positions at the end, at the last price, including gas.
    { code: 'EXIT', value: 'IN_BOTH_TOKENS_AT_THE_END', source: 'DEFAULT' },
    {
      code: 'MINIMUM_PROFIT_QUOTE',
      value: `${cfg.minProfitQuote}`,
      source: source(spec.minProfitQuote),
    },
    {
      code: 'ACTION_LATENCY_SECONDS',
      value: `${actionLatencySeconds}`,
      source: source(spec.actionLatencySeconds),
    },
  ]
}

/** Maximum stored samples of a path, see the engine's `runPath`. */
const measuredSamples = 49
const fanPoints = 50
/** P&L breakdowns, counts and times of one candidate on one path. */
const fixedBytes = 4000

function sampleBytesOf({ cfg, steps, arms, paths }: MonteCarloData): number {
  const samples = Math.min(measuredSamples, Math.ceil(steps / cfg.sampleEverySteps) + 1)
  const measured = cfg.bandsPips.length + 2 * (cfg.tradeSizesQuote?.length ?? 0)
  const values = samples * measured + 2 * Math.min(fanPoints, samples)
  // Three benchmarks run with the arms.
  return paths * (arms.length + 3) * (8 * values + fixedBytes)
}
