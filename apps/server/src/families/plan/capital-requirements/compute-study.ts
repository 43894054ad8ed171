import { setImmediate as nextTurn } from 'node:timers/promises'
import { contract, encode, type FieldErrors } from '@liquidity-os/contract'
import { PoolRevertError } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import {
  type DepthTarget,
  type NetTarget,
  netTargets,
  type ObservedMarket,
} from '@liquidity-os/engine/capital'
import { Failure } from '../../../failure.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { readBlockTime } from './block-time-of-study.ts'
import { computed, type Figures } from './capital-figures.ts'
import {
  invalid,
  pairOf,
  readAvailable,
  readMarkets,
  readPrice,
  readVolatility,
} from './read-capital-input.ts'
import { RangeTooNarrowError, type SolvedShape, solveShape } from './solve-shape.ts'
import { depthTargets, shareOf } from './targets.ts'

type Input = contract.CapitalRequirementInput

export interface StudyVersion {
  readonly payload: contract.CapitalRequirementStudy
  readonly status: string
  readonly event: string
  readonly eventPayload: Readonly<Record<string, unknown>>
}

/**
 * Computes the capital required for depth targets.
 *
 * @throws Failure 422 for a contradictory or infeasible request, 404, 409 and 412 for its
 * references
 */
export async function computeStudy(records: TenantRecords, request: Input): Promise<StudyVersion> {
  requireForm(request)
  const { now } = records
  const known = await assetsOf(records)
  const { price, observation, gaps: ofPrice } = await readPrice(records, request, now)
  const { annual, gaps: ofVolatility } = await readVolatility(records, request, now)
  const { markets, gaps: ofMarkets, refs } = await readMarkets(records, request)
  const available = await readAvailable(records, request)
  const chainId = pairOf(request)?.chainId ?? null
  const { blockTime, gaps: ofBlockTime } = await readBlockTime(records, request, chainId)
  const net = await netInTurns(request, markets)
  const figures =
    price &&
    computed(request, price, annual, await solvedShapes(request, price, net), {
      available,
      blockSeconds: blockTime?.seconds ?? null,
    })
  const computation = treasuryComputation({
    request,
    snapshot: null,
    prices: observation ? [observation] : [],
    sources: [...refs, ...(request.ledgerSources ?? [])],
    gaps: [
      ...ofPrice,
      ...ofVolatility,
      ...ofMarkets,
      // Without a price or a volatility, the loss is unknown at any block time.
      ...(price && annual !== null ? ofBlockTime : []),
      ...(figures?.gaps ?? []),
    ],
    limitations: limitationsOf(request),
    isAbstained: figures === null,
  })
  const payload = encode(contract.CapitalRequirementStudy, {
    request,
    chainId,
    tokenDecimals: known.get(request.token)?.decimals ?? null,
    quoteDecimals: known.get(request.quote)?.decimals ?? null,
    priceX36: observation?.priceX36 ?? null,
    blockTime: blockTime && {
      milliseconds: Math.round(blockTime.seconds * 1000),
      source: blockTime.source,
    },
    annualVolatilityPips: annual === null ? null : Math.round(annual * 1e6),
    targets: net.map(targetFigures),
    ...(figures?.figures ?? abstained),
    available,
    computation,
  })
  return {
    payload,
    status: computation.completeness,
    event: 'capital_requirement.computed',
    eventPayload: {
      inputsHash: computation.inputsHash,
      completeness: computation.completeness,
    },
  }
}

/** Validates dependencies between fields that the schema cannot express. */
function requireForm(request: Input): void {
  const faults: FieldErrors = {}
  const { token, quote, shapes, targets } = request
  if (token === quote) faults['payload.quote'] = ['must differ from the token']
  const shares = shapes.reduce((sum, { sharePips }) => sum + sharePips, 0)
  if (shares !== 1_000_000) {
    faults['payload.shapes'] = [`must have shares that sum to 1000000, got ${shares}`]
  }
  for (const [index, { shapeId, shape }] of shapes.entries()) {
    const at = `payload.shapes.${index}`
    if (shapes.findIndex((one) => one.shapeId === shapeId) !== index) {
      faults[`${at}.shapeId`] = [`must be unique, got ${shapeId} twice`]
    }
    if ('tickSpacing' in shape && pairOf(request) === null) {
      faults[`${at}.shape.kind`] = [
        `must have no ranges if token and quote are not tokens on one chain, got ${shape.kind}`,
      ]
    }
    if (shape.kind !== 'V3_LADDER') continue
    for (const [band, { fromMovePips, toMovePips }] of shape.bands.entries()) {
      if (fromMovePips < toMovePips) continue
      faults[`${at}.shape.bands.${band}.toMovePips`] = [
        `must be above ${fromMovePips}, got ${toMovePips}`,
      ]
    }
  }
  for (const [itemIndex, { depthQuote }] of targets.entries()) {
    if (depthQuote === '0')
      faults[`payload.targets.${itemIndex}.depthQuote`] = ['must be above zero']
  }
  for (const [place, { tradeQuote }] of (request.slippageTargets ?? []).entries()) {
    if (tradeQuote !== '0') continue
    faults[`payload.slippageTargets.${place}.tradeQuote`] = ['must be above zero']
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** Targets one after the other, each some milliseconds per market. Other tasks run between them. */
async function netInTurns(
  request: Input,
  markets: readonly ObservedMarket[],
): Promise<NetTarget[]> {
  const net: NetTarget[] = []
  for (const target of depthTargets(request)) {
    net.push(...netTargets([target], markets, request.existingDepth?.persistencePips))
    await nextTurn()
  }
  return net
}

/**
 * Processes shapes one after the other, like targets.
 *
 * @throws Failure 422 for a shape that cannot meet its targets
 */
async function solvedShapes(
  request: Input,
  price: Rat,
  net: readonly NetTarget[],
): Promise<SolvedShape[]> {
  const targets: DepthTarget[] = net.flatMap(({ net: remainder }) => remainder ?? [])
  const solved: SolvedShape[] = []
  for (const [index, shape] of request.shapes.entries()) {
    solved.push(solvedAt(request, { price, targets, shape, place: index }))
    await nextTurn()
  }
  return solved
}

function solvedAt(
  request: Input,
  requested: {
    price: Rat
    targets: readonly DepthTarget[]
    shape: Input['shapes'][number]
    place: number
  },
): SolvedShape {
  const { price, targets, shape, place: index } = requested
  const orientation = pairOf(request)?.orientation ?? { base: 0, quote: 1 }
  const at = `payload.shapes.${index}.shape`
  try {
    return solveShape(shape, price, shareOf(targets, shape.sharePips), orientation)
  } catch (error) {
    if (error instanceof RangeTooNarrowError) {
      const { side, movePips } = error.target
      throw new Failure('LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET', {
        fieldErrors: { [at]: [`must reach ${movePips} pips on side ${side}`] },
      })
    }
    if (!(error instanceof RangeError || error instanceof PoolRevertError)) throw error
    throw invalid({ [at]: [`must be able to meet its targets: ${error.message}`] })
  }
}

const limitationsOf = ({ reference, volatility, flow }: Input): string[] => [
  ...(reference.kind === 'DECLARED' ? ['PRICE_DECLARED'] : []),
  ...(volatility.kind === 'DECLARED' ? ['VOLATILITY_DECLARED'] : []),
  ...(flow ? ['FLOW_DECLARED'] : []),
  'NO_FEE_INCOME_FORECAST',
]

const targetFigures = ({ gross, existingQuote, net }: NetTarget) => ({
  side: gross.side,
  movePips: gross.movePips,
  grossQuote: gross.depthQuote,
  existingQuote,
  netQuote: net?.depthQuote ?? 0n,
})

const abstained: Figures = {
  base: null,
  buffer: null,
  total: null,
  floor: null,
  perShape: [],
  budgetSolve: null,
  gap: null,
  curve: [],
}
