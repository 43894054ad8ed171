import { contract, encode, type FieldErrors } from '@liquidity-os/contract'
import type { PathTerms, PricePath, ProjectedScenario } from '@liquidity-os/engine/treasury'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { valueAt } from '../../../market/prices/price-of-asset.ts'
import { monthsBetween } from '../../../market/treasury/months.ts'
import {
  type ComputedFrom,
  seedBytes,
  seedOfInputs,
  treasuryComputation,
} from '../../../market/treasury/treasury-computation.ts'
import type { Services } from '../../../services.ts'
import { appendNotes } from '../../event-details.ts'
import { baseOf, equalsObligation } from '../treasury-assumptions/api.ts'
import { isControlled } from '../treasury-entries/api.ts'
import { evidenceBehind } from './control-behind.ts'
import { floorNotes } from './crossed-floor.ts'
import { hashReturns, type JointReturns, jointReturns } from './joint-returns.ts'
import { ladderOf, type Owed } from './ladder.ts'
import { type Opening, type OpeningBalances, openingBalances } from './opening-balances.ts'
import type { ProjectionResult, ProjectionTask, TooLarge } from './project-task.ts'
import { countedObligations, droppedLines, projectedFlows } from './projected-flows.ts'
import { elapsedMonths, type KnownAsset, knownAssetsOf, projectedTerms } from './projected-terms.ts'
import {
  monthName,
  openingFigures,
  type ProjectedBooks,
  scenarioFigures,
  simulationFigures,
} from './projection-payload.ts'
import { type ProjectionBody, type ProjectionSources, readSources } from './read-sources.ts'
import { treasuryProjections } from './records.ts'
import { engineMarketOf, readSaleMarkets, type SaleMarkets } from './sale-markets.ts'

type AssumptionSet = contract.TreasuryAssumptionSet
type Gap = contract.TreasuryGap

const defaultPaths = 5000
const nothingDrawn = { simulation: null, controlledSimulation: null }

export default treasuryProjections.create(contract.createTreasuryProjection, async (request) => {
  const { body, records, services, now } = request
  const { reason: _reason, ...requested } = body
  const sources = await readSources(records, body, now)
  const set = sources.assumptions.payload.assumptions
  const scenarios = chosenScenarios(set, body)
  const read = await openingBalances(records, services, sources.entries, sources.active, now)
  const { openings, snapshot, classifier, asOf } = read
  requireMonths(set, asOf * 1000)
  const flows = projectedFlows(set, sources.entries, asOf * 1000)
  const known = await knownAssetsOf(records, {
    quoteKey: set.quoteKey,
    entries: sources.entries,
    openings,
    classifier,
    asOf,
    keys: [...openings, ...flows].map(({ assetKey }) => assetKey),
    named: body.priceProviderId,
  })
  const { assets } = known
  const { markets, gaps: marketGaps } = await readSaleMarkets(records, body.markets ?? [], assets, {
    quoteKey: set.quoteKey,
    asOf,
  })
  const gaps = [
    ...read.gaps,
    ...known.gaps,
    ...supersededGap(sources),
    ...omittedGap(sources),
    ...openBreaks(sources),
    ...marketGaps,
    ...ownTokenSales(set, assets, markets),
    ...paidInFull(set),
    ...paidTwice(set, sources),
  ]
  const isAbstained = openings.length === 0
  const returns = body.monteCarlo ? await jointReturns(records, assets, set.quoteKey, asOf) : null
  const inputs = {
    request: requested,
    sources: [...sources.refs, ...evidenceBehind(openings)],
    snapshot: snapshot?.view ?? null,
    gaps,
    prices: assets.flatMap(({ price }) => price ?? []),
    limitations: [
      ...limitationsOf(set, asOf, snapshot?.limitations ?? []),
      ...(areAllObserved(set, assets, markets) ? [] : ['IMPACT_NOT_OBSERVED']),
    ],
    isAbstained,
    decidedBy: { ...decidedBy(read, assets, returns), ...(markets.length > 0 && { markets }) },
  }
  const seed = body.monteCarlo ? (body.monteCarlo.seed ?? seedOfInputs(inputs)) : null
  const computation = treasuryComputation({ ...inputs, seed })
  const books: ProjectedBooks = { startMonth: set.startMonth, assets, openings }
  const base = baseOf(set)
  const paths: PathTerms | null =
    returns && seed !== null
      ? {
          seed: seedBytes(seed),
          returns: returns.rows,
          moving: returns.moving,
          paths: body.monteCarlo?.paths ?? defaultPaths,
        }
      : null
  const termsOf = (some: readonly Opening[]) =>
    projectedTerms(set, assets, some, { flows, markets, asOf })
  const controlled = openings.filter(({ control }) => isControlled(control))
  const task: ProjectionTask = {
    terms: termsOf(openings),
    controlled: controlled.length < openings.length ? termsOf(controlled) : null,
    scenarios: scenarios.map((scenario) => scenarioTerms(set, scenario, assets)),
    base: scenarioTerms(set, base, assets),
    paths,
    maxSteps: limits.projectionSteps,
  }
  const result: ProjectionResult = isAbstained
    ? { scenarios: [], controlled: [], sensitivity: [], ...nothingDrawn }
    : await projected(services, task)
  const payload = encode(contract.TreasuryProjection, {
    request: requested,
    label: set.label,
    quoteKey: set.quoteKey,
    quoteDecimals: decimalsOf(sources, set.quoteKey),
    minimumCashQuote: set.minimumCashQuote,
    startMonth: monthName(set.startMonth, task.terms.elapsed),
    opening: openingFigures(books),
    markets,
    scenarios: result.scenarios.flatMap((scenario, index) => {
      const alone = result.controlled[index]
      return alone ? [scenarioFigures(books, scenario, alone)] : []
    }),
    ladder: isAbstained ? null : ladder(set, sources, assets, asOf * 1000),
    sensitivity: result.sensitivity.map(({ id, moreX3, lessX3 }) => ({
      lineId: id,
      moreX3,
      lessX3,
    })),
    monteCarlo: simulationFigures(result, {
      scenarioId: base.scenarioId,
      observedDays: returns?.rows.length ?? 0,
      movingAssets: returns?.moving.flatMap((itemIndex) => assets[itemIndex]?.assetKey ?? []) ?? [],
    }),
    droppedOccurrences: droppedLines(set, asOf * 1000),
    computation,
  })
  return {
    payload,
    status: computation.completeness,
    event: 'treasury.projection.computed',
    eventPayload: {
      assumptions: body.assumptions,
      inputsHash: computation.inputsHash,
      completeness: computation.completeness,
    },
    complete: async (sealed, change) => ({
      status: 201,
      data: { projection: sealed.record, warnings: computation.gaps },
      etag: sealed.resourceVersion,
      change: appendNotes(records, sealed, change, await floorNotes(records, payload)),
    }),
  }
})

/**
 * Inputs that affect the figures in addition to the named records. These are the moment, each
 * entry's allocated part and control status, the liquidity tiers of the own token, and observed
 * returns.
 */
function decidedBy(
  { asOf, openings }: OpeningBalances,
  assets: readonly KnownAsset[],
  returns: JointReturns | null,
): NonNullable<ComputedFrom['decidedBy']> {
  return {
    asOf,
    returns: returns && hashReturns(returns),
    tiers: assets.map(({ assetKey, tier }) => [assetKey, tier]),
    openings: openings.map(({ entryId, assetKey, tier, control, ...atoms }) => [
      ...[entryId, assetKey, tier, control.status],
      ...[`${atoms.quantity}`, `${atoms.restricted}`, `${atoms.reserved}`],
    ]),
  }
}

function chosenScenarios(set: AssumptionSet, { scenarioIds }: ProjectionBody) {
  const faults: FieldErrors = {}
  const known = set.scenarios.map(({ scenarioId }) => scenarioId)
  for (const [index, id] of (scenarioIds ?? []).entries()) {
    if (known.includes(id)) continue
    faults[`scenarioIds.${index}`] = [`must be one of ${known.join(', ')}, got ${id}`]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PROJECTION_UNKNOWN_SCENARIO', { fieldErrors: faults })
  }
  return set.scenarios.filter(({ scenarioId }) => scenarioIds?.includes(scenarioId) ?? true)
}

async function projected(
  services: Pick<Services, 'awaited'>,
  task: ProjectionTask,
): Promise<ProjectionResult> {
  const file = new URL('./project-task.ts', import.meta.url)
  const result = await services.awaited.run<ProjectionResult | TooLarge>(file, task)
  if (!('tooLarge' in result)) return result
  const { steps, stepsOfPath } = result.tooLarge
  const fitting = Math.floor((task.maxSteps - steps) / stepsOfPath)
  const at =
    fitting >= limits.fewestTreasuryPaths
      ? {
          'monteCarlo.paths': [
            `must be at most ${fitting} for these lines, holdings and months, got ${task.paths?.paths}`,
          ],
        }
      : {
          assumptions: [
            `must require at most ${task.maxSteps} steps (a monthly payment or holding, for each scenario, line and path), got ${steps} and ${stepsOfPath} per path`,
          ],
        }
  throw new Failure('LIQUIDITY_PROJECTION_TOO_LARGE', { fieldErrors: at })
}

function requireMonths(set: AssumptionSet, at: number): void {
  if (elapsedMonths(set, at) < set.horizonMonths) return
  const last = monthName(set.startMonth, set.horizonMonths - 1)
  throw new Failure('LIQUIDITY_PROJECTION_HORIZON_OVER', {
    fieldErrors: {
      assumptions: [`must extend beyond ${new Date(at).toISOString()}, got months to ${last}`],
    },
  })
}

/** A price follows its own path, otherwise that of its tier, otherwise it is constant. */
function scenarioTerms(
  { startMonth }: AssumptionSet,
  scenario: AssumptionSet['scenarios'][number],
  assets: readonly KnownAsset[],
): ProjectedScenario {
  const { scenarioId, inflowMultiplierPips, outflowMultiplierPips, inflowDelayMonths } = scenario
  return {
    scenarioId,
    inflowMultiplierPips,
    outflowMultiplierPips,
    inflowDelayMonths,
    paths: assets.map(({ assetKey, tier }): PricePath => {
      const own = scenario.prices.find((one) => 'assetKey' in one && one.assetKey === assetKey)
      const path = (own ?? scenario.prices.find((one) => 'tier' in one && one.tier === tier))?.path
      if (!path) return { kind: 'HOLD' }
      return path.kind === 'STEP' ? { ...path, month: monthsBetween(startMonth, path.month) } : path
    }),
  }
}

function ladder(
  set: AssumptionSet,
  { entries }: ProjectionSources,
  assets: readonly KnownAsset[],
  at: number,
) {
  const prices = new Map(assets.map(({ assetKey, price }) => [assetKey, price?.priceX36 ?? '0']))
  const lines = set.lines.filter(({ direction }) => direction === 'OUTFLOW')
  const owed: (Owed & { readonly assetKey: string })[] = [
    ...lines.map(({ amount, schedule, certainty, assetKey }) => ({
      schedule,
      certainty,
      assetKey,
      amount: BigInt(amount),
      settled: 0n,
      since: at,
    })),
    ...countedObligations(entries, set).map(({ payload: { asset, obligation, settled } }) => ({
      schedule: obligation.schedule,
      certainty: obligation.certainty,
      assetKey: asset,
      amount: BigInt(obligation.amount),
      settled: BigInt(settled),
      since: 0,
    })),
  ]
  return ladderOf(owed, at, ({ assetKey }, atoms) =>
    valueAt(atoms, prices.get(assetKey) ?? '0', 'UP'),
  )
}

/** Gap for an earlier version of the assumptions: gates and headlines do not use the projection. */
const supersededGap = ({ assumptions, areAssumptionsCurrent }: ProjectionSources): Gap[] =>
  areAssumptionsCurrent
    ? []
    : [
        {
          code: 'ASSUMPTIONS_SUPERSEDED',
          subject: assumptions.id,
          effect: 'FLAGGED',
          detail:
            'The assumptions have a newer version. Gates and the summary use no projection of this one.',
        },
      ]

/** Gap for entries that the request omitted, because they affect the runway. */
function omittedGap({ entries, active }: ProjectionSources): Gap[] {
  const count = active.length - entries.length
  if (count === 0) return []
  return [
    {
      code: 'ENTRIES_LEFT_OUT',
      subject: 'entries',
      effect: 'FLAGGED',
      detail: `${count} active ledger entries are not among the named entries.`,
    },
  ]
}

/** Gaps of the named reconciliation: the ledger balances behind the runway may be wrong. */
function openBreaks({ reconciliation }: ProjectionSources): Gap[] {
  if (reconciliation === null || reconciliation.payload.agreement === 'AGREED') return []
  const { agreement, lines } = reconciliation.payload
  const open = lines.filter(({ breakId }) => breakId !== null).length
  return [
    {
      code: 'RECONCILIATION_NOT_AGREED',
      subject: reconciliation.id,
      effect: 'FLAGGED',
      detail: `The named reconciliation is ${agreement}; ${open} of its ${lines.length} lines are open breaks.`,
    },
  ]
}

/**
 * Own-token sales are a share of the volume of its market. Without a market they are 0. With one,
 * no gate uses the projection.
 */
function ownTokenSales(
  { ownTokenPolicy }: AssumptionSet,
  assets: readonly KnownAsset[],
  markets: SaleMarkets['markets'],
): Gap[] {
  if (ownTokenPolicy.mode === 'EXCLUDE') return []
  return assets
    .filter(({ tier }) => tier === 'T4')
    .map(({ assetKey }) =>
      engineMarketOf(markets, assetKey) === null
        ? {
            code: 'VOLUME_UNAVAILABLE',
            subject: assetKey,
            effect: 'EXCLUDED',
            detail: 'Its daily volume or volatility is unknown, so the projection sells none.',
          }
        : {
            code: 'OWN_TOKEN_SOLD',
            subject: assetKey,
            effect: 'FLAGGED',
            detail:
              'The projection may sell it at a share of its daily volume. Its issuer can trade that volume up, so no gate or goal uses the projection.',
          },
    )
}

/** True if each priced asset beside the quote has a market, so that each sale pays its impact. */
const areAllObserved = (
  { quoteKey }: AssumptionSet,
  assets: readonly KnownAsset[],
  markets: SaleMarkets['markets'],
): boolean =>
  assets.every(
    ({ assetKey, price }) =>
      assetKey === quoteKey || price === null || engineMarketOf(markets, assetKey) !== null,
  )

/**
 * Shares payable in the own token are projected as money, the more expensive case; the gap reports
 * it.
 */
function paidInFull({ lines }: AssumptionSet): Gap[] {
  const shared = lines.filter(({ ownTokenSharePips = 0 }) => ownTokenSharePips > 0)
  const [first] = shared
  if (!first) return []
  return [
    {
      code: 'OWN_TOKEN_SHARE_NOT_APPLIED',
      subject: first.lineId,
      effect: 'BOUNDED',
      detail: `${shared.length} lines, starting with this one, would be paid partly in the own token. The projection pays them fully in their own assets.`,
    },
  ]
}

/**
 * Validation rejects a line that equals an obligation, but an obligation recorded later can still
 * equal one.
 */
function paidTwice(set: AssumptionSet, { entries }: ProjectionSources): Gap[] {
  const owed = countedObligations(entries, set)
  return set.lines.flatMap((line) => {
    const same = line.obligation
      ? undefined
      : owed.find((one) => equalsObligation(line, one.payload))
    if (!same) return []
    return [
      {
        code: 'LINE_EQUALS_OBLIGATION',
        subject: line.lineId,
        effect: 'FLAGGED',
        detail: `${same.id} is owed in the same asset, amount and schedule. If the line does not link it, both are paid.`,
      },
    ]
  })
}

function limitationsOf(set: AssumptionSet, asOf: number, of: readonly string[]): string[] {
  return [...of, ...(elapsedMonths(set, asOf * 1000) > 0 ? ['MONTHS_ELAPSED'] : [])]
}

function decimalsOf({ assumptions }: ProjectionSources, quoteKey: string): number {
  const known = assumptions.payload.assets.find(({ assetKey }) => assetKey === quoteKey)
  if (!known) throw new Error(`The assumptions do not include ${quoteKey}.`)
  return known.decimals
}
