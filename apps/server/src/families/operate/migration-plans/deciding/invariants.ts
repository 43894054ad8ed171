import type { MigrationState } from '@liquidity-os/engine/migration'
import { H } from '@liquidity-os/evidence'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import { limits } from '../../../../limits.ts'
import type { CarriedOut, PlanHistory } from '../plan-events.ts'
import type { Invariant, PlanPayload } from '../plan-types.ts'
import { limitsOf } from '../planning/make-plan.ts'
import { brokenFloors, depthOf, pricedWorlds } from '../planning/measured-depth.ts'
import { exact, sumOf } from '../planning/plan-step.ts'
import { outOfBand } from './price-checks.ts'
import type { Situation } from './situation.ts'

export const invariantsHashOf = (invariants: readonly Invariant[]) =>
  H('migration-invariants/v1', invariants)

/** Executed steps, including the step that this request reports. */
export interface Progress {
  readonly machine: MigrationState
  readonly carriedOut: readonly CarriedOut[]
}

/**
 * All invariants of a migration, each with its block. Chain invariants are reread only if the
 * transition reads the chain; otherwise their last result remains.
 */
export function invariantsOf(
  plan: PlanPayload,
  history: PlanHistory,
  progress: Progress,
  situation: Situation | null,
): Invariant[] {
  const { machine } = progress
  const { checkpoints, inFlight } = machine
  const rises = checkpoints.every((at, index) => index === 0 || at > (checkpoints[index - 1] ?? 0))
  const own: Invariant[] = [
    invariant('ONE_STEP_IN_FLIGHT', [], `${inFlight ?? 'none'} in flight`, null),
    invariant(
      'CHECKPOINTS_RISE',
      rises ? [] : ['checkpoints decrease'],
      checkpoints.join(', '),
      null,
    ),
  ]
  if (situation === null) {
    const remaining = history.invariants.filter(({ code }) => !own.some((one) => one.code === code))
    return [...own, ...remaining]
  }
  const block = blockOf(plan.request.pair.chainId, situation.block)
  const limits = limitsOf(plan.request)
  const depth = depthOf(situation.worlds, limits)
  const depthText = depth
    .map(({ bandPips, side, quote }) => `${bandPips} ${side} ${quote}`)
    .join(', ')
  const prices = pricedWorlds(situation.worlds).flatMap(([, world]) => {
    const fault = outOfBand(world, limits)
    return fault === null ? [] : [fault]
  })
  const { faults, observed } = conservation(plan, progress, situation)
  const clock = outOfMarket(progress, situation.block.timestamp)
  const max = plan.request.constraints.maxOutOfMarketSeconds
  const late = clock > max ? [`${clock} seconds out of the market, limit ${max}`] : []
  return [
    ...own,
    invariant('VALUE_CONSERVATION', faults, observed, block),
    invariant('DEPTH_FLOORS', brokenFloors(depth, limits), depthText, block),
    invariant('OUT_OF_MARKET', late, `${clock} seconds`, block),
    invariant('PRICE_BAND', prices, 'all markets within the band', block),
  ]
}

function invariant(
  code: string,
  faults: readonly string[],
  observed: string,
  block: Invariant['block'],
): Invariant {
  const ok = faults.length === 0
  return {
    code,
    ok,
    observed: (ok ? observed : faults.join('; ')).slice(0, limits.detailCharacters),
    block,
  }
}

/** Tokens from the steps must be in the wallet, and remaining liquidity must be unchanged. */
function conservation(plan: PlanPayload, { carriedOut }: Progress, situation: Situation) {
  const flows = sumOf(
    carriedOut.flatMap(({ realized }) => (realized ? [exact(realized.delta)] : [])),
  )
  const start = exact(plan.start.wallet)
  const faults = (['base', 'quote'] as const).flatMap((token) => {
    const min = start[token] + flows[token]
    const held = situation.wallet[token]
    return held >= min
      ? []
      : [`the wallet holds ${held} of ${token}; the remaining steps need ${min}`]
  })
  const { positions } = plan.request.from
  for (const [index, { liquidity }] of plan.start.holdings.entries()) {
    const moved = carriedOut.reduce((sum, { subject: record, realized }) => {
      const isOfPlace =
        record?.venueId === positions[index]?.venue.id &&
        (record?.position?.tokenId ?? null) === (positions[index]?.tokenId ?? null) &&
        record?.position?.tickLower === (positions[index]?.tickLower ?? null) &&
        record?.position?.tickUpper === (positions[index]?.tickUpper ?? null)
      if (!isOfPlace || realized === null) return sum
      if (record?.kind === 'REMOVE') return sum - BigInt(realized.liquidity)
      return record?.kind === 'MINT' ? sum + BigInt(realized.liquidity) : sum
    }, BigInt(liquidity))
    const found = situation.liquidity[index] ?? 0n
    if (found < moved)
      faults.push(`source ${index} holds ${found}; the remaining steps need ${moved}`)
  }
  return { faults, observed: `wallet flows of the steps: ${flows.base} base, ${flows.quote} quote` }
}

/** Seconds since an unmatched withdrawal; 0 if every withdrawal was deposited again. */
function outOfMarket({ carriedOut }: Progress, until: number): number {
  let since: number | null = null
  for (const { subject, block } of carriedOut) {
    if (subject?.kind === 'MINT') since = null
    if (subject?.kind === 'REMOVE' && block) since ??= Date.parse(block.timestamp) / 1000
  }
  return since === null ? 0 : Math.max(0, until - since)
}
