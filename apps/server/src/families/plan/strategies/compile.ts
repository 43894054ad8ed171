import type { contract, ErrorCode, FieldErrors } from '@liquidity-os/contract'
import {
  type CompilationContext,
  type CompilationReport,
  compileStrategy,
  type StrategyError,
} from '@liquidity-os/engine/strategy'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { completedObservations, marketAfter } from '../../../market/completed-observations.ts'
import { expectedFees, type MarketFacts, marketFacts } from '../../../market/market-facts.ts'
import { edgesIn } from '../../../market/range-edges.ts'
import { annualPips } from '../../../market/realized-volatility.ts'
import { stableSwapRemedy } from '../../../market/stableswap-remedy.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { duplicateIds } from './duplicate-ids.ts'
import { exactDefinition, type StrategyInput } from './exact-definition.ts'
import { validateGuard } from './oracle-guard.ts'
import { validateRange } from './validate-range.ts'

export type StrategyPayload = Static<typeof contract.StrategyDefinitionV2>
export type Compilation = StrategyPayload['compilation']
type Venue = Static<typeof contract.VenueProfile>

/**
 * Compiles a definition against the newest proven observation of its venue. Without an observation
 * the result has no preview and is not ok, but drafts are still accepted.
 *
 * @param at path of the definition in the request, for error fields
 * @throws Failure 404 for an unknown venue, 422 for a definition that does not compile
 */
export async function compile(
  records: TenantRecords,
  definition: StrategyInput,
  at = 'payload',
): Promise<Compilation> {
  const faults = {
    ...duplicateIds(definition, at),
    ...validateGuard(definition, at),
    ...validateRange(definition, at),
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_STRATEGY_INPUT_INVALID', { fieldErrors: faults })
  }
  const venue = await venueOf(records, definition)
  const [observation] = await completedObservations(records, venue.id, 1)
  if (!observation) return unobserved()
  const quoteIsToken0 = definition.pair.quote.toLowerCase() < definition.pair.base.toLowerCase()
  const [market, facts] = await Promise.all([
    marketAfter(records, observation),
    marketFacts(records, observation),
  ])
  const context: CompilationContext = {
    market,
    orientation: quoteIsToken0 ? { base: 1, quote: 0 } : { base: 0, quote: 1 },
    volatility: facts.volatility?.value ?? null,
    maxCapitalQuote: venue.payload.caps?.maxCapitalQuote
      ? BigInt(venue.payload.caps.maxCapitalQuote)
      : null,
  }
  const exact = exactDefinition(definition)
  const first = compileStrategy(exact, context)
  if (!first.ok) throw refusal(first.errors, at)
  // Expected fees depend on the compiled ranges, so the second compilation compares them with gas.
  const expectedFeesQuotePerDay = expectedFees(facts, market, first.report.preview)
  const { report } = compileStrategy(exact, { ...context, expectedFeesQuotePerDay })
  const { id, resourceVersion } = observation
  return {
    irHash: irHashOf(definition),
    ok: true,
    ...reportOf(report, context, factChecks(facts, expectedFeesQuotePerDay)),
    observation: { id, resourceVersion },
    engineVersion,
  }
}

/**
 * Equal hashes mean the same strategy, independent of name and compilation time. In v2, RANGE
 * distances are fractions of the price; in v1 they were ln values.
 */
export function irHashOf(definition: StrategyInput): string {
  const { name: _name, parameters: _parameters, venue, ...behaviour } = definition
  return H('strategy-ir/v2', { ...behaviour, venueId: venue.id })
}

async function venueOf(records: TenantRecords, { venue, pair }: StrategyInput) {
  const found = await records.version<Venue>('VenueProfile', venue.id, venue.resourceVersion)
  if (!found) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: {
        'payload.venue': [`must be a stored version, got ${venue.resourceVersion} of ${venue.id}`],
      },
    })
  }
  const faults: FieldErrors = {}
  const { payload, status } = found.record
  for (const member of ['chainId', 'base', 'quote', 'baseDecimals', 'quoteDecimals'] as const) {
    if (pair[member] !== payload.pair[member]) {
      faults[`payload.pair.${member}`] = [
        `must be ${payload.pair[member]}, the value of the venue, got ${pair[member]}`,
      ]
    }
  }
  if (status === 'REVOKED') faults['payload.venue'] = ['must not be revoked']
  if (payload.kind === 'STABLESWAP') {
    faults['payload.venue'] = [
      `must be a Uniswap venue, got STABLESWAP; to compare the pool in a study, ${stableSwapRemedy(payload)}`,
    ]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_STRATEGY_INPUT_INVALID', { fieldErrors: faults })
  }
  return found.record
}

/** The first error determines the code; all errors appear by field. */
function refusal(errors: readonly StrategyError[], at: string): Failure {
  const fieldErrors: FieldErrors = {}
  for (const { path, message } of errors) {
    const field = `${at}.${path}`
    fieldErrors[field] = [...(fieldErrors[field] ?? []), message]
  }
  // The compiler's codes equal those of the contract without the prefix; a test compares them.
  const code = `LIQUIDITY_STRATEGY_${errors[0]?.code}` as ErrorCode
  return new Failure(code, { fieldErrors })
}

function unobserved(): Compilation {
  const detail = 'the venue has no proved observation; index it to compute the ranges'
  return {
    irHash: null,
    ok: false,
    checks: [{ code: 'MARKET_STATE', ok: false, detail }],
    preview: [],
    bounds: { actionsPerDay: 0, turnoverQuotePerDay: null, gasQuotePerDay: null, maxPositions: 0 },
    requiredAdapters: [],
    requiredData: ['FINALIZED_STATE'],
    warnings: [],
    observation: null,
    engineVersion,
  }
}

/** Market facts other than state, to explain the warnings. */
function factChecks(facts: MarketFacts, expectedFeesQuotePerDay: bigint | null) {
  const { volatility } = facts
  return [
    ...(volatility
      ? [
          {
            code: 'VOLATILITY',
            ok: true,
            detail: `${annualPips(volatility.value)} pips per year, from ${volatility.returns} returns of the observation`,
          },
        ]
      : []),
    ...(expectedFeesQuotePerDay === null
      ? []
      : [
          {
            code: 'EXPECTED_FEES',
            ok: true,
            detail: `${expectedFeesQuotePerDay} quote atoms per day, if in range during the whole observation`,
          },
        ]),
  ]
}

function reportOf(
  report: CompilationReport,
  { market, orientation }: CompilationContext,
  known: Compilation['checks'],
) {
  const { checks, preview, bounds, requiredAdapters, requiredData, warnings } = report
  const text = (amount: bigint | null) => (amount === null ? null : amount.toString())
  return {
    checks: [
      { code: 'MARKET_STATE', ok: true, detail: 'the newest proved observation of the venue' },
      ...known,
      ...checks,
    ],
    preview: preview.map(({ positionId, liquidity, base, quote, ...range }) => ({
      positionId,
      ...edgesIn(market, range, orientation),
      liquidity: `${liquidity}`,
      base: `${base}`,
      quote: `${quote}`,
    })),
    bounds: {
      ...bounds,
      turnoverQuotePerDay: text(bounds.turnoverQuotePerDay),
      gasQuotePerDay: text(bounds.gasQuotePerDay),
    },
    requiredAdapters: [...requiredAdapters],
    requiredData: [...requiredData],
    warnings: [...warnings],
  }
}
