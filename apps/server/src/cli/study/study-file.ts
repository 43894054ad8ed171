import { readFileSync } from 'node:fs'
import { contract, type FieldErrors } from '@liquidity-os/contract'
import { parseStrict, StrictJsonError } from '@liquidity-os/evidence'
import Type, { type Static } from 'typebox'
import { lowerPipsFault, validateRange } from '../../families/plan/strategies/api.ts'
import { validateBaseFees, validateCost } from '../../families/simulate/studies/validate-spec.ts'
import { compileSchema } from '../../http/validators.ts'

const { properties: spec } = contract.StudySpec
const { properties: arm } = contract.StudyArm.anyOf[0]
const closed = { additionalProperties: false }

/** Behavior of a strategy, without the members that bind it to a venue of an organization. */
const Behaviour = Type.Omit(contract.StrategyDefinitionV2Input, [
  'schemaVersion',
  'name',
  'objective',
  'pair',
  'venue',
  'parameters',
])

/** Study specification for a recorded market. Its fields match those of an API study. */
export const StudyFile = Type.Object(
  {
    name: spec.name,
    base: Type.Union([Type.Literal(0), Type.Literal(1)]),
    symbols: Type.Object({ base: Type.String(), quote: Type.String() }, closed),
    decimals: Type.Object(
      {
        base: Type.Integer({ minimum: 0, maximum: 36 }),
        quote: Type.Integer({ minimum: 0, maximum: 36 }),
      },
      closed,
    ),
    window: Type.Optional(spec.window),
    arms: Type.Array(
      Type.Union([
        Type.Object({ armId: arm.armId, label: arm.label, position: contract.ArmPosition }, closed),
        Type.Object({ armId: arm.armId, label: arm.label, strategy: Behaviour }, closed),
      ]),
      { minItems: 1, maxItems: 8 },
    ),
    capital: spec.capital,
    flowModels: spec.flowModels,
    sampleSeconds: spec.sampleSeconds,
    bandsPips: spec.bandsPips,
    costs: spec.costs,
    failure: spec.failure,
    actionLatencySeconds: spec.actionLatencySeconds,
  },
  closed,
)
export type StudyFile = Static<typeof StudyFile>

/** An unusable study file; the message states field, expected and actual value. */
export class StudyFileError extends Error {}

/** @param faults a line per field: its path and the rule */
export function invalidFile(path: string, faults: readonly string[]): StudyFileError {
  return new StudyFileError(
    [`${path} is not a valid study file:`, ...faults.map((fault) => `  ${fault}`)].join('\n'),
  )
}

/** @throws StudyFileError */
export function readStudyFile(path: string): StudyFile {
  const document = parse(path)
  const faults = linesOf(compileSchema(StudyFile)(document) ?? {})
  if (faults.length > 0) throw invalidFile(path, faults)
  const file = document as StudyFile
  if (file.costs && 'meanWei' in file.costs.gas) {
    throw invalidFile(path, [
      'costs.gas expected constantWei or BLOCK_BASE_FEE: a replay simulates no base fees',
    ])
  }
  const costs = linesOf({ ...validateCost(file), ...validateBaseFees(file) })
  if (costs.length > 0) throw invalidFile(path, costs)
  const tooLow = file.arms.flatMap((arm, index) => rangeLines(arm, `arms.${index}`))
  if (tooLow.length > 0) throw invalidFile(path, tooLow)
  const scaled = file.arms.findIndex(
    (arm) =>
      'strategy' in arm &&
      arm.strategy.positions.some(({ template }) => template.kind === 'VOL_SCALED'),
  )
  if (scaled >= 0) {
    throw invalidFile(path, [
      `arms.${scaled}.strategy.positions expected ranges of a known width: the volatility before the recording is unknown`,
    ])
  }
  return file
}

function rangeLines(arm: StudyFile['arms'][number], at: string): string[] {
  if (!('position' in arm)) return linesOf(validateRange(arm.strategy, `${at}.strategy`))
  const fault = lowerPipsFault(arm.position)
  return fault === null ? [] : [`${at}.position.lowerPips ${fault}`]
}

/** A line per field; fields of the API have the prefix `payload`, which a file does not have. */
function linesOf(faults: FieldErrors): string[] {
  return Object.entries(faults).map(
    ([field, messages]) => `${field.replace(/^payload\./, '')} ${messages.join('; ')}`,
  )
}

function parse(path: string): unknown {
  try {
    return parseStrict(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof StrictJsonError || (error as NodeJS.ErrnoException).code !== undefined) {
      throw new StudyFileError(`${path}: ${(error as Error).message}`)
    }
    throw error
  }
}
