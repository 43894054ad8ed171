import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

const liquidityKinds = ['Mint', 'Burn', 'Collect'] as const

/** The part of the engine's fidelity that is shown, as a value or as JSON. */
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

/** The engine's fidelity as the contract shows it. */
export function fidelityOf(fidelity: EngineFidelity): Static<typeof contract.Fidelity> {
  const { byKind, firstDivergence } = fidelity
  const liquidity = liquidityKinds.map((kind) => byKind[kind])
  const sum = (pick: 'replayed' | 'exact') =>
    liquidity.reduce((total, count) => total + (count?.[pick] ?? 0), 0)
  const mismatch = firstDivergence?.mismatches[0]
  return {
    eventsReplayed: fidelity.eventsReplayed,
    eventsExact: fidelity.eventsExact,
    swaps: { replayed: byKind.Swap?.replayed ?? 0, exact: byKind.Swap?.exact ?? 0 },
    liquidityChanges: { replayed: sum('replayed'), exact: sum('exact') },
    firstDivergence: firstDivergence
      ? {
          block: firstDivergence.event.block,
          logIndex: firstDivergence.event.logIndex ?? 0,
          event: firstDivergence.event.type,
          field: mismatch?.field ?? '',
          expected: mismatch?.recorded ?? '',
          computed: mismatch?.computed ?? '',
        }
      : null,
  }
}
