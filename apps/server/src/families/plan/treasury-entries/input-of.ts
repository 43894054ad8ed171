import type { contract } from '@liquidity-os/contract'

type Bucket = contract.TreasuryBucket
export type InputOf<P extends Bucket> = Extract<
  contract.TreasuryBucketInput,
  { entryKind: P['entryKind'] }
>

const observed: ReadonlySet<string> = new Set<keyof Bucket>([
  ...([
    'containerKey',
    'assetClassSource',
    'tier',
    'decimals',
    'observed',
    'split',
    'total',
  ] as const),
  ...([
    'settled',
    'remaining',
    'overdue',
    'settlements',
    'rollForward',
    'value',
    'loaned',
  ] as const),
  ...(['disposition', 'computation'] as const),
])

/** Request part of an entry, without observed data. */
export function inputOf<P extends Bucket>(payload: P): InputOf<P> {
  const isStated = ([name]: [string, unknown]) =>
    name === 'assetClass'
      ? payload.assetClassSource === 'DECLARED' && payload.assetClass !== 'OWN_TOKEN'
      : !observed.has(name)
  return Object.fromEntries(Object.entries(payload).filter(isStated)) as InputOf<P>
}
