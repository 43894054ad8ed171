import type { contract, SourceRef } from '@liquidity-os/contract'

export type Gate = contract.LaunchGate
export type Result = contract.GateResult
type Source = Pick<SourceRef, 'resourceType' | 'id'> & { readonly resourceVersion: string }
type Read = Readonly<Record<string, string | number | bigint | null>>

export function gateResult(
  result: Result['result'],
  detail: string,
  read: Read = {},
  sources: readonly (Source | null | undefined)[] = [],
): Result {
  return {
    result,
    detail: detail.slice(0, 500),
    block: null,
    read: Object.entries(read).map(([name, value]) => ({ name, value: `${value}`.slice(0, 500) })),
    sources: sources.flatMap((one) =>
      one
        ? [
            {
              resourceType: one.resourceType,
              id: one.id,
              resourceVersion: one.resourceVersion,
            },
          ]
        : [],
    ),
  }
}

export const open = (
  detail: string,
  read: Read = {},
  sources: readonly (Source | null | undefined)[] = [],
) => gateResult('OPEN', detail, read, sources)

/** True if satisfied. */
export const satisfiedIf = (
  holds: boolean,
  detail: string,
  read: Read = {},
  sources: readonly (Source | null | undefined)[] = [],
) => gateResult(holds ? 'SATISFIED' : 'OPEN', detail, read, sources)
