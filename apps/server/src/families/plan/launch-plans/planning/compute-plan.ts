import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type Bid, drawDemand } from '@liquidity-os/engine/launch'
import { engineVersion } from '@liquidity-os/engine/version'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { publishedBlockTime } from '../../../../market/block-time.ts'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import { tokenKey } from '../../../../market/treasury/asset-keys.ts'
import type { ProviderAccess, Services } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { currentSources } from '../../../sources.ts'
import { pairOf } from '../../capital-requirements/api.ts'
import { circulatingAt, circulatingCurve } from './circulating.ts'
import { supplyOnChainCheck } from './supply-check.ts'
import { requireSoundPlan } from './validate-plan.ts'

type Input = contract.LaunchPlanInput
type Plan = contract.LaunchPlan
type Computed = Plan['computed']
type Study = contract.CapitalRequirementStudy
type Check = Computed['checks'][number]
type Hash = contract.LaunchPlan['computed']['inputsHash']

export interface PlanVersion {
  readonly payload: Plan
  readonly status: 'VALIDATED' | 'PARTIAL'
}

const x36 = 10n ** 36n
const million = 1_000_000n

/**
 * Computes the derived data of a plan.
 *
 * @param isSupplyTaken true if the supply is copied from a study instead of given
 * @throws Failure 422 for contradictions, 404 and 412 for references
 */
export async function computePlan(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'awaited'>,
  request: Input,
  { at = 'payload.', isSupplyTaken = false }: { at?: string; isSupplyTaken?: boolean } = {},
): Promise<PlanVersion> {
  requireSoundPlan(request, at)
  const { intent, study } = await namedSources(records, request, at)
  const { bids, seed } = demandOf(request)
  const pair = pairOf(request)
  const mechanisms = await services.awaited.run<Computed['mechanisms']>(
    new URL('./mechanism-task.ts', import.meta.url),
    {
      mechanisms: [request.mechanism, ...(request.alternatives ?? [])],
      study: study && {
        priceX36: study.payload.priceX36,
        perShape: study.payload.perShape,
        request: { shapes: study.payload.request.shapes },
      },
      orientation: pair?.orientation ?? null,
      bids,
      blockSeconds: wholeBlockSeconds(pair?.chainId ?? null),
    },
  )
  const { referencePriceX36, referenceSource } = referenceOf(study, mechanisms)
  const circulating = circulatingAt(request, Date.parse(request.launchAt))
  const worth = (tokens: bigint) =>
    referencePriceX36 === null ? null : (tokens * BigInt(referencePriceX36)) / x36
  const floatValue = worth(circulating)
  const checks = [
    referenceCheck(referencePriceX36, referenceSource),
    supplyCheck(isSupplyTaken),
    await supplyOnChainCheck(records, services, request),
    fundedCheck(request, study?.payload ?? null),
    computedCheck(mechanisms),
    ...(request.intent ? [intentCheck(intent)] : []),
    ...(request.venueId === undefined ? [] : [await venueCheck(records, request, request.venueId)]),
  ]
  const computed: Computed = {
    engineVersion,
    inputsHash: H('inputs/v1', {
      request,
      engineVersion,
      seed,
      intent: intent?.artifactHash ?? null,
      study: study?.artifactHash ?? null,
    }),
    seed,
    referencePriceX36,
    referenceSource,
    circulatingAtLaunch: `${circulating}`,
    fdvQuote: textOf(worth(BigInt(request.totalSupply))),
    floatValueQuote: textOf(floatValue),
    liquidityToFloatPips: shareOf(study?.payload.total?.quote, floatValue),
    circulating: circulatingCurve(request),
    mechanisms,
    checks,
    limitations: limitationsOf(request),
  }
  const isWhole = checks.every(
    ({ check, result }) =>
      result === 'PASS' || (check === 'SUPPLY_ON_CHAIN' && result === 'INDETERMINATE'),
  )
  return {
    payload: { request, computed, executionAuthorityGranted: false, executionPerformed: false },
    status: isWhole ? 'VALIDATED' : 'PARTIAL',
  }
}

/**
 * Published time between blocks; null if it is below a second, because contracts on such a chain
 * can count the blocks of another one.
 */
function wholeBlockSeconds(chainId: number | null): number | null {
  const seconds = chainId === null ? null : (publishedBlockTime(chainId)?.seconds ?? null)
  return seconds !== null && Number.isInteger(seconds) ? seconds : null
}

const textOf = (value: bigint | null) => (value === null ? null : `${value}`)

async function namedSources(records: TenantRecords, request: Input, at: string) {
  const named = (['intent', 'capitalRequirement'] as const).flatMap((name) => {
    const ref = request[name]
    return ref ? [{ name, ref, at: `${at}${name}` }] : []
  })
  const found = await currentSources(records, named)
  requireOfPair(
    request,
    named.map(({ at: field }, index) => ({ field, record: found[index] })),
  )
  const of = (name: string) => found[named.findIndex((one) => one.name === name)] ?? null
  return {
    intent: of('intent') as VersionedRecord<contract.IssuerIntent> | null,
    study: of('capitalRequirement') as VersionedRecord<Study> | null,
  }
}

/** @throws Failure 422 if an intent or a study is for another pair */
function requireOfPair(
  { token, quote }: Input,
  sources: readonly { readonly field: string; readonly record: VersionedRecord | undefined }[],
): void {
  const faults: FieldErrors = {}
  for (const { field, record } of sources) {
    const payload = record?.payload as { request?: { token: string; quote: string } } | undefined
    const of = payload?.request
    if (of?.token === token && of.quote === quote) continue
    faults[field] = [`must be for ${token} in ${quote}, got one for ${of?.token} in ${of?.quote}`]
  }
  if (Object.keys(faults).length === 0) return
  throw new Failure('LIQUIDITY_LAUNCH_PLAN_INVALID', { fieldErrors: faults })
}

/** Bids for testing a plan. Random bids follow from a published seed. */
function demandOf(request: Input): { bids: Bid[] | null; seed: Hash | null } {
  const { demand } = request
  const x18 = 10n ** 18n
  if (!demand) return { bids: null, seed: null }
  if (demand.kind === 'DECLARED') {
    const bids = demand.bids.map(({ budget, maximumPriceX18, atSeconds }) => ({
      budget: BigInt(budget),
      atSeconds,
      maximumPrice: { num: BigInt(maximumPriceX18), den: x18 },
    }))
    return { bids, seed: null }
  }
  const seed = (demand.seed ?? H('inputs/v1', { request, engineVersion })) as Hash
  const bids = drawDemand({
    seed: Buffer.from(seed.slice(2), 'hex'),
    bidders: demand.bidders,
    totalBudget: BigInt(demand.totalBudget),
    medianPrice: { num: BigInt(demand.medianPriceX18), den: x18 },
    spreadPips: demand.spreadPips,
    windowSeconds: demand.windowSeconds,
  })
  return { bids, seed }
}

/** Reference price for values: from the study, else the minimum price of the mechanism. */
function referenceOf(
  study: VersionedRecord<Study> | null,
  [first]: Computed['mechanisms'],
): Pick<Computed, 'referencePriceX36' | 'referenceSource'> {
  const ofStudy = study?.payload.priceX36 ?? null
  if (ofStudy !== null) return { referencePriceX36: ofStudy, referenceSource: 'STUDY' }
  const lowest = first?.lowestPriceX36 ?? null
  return { referencePriceX36: lowest, referenceSource: lowest === null ? null : 'MECHANISM' }
}

/** Quote liquidity relative to the value of the circulating supply, rounded down. */
function shareOf(quote: string | undefined, floatValue: bigint | null): number | null {
  if (quote === undefined || floatValue === null || floatValue === 0n) return null
  const pips = (BigInt(quote) * million) / floatValue
  return pips <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(pips) : null
}

const say = (check: Check['check'], result: Check['result'], detail: string): Check => ({
  check,
  result,
  detail: detail.slice(0, 500),
})

function referenceCheck(priceX36: string | null, source: Computed['referenceSource']): Check {
  return priceX36 === null
    ? say(
        'REFERENCE_PRICE',
        'INDETERMINATE',
        'No study with a price is named, and no price source is queried.',
      )
    : say('REFERENCE_PRICE', 'PASS', `${priceX36}/10^36 from the ${source?.toLowerCase()}.`)
}

const supplyCheck = (isTaken: boolean) =>
  isTaken
    ? say('SUPPLY_KNOWN', 'INDETERMINATE', 'The study tokens are taken as the total supply.')
    : say('SUPPLY_KNOWN', 'PASS', 'The supply was given.')

function fundedCheck({ mechanism, allocations }: Input, study: Study | null): Check {
  const of = (wanted: string) =>
    allocations
      .filter(({ recipientClass }) => recipientClass === wanted)
      .reduce((sum, { tokens }) => sum + BigInt(tokens), 0n)
  const set = of('SALE') + of('LIQUIDITY')
  const needed = tokensOf(mechanism, study)
  const check = 'MECHANISM_FUNDED'
  if (needed === null) return say(check, 'INDETERMINATE', 'The study has no token amount.')
  const detail = `It requires ${needed}; SALE and LIQUIDITY have ${set}.`
  return say(check, set >= needed ? 'PASS' : 'FAIL', detail)
}

/** Tokens of a mechanism, with its promised liquidity. */
function tokensOf(mechanism: contract.LaunchMechanism, study: Study | null): bigint | null {
  switch (mechanism.kind) {
    case 'V2_SEED':
    case 'V3_SEED':
      return study?.total ? BigInt(study.total.token) : null
    case 'LBP':
      return BigInt(mechanism.tokenStart)
    case 'CCA': {
      // Liquidity at the clearing price needs tokens for the same quote value, in proportion to its
      // share.
      const tokens = BigInt(mechanism.tokens)
      return tokens + (tokens * BigInt(mechanism.liquiditySharePips)) / million
    }
    default:
      return BigInt(mechanism.tokens)
  }
}

function computedCheck(mechanisms: Computed['mechanisms']): Check {
  const missing = mechanisms.flatMap(({ kind, missing: why }) => (why ? [`${kind}: ${why}`] : []))
  const check = 'MECHANISM_COMPUTED'
  return missing.length === 0
    ? say(check, 'PASS', `${mechanisms.length} mechanisms are computed.`)
    : say(check, 'INDETERMINATE', missing.join(' '))
}

const intentCheck = (intent: VersionedRecord | null) =>
  say(
    'INTENT_VALIDATED',
    intent?.status === 'VALIDATED' ? 'PASS' : 'FAIL',
    `It is ${intent?.status}.`,
  )

async function venueCheck(records: TenantRecords, request: Input, venueId: string): Promise<Check> {
  const check = 'VENUE_OF_PAIR'
  const found = await records.current<VenueRecord['payload']>('VenueProfile', venueId)
  if (!found) return say(check, 'FAIL', `${venueId} is not a venue of this organization.`)
  const { status, payload } = found.record
  const { chainId, base, quote } = payload.pair
  const isOfPair =
    tokenKey(chainId, base) === request.token && tokenKey(chainId, quote) === request.quote
  if (!isOfPair) return say(check, 'FAIL', 'It has another pair.')
  return say(check, status === 'VALIDATED' ? 'PASS' : 'FAIL', `It is ${status}.`)
}

const limitationsOf = ({ demand }: Input): string[] => [
  ...(demand ? [demand.kind === 'DECLARED' ? 'DEMAND_DECLARED' : 'DEMAND_DRAWN'] : []),
  ...(demand ? ['NOBODY_SELLS_DURING_THE_SALE'] : []),
]
