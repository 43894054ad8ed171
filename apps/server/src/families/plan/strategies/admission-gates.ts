import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import type { AdmissionLimits } from './admissions.ts'

export type Gate = Static<typeof contract.AdmissionGate>
type StudyPayload = Static<typeof contract.SimulationStudy>
type StudyResult = Static<typeof contract.StudyResult>
type ReplayArm = Static<typeof contract.ArmResult>
type SimulatedArm = Static<typeof contract.SimulatedArmResult>

/** A study of an admission, and its candidates with the behavior of the strategy. */
export interface StudyEvidence {
  study: VersionedRecord<StudyPayload>
  armIds: readonly string[]
}

/** All inputs of the gates. */
export interface AdmissionFacts {
  status: string
  /** Requested capital limits, in atoms. */
  capital: { maxBase: string; maxQuote: string }
  isSeeded: boolean
  packageRevoked: boolean
  studies: readonly StudyEvidence[]
  limits: AdmissionLimits
  /** Open CRITICAL anomalies of the venue or its pair. */
  criticalAnomalies: number
  /** Open anomalies, WARNING or worse, of the kinds in the guards of the strategy. */
  pausingAnomalies: number
  /** Open divergences, WARNING or worse, from the given studies. */
  divergedStudies: number
  /** Milliseconds since 1970. */
  now: number
}

/** Highest probability of backtest overfitting of a study that searched, pips. */
const highestOverfittingPips = 500_000
/** The band whose depth decides dominance, pips. */
const dominationBandPips = 20_000
const fullRange = 'benchmark-full-range'
const million = 1_000_000n

/** Results of all gates, in published order. */
export function gatesOf(facts: AdmissionFacts): Gate[] {
  const usable = facts.studies.flatMap(usableOf)
  return [
    ...checkStatusGates(facts),
    ...studyGates(facts, usable),
    failureGate(usable, facts.limits),
    shortfallGate(usable, facts.limits),
    depthGate(usable, facts.limits),
    dominationGate(usable),
    capitalGate(facts, usable),
    overfittingGate(usable),
    atMost('CRITICAL_ANOMALIES', 'COUNT', facts.criticalAnomalies, 0, {
      detail: 'open CRITICAL anomalies of the venue or its pair',
    }),
    atMost('PAUSING_ANOMALIES', 'COUNT', facts.pausingAnomalies, 0, {
      detail:
        'open anomalies of the venue or its pair at WARNING or above that guards.pauseOn lists',
    }),
    atMost('DIVERGED_STUDIES', 'COUNT', facts.divergedStudies, 0, {
      detail: 'open divergences from the named studies at WARNING or above',
    }),
  ]
}

/** A finished study with arms of exactly this strategy. */
interface Usable {
  id: string
  kind: StudyPayload['spec']['kind']
  spec: StudyPayload['spec']
  result: StudyResult
  armIds: readonly string[]
}

function usableOf({ study, armIds }: StudyEvidence): Usable[] {
  const { spec, result } = study.payload
  const isUsable = study.status === 'COMPLETED' && result !== null && armIds.length > 0
  return isUsable ? [{ id: study.id, kind: spec.kind, spec, result, armIds }] : []
}

function checkStatusGates({ status, isSeeded, packageRevoked }: AdmissionFacts): Gate[] {
  return [
    atLeast('STRATEGY_VALIDATED', 'COUNT', status === 'VALIDATED' ? 1 : 0, 1, {
      detail: `this version of the strategy is ${status}`,
    }),
    atMost('PACKAGE_REVOKED', 'COUNT', packageRevoked ? 1 : 0, 0, {
      detail: isSeeded
        ? `the package of the strategy ${packageRevoked ? 'is revoked' : 'stands'}`
        : 'the strategy was not seeded from a package',
    }),
  ]
}

function studyGates({ studies, now }: AdmissionFacts, usable: readonly Usable[]): Gate[] {
  const countOf = (kind: Usable['kind']) => usable.filter((study) => study.kind === kind).length
  const unusable = studies.filter((study) => usableOf(study).length === 0)
  const ages = studies.map(({ study }) => Math.ceil((now - Date.parse(study.createdAt)) / 1000))
  const unverified = usable.filter(({ result }) => result.parity.verdict !== 'VERIFIED')
  return [
    atLeast('REPLAY_STUDIES', 'COUNT', countOf('REPLAY'), 1, {
      detail: 'COMPLETED replays with an arm of this irHash',
    }),
    atLeast('MONTE_CARLO_STUDIES', 'COUNT', countOf('MONTE_CARLO'), 1, {
      detail: 'COMPLETED Monte Carlo studies with an arm of this irHash',
    }),
    atMost('UNUSABLE_STUDIES', 'COUNT', unusable.length, 0, {
      detail:
        unusable.length === 0
          ? 'all named studies are COMPLETED and have an arm with this irHash'
          : unusable.map(whyUnusable).join('; '),
    }),
    atMost('STUDY_AGE', 'SECONDS', Math.max(...ages), limits.admissionStudySeconds, {
      detail: 'age of the oldest named study',
    }),
    atMost('MARKET_PARITY', 'COUNT', unverified.length, 0, {
      detail: 'studies whose market this build did not compare with its bytecode',
    }),
  ]
}

function whyUnusable({ study, armIds }: StudyEvidence): string {
  return study.status === 'COMPLETED' && armIds.length === 0
    ? `${study.id} has no arm of this irHash`
    : `${study.id} is ${study.status}`
}

/** Arms of the strategy over the paths of its Monte Carlo studies. */
const simulatedArms = (usable: readonly Usable[]) =>
  usable
    .filter(({ kind }) => kind === 'MONTE_CARLO')
    .flatMap((study) =>
      study.result.arms
        .filter(({ armId }) => study.armIds.includes(armId))
        // Only a replay has arms by flow model.
        .map((arm) => ({ study, arm: arm as SimulatedArm })),
    )

function failureGate(usable: readonly Usable[], { maxFailurePips }: AdmissionLimits): Gate {
  const found = simulatedArms(usable).map(({ arm }) => arm.failure.any?.ci95Pips[1] ?? null)
  return atMost('FAILURE_PROBABILITY', 'PIPS', greatest(found), maxFailurePips, {
    detail: 'upper bound of the Wilson 95 % interval for a breach of any failure rule of a study',
    missing: 'no Monte Carlo study of the strategy, or a study has no failure rules',
  })
}

function shortfallGate(usable: readonly Usable[], { maxEs95LossPips }: AdmissionLimits): Gate {
  const found = simulatedArms(usable).map(({ study, arm }) => {
    const worth = worthOf(study.result, study.spec.capital)
    const loss = -BigInt(arm.risk.netVsHold.es95)
    if (worth === null || worth === 0n) return null
    return loss <= 0n ? 0n : (loss * million + worth - 1n) / worth
  })
  return atMost('EXPECTED_SHORTFALL', 'PIPS', greatest(found), maxEs95LossPips, {
    detail:
      'mean loss vs initial capital in the worst 5 % of paths, as a share of the capital, rounded up',
    missing: 'no Monte Carlo study of the strategy',
  })
}

function depthGate(usable: readonly Usable[], { minDepthTimeSharePips }: AdmissionLimits): Gate {
  const found = usable
    .filter(({ kind }) => kind === 'REPLAY')
    .flatMap(({ result, armIds }) =>
      result.arms
        .filter(({ armId }) => armIds.includes(armId))
        .flatMap((arm) => {
          const shares = (arm as ReplayArm).failure
            .filter(({ rule }) => rule.kind === 'DEPTH_BELOW')
            .map(({ timeSharePips }) => 1_000_000 - timeSharePips)
          return shares.length > 0 ? shares : [null]
        }),
    )
  return atLeast('DEPTH_TIME_SHARE', 'PIPS', least(found), minDepthTimeSharePips, {
    detail: 'lowest share of time without a DEPTH_BELOW breach in the replays',
    missing: 'no replay of the strategy, or a replay has no DEPTH_BELOW rule',
  })
}

/** Fails if the strategy is worse than a full range in both vs-HODL result and depth. */
function dominationGate(usable: readonly Usable[]): Gate {
  const dominated = simulatedArms(usable).map(({ study, arm }) => isDominated(study.result, arm))
  const unknown = dominated.length === 0 || dominated.includes(null)
  const count = dominated.filter((verdict) => verdict === true).length
  return atMost('DOMINATED_BY_FULL_RANGE', 'COUNT', unknown ? null : count, 0, {
    detail:
      'studies where the full range has a better net P&L vs initial capital (Holm, 5 %) and a higher median 2 % depth',
    missing: 'no Monte Carlo study compares the strategy with the full range at 2 % depth',
  })
}

function isDominated({ comparisons, arms }: StudyResult, arm: SimulatedArm): boolean | null {
  const pair = comparisons.find(
    ({ a, b }) => [a, b].includes(fullRange) && [a, b].includes(arm.armId),
  )
  // Only a replay has arms by flow model.
  const benchmark = arms.find(({ armId }) => armId === fullRange) as SimulatedArm | undefined
  const own = depthAt(arm)
  const other = benchmark ? depthAt(benchmark) : null
  if (!pair || own === null || other === null) return null
  const winner = pair.verdict === 'A' ? pair.a : pair.verdict === 'B' ? pair.b : null
  return winner === fullRange && own < other
}

function depthAt({ depth }: SimulatedArm): bigint | null {
  const found = depth.find(({ bandPips }) => bandPips === dominationBandPips)
  return found ? BigInt(found.medianQuote) : null
}

/**
 * Uses the study whose capital covers the smallest share of the requested capital. Both are valued
 * at the study's start price.
 */
function capitalGate({ capital }: AdmissionFacts, usable: readonly Usable[]): Gate {
  const requested = { base: capital.maxBase, quote: capital.maxQuote }
  const pairs = usable.flatMap(({ result, spec }) => {
    const studied = worthOf(result, spec.capital)
    const needed = worthOf(result, requested)
    return studied === null || needed === null ? [] : [{ studied, needed }]
  })
  const [first, ...others] = pairs
  const worst = others.reduce(
    (min, pair) => (pair.studied * min.needed < min.studied * pair.needed ? pair : min),
    first ?? { studied: 0n, needed: 0n },
  )
  const isKnown = first !== undefined && pairs.length === usable.length
  return atLeast('CAPITAL_STUDIED', 'QUOTE_ATOMS', isKnown ? worst.studied : null, worst.needed, {
    detail: 'value of the studied capital vs the strategy capital',
    missing: 'no study of the strategy',
  })
}

function overfittingGate(usable: readonly Usable[]): Gate {
  const searched = usable.filter(({ spec }) => spec.search)
  const found = searched.map(({ result }) => result.overfitting?.pboPips ?? null)
  if (searched.length === 0) {
    return atMost('OVERFITTING', 'PIPS', 0, highestOverfittingPips, {
      detail: 'no named study has a parameter search',
    })
  }
  return atMost('OVERFITTING', 'PIPS', greatest(found), highestOverfittingPips, {
    detail: 'highest probability of backtest overfitting among studies with a parameter search',
    missing: 'a study with a parameter search is too short for an overfitting estimate',
  })
}

/** Value at the start price of a study, in quote atoms; null without a price. */
function worthOf(
  { startPriceX18 }: StudyResult,
  { base, quote }: { base: string; quote: string },
): bigint | null {
  if (startPriceX18 === null) return null
  return (BigInt(base) * BigInt(startPriceX18)) / 10n ** 18n + BigInt(quote)
}

type Figure = number | bigint

/** Maximum of the measured values. Null without values, or if one is unknown. */
function greatest(found: readonly (Figure | null)[]): Figure | null {
  return extreme(found, (a, b) => a > b)
}

function least(found: readonly (Figure | null)[]): Figure | null {
  return extreme(found, (a, b) => a < b)
}

function extreme(
  found: readonly (Figure | null)[],
  beats: (a: Figure, b: Figure) => boolean,
): Figure | null {
  let newest: Figure | null = null
  for (const figure of found) {
    if (figure === null) return null
    if (newest === null || beats(figure, newest)) newest = figure
  }
  return newest
}

interface Words {
  detail: string
  /** Reason for a missing value. */
  missing?: string
}

const atMost = (
  gate: Gate['gate'],
  unit: Gate['unit'],
  observed: Figure | null,
  limit: Figure,
  words: Words,
): Gate => gateOf({ gate, unit, comparison: 'AT_MOST', observed, limit }, words)

const atLeast = (
  gate: Gate['gate'],
  unit: Gate['unit'],
  observed: Figure | null,
  limit: Figure,
  words: Words,
): Gate => gateOf({ gate, unit, comparison: 'AT_LEAST', observed, limit }, words)

/** A gate without measured value fails. */
function gateOf(
  {
    observed,
    limit,
    ...gate
  }: Pick<Gate, 'gate' | 'unit' | 'comparison'> & { observed: Figure | null; limit: Figure },
  { detail, missing = detail }: Words,
): Gate {
  const isWithin =
    observed !== null && (gate.comparison === 'AT_MOST' ? observed <= limit : observed >= limit)
  return {
    ...gate,
    ok: isWithin,
    observed: observed === null ? null : `${observed}`,
    limit: `${limit}`,
    detail: (observed === null ? missing : detail).slice(0, limits.detailCharacters),
  }
}
