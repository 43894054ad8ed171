import type { contract } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { gasTable } from '@liquidity-os/engine/montecarlo'
import { engineVersion } from '@liquidity-os/engine/version'
import type { Static } from 'typebox'
import { Failure } from '../../../../failure.ts'
import { fidelityOf } from '../../../../market/fidelity.ts'
import { orientationOf } from '../../../../market/inline-market.ts'
import { annualPips } from '../../../../market/realized-volatility.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { parityOf } from '../parity-of.ts'
import type { Series } from '../sealed-series.ts'
import { pauseAssumptions } from '../simulated-pauses.ts'
import { studyDefaults } from '../study-defaults.ts'
import { priceX18, type StudyResult, sealResult, seedOf, specHashOf } from '../study-hashes.ts'
import { inputsOf, type StudyInput } from '../study-input.ts'
import type { StudySpec } from '../validate-spec.ts'
import { definitionOf } from './arm-definition.ts'
import { armResultOf, type EngineStudy } from './replay-arms.ts'
import type { SealedReplay } from './replay-study-task.ts'
import type { ReplayTask, ReplayTaskResult, TaskArm } from './replay-task.ts'
import { type ReplayTerms, replayTerms } from './replay-terms.ts'
import type { VolatilityBefore } from './volatility-before.ts'

export type StudyPayload = Static<typeof contract.SimulationStudy>

const defaultSplitPips = 700_000

/** A replay with consistent inputs; its events are read at run time. */
export interface Replay {
  terms: ReplayTerms
  /** Events of the observations in use, and the time between their ends. */
  events: number
  seconds: number
  /** Null selects the interval by the length of the course. */
  sampleSeconds: number | null
  task: (records: TenantRecords, volatility: VolatilityBefore | null) => Promise<ReplayTask>
}

/**
 * Input of a replay and its size.
 *
 * @throws Failure 422 LIQUIDITY_STUDY_WINDOW_UNCOVERED
 */
export function replayOf(spec: StudySpec, input: StudyInput): Replay {
  const terms = replayTerms(spec, input.observations)
  const { stretch } = terms.coverage
  const [first, last] = [stretch[0], stretch.at(-1)]
  if (!first || !last) throw new Error('The replay has no observation.')
  const [from, to] = [first.payload.range.from.timestamp, last.payload.range.to.timestamp]
  return {
    terms,
    events: stretch.reduce((sum, { payload }) => sum + payload.events.count, 0),
    seconds: (Date.parse(to) - Date.parse(from)) / 1000,
    sampleSeconds: spec.sampleSeconds ?? null,
    task: async (records, volatility) => ({
      ...(await replayTaskOf(records, spec, input, terms)),
      volatility: volatility?.value ?? null,
    }),
  }
}

/** The task of a replay for the threads, with its sealed inputs loaded and checked. */
async function replayTaskOf(
  records: TenantRecords,
  spec: StudySpec,
  input: StudyInput,
  terms: ReplayTerms,
): Promise<ReplayTask> {
  const { stretch, window } = terms.coverage
  const [first] = stretch
  if (!first) throw new Error('The replay has no observation.')
  const events = await Promise.all(
    stretch.map(({ payload }) => records.sharedArtifact(payload.events.artifactHash)),
  )
  return {
    ...(input.reference ? { references: input.reference.points } : {}),
    start: await records.artifact(first.payload.start.artifactHash),
    events,
    window,
    orientation: orientationOf(spec.pair),
    capital: spec.capital,
    arms: spec.arms.map((arm): TaskArm => {
      const { armId } = arm
      if ('position' in arm) return { armId, ...arm.position }
      return { armId, kind: 'STRATEGY', definition: definitionOf(arm, input) }
    }),
    flowModels: terms.flowModels,
    bandsPips: spec.bandsPips ?? studyDefaults.bandsPips,
    tradeSizesQuote: spec.tradeSizesQuote,
    sampleSeconds: spec.sampleSeconds ?? null,
    positions: 'COMPLETE',
    actionLatencySeconds: spec.actionLatencySeconds ?? studyDefaults.latencySeconds,
    costs: spec.costs ?? null,
    measures: {
      failure: spec.failure ?? [],
      targetBaseShare: spec.targetBaseShare
        ? { tolerancePips: studyDefaults.tolerancePips, ...spec.targetBaseShare }
        : null,
    },
    benchmarks: true,
    arbitrageCostQuote: spec.minProfitQuote ?? '0',
    ...(spec.search ? { search: { splitPips: defaultSplitPips, ...spec.search } } : {}),
  }
}

export interface ReplayRun {
  task: ReplayTask
  terms: ReplayTerms
  volatility: VolatilityBefore | null
}

export function replayResultOf(
  spec: StudySpec,
  input: StudyInput,
  { task, terms, volatility }: ReplayRun,
  computed: SealedReplay,
): { result: StudyResult; series: Series[] } {
  const { sampleSeconds } = computed
  const found = searchOf(computed)
  const study = computed.study as unknown as EngineStudy
  const { state, reasons, gaps } = stateOf(study, terms, found)
  const arms = state === 'ABSTAINED' ? [] : study.arms
  const series = state === 'ABSTAINED' ? [] : computed.series
  const startPrice = exact(study.startPrice)
  const worth = startPrice
    ? (BigInt(spec.capital.base) * startPrice.num) / startPrice.den + BigInt(spec.capital.quote)
    : 0n
  const endPrice = exact(study.endPrice)
  const prices = startPrice && endPrice && { start: startPrice, end: endPrice }
  const { blocks, observedBlocks } = terms.coverage
  const result = sealResult({
    state,
    reasons,
    assessesMarketHealth: state === 'COMPLETED',
    fidelity: fidelityOf(study.fidelity),
    coverage: {
      blocks,
      observedBlocks,
      pips: Math.floor((observedBlocks * 1_000_000) / blocks),
    },
    course: courseOf(study),
    parity: parityOf('UNISWAP_V3'),
    startPriceX18: priceX18(startPrice),
    endPriceX18: priceX18(endPrice),
    startValueQuote: startPrice ? `${worth}` : null,
    market: state === 'ABSTAINED' ? null : (computed.market as StudyResult['market']),
    paths: null,
    calibration: null,
    arms: arms.flatMap(({ armId, results }) =>
      results.map((one) => armResultOf(armId, one, spec, { worth, prices })),
    ),
    comparisons: [],
    feeBand: arms.map(({ armId, feeBand }) => ({
      armId,
      lowQuote: feeBand.low,
      highQuote: feeBand.high,
    })),
    search: found?.search ?? null,
    overfitting: found?.overfitting ?? null,
    seriesArtifacts: series.map(({ name, hash, rows }) => ({ name, hash, rows })),
    gaps,
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash: specHashOf(spec),
      inputs: inputsOf(input),
      blocks: [
        ...input.observations.slice(0, 1).map(({ payload }) => payload.range.from),
        ...input.observations.slice(-1).map(({ payload }) => payload.range.to),
      ],
      // A replay uses no random numbers; the seed is included because every study has one.
      seed: seedOf(spec),
      assumptions: assumptionsOf(spec, input, { task, volatility, sampleSeconds }),
      gaps,
    },
  })
  return { result, series }
}

/** The period of the candidates; null without liquidity, or for a recording without times. */
function courseOf({
  window: { fromTime, toTime },
}: EngineStudy): Exclude<StudyResult['course'], undefined> {
  return fromTime === null || toTime === null ? null : { fromTime, toTime }
}

/** Missing data, and the resulting study state; see the coverage of the window. */
function stateOf(
  study: EngineStudy,
  { coverage, reasons, gaps, unproved }: ReplayTerms,
  found: ReturnType<typeof searchOf>,
) {
  const isThin = (coverage.blocks - coverage.observedBlocks) * 20 > coverage.blocks
  const all = [
    ...study.reasons,
    ...reasons,
    ...(isThin ? ['COVERAGE_BELOW_95'] : []),
    ...(unproved ? ['OBSERVATION_UNPROVED'] : []),
    ...(found && !found.isExact ? ['SEARCH_FIDELITY_BELOW_ALL'] : []),
    ...(found && !found.overfitting ? ['OVERFITTING_UNMEASURED'] : []),
  ]
  const state: StudyResult['state'] =
    isThin || study.state === 'ABSTAINED' ? 'ABSTAINED' : all.length > 0 ? 'PARTIAL' : 'COMPLETED'
  return { state, reasons: all, gaps: [...gaps] }
}

/**
 * Search terms and result.
 *
 * @throws Failure 422 if the window cannot be divided
 */
function searchOf({ search }: ReplayTaskResult) {
  if (!search) return null
  if (search.isRefused) {
    throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', {
      fieldErrors: { 'payload.search.splitPips': [search.reason] },
    })
  }
  const { isRefused: _, overfitting, isExact, ...found } = search
  return { search: found, overfitting, isExact }
}

function gasText(costs: StudySpec['costs']): string {
  if (!costs) return 'NOT_CHARGED'
  return 'baseFees' in costs.gas
    ? `${gasTable.version} at the declared base fee of each block`
    : `${gasTable.version} at a constant base fee`
}

function assumptionsOf(
  spec: StudySpec,
  input: StudyInput,
  {
    task,
    volatility,
    sampleSeconds,
  }: Pick<ReplayRun, 'task' | 'volatility'> & Pick<SealedReplay, 'sampleSeconds'>,
): StudyResult['evidence']['assumptions'] {
  const source = (isDeclared: boolean) =>
    isDeclared ? ('DECLARED' as const) : ('DEFAULT' as const)
  return [
    ...task.flowModels.map((value) => ({
      code: 'FLOW_MODEL',
      value,
      source: source(spec.flowModels !== undefined),
    })),
    {
      code: 'REFERENCE_PRICE',
      value: input.reference?.source ?? 'POOL_POST_SWAP',
      source: source(spec.reference !== undefined),
    },
    {
      code: 'ARBITRAGE_COST_QUOTE',
      value: task.arbitrageCostQuote ?? '0',
      source: source(spec.minProfitQuote !== undefined),
    },
    {
      code: 'GAS',
      value: gasText(spec.costs),
      source: source(spec.costs !== undefined),
    },
    // All arms except HODL close their positions at the end, at the last price, including gas.
    { code: 'EXIT', value: 'IN_BOTH_TOKENS_AT_THE_END', source: 'DEFAULT' },
    {
      code: 'ACTION_LATENCY_SECONDS',
      value: String(task.actionLatencySeconds),
      source: source(spec.actionLatencySeconds !== undefined),
    },
    {
      code: 'SAMPLE_SECONDS',
      value: String(sampleSeconds),
      source: source(spec.sampleSeconds !== undefined),
    },
    ...pauseAssumptions(
      task.arms.flatMap((arm) => (arm.kind === 'STRATEGY' ? [arm.definition] : [])),
    ),
    ...(volatility
      ? [
          {
            code: 'VOLATILITY',
            value: `${annualPips(volatility.value)} pips a year, from ${volatility.returns} returns before block ${volatility.beforeBlock}`,
            source: 'CALIBRATED' as const,
          },
        ]
      : []),
  ]
}

const exact = (price: { num: string; den: string } | null) =>
  price ? { num: BigInt(price.num), den: BigInt(price.den) } : null
