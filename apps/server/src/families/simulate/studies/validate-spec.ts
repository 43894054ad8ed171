import type { contract, FieldErrors } from '@liquidity-os/contract'
import { benchmarkArmIds } from '@liquidity-os/engine/montecarlo'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { isSamePair } from '../../../market/pair.ts'
import {
  duplicateIds,
  lowerPipsFault,
  validateGuard,
  validateRange,
} from '../../plan/strategies/api.ts'
import { studyDefaults } from './study-defaults.ts'

export type StudySpec = Static<typeof contract.StudySpec>

/** Fields without meaning for the other study kind. */
const replayOnly = ['flowModels', 'search'] as const
const pathsOnly = [
  'horizonSeconds',
  'stepSeconds',
  'price',
  'flow',
  'others',
  'scenario',
  'paths',
  'halfWidthPips',
  'sensitivity',
] as const

/**
 * Rejects a contradictory specification before any source is read.
 *
 * @throws Failure 422 LIQUIDITY_STUDY_INPUT_INVALID with every fault at its field,
 * _REFERENCE_REQUIRED or _CAPITAL_ZERO
 */
export function requireSoundSpec(spec: StudySpec): void {
  const faults: FieldErrors = {
    ...validateArm(spec),
    ...validateCost(spec),
    ...validateSize(spec),
    ...(spec.kind === 'REPLAY' ? validateReplay(spec) : validatePath(spec)),
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', { fieldErrors: faults })
  }
  const { base, quote } = spec.capital
  if (base === '0' && quote === '0') throw new Failure('LIQUIDITY_STUDY_CAPITAL_ZERO')
}

/** Far above the cost of any chain; above it, the cost of a study would overflow. */
const maxWei = 10n ** 24n
const maxNativePriceX18 = 10n ** 48n

/** Amounts that the engine can multiply. */
export function validateCost({ costs }: Pick<StudySpec, 'costs'>): FieldErrors {
  if (!costs) return {}
  const { gas, tipWei = '0', l1DataFeeWei = '0', nativePriceX18 } = costs
  const bounded = [
    ...baseFeesOf(gas).map(([member, wei]) => [`gas.${member}`, wei, maxWei] as const),
    ['tipWei', tipWei, maxWei],
    ['l1DataFeeWei', l1DataFeeWei, maxWei],
    ['nativePriceX18', nativePriceX18, maxNativePriceX18],
  ] as const
  return Object.fromEntries(
    bounded
      .filter(([, amount, max]) => BigInt(amount) > max)
      .map(([member, amount, max]) => [
        `payload.costs.${member}`,
        [`must be at most ${max}, got ${amount}`],
      ]),
  )
}

type Gas = NonNullable<StudySpec['costs']>['gas']

/** Base fees by their member. */
function baseFeesOf(gas: Gas): [member: string, wei: string][] {
  if ('constantWei' in gas) return [['constantWei', gas.constantWei]]
  if ('meanWei' in gas) return [['meanWei', gas.meanWei]]
  return gas.baseFees.map(({ wei }, index) => [`baseFees.${index}.wei`, wei])
}

/** Base fees of blocks must ascend, because the study looks them up by block. */
export function validateBaseFees({ costs }: Pick<StudySpec, 'costs'>): FieldErrors {
  if (!costs || !('baseFees' in costs.gas)) return {}
  const { baseFees } = costs.gas
  const index = baseFees.findIndex(({ block }, at) => block <= (baseFees[at - 1]?.block ?? -1))
  if (index < 0) return {}
  return {
    [`payload.costs.gas.baseFees.${index}.block`]: [
      `must be above the block before it, got ${baseFees[index]?.block}`,
    ],
  }
}

function validateArm({ arms, pair, market }: StudySpec): FieldErrors {
  const faults: FieldErrors = {}
  const seen = new Set<string>()
  const reserved: readonly string[] = benchmarkArmIds
  for (const [index, arm] of arms.entries()) {
    const { armId } = arm
    const at = `payload.arms.${index}`
    if (seen.has(armId)) faults[`${at}.armId`] = [`must be unique, got ${armId} twice`]
    if (reserved.includes(armId))
      faults[`${at}.armId`] = [`must not be the name of a benchmark, got ${armId}`]
    seen.add(armId)
    if (arm.rewards)
      faults[`${at}.rewards`] = [
        'must be omitted: rewards depend on all other positions, which a study does not have',
      ]
    const tooLow = 'position' in arm ? lowerPipsFault(arm.position) : null
    if (tooLow) faults[`${at}.position.lowerPips`] = [tooLow]
    if ('position' in arm && arm.position.kind === 'TICKS') {
      const { tickLower, tickUpper } = arm.position
      if (tickLower >= tickUpper) {
        faults[`${at}.position.tickUpper`] = ['must be above tickLower']
      }
    }
    if ('strategy' in arm && 'inline' in market) {
      faults[`${at}.strategy`] = [
        'requires a venue; give the definition of the strategy with an inline market',
      ]
    }
    if ('definition' in arm) {
      const { definition } = arm
      Object.assign(faults, duplicateIds(definition, `${at}.definition`))
      Object.assign(faults, validateGuard(definition, `${at}.definition`))
      Object.assign(faults, validateRange(definition, `${at}.definition`))
      if (definition.pair && !isSamePair(definition.pair, pair)) {
        faults[`${at}.definition.pair`] = ['must match the pair of the study, or be omitted']
      }
      const isElsewhere =
        definition.venue && !('venue' in market && definition.venue.id === market.venue.id)
      if (isElsewhere) {
        faults[`${at}.definition.venue`] = ['must match the venue of the study, or be omitted']
      }
    }
  }
  return faults
}

/** A trade of size zero has no slippage. */
function validateSize({ tradeSizesQuote, failure = [] }: StudySpec): FieldErrors {
  const named = [
    ...tradeSizesQuote.map((size, index) => [`payload.tradeSizesQuote.${index}`, size] as const),
    ...failure.flatMap((rule, index) =>
      rule.kind === 'SLIPPAGE_ABOVE'
        ? [[`payload.failure.${index}.sizeQuote`, rule.sizeQuote] as const]
        : [],
    ),
  ]
  return Object.fromEntries(
    named.filter(([, size]) => size === '0').map(([field]) => [field, ['must be above zero']]),
  )
}

function validateReplay(spec: StudySpec): FieldErrors {
  const faults: FieldErrors = {}
  if (!('venue' in spec.market)) {
    faults['payload.market'] = ['must name a venue: a REPLAY uses its history']
  }
  for (const member of ['observations', 'window'] as const) {
    if (!spec[member]) faults[`payload.${member}`] = ['is required for REPLAY']
  }
  for (const member of pathsOnly) {
    if (spec[member] !== undefined) faults[`payload.${member}`] = ['must be omitted for REPLAY']
  }
  if (spec.window && spec.window.toBlock < spec.window.fromBlock) {
    const { fromBlock, toBlock } = spec.window
    faults['payload.window.toBlock'] = [`must be at least fromBlock ${fromBlock}, got ${toBlock}`]
  }
  if (spec.costs && 'meanWei' in spec.costs.gas) {
    faults['payload.costs.gas'] = ['must be constantWei or BLOCK_BASE_FEE for REPLAY']
  }
  Object.assign(faults, validateBaseFees(spec))
  if (spec.search) {
    const { armId } = spec.search
    const arm = spec.arms.find((one) => one.armId === armId)
    if (!arm || 'position' in arm) {
      faults['payload.search.armId'] = [`must name a candidate with a strategy, got ${armId}`]
    }
  }
  return faults
}

function validatePath(spec: StudySpec): FieldErrors {
  const faults: FieldErrors = {}
  if (spec.costs && 'baseFees' in spec.costs.gas) {
    faults['payload.costs.gas'] = [
      `must be constantWei or meanWei for ${spec.kind}: simulated blocks have no recorded base fee`,
    ]
  }
  const { horizonSeconds, stepSeconds = studyDefaults.stepSeconds, sampleSeconds } = spec
  if (horizonSeconds === undefined) {
    faults['payload.horizonSeconds'] = [`is required for ${spec.kind}`]
  } else if (horizonSeconds % stepSeconds !== 0) {
    faults['payload.horizonSeconds'] = [`must be a multiple of stepSeconds ${stepSeconds}`]
  }
  if (sampleSeconds !== undefined && sampleSeconds % stepSeconds !== 0) {
    faults['payload.sampleSeconds'] = [`must be a multiple of stepSeconds ${stepSeconds}`]
  }
  for (const member of replayOnly) {
    if (spec[member] !== undefined) {
      faults[`payload.${member}`] = ['is only allowed for REPLAY']
    }
  }
  const isInline = 'inline' in spec.market
  if (spec.reference?.kind === 'POOL_POST_SWAP') {
    faults['payload.reference.kind'] = [
      'must be SERIES or VENUE: simulated paths have no pool to compare with',
    ]
  }
  if (spec.reference && isInline) {
    faults['payload.reference'] = ['must be omitted for an inline market']
  }
  if (!isInline && !spec.observations) {
    faults['payload.observations'] = ['is required: paths start at the last observed state']
  }
  for (const member of ['observations', 'window'] as const) {
    if (isInline && spec[member])
      faults[`payload.${member}`] = ['must be omitted for an inline market']
  }
  return { ...faults, ...validateScenario(spec) }
}

function validateScenario({ kind, scenario, flow, market }: StudySpec): FieldErrors {
  if (kind === 'MONTE_CARLO') {
    return scenario ? { 'payload.scenario': ['is only allowed for SCENARIO'] } : {}
  }
  if (!scenario) return { 'payload.scenario': ['is required for SCENARIO'] }
  const isWithoutFlow = flow?.kind === 'NONE' || (!flow && 'inline' in market)
  if (scenario.kind === 'VOLUME_X10' && isWithoutFlow) {
    return { 'payload.flow': ['is required: VOLUME_X10 needs a base volume'] }
  }
  if (scenario.kind !== 'POINTS') return {}
  const unordered = scenario.points.findIndex(
    ({ t }, index, points) => index > 0 && t <= (points[index - 1]?.t ?? 0),
  )
  return unordered < 0
    ? {}
    : {
        [`payload.scenario.points.${unordered}.t`]: [
          'must be later than the time of the previous point',
        ],
      }
}
