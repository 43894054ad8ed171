import type { contract } from '@liquidity-os/contract'

type Analysis = contract.PublicProjectAnalysis
type Change = contract.ProjectChange

/** How a figure is compared: amounts by relative change, all others by equality. */
interface Figure {
  readonly value: string | null
  readonly isAmount: boolean
  /** True if any change is material, however small. */
  readonly isMaterial: boolean
}

const materialPips = 10_000n
const whole = 1_000_000n

/**
 * Differences between two observations, by pointer. Compares facts only; pools match by address. A
 * value missing in one observation is KNOWN or UNKNOWN, never added or removed.
 */
export function changesBetween(before: Analysis, after: Analysis): Change[] {
  return [
    ...figureChanges(figuresOf(before), figuresOf(after)),
    ...listingChanges(before, after),
    ...poolChanges(before, after),
  ].sort((a, b) => (a.pointer < b.pointer ? -1 : 1))
}

function figureChanges(
  before: ReadonlyMap<string, Figure>,
  after: ReadonlyMap<string, Figure>,
): Change[] {
  return [...after].flatMap(([pointer, now]) => {
    const then = before.get(pointer)
    return then ? changeOf(pointer, then, now) : []
  })
}

function changeOf(pointer: string, before: Figure, after: Figure): Change[] {
  const values = { pointer, before: before.value, after: after.value }
  if (before.value === after.value) return []
  if (before.value === null || after.value === null) {
    const kind = before.value === null ? 'KNOWN' : 'UNKNOWN'
    return [{ ...values, kind, deltaPips: null, material: after.isMaterial }]
  }
  const delta = after.isAmount ? deltaPipsOf(BigInt(before.value), BigInt(after.value)) : null
  const hasMoved =
    after.isAmount && (delta === null || delta >= materialPips || delta <= -materialPips)
  return [
    {
      ...values,
      kind: 'CHANGED',
      deltaPips: delta === null ? null : String(delta),
      material: after.isMaterial || hasMoved,
    },
  ]
}

/** (after − before) · 10^6 / before, toward zero; null if `before` is 0. */
const deltaPipsOf = (before: bigint, after: bigint): bigint | null =>
  before === 0n ? null : ((after - before) * whole) / before

function figuresOf({ token, control }: Analysis): ReadonlyMap<string, Figure> {
  const plain = { isAmount: false, isMaterial: false }
  const material = { isAmount: false, isMaterial: true }
  const rules: Readonly<Record<keyof Analysis['token'], Omit<Figure, 'value'>>> = {
    name: plain,
    symbol: plain,
    decimals: material,
    codeHash: material,
    totalSupply: { isAmount: true, isMaterial: false },
  }
  return new Map<string, Figure>([
    ...Object.entries(token).map(([name, { value }]): [string, Figure] => [
      `/token/${name}`,
      { value: textOf(value), ...rules[name as keyof Analysis['token']] },
    ]),
    ...Object.entries(control).map(([name, { value }]): [string, Figure] => [
      `/control/${name}`,
      { value: textOf(value), ...material },
    ]),
  ])
}

const textOf = (value: string | number | null) => (value === null ? null : String(value))

function listingChanges(before: Analysis, after: Analysis): Change[] {
  const [then, now] = [listsOf(before), listsOf(after)]
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [then.get(name) ?? null, now.get(name) ?? null]
    if (was === is) return []
    const kind = was === null ? 'ADDED' : is === null ? 'REMOVED' : 'CHANGED'
    const pointer = `/listings/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [{ pointer, kind, before: was, after: is, deltaPips: null, material: false } as const]
  })
}

const listsOf = ({ listings }: Analysis): ReadonlyMap<string, string> =>
  new Map(listings.flatMap(({ value }) => (value ? [[value.list, value.symbol]] : [])))

function poolChanges(before: Analysis, after: Analysis): Change[] {
  const [then, now] = [poolsOf(before), poolsOf(after)]
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((address): Change[] => {
    const [was, is] = [then.get(address), now.get(address)]
    if (was && is) return figureChanges(poolFigures(was), poolFigures(is))
    const other = was ? after : before
    const isUnread = other.gaps.some(({ pointer }) => pointer === '/pools')
    const kinds = was ? (['UNKNOWN', 'REMOVED'] as const) : (['KNOWN', 'ADDED'] as const)
    return [
      {
        pointer: `/pools/${address}`,
        kind: kinds[isUnread ? 0 : 1],
        deltaPips: null,
        before: was?.kind ?? null,
        after: is?.kind ?? null,
        material: true,
      },
    ]
  })
}

type Pool = contract.PublicPool

const poolsOf = ({ pools }: Analysis): ReadonlyMap<string, Pool> =>
  new Map(pools.map((pool) => [pool.address, pool]))

function poolFigures(pool: Pool): ReadonlyMap<string, Figure> {
  const { address, heldBase, heldQuote, reserveBase, reserveQuote, midX36 } = pool
  const amounts = { heldBase, heldQuote, reserveBase, reserveQuote, midX36 }
  return new Map(
    Object.entries(amounts).map(([name, { value }]) => [
      `/pools/${address}/${name}`,
      { value, isAmount: true, isMaterial: false },
    ]),
  )
}
