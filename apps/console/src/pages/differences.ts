export interface Change {
  path: string
  from: unknown
  to: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Differing members, each by its path. List entries are matched by an identifying member:
 * `arms.wide.net`. Other lists compare as a whole.
 */
export function changesBetween(from: unknown, to: unknown, path = ''): Change[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  const lists = entriesOf(from, to)
  if (lists) return changesBetween(lists.from, lists.to, path)
  if (!isObject(from) || !isObject(to)) return [{ path, from, to }]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap((name) =>
    changesBetween(from[name], to[name], path === '' ? name : `${path}.${name}`),
  )
}

/** Members that identify list entries, alone or combined, most reliable first. */
const naming: readonly (readonly string[])[] = [
  ...[['armId'], ['armId', 'flowModel'], ['optionId'], ['shapeId'], ['scenarioId'], ['id']],
  ...[
    ['component'],
    ['code'],
    ['kpiId'],
    ['metricId'],
    ['criterionId'],
    ['venueId'],
    ['check'],
    ['name'],
    ['bandPips', 'side'],
    ['kind'],
  ],
]

/**
 * Two lists as objects keyed by the identifying member; null if no member identifies entries in
 * both.
 */
function entriesOf(from: unknown, to: unknown): { from: object; to: object } | null {
  if (!Array.isArray(from) || !Array.isArray(to)) return null
  for (const members of naming) {
    const [first, second] = [namedBy(from, members), namedBy(to, members)]
    if (first && second) return { from: first, to: second }
  }
  return null
}

/** List entries keyed by these members; null if an entry lacks one or two entries share a key. */
function namedBy(list: readonly unknown[], members: readonly string[]): object | null {
  const names = list.map((entry) =>
    isObject(entry) && members.every((member) => isName(entry[member]))
      ? members.map((member) => entry[member]).join(' ')
      : null,
  )
  const isNamed = names.every((name) => name !== null) && new Set(names).size === names.length
  return isNamed ? Object.fromEntries(names.map((name, index) => [name, list[index]])) : null
}

const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** Members that two records must share for a comparison of their figures. */
const basisMembers = [
  ...['pair', 'token', 'quote', 'quoteKey', 'window', 'engineVersion', 'seed', 'capital'],
] as const

/** Grounds that define the unit of the values. */
const measures: readonly string[] = ['pair', 'token', 'quote', 'quoteKey']

/** True if both records use the same atoms; unknown units do not prevent this. */
export const areOfOneMeasure = (a: unknown, b: unknown): boolean =>
  compareBasis(a, b).every(({ name, isSame }) => isSame || !measures.includes(name))

/** Each ground of either record at any depth, and whether both agree. */
export function compareBasis(a: unknown, b: unknown): { name: string; isSame: boolean }[] {
  return basisMembers.flatMap((name) => {
    const [first, second] = [memberNamed(a, name), memberNamed(b, name)]
    if (first === undefined && second === undefined) return []
    return [{ name, isSame: JSON.stringify(first) === JSON.stringify(second) }]
  })
}

/** The first member with a name, outer before inner. */
function memberNamed(value: unknown, name: string, depth = 4): unknown {
  if (!isObject(value) || depth === 0) return undefined
  const member = value[name]
  // A number named `quote` is an amount, not the quote asset.
  const isFigure = measures.includes(name) && /^-?\d+$/.test(String(member))
  if (member !== undefined && member !== null && !isFigure) return member
  for (const inside of Object.values(value)) {
    const found = memberNamed(inside, name, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Difference of the second from the first, for integers and shares; null otherwise. */
export function differenceOf({ from, to }: Change): bigint | null {
  const [before, after] = [from, to].map((value) => {
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
    return /^(0|-?[1-9]\d*)$/.test(text) ? BigInt(text) : null
  })
  return before === null || before === undefined || after === null || after === undefined
    ? null
    : after - before
}
