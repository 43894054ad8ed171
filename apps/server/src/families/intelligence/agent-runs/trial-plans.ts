import { contract, type FieldErrors } from '@liquidity-os/contract'
import { compileSchema, type PartValidator } from '../../../http/validators.ts'
import { valueAt } from '../../json-pointer.ts'
import type { StudySpec } from '../../simulate/studies/api.ts'
import type { Draft } from './records.ts'

/** A protocol trial as an executable study, or the issues that prevent it. */
export interface TrialPlan {
  readonly trialKey: contract.TrialKey
  readonly label: string
  readonly spec: StudySpec | null
  /** Issues by trial field; empty if the study is valid. */
  readonly issues: FieldErrors
  readonly differsFromBaseline: readonly {
    readonly pointer: string
    readonly baseline: unknown
    readonly value: unknown
  }[]
}

/** Fields that are equal in all trials. Otherwise trials would have different price paths. */
const common = ['kind', 'pair', 'horizonSeconds', 'stepSeconds']
const usualBandPips = 20_000

let validator: PartValidator | null = null
const validateTrial = (trial: unknown): FieldErrors | null => {
  validator ??= compileSchema(contract.ResearchTrialSpec)
  return validator(trial)
}

/** Baseline and alternatives, in protocol order. */
export function trialPlans(draft: Draft): TrialPlan[] {
  return [
    planned('baseline', 'Baseline', draft, []),
    ...draft.alternatives.map(({ label, changes }, index) =>
      // There are at most three.
      planned(contract.trialKeys[index + 1] as contract.TrialKey, label, draft, changes),
    ),
  ]
}

function planned(
  trialKey: contract.TrialKey,
  label: string,
  draft: Draft,
  changes: Draft['alternatives'][number]['changes'],
): TrialPlan {
  const trial: unknown = structuredClone(draft.baseline)
  const issues: FieldErrors = {}
  for (const [index, { pointer, value }] of changes.entries()) {
    const fault = changeAt(trial, pointer, value)
    if (fault) issues[`changes.${index}.pointer`] = [`${fault}, got ${pointer}`]
  }
  const whole = Object.keys(issues).length === 0
  Object.assign(issues, whole ? validateTrial(trial) : {})
  const isSound = Object.keys(issues).length === 0
  // The cast is safe because the schema validated the trial.
  const sound = isSound ? (trial as Draft['baseline']) : null
  const silent = sound ? depthFault(draft, sound) : null
  if (silent) issues.arm = [silent]
  return {
    trialKey,
    label,
    issues,
    spec: sound && !silent ? studyOf(sound, draft) : null,
    differsFromBaseline: changes.map(({ pointer, value }) => ({
      pointer,
      value,
      baseline: valueAt(draft.baseline, pointer) ?? null,
    })),
  }
}

/** Sets a value at a pointer. Returns the error in the pointer, or null. */
function changeAt(trial: unknown, pointer: string, value: unknown): string | null {
  const names = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [first] = names
  const last = names.at(-1)
  if (first === undefined || last === undefined || names.includes('__proto__'))
    return 'must point to a member'
  if (common.includes(first)) return 'must point to a member that trials can change'
  const parent =
    names.length === 1 ? trial : valueAt(trial, pointer.slice(0, pointer.lastIndexOf('/')))
  if (typeof parent !== 'object' || parent === null) return 'must point into the baseline'
  if (Array.isArray(parent) && !(Number(last) in parent)) return 'must point to an existing item'
  Object.assign(parent, { [last]: structuredClone(value) })
  return null
}

/** A HODL candidate has no market, and therefore no depth. */
function depthFault({ primary, guardrails, secondary }: Draft, trial: Draft['baseline']) {
  const named = [primary.metric, ...secondary, ...guardrails.map(({ metric }) => metric)]
  const holds = 'position' in trial.arm && trial.arm.position.kind === 'HOLD'
  return holds && named.includes('DEPTH_MEDIAN')
    ? 'must not be HOLD: it has no depth to measure'
    : null
}

/**
 * Converts a trial to a study. The study schema requires trade sizes, although trials ignore them.
 */
function studyOf(trial: Draft['baseline'], { seed, paths }: Draft): StudySpec {
  const { arm, bandPips = usualBandPips, ...rest } = trial
  return {
    schemaVersion: 'simulation-study-v1',
    name: 'Trial of research',
    ...rest,
    arms: [{ armId: 'trial', label: 'Trial', ...arm }],
    bandsPips: [bandPips],
    tradeSizesQuote: ['1'],
    // So narrow that a study does not end before its last path.
    seed,
    paths,
    halfWidthPips: 1,
  }
}
