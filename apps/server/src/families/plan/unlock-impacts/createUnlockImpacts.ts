import { contract, encode } from '@liquidity-os/contract'
import { ASSUMED_BEHAVIOUR, type SellBehaviour } from '@liquidity-os/engine/vesting'
import { Failure } from '../../../failure.ts'
import { anyChainProviders } from '../../../integrations/providers/chain-providers.ts'
import { engineVenues } from '../../../market/exit-venues.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import { type PinnedSnapshot, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { sumOf } from './freed-by-day.ts'
import { type ReadMarket, readMarket } from './read-market.ts'
import { type ReadSchedule, readSchedules } from './read-schedules.ts'
import { type ReadSupply, readSupply } from './read-supply.ts'
import { unlockImpacts } from './records.ts'
import {
  cliffFigures,
  dayFigures,
  fundedFigures,
  type ImpactFigures,
  mitigationFigures,
  peakFigures,
  ratioFigures,
} from './unlock-payload.ts'
import type { RequestedMitigation, UnlockResult, UnlockTask } from './unlock-task.ts'
import { requireForm, windowOf } from './validate-request.ts'

type Input = contract.UnlockImpactInput
type Schedule = Input['schedules'][number]

const model = {
  yPips: 1_000_000,
  halfLifeDays: 10,
  anticipationDays: 30,
  participationPips: 100_000,
}
const defaultLimitPips = 50_000
const defaultProgramDays = 30

export default unlockImpacts.create(
  contract.createUnlockImpacts,
  async ({ body: { payload: request }, records, services, now }) => {
    requireForm(request)
    const snapshot = await snapshotOf(records, services, request)
    const read = await readSchedules(records, request, snapshot)
    const supply = await readSupply(records, request, snapshot)
    const market = await readMarket(records, request, snapshot?.asOf ?? Math.floor(now / 1000))
    const { from } = windowOf(request)
    const task = taskOf(request, read.schedules, market)
    const isAbstained = task.volume === null && market.venues.length === 0
    const result: UnlockResult = await services.awaited.run(
      new URL('./unlock-task.ts', import.meta.url),
      task,
    )
    const computation = treasuryComputation({
      request: { request, volume: `${market.dailyVolume}`, sigma: `${market.dailyVolatility}` },
      sources: [...read.refs, ...market.venues.map(({ observation }) => observation)],
      snapshot: snapshot?.view ?? null,
      isAbstained,
      gaps: [...read.gaps, ...market.gaps, ...gapsOf(request, market, supply, result)],
      limitations: limitationsOf(request, snapshot),
    })
    const { freed, inWindow, sold } = result
    const unlocking = sumOf(freed)
    const { curve } = result.cases.base
    const limit = (request.limitPips ?? defaultLimitPips) / 1e6
    const payload = encode(contract.UnlockImpact, {
      request,
      tokenDecimals: supply.decimals,
      schedules: read.schedules.map((schedule, index) =>
        scheduleFigures(request.schedules[index], schedule, inWindow[index] ?? 0n, from),
      ),
      supply: supplyFigures(supply, unlocking),
      market: marketFigures(market, result),
      ratios: ratioFigures(
        ...([unlocking, sold, market, result] as const),
        request.model?.participationPips ?? model.participationPips,
      ),
      days: dayFigures(from, freed, result),
      peaks: peakFigures(from, result),
      daysBeyondLimit: curve?.filter(({ impact }) => impact > limit).length ?? null,
      cliffs: cliffFigures(
        from,
        request.schedules.map(({ label }) => label),
        result.heavy,
      ),
      mitigations: result.mitigations.map((one) => mitigationFigures(one, market, request.quote)),
      fundedCheck: fundedFigures(read.schedules),
      computation,
    })
    return {
      payload,
      status: computation.completeness,
      event: 'unlock_impact.computed',
      eventPayload: {
        inputsHash: computation.inputsHash,
        completeness: computation.completeness,
      },
    }
  },
)

/**
 * Snapshot of the token's chain at a finalized block. Schedules without a contract do not require
 * it, so it is read only if available.
 */
async function snapshotOf(
  records: TenantRecords,
  services: ProviderAccess,
  { token, schedules }: Input,
): Promise<PinnedSnapshot | null> {
  const asset = namedAsset(token)
  if (asset.kind === 'MONEY') return null
  const { chainId } = asset
  const itemIndex = schedules.findIndex(({ source }) => 'chainId' in source)
  const field = itemIndex < 0 ? 'payload.token' : `payload.schedules.${itemIndex}.source.chainId`
  if (itemIndex < 0) {
    try {
      await anyChainProviders(records, services, chainId, field)
    } catch (error) {
      if (error instanceof Failure && error.code === 'LIQUIDITY_PROVIDER_UNKNOWN') return null
      throw error
    }
  }
  return takeSnapshot(records, services, [chainId], field)
}

const behaviourOf = ({ behaviour, recipientClass }: Schedule): SellBehaviour =>
  behaviour ?? ASSUMED_BEHAVIOUR[recipientClass]

function taskOf(
  request: Input,
  schedules: readonly ReadSchedule[],
  { dailyVolume, dailyVolatility, venues }: ReadMarket,
): UnlockTask {
  const terms = { ...model, ...request.model }
  const { from, to, days } = windowOf(request)
  const { anticipationDays, halfLifeDays } = terms
  const longest = Math.max(...request.schedules.map((one) => behaviourOf(one).horizonDays))
  // After 12 half-lives, 1/4096 of a sale's impact remains, so earlier sales are negligible.
  const leadDays = 12 * halfLifeDays + longest
  return {
    begin: from - leadDays * daySeconds,
    end: to,
    schedules: schedules.map(({ terms: free }, index) => ({
      terms: free,
      behaviour: behaviourOf(request.schedules[index] as Schedule),
    })),
    windowDays: days,
    leadDays,
    anticipationDays,
    halfLifeDays,
    y: terms.yPips / 1e6,
    participation: terms.participationPips / 1e6,
    volume:
      dailyVolume === null || dailyVolume === 0n || dailyVolatility === null
        ? null
        : { daily: Number(dailyVolume), volatility: dailyVolatility },
    venues: engineVenues(venues),
    quoteKey: request.quote,
    limit: (request.limitPips ?? defaultLimitPips) / 1e6,
    mitigations: (request.mitigations ?? []).map(mitigationOf),
  }
}

function mitigationOf(one: NonNullable<Input['mitigations']>[number]): RequestedMitigation {
  if (one.kind === 'ADD_DEPTH') return { kind: 'ADD_DEPTH' }
  const quantity = one.quantity === undefined ? null : BigInt(one.quantity)
  switch (one.kind) {
    case 'LINEARISE':
      return { kind: one.kind, quantity }
    case 'OTC_CARVE_OUT':
      return { kind: one.kind, quantity, days: one.days ?? null }
    case 'AC_PROGRAM':
      return { kind: one.kind, quantity, days: one.days ?? defaultProgramDays }
  }
}

function scheduleFigures(
  requestedValue: Schedule | undefined,
  { events, total, freedAt }: ReadSchedule,
  inWindow: bigint,
  from: number,
): ImpactFigures['schedules'][number] {
  if (!requestedValue) throw new Error('Every schedule must be requested.')
  const { label, recipientClass, source, behaviour } = requestedValue
  const { sellPips, horizonDays } = behaviourOf(requestedValue)
  return {
    label,
    recipientClass,
    source: source.kind,
    horizonDays,
    sellPips: { ...sellPips },
    events: [...events],
    total,
    unlocked: freedAt(from - 1),
    inWindow,
    behaviourSource: behaviour ? 'DECLARED' : 'ASSUMED',
  }
}

function supplyFigures(
  { total, circulating, method }: ReadSupply,
  unlocking: bigint,
): ImpactFigures['supply'] {
  const isKnown = circulating !== null && circulating > 0n
  return {
    total,
    circulatingMethod: method,
    circulating,
    unlocking,
    pctOfCirculatingPips: isKnown
      ? Number((unlocking * 1_000_000n + circulating - 1n) / circulating)
      : null,
  }
}

function marketFigures(
  { volumeSource, dailyVolume, volatilitySource, dailyVolatility, venues }: ReadMarket,
  { depths }: UnlockResult,
): ImpactFigures['market'] {
  return {
    volumeSource,
    volatilitySource,
    dailyVolume,
    dailyVolatilityPips: dailyVolatility === null ? null : Math.round(dailyVolatility * 1e6),
    venues: venues.map(({ venueId, observation, quoteKey }) => ({
      venueId,
      observation,
      quoteKey,
      depthQuote: depths.find((one) => one.venueId === venueId)?.quote ?? 0n,
    })),
  }
}

function gapsOf(
  { token, schedules, mitigations = [] }: Input,
  { venues }: ReadMarket,
  { circulating, total }: ReadSupply,
  result: UnlockResult,
): contract.TreasuryGap[] {
  const { sold, freed } = result
  const unlocking = sumOf(freed)
  const assumed = schedules.filter(({ behaviour }) => behaviour === undefined).length
  return [
    ...(venues.length > 0
      ? []
      : [
          {
            code: 'VENUE_UNOBSERVED',
            subject: token,
            effect: 'EXCLUDED' as const,
            detail:
              'No venue with the token as base was observed. The curve method gives no result.',
          },
        ]),
    ...(circulating !== null
      ? []
      : [
          {
            code: 'CIRCULATING_UNKNOWN',
            subject: token,
            effect: 'FLAGGED' as const,
            detail: 'No non-circulating container is known, or its supply cannot be read.',
          },
        ]),
    ...(total === null || unlocking <= total
      ? []
      : [
          {
            code: 'UNLOCKS_EXCEED_SUPPLY',
            subject: token,
            effect: 'BOUNDED' as const,
            detail: `The schedules unlock ${unlocking} atoms in the window. The total supply is ${total} atoms.`,
          },
        ]),
    ...duplicatesOf(schedules).map(([first, second]) => ({
      code: 'SCHEDULE_DUPLICATE',
      subject: second,
      effect: 'FLAGGED' as const,
      detail: `The declared events of "${second}" equal those of "${first}". Both count.`,
    })),
    ...mitigationGaps(result),
    ...(sold > 0n || mitigations.every((one) => one.kind === 'ADD_DEPTH' || one.quantity)
      ? []
      : [
          {
            code: 'NOTHING_SOLD',
            subject: token,
            effect: 'FLAGGED' as const,
            detail: 'No sales are expected in the window, so there is no mitigation.',
          },
        ]),
    ...(assumed === 0
      ? []
      : [
          {
            code: 'BEHAVIOUR_ASSUMED',
            subject: token,
            effect: 'FLAGGED' as const,
            detail: `Sales by recipients of ${assumed} schedules are assumed from their class.`,
          },
        ]),
  ]
}

/** Labels of declared schedules with equal events, as pairs of the first and a later one. */
function duplicatesOf(schedules: Input['schedules']): [string, string][] {
  const byEvents = Map.groupBy(
    schedules.filter(({ source }) => source.kind === 'DECLARED'),
    ({ source }) => JSON.stringify(source),
  )
  return [...byEvents.values()].flatMap(([first, ...later]) =>
    first ? later.map(({ label }): [string, string] => [first.label, label]) : [],
  )
}

/** Gaps for omitted mitigations and for mitigations above the limit. */
function mitigationGaps({ mitigations, worse, limit }: UnlockResult): contract.TreasuryGap[] {
  const percent = (share: number) => `${Math.ceil(share * 1e4) / 100} %`
  const left = worse.map(({ kind, peak, beforePeak }) => ({
    code: 'MITIGATION_WORSE',
    subject: kind,
    effect: 'FLAGGED' as const,
    detail: `Omitted: its peak of ${percent(peak ?? 0)} exceeds the peak of ${percent(beforePeak)} without it.`,
  }))
  const over = mitigations.flatMap(({ kind, quantity, peak }) =>
    quantity === 0n || (peak !== null && peak <= limit + 1e-9)
      ? []
      : [
          {
            code: 'MITIGATION_ABOVE_LIMIT',
            subject: kind,
            effect: 'FLAGGED' as const,
            detail:
              peak === null
                ? `No result stays within the limit of ${percent(limit)}, or market data is missing.`
                : `Its peak of ${percent(peak)} exceeds the limit of ${percent(limit)}.`,
          },
        ],
  )
  return [...left, ...over]
}

const limitationsOf = (_: Input, snapshot: PinnedSnapshot | null): string[] => [
  ...(snapshot?.limitations ?? []),
  'IMPACT_OF_SALES_ONLY',
]
