import { midPrice } from '@liquidity-os/engine/amm'
import {
  type BegunTranche,
  type DepthFloor,
  type PlanAmounts,
  type PlanLimits,
  simulatePlan,
  type TargetShare,
  type World,
} from '@liquidity-os/engine/migration'
import { type Address, getAddress } from 'viem'
import { Failure } from '../../../../failure.ts'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import { pinBlock } from '../../../../integrations/chain/finalized.ts'
import { requiredFactory } from '../../../../integrations/chain/known-factories.ts'
import { limits } from '../../../../limits.ts'
import { x36Of } from '../../../../market/mid-price.ts'
import { edgePrices } from '../../../../market/range-edges.ts'
import { required } from '../../../../required.ts'
import type { ProviderAccess, Services } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../../units.ts'
import {
  type Periphery,
  type PeripheryRole,
  peripheryOf,
  requirePeriphery,
} from '../deciding/periphery.ts'
import { openReading, type Reading, readSituation, type Situation } from '../deciding/situation.ts'
import {
  keyOf,
  type LiquidityLocation,
  orientationOf,
  type PlanPayload,
  type PlanRequest,
  type PlanVenue,
} from '../plan-types.ts'
import { stepRecords, textOf } from '../step-records.ts'
import type { CallTerms } from './calls.ts'
import { planEvidence } from './plan-evidence.ts'
import { gasOf } from './plan-gas.ts'
import { planInThread } from './plan-in-thread.ts'
import { refusedPlan } from './plan-refusal.ts'
import type { PlannedStep } from './plan-task.ts'
import { hasPrice, openedWorld } from './target-worlds.ts'

export interface ResolvedTarget {
  readonly venueId: string
  readonly tickLower: number | null
  readonly tickUpper: number | null
  readonly sharePips: number
}

/** State of an active plan that replanning starts from. */
export interface Remainder {
  /** Wallet amounts left by the executed steps. */
  readonly wallet: PlanAmounts
  readonly begun: BegunTranche | null
  readonly isPilotOver: boolean
  /** Venues with possible open approvals. */
  readonly approved: readonly string[]
  /** Number of the first new step. */
  readonly first: number
}

export interface ComputedPlan {
  readonly situation: Situation
  readonly reading: Reading
  readonly payload: Omit<PlanPayload, 'back' | 'decision'>
}

/**
 * Reads the chain, searches the smallest number of tranches in a thread, and records every step
 * with its calls.
 *
 * @throws Failure 422 if no plan meets the limits, or a requirement is missing
 */
export async function makePlan(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'awaited'>,
  terms: {
    readonly request: PlanRequest
    readonly venues: readonly PlanVenue[]
    readonly targets: readonly ResolvedTarget[]
    readonly remainder: Remainder | null
    /** Rejects a block that is too old, if freshness matters. */
    readonly requireFresh?: (reading: Reading) => void
  },
): Promise<ComputedPlan> {
  const { request, venues, targets, remainder } = terms
  const wallet = getAddress(request.from.wallet)
  const locations = locationsOf(request)
  const periphery = peripheryOf(request.pair.chainId, request.contracts)
  const reading = await openReading(records, services, venues[0]!)
  terms.requireFresh?.(reading)
  await requireManager(reading, request, venues, periphery)
  const { positionManager } = periphery
  const situation = await readSituation(reading, { venues, locations, wallet, positionManager })
  requireLiquidity(locations, situation, remainder)
  const source = situation.worlds[locations[0]!.venueId]
  if (source === undefined || !hasPrice(source)) throw noLiquidity(0)
  const shares = sharesOf(targets, venues, situation, { source, wallet })
  const worlds = existing(situation, shares)
  const planLimits = limitsOf(request)
  const task = {
    ask: 'FORWARD' as const,
    worlds,
    limits: planLimits,
    targets: shares,
    sources: locations.map((location, index) => ({
      world: location.venueId,
      position: keyOf(location),
      liquidity: situation.liquidity[index]!,
    })),
    maxStepQuote: BigInt(request.constraints.maxStepQuote),
    pilot: remainder?.isPilotOver ? null : pilotOf(request),
    maxSteps: limits.migrationSteps - (remainder?.first ?? 0),
    wallet: remainder?.wallet ?? { base: 0n, quote: 0n },
    begun: remainder?.begun ?? null,
    approved: remainder?.approved ?? [],
  }
  const planned = await planInThread(services.awaited, task)
  if (planned.tranches === null) throw refusedPlan(planned, planLimits.minDepth)
  await requireUsed(reading, request, venues, periphery, planned.steps)
  const callTerms = callTermsOf(request, venues, periphery)
  const [now] = simulatePlan(worlds, { base: 0n, quote: 0n }, [{ kind: 'VERIFY' }], planLimits)
  const price = midPrice(source.market, source.orientation)
  const first = remainder?.first ?? 0
  return {
    situation,
    reading,
    payload: {
      request,
      simulatedAt: blockOf(request.pair.chainId, situation.block),
      tranches: planned.tranches,
      targets: targets.map((target) => ({
        ...target,
        ...edgePrices(target, orientationOf(request.pair)),
      })),
      start: {
        wallet: textOf(situation.wallet),
        depth: (now?.depth ?? []).map((rung) => ({ ...rung, quote: `${rung.quote}` })),
        midX18: `${(price.num * 10n ** 18n) / price.den}`,
        midX36: `${x36Of(price)}`,
        holdings: locations.map(({ venueId, tokenId }, index) => ({
          venueId,
          tokenId,
          liquidity: `${situation.liquidity[index]}`,
        })),
      },
      steps: stepRecords(planned.steps, callTerms, first),
      gas: gasOf(request, planned.steps, venues),
      evidence: await planEvidence(records, { request, venues, worlds, reading, situation }),
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
  }
}

/** Source positions of a plan. */
export function locationsOf({ from }: PlanRequest): LiquidityLocation[] {
  return from.positions.map(({ venue, owner, tickLower, tickUpper, tokenId }) => ({
    venueId: venue.id,
    owner: getAddress(owner),
    tickLower: tickLower ?? null,
    tickUpper: tickUpper ?? null,
    tokenId: tokenId ?? null,
  }))
}

export function limitsOf({ constraints }: PlanRequest): PlanLimits {
  const [low = '0', high = '0'] = constraints.priceBandX18
  const x18 = 10n ** 18n
  return {
    minDepth: constraints.minDepth.map(
      (floor): DepthFloor => ({ ...floor, quote: BigInt(floor.quote) }),
    ),
    priceBand: { lowest: { num: BigInt(low), den: x18 }, highest: { num: BigInt(high), den: x18 } },
    maxSlippagePips: constraints.maxSlippagePips,
  }
}

export function callTermsOf(
  request: PlanRequest,
  venues: readonly PlanVenue[],
  periphery: Periphery,
  deadline = BigInt(Math.floor(Date.parse(request.constraints.deadline) / 1000)),
): CallTerms {
  return {
    wallet: getAddress(request.from.wallet),
    venues: new Map(venues.map((venue) => [venue.id, venue])),
    periphery,
    deadline,
    tolerancePips: request.constraints.maxSlippagePips,
  }
}

function pilotOf({ pilot }: PlanRequest) {
  if (pilot === null) return null
  return { sharePips: pilot.sharePips ?? 50_000, soakSeconds: pilot.soakSeconds ?? daySeconds }
}

function sharesOf(
  targets: readonly ResolvedTarget[],
  venues: readonly PlanVenue[],
  { worlds, block }: Situation,
  { source, wallet }: { source: World; wallet: Address },
): TargetShare[] {
  return targets.map(({ venueId, tickLower, tickUpper, sharePips }) => ({
    world: venueId,
    position: { owner: wallet, tickLower: tickLower ?? 0, tickUpper: tickUpper ?? 0 },
    sharePips,
    opened: openedWorld(
      venues.find(({ id }) => id === venueId)!,
      worlds[venueId],
      source,
      block.timestamp,
    ),
  }))
}

/**
 * Existing markets, the market of the first source before all others. A market without a price is
 * not yet open.
 */
function existing(
  { worlds }: Situation,
  shares: readonly TargetShare[],
): Readonly<Record<string, World>> {
  const unopened = new Set(
    shares.flatMap(({ world, opened }) => (opened?.market.kind === 'UNISWAP_V3' ? [world] : [])),
  )
  return Object.fromEntries(Object.entries(worlds).filter(([name]) => !unopened.has(name)))
}

function requireLiquidity(
  locations: readonly LiquidityLocation[],
  { liquidity }: Situation,
  remainder: Remainder | null,
): void {
  if (remainder !== null) return
  const empty = locations.findIndex((_, index) => liquidity[index] === 0n)
  if (empty >= 0) throw noLiquidity(empty)
}

const noLiquidity = (index: number) =>
  new Failure('LIQUIDITY_MIGRATION_POSITION_INVALID', {
    fieldErrors: {
      [`payload.from.positions.${index}`]: ['must have liquidity at the finalized block'],
    },
  })

/** Positions of the manager are read through it, so it is resolved first. */
async function requireManager(
  { client, head }: Reading,
  request: PlanRequest,
  venues: readonly PlanVenue[],
  periphery: Periphery,
): Promise<void> {
  const managed = request.from.positions.filter(({ tokenId }) => tokenId !== undefined)
  const needed = managed.flatMap(({ venue }) =>
    venues
      .filter(({ id }) => id === venue.id)
      .map(({ profile }) => ({
        role: 'positionManager' as const,
        factory: requiredFactory(profile),
      })),
  )
  const pin = await pinBlock(client, head)
  await requirePeriphery(client, pin, request.pair.chainId, periphery, needed)
}

async function requireUsed(
  { client, head }: Reading,
  request: PlanRequest,
  venues: readonly PlanVenue[],
  periphery: Periphery,
  steps: readonly PlannedStep[],
): Promise<void> {
  const needed = new Map<string, { role: PeripheryRole; factory: string }>()
  for (const { step } of steps) {
    if (!('world' in step) || step.kind === 'APPROVE' || step.kind === 'REVOKE_APPROVAL') continue
    const venue = venues.find(({ id }) => id === step.world)
    const { profile } = required(venue, `venue ${step.world} of the plan`)
    const role = roleOf(step, profile.kind === 'UNISWAP_V3')
    if (role === null) continue
    const factory = requiredFactory(profile)
    needed.set(`${role} ${factory}`, { role, factory })
  }
  const pin = await pinBlock(client, head)
  await requirePeriphery(client, pin, request.pair.chainId, periphery, [...needed.values()])
}

function roleOf(step: PlannedStep['step'], isV3: boolean): PeripheryRole | null {
  if (!isV3) return step.kind === 'CREATE_POOL' ? null : 'v2Router'
  if (step.kind === 'SWAP') return 'swapRouter'
  const isDirect =
    (step.kind === 'REMOVE' || step.kind === 'COLLECT') && !step.position.owner.startsWith('nft:')
  return isDirect ? null : 'positionManager'
}
