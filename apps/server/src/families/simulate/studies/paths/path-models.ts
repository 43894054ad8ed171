import type { contract } from '@liquidity-os/contract'
import {
  crash50In24h,
  lpExit80,
  type NoiseFlow,
  type OtherLps,
  type PriceModel,
  quoteDepeg5,
  type Scenario,
  unlockSell,
  volumeX10,
} from '@liquidity-os/engine/montecarlo'
import type { Static } from 'typebox'
import type { ObservedReturns } from '../../../../market/observed-returns.ts'
import type { StudySpec } from '../validate-spec.ts'

type Calibration = Static<typeof contract.StudyCalibration>
type Source = 'DECLARED' | 'CALIBRATED' | 'DEFAULT'
type Spec<Member extends 'price' | 'flow'> = NonNullable<StudySpec[Member]>

export interface Assumption {
  code: string
  value: string
  source: Source
}

/** Calibration from observations; each field is null if the data are insufficient. */
export interface Knowledge {
  calibration: Calibration | null
  returns: ObservedReturns | null
}

/** A parameter that is neither declared nor identifiable from the data. */
export class UncalibratableError extends Error {
  readonly field: string
  /** Reason why the data do not determine it; null if too few data exist. */
  readonly why: string | null

  constructor(field: string, why: string | null = null) {
    super(`${field} is not declared and cannot be calibrated from the data.`)
    this.field = field
    this.why = why
  }
}

const million = 1_000_000

/** Collects parameters with their sources, in declared units. */
class Parameters {
  readonly assumptions: Assumption[] = []

  /** @throws UncalibratableError if a value is neither declared nor calibrated */
  take(
    field: string,
    code: string,
    declared: number | undefined,
    calibrated: { value: number } | null | undefined,
    why: string | null = null,
  ): number {
    const value = declared ?? calibrated?.value
    if (value === undefined) throw new UncalibratableError(field, why)
    this.note(code, `${value}`, declared === undefined ? 'CALIBRATED' : 'DECLARED')
    return value
  }

  note(code: string, value: string, source: Source): void {
    this.assumptions.push({ code, value, source })
  }
}

/** The models of a study in engine terms, with the source of every parameter. */
export interface PathModels {
  price: PriceModel
  flow: NoiseFlow | null
  others: OtherLps
  scenario: Scenario | null
  assumptions: Assumption[]
}

/**
 * The models of a study: declared parameters are used, the rest is calibrated. Both are integers in
 * the same units, so declaring the calibrated values reproduces the same paths.
 *
 * @throws UncalibratableError if a parameter is neither declared nor calibrated
 */
export function pathModels(spec: StudySpec, stepSeconds: number, known: Knowledge): PathModels {
  const parameters = new Parameters()
  const price = priceOf(spec, stepSeconds, known, parameters)
  const flow = flowOf(spec, known.calibration, parameters)
  const { others = { kind: 'STATIC' } } = spec
  parameters.note('OTHER_PROVIDERS', others.kind, spec.others ? 'DECLARED' : 'DEFAULT')
  const scenario = spec.scenario ? scenarioOf(spec.scenario) : null
  if (spec.scenario) parameters.note('SCENARIO', spec.scenario.kind, 'DECLARED')
  return { price, flow, others, scenario, assumptions: parameters.assumptions }
}

function priceOf(
  spec: StudySpec,
  stepSeconds: number,
  { calibration, returns }: Knowledge,
  parameters: Parameters,
): PriceModel {
  // A scenario without a model contains only its declared moves.
  const flatPrice: Spec<'price'> = { kind: 'GBM', annualVolatilityPips: 0 }
  const model: Spec<'price'> =
    spec.price ?? (spec.kind === 'SCENARIO' ? flatPrice : { kind: 'GBM' })
  parameters.note('PRICE_MODEL', model.kind, spec.price ? 'DECLARED' : 'DEFAULT')
  if (model.kind === 'BLOCK_BOOTSTRAP') {
    return bootstrapOf(model, stepSeconds, { calibration, returns }, parameters)
  }
  const drift = model.annualDriftPips ?? 0
  const driftSource = model.annualDriftPips === undefined ? 'DEFAULT' : 'DECLARED'
  parameters.note('ANNUAL_DRIFT_PIPS', `${drift}`, driftSource)
  const take = (
    member: string,
    code: string,
    declared: number | undefined,
    calibrated?: { value: number } | null,
  ) => {
    const why = calibration && (model.kind === 'GBM' ? tooWide(calibration) : noReference)
    return parameters.take(`payload.price.${member}`, code, declared, calibrated, why)
  }
  const jumps = calibration?.jumps
  const volatility = take(
    'annualVolatilityPips',
    'ANNUAL_VOLATILITY_PIPS',
    model.annualVolatilityPips,
    model.kind === 'GBM' ? calibration?.annualVolatilityPips : jumps?.annualVolatilityPips,
  )
  const { volatility: reading } = calibration ?? {}
  if (model.kind === 'GBM' && model.annualVolatilityPips === undefined && reading) {
    const { estimator, estimatorVersion } = reading
    parameters.note('VOLATILITY_ESTIMATOR', `${estimator} ${estimatorVersion}`, 'DEFAULT')
  }
  const common = { annualDrift: drift / million, annualVolatility: volatility / million }
  if (model.kind === 'GBM') return { kind: 'GBM', ...common }
  return {
    kind: 'JUMP_DIFFUSION',
    ...common,
    jumpsPerYear:
      take(
        'jumpsPerYearMilli',
        'JUMPS_PER_YEAR_MILLI',
        model.jumpsPerYearMilli,
        jumps?.jumpsPerYearMilli,
      ) / 1000,
    jumpMean:
      take('jumpMeanPips', 'JUMP_MEAN_PIPS', model.jumpMeanPips, jumps?.jumpMeanPips) / million,
    jumpDeviation:
      take(
        'jumpDeviationPips',
        'JUMP_DEVIATION_PIPS',
        model.jumpDeviationPips,
        jumps?.jumpDeviationPips,
      ) / million,
  }
}

const noReference = 'jumps cannot be calibrated from a pool price alone, within its fee band'

function tooWide({ volatility }: Calibration): string {
  if (volatility?.reason === 'VOLATILITY_UNCERTAIN') {
    return `VOLATILITY_UNCERTAIN: the reference does not determine it within 10 %; this requires ${volatility.daysNeeded} days`
  }
  const days = volatility?.daysNeeded ?? null
  const needed = days === null ? 'the price did not move' : `this requires ${days} days`
  if (volatility?.reason === 'VOLATILITY_SCALES_DISAGREE') {
    return `VOLATILITY_SCALES_DISAGREE: the volatility of the pool price changes with its interval beyond the fee band, and has no plateau known within 10 %; ${needed}`
  }
  return `VOLATILITY_BAND_TOO_WIDE: the pool price, within its fee band, does not determine it within 10 %; ${needed}`
}

function bootstrapOf(
  model: Extract<Spec<'price'>, { kind: 'BLOCK_BOOTSTRAP' }>,
  stepSeconds: number,
  { calibration, returns }: Knowledge,
  parameters: Parameters,
): PriceModel {
  const { drift = 'REMOVE', logReturnsX9 } = model
  parameters.note('DRIFT', drift, model.drift ? 'DECLARED' : 'DEFAULT')
  const field = 'payload.price.meanBlockMilli'
  const calibrated = calibration ? { value: calibration.meanBlockMilli } : undefined
  const meanBlock =
    parameters.take(field, 'MEAN_BLOCK_MILLI', model.meanBlockMilli, calibrated) / 1000
  const common = { kind: 'BLOCK_BOOTSTRAP', stepSeconds, meanBlock, drift } as const
  if (logReturnsX9) {
    parameters.note('RETURNS', `${logReturnsX9.length}`, 'DECLARED')
    return { ...common, logReturns: Float64Array.from(logReturnsX9, (r) => r / 1e9) }
  }
  if (!returns || !calibration) throw new UncalibratableError('payload.price.logReturnsX9')
  parameters.note('RETURNS', `${returns.logReturns.length}`, 'CALIBRATED')
  return { ...common, logReturns: returns.logReturns, volumes: returns.volumes }
}

function flowOf(
  spec: StudySpec,
  calibration: Calibration | null,
  parameters: Parameters,
): NoiseFlow | null {
  const noFlow: Spec<'flow'> = { kind: 'NONE' }
  const usual = 'inline' in spec.market ? noFlow : ({ kind: 'COMPOUND_POISSON' } as const)
  const model: Spec<'flow'> = spec.flow ?? usual
  parameters.note('NOISE_FLOW', model.kind, spec.flow ? 'DECLARED' : 'DEFAULT')
  if (model.kind === 'NONE') return null
  const known = calibration?.flow ?? null
  const take = (
    member: keyof typeof model & string,
    code: string,
    calibrated?: { value: number },
  ) =>
    parameters.take(`payload.flow.${member}`, code, model[member] as number | undefined, calibrated)
  return {
    tradesPerDay:
      take('tradesPerDayMilli', 'TRADES_PER_DAY_MILLI', known?.tradesPerDayMilli) / 1000,
    logMeanQuote:
      take('logMeanQuotePips', 'LOG_MEAN_QUOTE_PIPS', known?.logMeanQuotePips) / million,
    logDeviation: take('logDeviationPips', 'LOG_DEVIATION_PIPS', known?.logDeviationPips) / million,
    buyShare: take('buySharePips', 'BUY_SHARE_PIPS', known?.buySharePips) / million,
    depthElasticity: (model.depthElasticityPips ?? 0) / million,
  }
}

function scenarioOf(scenario: NonNullable<StudySpec['scenario']>): Scenario {
  switch (scenario.kind) {
    case 'POINTS': {
      const { points, sale } = scenario
      return { points, ...(sale ? { sale: { ...sale, base: BigInt(sale.base) } } : {}) }
    }
    case 'CRASH_50_24H':
      return crash50In24h()
    case 'LP_EXIT_80':
      return lpExit80()
    case 'QUOTE_DEPEG_5':
      return quoteDepeg5()
    case 'VOLUME_X10':
      return volumeX10()
    case 'UNLOCK_SELL':
      return unlockSell(BigInt(scenario.base), scenario.seconds)
  }
}
