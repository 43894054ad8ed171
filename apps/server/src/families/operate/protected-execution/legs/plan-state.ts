import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { type LegState, legMoves } from '@liquidity-os/engine/execution'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { foldLegs, isChainValid, isOverdue, type LegHistory, transitionsOf } from './leg-chain.ts'

type Plan = contract.ProtectedExecutionPlan
type State = contract.ExecutionPlanState

/** A plan after its transitions, with expiry by the clock. */
export function planStateOf(
  { id, status, resourceVersion, artifactHash, payload }: VersionedRecord<Plan>,
  events: readonly OperatingSystemEvent[],
  requested: { readonly now: number; readonly mayOperate: boolean },
): State {
  const legs = foldLegs(payload, events)
  const legStates = legs.map((leg): State['legs'][number] => {
    const planned = payload.legs[leg.legIndex]
    if (!planned) throw new Error(`Leg ${leg.legIndex} of ${id} does not exist.`)
    const isOver = isOverdue(leg, planned.deadline, requested.now)
    const state = isOver ? 'EXPIRED' : leg.state
    return {
      legIndex: leg.legIndex,
      state,
      sequence: leg.sequence,
      head: leg.head ?? artifactHash,
      proposal: leg.proposal,
      transactionHash: leg.transactionHash,
      block: leg.block,
      realised: leg.realised,
      realisedVersusExpectedPips: versusExpected(planned, leg),
      note: isOver ? `The deadline was ${planned.deadline}.` : leg.note,
      allowedTransitions:
        status === 'ACTIVE' && requested.mayOperate ? openTo(leg.state, planned, isOver) : [],
    }
  })
  return {
    planId: id,
    resourceVersion,
    status,
    legs: legStates,
    totals: totalsOf(payload, legs),
    chainValid: isChainValid(id, artifactHash, payload, transitionsOf(events)),
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
}

/** States that the operator can request. Chain conditions are checked only on execution. */
function openTo(state: LegState, { call }: Plan['legs'][number], isOver: boolean): LegState[] {
  return legMoves[state].flatMap(({ to, by }) => {
    if (by === 'CLOCK') return isOver ? [to] : []
    if (isOver && to !== 'CANCELLED') return []
    return to === 'ARMED' && call === null ? [] : [to]
  })
}

const million = 1_000_000n

/**
 * Output relative to the expected output at the same input, in pips rounded down; null before
 * reconciliation.
 */
function versusExpected(
  { sellAmount, expectedBuy }: Plan['legs'][number],
  { realised }: LegHistory,
): number | null {
  if (realised === null || expectedBuy === '0') return null
  const expected = (BigInt(expectedBuy) * BigInt(realised.sell)) / BigInt(sellAmount)
  if (expected === 0n) return null
  const scaled = (BigInt(realised.buy) - expected) * million
  return Number(scaled >= 0n ? scaled / expected : -((-scaled + expected - 1n) / expected))
}

function totalsOf({ legs }: Plan, histories: readonly LegHistory[]): State['totals'] {
  const done = histories.flatMap(({ legIndex, realised }) => {
    const planned = legs[legIndex]
    return realised && planned ? [{ planned, realised }] : []
  })
  const sum = (of: (one: (typeof done)[number]) => string) =>
    done.reduce((total, one) => total + BigInt(of(one)), 0n)
  const buy = sum(({ realised }) => realised.buy)
  const expected = sum(({ planned }) => planned.expectedBuy)
  return {
    realisedSell: `${sum(({ realised }) => realised.sell)}`,
    realisedBuy: `${buy}`,
    expectedBuyOfRealised: `${expected}`,
    liveLegs: histories.filter(({ state }) => legMoves[state].length > 0).length,
    gainedBuy: `${buy - expected}`,
  }
}
