import type { contract, ErrorCode, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { monthsBetween } from '../../../market/treasury/months.ts'
import { validateSchedule } from '../../../market/treasury/validate-schedule.ts'
import { isBase } from './base-scenario.ts'
import { defaultHorizonMonths, priceKey } from './normal-form.ts'

type Input = contract.TreasuryAssumptionInput
type Line = Input['lines'][number]
type Scenario = Input['scenarios'][number]
type Fault = readonly [field: string, message: string]

/** Internal checks of a set, in reporting order. */
const checks: readonly (readonly [ErrorCode, (input: Input) => Fault[]])[] = [
  ['LIQUIDITY_ASSUMPTIONS_DUPLICATE_LINE', duplicateLines],
  ['LIQUIDITY_ASSUMPTIONS_SCHEDULE_INVALID', ({ lines }) => ofLines(lines, validateSchedule)],
  ['LIQUIDITY_ASSUMPTIONS_PROBABILITY_REQUIRED', ({ lines }) => ofLines(lines, noProbability)],
  ['LIQUIDITY_ASSUMPTIONS_OBLIGATION_DOUBLE_COUNTED', obligationsTwice],
  ['LIQUIDITY_ASSUMPTIONS_SCENARIO_BASE_MISSING', validateBase],
  ['LIQUIDITY_ASSUMPTIONS_INCONSISTENT', contradictions],
]

/**
 * Rejects a contradictory set before its references are read.
 *
 * @param at prefix of field paths
 * @throws Failure 422 with all fields that violate one rule: required and received value
 */
export function requireSoundAssumptions(input: Input, at: string): void {
  for (const [code, faultsOf] of checks) {
    const faults = faultsOf(input).slice(0, limits.fieldErrors)
    if (faults.length === 0) continue
    const fieldErrors: FieldErrors = {}
    for (const [field, message] of faults) {
      const messages = fieldErrors[at + field] ?? []
      fieldErrors[at + field] = [...messages, message]
    }
    throw new Failure(code, { fieldErrors })
  }
}

function ofLines(lines: readonly Line[], faultsOf: (line: Line) => Fault[]): Fault[] {
  return lines.flatMap((line, index) =>
    faultsOf(line).map(([field, message]): Fault => [`lines.${index}.${field}`, message]),
  )
}

/** Duplicate keys: each later position with the first position of its key. */
function repeated(keys: readonly (string | undefined)[]): { place: number; first: number }[] {
  return keys.flatMap((key, index) => {
    const first = keys.indexOf(key)
    return key !== undefined && first < index ? [{ place: index, first }] : []
  })
}

function duplicateLines({ lines }: Input): Fault[] {
  return repeated(lines.map(({ lineId }) => lineId)).map(({ place: itemIndex, first }) => [
    `lines.${itemIndex}.lineId`,
    `must be unique, lines.${first} already has ${lines[itemIndex]?.lineId}`,
  ])
}

function noProbability({ certainty, probabilityPips }: Line): Fault[] {
  if (certainty !== 'UNCERTAIN' || probabilityPips !== undefined) return []
  return [['probabilityPips', 'is required for an UNCERTAIN line, got none']]
}

function obligationsTwice({ lines }: Input): Fault[] {
  return repeated(lines.map(({ obligation }) => obligation?.id)).map(({ place: index, first }) => [
    `lines.${index}.obligation.id`,
    `must be unique, lines.${first} already has ${lines[index]?.obligation?.id}`,
  ])
}

function validateBase({ scenarios }: Input): Fault[] {
  const bases = scenarios.filter(isBase)
  if (bases.length === 1) return []
  const names = bases.map(({ scenarioId }) => scenarioId).join(', ')
  const expected =
    'must have exactly one base scenario: every price HOLD, both multipliers 1000000, no delay'
  return [['scenarios', `${expected}, got ${names === '' ? 'none' : names}`]]
}

function contradictions(input: Input): Fault[] {
  const { lines, scenarios, ownTokenPolicy, conversionOrder = [] } = input
  const sold = conversionOrder.indexOf('T4')
  return [
    ...ofLines(lines, lineContradictions),
    ...repeated(scenarios.map(({ scenarioId }) => scenarioId)).map(
      ({ place, first }): Fault => [
        `scenarios.${place}.scenarioId`,
        `must be unique, scenarios.${first} already has ${scenarios[place]?.scenarioId}`,
      ],
    ),
    ...scenarios.flatMap(({ prices }, index) =>
      priceContradictions(prices, input).map(
        ([field, message]): Fault => [`scenarios.${index}.prices.${field}`, message],
      ),
    ),
    ...(sold >= 0 && ownTokenPolicy.mode === 'EXCLUDE'
      ? [
          [
            `conversionOrder.${sold}`,
            'must not be T4 if ownTokenPolicy is EXCLUDE, got T4',
          ] as const,
        ]
      : []),
  ]
}

function lineContradictions(line: Line): Fault[] {
  const { certainty, probabilityPips, direction, obligation, ownTokenSharePips } = line
  const faults: Fault[] = []
  if (certainty !== 'UNCERTAIN' && probabilityPips !== undefined) {
    const message = `must be omitted for a line that is ${certainty}, got ${probabilityPips}`
    faults.push(['probabilityPips', message])
  }
  if (direction === 'OUTFLOW') return faults
  if (obligation) faults.push(['obligation', `must be omitted for an INFLOW, got ${obligation.id}`])
  if (ownTokenSharePips !== undefined) {
    faults.push(['ownTokenSharePips', `must be omitted for an INFLOW, got ${ownTokenSharePips}`])
  }
  return faults
}

function priceContradictions(prices: Scenario['prices'], input: Input): Fault[] {
  const { startMonth, horizonMonths = defaultHorizonMonths } = input
  const twice = repeated(prices.map(priceKey)).map(({ place, first }): Fault => {
    const price = prices[place]
    return [`${place}`, `must be unique, ${first} already moves ${price && priceKey(price)}`]
  })
  const paths = prices.flatMap(({ path }, index): Fault[] => {
    if (path.kind === 'STEP') {
      const month = monthsBetween(startMonth, path.month)
      if (month >= 0 && month < horizonMonths) return []
      const expected = `must be one of the ${horizonMonths} months from ${startMonth}`
      return [[`${index}.path.month`, `${expected}, got ${path.month}`]]
    }
    if (path.kind !== 'PATH' || path.movesPips.length === horizonMonths) return []
    const expected = `must have a move for each of the ${horizonMonths} months`
    return [[`${index}.path.movesPips`, `${expected}, got ${path.movesPips.length}`]]
  })
  return [...twice, ...paths]
}
