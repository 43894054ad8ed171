import { contract, encode } from '@liquidity-os/contract'
import type { SealedRecord } from '@liquidity-os/evidence'
import { seedOfInputs, treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { type DrawnTerms, drawnTerms, isControlledLot, lossFigures } from './drawn-losses.ts'
import { historicalMoves } from './historical-moves.ts'
import { type ReadMarket, readMarkets } from './read-markets.ts'
import { type ReadPortfolio, readPortfolio } from './read-portfolio.ts'
import { type ReadReturns, readReturns } from './read-returns.ts'
import { treasuryStressTests } from './records.ts'
import {
  type RequestedScenario,
  requestedScenarios,
  requireScenarios,
} from './requested-scenarios.ts'
import { engineLegs, observedMoves, stressBooks, stressSale } from './stress-books.ts'
import {
  executionFigures,
  holdingFigures,
  marketFigures,
  outcomeFigures,
  reverseFigures,
  type StudyFigures,
  scenarioFigures,
  volatilityOf,
} from './stress-payload.ts'
import type { PlannedSale, StressResult, StressTask } from './stress-task.ts'
import { idleTemplates, requireForm, requireSubjects } from './validate-request.ts'

type Input = contract.TreasuryStressInput
type Study = contract.TreasuryStressStudy
type Gap = contract.TreasuryGap
type Breach = contract.TreasuryStressOutcome['breaches'][number]

export default treasuryStressTests.create(
  contract.createTreasuryStressTests,
  async ({ body: { payload: request }, records, services, now }) => {
    requireForm(request, now)
    requireScenarios(request)
    const portfolio = await readPortfolio(records, services, request, now)
    const at = Math.floor(portfolio.at / 1000)
    const sold = soldAssets(portfolio)
    const { markets, gaps: ofMarkets } = await readMarkets(
      records,
      request,
      sold.map(({ assetKey }) => assetKey),
      at,
    )
    const named = requestedScenarios(request, buildContext(portfolio))
    const venueIds = new Set(markets.flatMap(({ venues }) => venues.map((one) => one.venueId)))
    requireSubjects(request, named, { ...portfolio, venueIds })
    const idle = idleTemplates(request, named, { ...portfolio, venueIds })
    const requestedValue = named.filter((one) => !idle.includes(one))
    const { factors } = portfolio
    const returns = await readReturns(records, request, { held: sold, factors }, at)
    const moving = [...sold, ...factors]
    const windows = await historicalMoves(records, request.quoteKey, moving, requestedValue)
    const observed = observedMoves(request, returns, portfolio, windows)
    const volatilities = new Map(
      sold.flatMap(({ assetKey }) => {
        const { volatility } = volatilityOf(request, returns, assetKey)
        return volatility === null ? [] : [[assetKey, volatility] as const]
      }),
    )
    const booksOf = (some: ReadPortfolio) => stressBooks(request, some, markets, volatilities)
    const books = booksOf(portfolio)
    const controlled = portfolio.holdings.filter(isControlledLot)
    const inputs = inputsOf(request, portfolio, markets, returns)
    const seed = request.monteCarlo ? (request.seed ?? seedOfInputs(inputs)) : null
    const drawn = drawnTerms(request, portfolio, returns, observed, seed)
    const isAbstained = books.holdings.length === 0
    const task: StressTask = {
      books,
      observed,
      sale: stressSale(request),
      controlled: booksOf({ ...portfolio, holdings: controlled }),
      scenarios: requestedValue.map((one) => ({
        scenarioId: one.scenarioId,
        legs: engineLegs(one, portfolio.containers),
      })),
      reverse: (request.reverse ?? []).map(({ scenarioId, metric, threshold }) => ({
        scenarioId,
        metric,
        threshold: BigInt(threshold),
      })),

      paths: drawn?.terms ?? null,
      controlledPaths: drawn?.controlled ?? null,
      confidence: (request.confidencePips ?? contract.stressConfidencePips) / 1e6,
      sales: plannedSales(request, portfolio, markets, volatilities),
    }
    const result: StressResult | null = isAbstained
      ? null
      : await services.awaited.run(new URL('./stress-task.ts', import.meta.url), task)
    const computation = treasuryComputation({
      ...inputs,
      seed,
      isAbstained,
      gaps: [
        ...[...portfolio.gaps, ...ofMarkets, ...returns.gaps],
        ...gapsOf(request, result, drawn),
        ...notUsed(request, markets, returns),
        ...withoutVolatility(markets, volatilities),
        ...idle.map(notApplicable),
      ],
      limitations: limitationsOf(request, portfolio, markets, drawn),
    })
    const payload: Study = encode(contract.TreasuryStressStudy, {
      request,
      quoteDecimals: portfolio.quoteDecimals,
      holdings: portfolio.holdings.map(holdingFigures),
      markets: markets.map((market) => marketFigures(request, returns, market)),
      returns: returnFigures(returns),
      flows: flowFigures(portfolio),
      before: result && outcomeFigures(result.before, result.controlled.before, request),
      scenarios: result ? scenarioFigures(requestedValue, result, request) : [],
      monteCarlo:
        drawn && result?.losses && result.controlledLosses
          ? lossFigures(drawn, {
              whole: {
                losses: result.losses,
                realisableQuote: result.before.counted.realisableQuote,
              },
              controlled: {
                losses: result.controlledLosses,
                realisableQuote: result.controlled.before.counted.realisableQuote,
              },
              needQuote: portfolio.flows.needQuote,
            })
          : null,
      reverse: result ? reverseFigures(request, result) : [],
      executions: result ? executionFigures(task, result) : [],
      computation,
    })
    return {
      payload,
      status: computation.completeness,
      event: 'treasury.stress.computed',
      eventPayload: {
        inputsHash: computation.inputsHash,
        completeness: computation.completeness,
      },
      complete: async (sealed, change) =>
        recordReply(sealed, withBreaches(records, sealed, change), 201),
    }
  },
)

/** Everything that is priced and not the quote itself, with how it is known. */
function soldAssets({ assets, holdings }: ReadPortfolio) {
  return assets.filter(({ assetKey, price }) =>
    holdings.some((lot) => lot.assetKey === assetKey && !lot.isQuote && price !== null),
  )
}

function buildContext({ holdings, containers }: ReadPortfolio) {
  const stables = holdings.filter(
    ({ tier, isQuote, priceX36 }) => tier === 'T1' && !isQuote && priceX36 !== null,
  )
  return {
    stables: [...new Set(stables.map(({ assetKey }) => assetKey))],
    custodians: containers.filter((key) => key.startsWith('custodian:')),
  }
}

const notApplicable = ({ scenarioId, label }: RequestedScenario): Gap => ({
  code: 'TEMPLATE_NOT_APPLICABLE',
  subject: scenarioId,
  effect: 'FLAGGED',
  detail: `${label}: excluded, because the portfolio has no affected holding.`,
})

/**
 * Gaps for assets without volatility: a day sells a share of the volume, priced by the pools alone.
 */
const withoutVolatility = (
  markets: readonly ReadMarket[],
  volatilities: ReadonlyMap<string, number>,
): Gap[] =>
  markets
    .filter(
      ({ assetKey, dailyVolume, venues }) =>
        dailyVolume !== null && venues.length > 0 && !volatilities.has(assetKey),
    )
    .map(({ assetKey }) => ({
      code: 'VOLATILITY_UNAVAILABLE',
      subject: assetKey,
      effect: 'BOUNDED' as const,
      detail: 'Its volatility is unknown; the sale cost comes from the pools alone.',
    }))

function inputsOf(
  request: Input,
  { refs, snapshot, assets }: ReadPortfolio,
  markets: readonly ReadMarket[],
  { series }: ReadReturns,
) {
  return {
    // The input hash covers the request and the data read from series and volumes.
    request: {
      request,
      volumes: markets.map(({ dailyVolume }) => `${dailyVolume}`),
      returns: series.map(({ assetKey, of, returns }) => ({
        assetKey,
        of,
        days: [...returns].map(([at, move]) => `${at} ${move}`),
      })),
    },
    sources: [
      ...refs,
      ...markets.flatMap(({ venues }) => venues.map(({ observation }) => observation)),
    ],
    snapshot: snapshot?.view ?? null,
    prices: assets.flatMap(({ price }) => price ?? []),
  }
}

function plannedSales(
  request: Input,
  { holdings }: ReadPortfolio,
  markets: readonly ReadMarket[],
  volatilities: ReadonlyMap<string, number>,
): PlannedSale[] {
  return markets.flatMap(({ assetKey, dailyVolume }) => {
    const lots = holdings.filter(
      (lot) =>
        lot.assetKey === assetKey &&
        lot.lockedDays === 0 &&
        (lot.tier !== 'T4' || request.ownToken === 'COUNTED'),
    )
    const [first] = lots
    const dailyVolatility = volatilities.get(assetKey)
    if (!first?.priceX36 || !dailyVolume || dailyVolatility === undefined) return []
    return [
      {
        assetKey,
        dailyVolatility,
        dailyVolume: Number(dailyVolume),
        quantity: lots.reduce((sum, { quantity }) => sum + quantity, 0n),
        price: Number(first.priceX36) / 1e36,
      },
    ]
  })
}

const details: Readonly<Record<string, string>> = {
  NO_EXIT_LIQUIDITY:
    'It has no known venue, and no known volume and volatility: its liquidation value is zero.',
  VOLUME_UNAVAILABLE:
    'Its daily volume is unknown, so refills of its pools are not assumed. It is sold once along the pool curves over the whole period; the rest stays unsold.',
  NO_BETA: 'This leg does not move its price: its returns or those of the factor are unknown.',
  NO_RETURNS:
    'This leg does not move its price: neither the asset nor the native coin has observations.',
}

function gapsOf(request: Input, result: StressResult | null, drawn: DrawnTerms | null): Gap[] {
  if (result === null) return []
  const named = [
    { at: 'before', outcome: result.before },
    ...result.scenarios.map((outcome, index) => ({ at: `scenario ${index}`, outcome })),
  ]
  const outcomeGaps = named.flatMap(({ at, outcome }) =>
    outcome.gaps.map(({ assetId, leg, code }) => ({
      code,
      subject: assetId,
      effect: 'BOUNDED' as const,
      detail: `${leg === null ? '' : `Leg ${leg} of ${at}: `}${details[code] ?? code}`,
    })),
  )
  const once = new Map(outcomeGaps.map((gap) => [`${gap.code} ${gap.subject} ${gap.detail}`, gap]))
  const missing: Gap[] =
    request.monteCarlo && drawn === null
      ? [
          {
            code: 'RETURNS_UNAVAILABLE',
            subject: 'monteCarlo',
            effect: 'EXCLUDED',
            detail: 'No asset has 30 daily returns on common days, so no path was simulated.',
          },
        ]
      : []
  const still = (drawn?.still ?? []).map(
    (subject): Gap => ({
      code: 'PRICE_HELD_IN_PATHS',
      subject,
      effect: 'BOUNDED',
      detail: 'Its returns are unknown: its price is constant in every simulated path.',
    }),
  )
  return [...once.values(), ...missing, ...still]
}

/** Gaps for declared values that observed values replace. They are reported and not used. */
function notUsed(request: Input, markets: readonly ReadMarket[], returns: ReadReturns): Gap[] {
  return (request.markets ?? []).flatMap(({ assetKey }): Gap[] => {
    const market = markets.find((one) => one.assetKey === assetKey)
    const isVolume = market?.volumeSource === 'OBSERVED'
    const isVolatility = volatilityOf(request, returns, assetKey).source !== 'DECLARED'
    if (!isVolume && !isVolatility) return []
    const what = [...(isVolume ? ['volume'] : []), ...(isVolatility ? ['volatility'] : [])]
    return [
      {
        code: 'DECLARED_NOT_USED',
        subject: assetKey,
        effect: 'FLAGGED',
        detail: `Its declared ${what.join(' and ')} is not used, because prices or venues determine it.`,
      },
    ]
  })
}

function limitationsOf(
  { assumptions, ownToken }: Input,
  { snapshot }: ReadPortfolio,
  markets: readonly ReadMarket[],
  drawn: DrawnTerms | null,
): string[] {
  return [
    ...(snapshot?.limitations ?? []),
    ...(assumptions ? [] : ['NO_ASSUMPTIONS']),
    ...(ownToken === 'COUNTED' ? ['OWN_TOKEN_COUNTED'] : []),
    ...(drawn?.isFallback ? ['FEW_RETURN_DAYS'] : []),
    ...(markets.some(({ dailyVolume }) => dailyVolume !== null) ? ['POOLS_REFILL_DAILY'] : []),
  ]
}

const returnFigures = ({ series, rows, supplied }: ReadReturns): StudyFigures['returns'] => ({
  days: rows.length,
  series: series.map(({ assetKey, source, of, returns, volatility }) => ({
    assetKey,
    source,
    of,
    days: returns.size,
    dailyVolatilityPips: Math.round(volatility * 1e6),
  })),
  supplied,
})

function flowFigures({ flows: { obligations, inflows } }: ReadPortfolio): StudyFigures['flows'] {
  const sum = (isSoon: boolean) =>
    obligations
      .filter(({ dueDays }) => dueDays <= 30 === isSoon)
      .reduce((total, { quote }) => total + quote, 0n)
  return {
    dueQuote: sum(true),
    laterQuote: sum(false),
    inflowQuote: inflows.reduce((total, { quote }) => total + quote, 0n),
  }
}

/** The figure of all holdings that a limit is about. */
const figureOf = (outcome: contract.TreasuryStressOutcome, metric: Breach['metric']) =>
  ({
    RUNWAY_MONTHS_X3: outcome.runwayMonthsX3,
    COVERAGE_PIPS: outcome.coverage.coveragePips,
    REALISABLE_QUOTE: outcome.counted.realisableQuote,
  })[metric]

/**
 * Breaches by controlled holdings, next to the value of all holdings: asserted holdings cannot
 * satisfy a limit.
 */
function serializeBreaches(scenarioId: string | null, outcome: contract.TreasuryStressOutcome) {
  return (outcome.controlled?.breaches ?? []).map(({ metric, threshold, value }) => {
    const isBroken = outcome.breaches.some(
      (one) => one.metric === metric && one.threshold === threshold,
    )
    const allHoldings = { value: figureOf(outcome, metric), isBroken }
    return { scenarioId, metric, threshold, value, allHoldings }
  })
}

function withBreaches(records: TenantRecords, sealed: SealedRecord<Study>, change: Change): Change {
  const { scenarios, before } = sealed.record.payload
  const broken = [
    ...(before ? serializeBreaches(null, before) : []),
    ...scenarios.flatMap((scenario) => serializeBreaches(scenario.scenarioId, scenario)),
  ]
  const events = [...change.events]
  for (const breach of broken) {
    const last = events.at(-1)?.event
    const lastEvent = last ? { sequence: last.sequence, evidenceHash: last.evidenceHash } : null
    const current = { record: sealed.record, text: '', lastEvent }
    events.push(...records.note(current, 'treasury.stress.limit_breached', breach).events)
  }
  return { ...change, events }
}
