import type { contract, FieldErrors } from '@liquidity-os/contract'
import { dayMilliseconds } from '../../../units.ts'
import type { Portfolio, ReadPortfolio } from './read-portfolio.ts'
import { refuse } from './refuse.ts'
import type { RequestedScenario } from './requested-scenarios.ts'

type Input = contract.TreasuryStressInput
type Leg = contract.TreasuryStressLeg

/** Checks times and quote of the request, before any read. @throws Failure 422 */
export function requireForm(request: Input, now: number): void {
  const faults: FieldErrors = {}
  const { quoteKey, scenarios = [], markets = [], returns } = request
  for (const [itemIndex, { legs }] of scenarios.entries()) {
    for (const [index, leg] of legs.entries()) {
      const at = `payload.scenarios.${itemIndex}.legs.${index}`
      if ('asset' in leg && leg.asset === quoteKey) {
        faults[`${at}.asset`] = [`must not be the quote asset, whose value is constant`]
      }
      if (leg.kind !== 'HISTORICAL') continue
      const [from, to] = [Date.parse(leg.from), Date.parse(leg.to)]
      if (to - from < dayMilliseconds || to > now) {
        faults[`${at}.to`] = [
          `must be at least one day after ${leg.from} and not after ${new Date(now).toISOString()}, got ${leg.to}`,
        ]
      }
    }
  }
  for (const [place, { assetKey }] of markets.entries()) {
    const at = `payload.markets.${place}.assetKey`
    if (assetKey === quoteKey) faults[at] = ['must not be the quote asset']
    if (markets.findIndex((one) => one.assetKey === assetKey) !== place) {
      faults[at] = [`must be unique, got ${assetKey} again`]
    }
  }
  const supplied = returns?.supplied ?? []
  for (const [place, { assetKey, from, returnsPips }] of supplied.entries()) {
    const at = `payload.returns.supplied.${place}`
    if (assetKey === quoteKey) faults[`${at}.assetKey`] = ['must not be the quote asset']
    if (supplied.findIndex((one) => one.assetKey === assetKey) !== place) {
      faults[`${at}.assetKey`] = [`must be unique, got ${assetKey} again`]
    }
    const begin = Math.floor(Date.parse(from) / dayMilliseconds)
    if ((begin + returnsPips.length) * dayMilliseconds > now) {
      faults[`${at}.returnsPips`] = [
        `must end by ${new Date(now).toISOString()}, got ${returnsPips.length} days from ${from}`,
      ]
    }
  }
  refuse(faults)
}

/**
 * Checks that the assets named in the request exist in the portfolio, and that every scenario
 * affects it. @throws Failure 422
 */
export function requireSubjects(
  request: Input,
  scenarios: readonly RequestedScenario[],
  portfolio: Portfolio & Pick<ReadPortfolio, 'factors'>,
): void {
  const faults: FieldErrors = {}
  const assets = new Set(portfolio.holdings.map(({ assetKey }) => assetKey))
  for (const [place, { assetKey }] of (request.markets ?? []).entries()) {
    if (assets.has(assetKey)) continue
    faults[`payload.markets.${place}.assetKey`] = [
      `must be an asset held by the portfolio, got ${assetKey}`,
    ]
  }
  const factors = new Set(portfolio.factors.map(({ assetKey }) => assetKey))
  for (const [place, { assetKey }] of (request.returns?.supplied ?? []).entries()) {
    if (assets.has(assetKey) || factors.has(assetKey)) continue
    faults[`payload.returns.supplied.${place}.assetKey`] = [
      `must be an asset or liability of the portfolio, or the factor of a leg, got ${assetKey}`,
    ]
  }
  for (const { at, legs, origin } of scenarios) {
    if (origin === 'STYLISED') continue
    for (const [index, leg] of legs.entries()) {
      const fault = unknownSubject(leg, portfolio)
      if (fault) faults[`${at}.legs.${index}.${fault.member}`] = [fault.message]
    }
  }
  refuse(faults)
  const empty = scenarios.filter(
    ({ legs, origin }) => origin === 'REQUESTED' && !legs.some((leg) => concerns(leg, portfolio)),
  )
  refuse(
    Object.fromEntries(
      empty.map(({ at }) => [
        `${at}.legs`,
        ['must affect a holding or obligation of the portfolio'],
      ]),
    ),
    'LIQUIDITY_STRESS_SCENARIO_EMPTY',
  )
}

/**
 * Templates that do not affect the portfolio, whose result would equal the current state.
 *
 * @throws Failure 422 if the request runs a reverse stress test on one
 */
export function idleTemplates(
  { reverse = [] }: Input,
  scenarios: readonly RequestedScenario[],
  portfolio: Portfolio,
): RequestedScenario[] {
  const idle = scenarios.filter(
    ({ legs, origin }) => origin === 'STYLISED' && !legs.some((leg) => concerns(leg, portfolio)),
  )
  const faults: FieldErrors = {}
  for (const [index, { scenarioId }] of reverse.entries()) {
    if (!idle.some((one) => one.scenarioId === scenarioId)) continue
    faults[`payload.reverse.${index}.scenarioId`] = [
      `must be a scenario that affects the portfolio, got ${scenarioId}`,
    ]
  }
  refuse(faults)
  return idle
}

/** Maximum valid values listed in an error. */
const maxNamed = 5

function oneOfThem(what: string, known: readonly string[], got: string): string {
  const named = known.slice(0, maxNamed).join(', ')
  const more = known.length > maxNamed ? ` and ${known.length - maxNamed} more` : ''
  return `must be ${what} (${named ? `${named}${more}` : 'none exist'}), got ${got}`
}

function unknownSubject(
  leg: Leg,
  { containers, venueIds }: Portfolio,
): { member: string; message: string } | null {
  if (leg.kind === 'FREEZE') {
    const unknown = leg.containers.find((one) => !containers.some((key) => isWithin(key, one)))
    return unknown === undefined
      ? null
      : {
          member: 'containers',
          message: oneOfThem('a container of the portfolio', containers, unknown),
        }
  }
  if (leg.kind !== 'DEPTH_WITHDRAWAL') return null
  const unknown = leg.venueIds?.find((id) => !venueIds.has(id))
  return unknown === undefined
    ? null
    : {
        member: 'venueIds',
        message: oneOfThem('a venue where the portfolio sells', [...venueIds], unknown),
      }
}

/** Whether a container is the named one, or an account of the named custodian. */
export const isWithin = (container: string, named: string): boolean =>
  container === named || container.startsWith(`${named}:`)

function concerns(leg: Leg, { holdings, venueIds, flows }: Portfolio): boolean {
  switch (leg.kind) {
    case 'PRICE':
      return holdings.some(({ assetKey, tier, isQuote }) =>
        'asset' in leg ? leg.asset === assetKey : leg.tier === tier && !isQuote,
      )
    case 'DEPEG':
      return holdings.some(({ assetKey }) => assetKey === leg.asset)
    case 'DEPTH_WITHDRAWAL':
      return venueIds.size > 0
    case 'OBLIGATION_ACCELERATION':
      return flows.obligations.some(({ kind }) =>
        (leg.obligationKinds as readonly string[]).includes(kind),
      )
    case 'REVENUE':
      return flows.inflows.length > 0
    case 'FREEZE':
      return holdings.some(({ container }) =>
        leg.containers.some((one) => isWithin(container, one)),
      )
    default:
      return holdings.some(({ isQuote }) => !isQuote)
  }
}
