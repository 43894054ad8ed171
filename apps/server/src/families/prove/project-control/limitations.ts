import type { ControlClaim } from './control-path.ts'
import type { ControlReading } from './read-control.ts'
import { isByUnknownRules } from './strength.ts'

export function limitationsOf(
  { method }: Pick<ControlClaim, 'method'>,
  { walked, signed, code, holders }: ControlReading,
): string[] {
  const { authority } = signed
  const safes = [authority.safe, ...walked.hops.map(({ evidence }) => evidence.safe)].filter(
    (safe) => safe !== null,
  )
  const isOfRole = method === 'ROLE' || method === 'DEFAULT_ADMIN'
  const stated: readonly (readonly [holds: boolean, word: string])[] = [
    [authority.isDelegated, 'DELEGATED_EOA'],
    [authority.kind === 'CONTRACT' || walked.hops.some(isByUnknownRules), 'CONTRACT_RULES_UNKNOWN'],
    [safes.some(({ singletonName }) => singletonName === null), 'SAFE_BUILD_UNKNOWN'],
    [safes.some(({ modules }) => modules.length > 0), 'MODULE_CAN_ACT'],
    [
      walked.hops.some(({ evidence: { timelock } }) => timelock?.isExecutionOpen === false),
      'TIMELOCK_EXECUTION_RESTRICTED',
    ],
    // An account that can change the code can change every owner and role.
    [
      method !== 'PROXY_ADMIN' && (code.admin !== null || code.beacon !== null),
      'CODE_CHANGEABLE_BY_OTHERS',
    ],
    [isOfRole && holders === null, 'ROLE_HOLDERS_UNKNOWN'],
    [isOfRole && holders !== null && !holders.isWhole, 'ROLE_HOLDERS_TRUNCATED'],
  ]
  return stated.flatMap(([holds, word]) => (holds ? [word] : []))
}
