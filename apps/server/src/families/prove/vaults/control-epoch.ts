import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import { controlTopics } from '../../../integrations/chain/safe-executions.ts'

export interface ControlCourse {
  readonly before: contract.SafeControl
  readonly after: contract.SafeControl
  /** All logs of the Safe in finalized blocks after the previous snapshot. */
  readonly logs: readonly PlacedLog[]
  /** Singleton at each block with a Safe execution, in order. */
  readonly singletons: readonly string[]
}

/**
 * Number of new control epochs. Each block with a control-changing log counts, so a change and its
 * reversal both count. Each singleton change between readings counts, because it emits no log. Any
 * other unlogged control change counts once; only a delegate call can cause it.
 */
export function epochsBegun({ before, after, logs, singletons }: ControlCourse): number {
  const logged = new Set(
    logs
      .filter(({ topics: [kind] }) => kind !== undefined && controlTopics.includes(kind))
      .map(({ blockNumber }) => blockNumber),
  ).size
  const course = [before.singleton, ...singletons, after.singleton]
  const rewritten = course.filter(
    (singleton, index) => index > 0 && singleton !== course[index - 1],
  ).length
  const isSilent = logged === 0 && rewritten === 0 && !isSameControl(before, after)
  return logged + rewritten + (isSilent ? 1 : 0)
}

/** True if owners, contracts and rules are equal. Ignores `nonce` and `ownersWithCode`. */
export function isSameControl(a: contract.SafeControl, b: contract.SafeControl): boolean {
  const deciding = ({ nonce: _, ownersWithCode: __, ...rest }: contract.SafeControl) =>
    canonicalize(rest)
  return deciding(a) === deciding(b)
}
