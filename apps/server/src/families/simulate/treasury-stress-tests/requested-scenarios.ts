import type { contract, FieldErrors } from '@liquidity-os/contract'
import { refuse } from './refuse.ts'

type Input = contract.TreasuryStressInput
type Leg = contract.TreasuryStressLeg
type Template = NonNullable<Input['templates']>[number]

export interface RequestedScenario {
  readonly scenarioId: string
  readonly label: string
  readonly origin: 'REQUESTED' | 'STYLISED'
  readonly legs: readonly Leg[]
  /** Path in the request, for errors. */
  readonly at: string
}

export interface TemplateContext {
  /** Priced assets of tier 1 that are not the quote. */
  readonly stables: readonly string[]
  /** Containers of custodians. */
  readonly custodians: readonly string[]
}

const labels: Readonly<Record<Template, string>> = {
  CRASH_HALF: 'All but cash and stablecoins −50 %',
  OWN_TOKEN_DOWN_80: 'Own token loses 80 %',
  STABLE_DOWN_12: 'Stablecoins lose 12 % for 3 days',
  CUSTODIAN_FROZEN: 'Custodians freeze withdrawals for 5 days',
  DEPTH_LEAVES: '70 % of liquidity leaves and own token loses 60 %',
  ALL_TOGETHER: 'All scenarios combined',
}

export const templateId = (template: Template): string =>
  template.toLowerCase().replaceAll('_', '-')

/** All requested scenarios: own ones, then templates. */
export function requestedScenarios(request: Input, context: TemplateContext): RequestedScenario[] {
  const own = (request.scenarios ?? []).map(
    ({ scenarioId, label, legs }, index): RequestedScenario => ({
      scenarioId,
      label,
      legs,
      origin: 'REQUESTED',
      at: `payload.scenarios.${index}`,
    }),
  )
  const ours = (request.templates ?? []).map(
    (template, index): RequestedScenario => ({
      scenarioId: templateId(template),
      label: labels[template],
      origin: 'STYLISED',
      legs: legsOf(template, context),
      at: `payload.templates.${index}`,
    }),
  )
  return [...own, ...ours]
}

const tierDown = (tier: contract.TreasuryTier, movePips: number): Leg => ({
  kind: 'PRICE',
  tier,
  movePips,
})

function legsOf(template: Template, context: TemplateContext): Leg[] {
  const { stables, custodians } = context
  switch (template) {
    case 'CRASH_HALF':
      return (['T2', 'T3', 'T4'] as const).map((tier) => tierDown(tier, -500_000))
    case 'OWN_TOKEN_DOWN_80':
      return [tierDown('T4', -800_000)]
    case 'STABLE_DOWN_12':
      return stables.slice(0, 24).map((asset) => ({
        kind: 'DEPEG',
        asset,
        pricePips: 880_000,
        days: 3,
        recoveryPips: 1_000_000,
      }))
    case 'CUSTODIAN_FROZEN':
      return custodians.length === 0
        ? []
        : [{ kind: 'FREEZE', containers: custodians.slice(0, 32), days: 5 }]
    case 'DEPTH_LEAVES':
      return [{ kind: 'DEPTH_WITHDRAWAL', removePips: 700_000 }, tierDown('T4', -600_000)]
    case 'ALL_TOGETHER':
      return [
        ...legsOf('CRASH_HALF', context).filter((leg) => !('tier' in leg) || leg.tier !== 'T4'),
        ...legsOf('OWN_TOKEN_DOWN_80', context),
        ...legsOf('STABLE_DOWN_12', context),
        ...legsOf('CUSTODIAN_FROZEN', context),
        { kind: 'DEPTH_WITHDRAWAL', removePips: 700_000 },
      ]
  }
}

/** Checks that need only the request. @throws Failure 422 */
export function requireScenarios(request: Input): void {
  const requested = requestedScenarios(request, { stables: [], custodians: [] })
  if (requested.length === 0 && request.monteCarlo === undefined) {
    refuse(
      { 'payload.scenarios': ['must contain a scenario if templates and monteCarlo are omitted'] },
      'LIQUIDITY_STRESS_SCENARIO_EMPTY',
    )
  }
  const twice: FieldErrors = {}
  for (const [index, { scenarioId, at }] of requested.entries()) {
    const isTwice = requested.findIndex((one) => one.scenarioId === scenarioId) !== index
    if (isTwice) twice[at] = [`must be unique, got ${scenarioId} again`]
  }
  refuse(twice, 'LIQUIDITY_STRESS_DUPLICATE_SCENARIO')
  const faults: FieldErrors = {}
  for (const [itemIndex, { scenarioId }] of (request.reverse ?? []).entries()) {
    const known = requested.map((one) => one.scenarioId)
    if (known.includes(scenarioId)) continue
    faults[`payload.reverse.${itemIndex}.scenarioId`] = [
      `must be one of ${known.join(', ') || 'no scenario at all'}, got ${scenarioId}`,
    ]
  }
  refuse(faults)
}
