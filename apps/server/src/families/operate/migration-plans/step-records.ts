import { H } from '@liquidity-os/evidence'
import { edgePrices } from '../../../market/range-edges.ts'
import { orientationOf, type StepRecord } from './plan-types.ts'
import { type CallTerms, callsHashOf, callsOf } from './planning/calls.ts'
import type { PlannedStep } from './planning/plan-task.ts'

/** Checks before sending a step. */
const beforeCall = ['PRICE_IN_BAND', 'PRICE_NEAR_REFERENCE', 'SIMULATION', 'MINIMUM_WAIT'] as const

/**
 * The records of planned steps.
 *
 * @param first number of the first step
 */
export function stepRecords(
  steps: readonly PlannedStep[],
  terms: CallTerms,
  first: number,
): StepRecord[] {
  return steps.map((planned, index) => {
    const { step, tranche, delta, liquidity, wallet, depth, rollback } = planned
    const { adapterId, calls } = callsOf(steps, index, terms)
    return {
      step: first + index,
      tranche,
      kind: step.kind,
      venueId: 'world' in step ? step.world : null,
      position: 'position' in step ? positionOf(step, terms) : null,
      swap: step.kind === 'SWAP' ? { side: step.side, amountIn: `${step.amountIn}` } : null,
      amounts: step.kind === 'MINT' ? textOf(step.amounts) : null,
      soakSeconds: step.kind === 'SOAK' ? step.seconds : null,
      adapterId,
      calls: calls.map((one) => ({ ...one })),
      callsHash: calls.length === 0 ? null : callsHashOf(calls),
      preconditions: calls.length === 0 ? [] : [...beforeCall],
      expected: {
        delta: textOf(delta),
        liquidity: `${liquidity}`,
        wallet: textOf(wallet),
        depth: depth.map((rung) => ({ ...rung, quote: `${rung.quote}` })),
      },
      tolerancePips: terms.tolerancePips,
      rollback: {
        possible: rollback.possible,
        steps: counted(rollback.steps),
        costs: rollback.costs.map(({ movePips, costQuote }) => ({
          movePips,
          costQuote: costQuote === null ? null : `${costQuote}`,
        })),
      },
      pointOfNoReturn: !rollback.possible,
    }
  })
}

export const natureOf = ({ kind }: Pick<StepRecord, 'kind'>) =>
  kind === 'SOAK' ? 'SOAK' : kind === 'VERIFY' ? 'CHECK' : 'CALL'

/** Hash of the state after a step, so that later steps can refer to it. */
export const checkpointHashOf = (checkpoint: {
  planId: string
  checkpoint: number
  previous: string | null
  callsHash: string | null
  block: unknown
  realized: unknown
}) => H('migration-checkpoint/v1', checkpoint)

function positionOf(
  step: Extract<PlannedStep['step'], { position: unknown }>,
  { venues, wallet }: CallTerms,
): StepRecord['position'] {
  const { owner, tickLower, tickUpper } = step.position
  const tokenId = owner.startsWith('nft:') ? owner.slice(4) : null
  const { kind, pair } = venues.get(step.world)?.profile ?? {}
  const range =
    kind === 'UNISWAP_V3' ? { tickLower, tickUpper } : { tickLower: null, tickUpper: null }
  return {
    owner: tokenId === null ? owner : wallet,
    ...range,
    ...(pair ? edgePrices(range, orientationOf(pair)) : {}),
    tokenId,
  }
}

function counted(steps: readonly PlannedStep['step'][]): StepRecord['rollback']['steps'] {
  const found = new Map<string, StepRecord['rollback']['steps'][number]>()
  for (const step of steps) {
    const venueId = 'world' in step ? step.world : null
    const key = `${step.kind} ${venueId}`
    const { count } = found.get(key) ?? { count: 0 }
    found.set(key, { kind: step.kind, venueId, count: count + 1 })
  }
  return [...found.values()]
}

export const textOf = ({ base, quote }: { base: bigint; quote: bigint }) => ({
  base: `${base}`,
  quote: `${quote}`,
})
