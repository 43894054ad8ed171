import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import { controlTopics } from '../../../integrations/chain/safe-executions.ts'

/** What happened to the control of a Safe since its snapshot before. */
export interface ControlCourse {
  readonly before: contract.SafeControl
  readonly after: contract.SafeControl
  /** Every log of the Safe since, in final blocks after the snapshot before. */
  readonly logs: readonly PlacedLog[]
  /** The singleton in each block in which the Safe executed something, in their order. */
  readonly singletons: readonly string[]
}

/**
 * How many epochs have begun: one for each block with a log that changes control, so that a change and its undoing both
 * count; one for each change of the singleton between two readings, which tells nobody; and one where anything else of
 * control is another and no log says so, which only a delegate call can do.
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

/** Whether the same people and contracts decide by the same rule; the nonce is no part of it. */
export function isSameControl(a: contract.SafeControl, b: contract.SafeControl): boolean {
  const deciding = ({ nonce: _, ownersWithCode: __, ...rest }: contract.SafeControl) =>
    canonicalize(rest)
  return deciding(a) === deciding(b)
}
