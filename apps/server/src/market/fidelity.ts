import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { required } from '../required.ts'

const tradeKinds = ['Swap', 'TokenExchange', 'TokenExchangeUnderlying'] as const
const liquidityKinds = [
  ...(['Mint', 'Burn', 'Collect'] as const),
  ...(['AddLiquidity', 'RemoveLiquidity', 'RemoveLiquidityOne'] as const),
  'RemoveLiquidityImbalance',
] as const

/** The displayed part of the engine's fidelity, as a value or as JSON. */
export interface EngineFidelity {
  readonly eventsReplayed: number
  readonly eventsExact: number
  readonly byKind: Readonly<Record<string, { readonly replayed: number; readonly exact: number }>>
  readonly firstDivergence: {
    readonly event: {
      readonly block: number
      readonly logIndex: number | null
      readonly type: string
    }
    readonly mismatches: readonly {
      readonly field: string
      readonly recorded: string
      readonly computed: string
    }[]
  } | null
}

/** The engine's fidelity in the form of the contract. */
export function fidelityOf(fidelity: EngineFidelity): Static<typeof contract.Fidelity> {
  const { byKind, firstDivergence } = fidelity
  const countOf = (kinds: readonly string[]) => {
    const sum = (pick: 'replayed' | 'exact') =>
      kinds.reduce((total, kind) => total + (byKind[kind]?.[pick] ?? 0), 0)
    return { replayed: sum('replayed'), exact: sum('exact') }
  }
  return {
    eventsReplayed: fidelity.eventsReplayed,
    eventsExact: fidelity.eventsExact,
    swaps: countOf(tradeKinds),
    liquidityChanges: countOf(liquidityKinds),
    firstDivergence: firstDivergence && divergenceOf(firstDivergence),
  }
}

function divergenceOf({ event, mismatches }: NonNullable<EngineFidelity['firstDivergence']>) {
  const { field, recorded, computed } = required(mismatches[0], 'mismatch of a divergence')
  return {
    block: event.block,
    logIndex: event.logIndex ?? 0,
    event: event.type,
    field,
    expected: recorded,
    computed,
  }
}
