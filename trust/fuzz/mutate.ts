/** A change of one place of a request. */
export interface Mutation {
  /** Steps from the request to the place, for instance `body`, `payload`, `name`. */
  readonly path: readonly string[]
  readonly how: 'REPLACE' | 'REMOVE' | 'ADD'
  readonly value?: unknown
}

type Random = () => number

export const pick = <T>(list: readonly T[], random: Random): T => {
  const one = list[Math.floor(random() * list.length)]
  if (one === undefined) throw new Error('The list is empty.')
  return one
}

const long = (text: string, times: number) => text.repeat(times)

/** What no schema means by anything, in every type. */
const hostile: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21],
  ...[
    '',
    ' ',
    '0',
    '-0',
    '-1',
    '00',
    '1e5',
    '0x',
    'null',
    'NaN',
    'Infinity',
    '__proto__',
    'constructor',
  ],
  ...[
    `${2n ** 63n}`,
    `${2n ** 128n}`,
    `${2n ** 256n - 1n}`,
    `${2n ** 256n}`,
    long('9', 80),
    long('9', 5000),
  ],
  ...['\u0000', '\ud800', '\u202eabc', 'e\u0301', '𝔘𝔫𝔦', '👩‍👩‍👧‍👦', '\ufeff', '\u2028'],
  ...[
    `'; drop table records; --`,
    '{{7*7}}',
    '<script>',
    '../../etc/passwd',
    '%00',
    '\\',
    '$1',
    "'||'",
  ],
  ...[long('a', 161), long('a', 10_000), long('é', 4000), long('👍', 3000)],
  ...[
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...[
    `0x${long('0', 40)}`,
    `0x${long('f', 40)}`,
    `0x${long('0', 64)}`,
    `0x${long('f', 64)}`,
    '0xZZ',
  ],
  ...[
    'http://127.0.0.1/',
    'https://[::1]/',
    'file:///etc/passwd',
    'https://a:b@c/',
    'javascript:alert(1)',
  ],
  ...[[], {}, [[]], [null], { '': 1 }, JSON.parse('{"__proto__": {"polluted": true}}')],
]

/** Steps to every member and item of a value, itself included. */
export function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...path, name])),
  ]
}

/**
 * A change of a request that follows from what is drawn.
 *
 * @param request what is sent, as one object
 * @param ids     ids that were seen, of whoever
 */
export function mutationOf(request: object, ids: readonly string[], random: Random): Mutation {
  const places = placesOf(request).filter((path) => path.length > 1)
  // A request that says nothing has nothing to change but what it does not know.
  if (places.length === 0) return { path: ['query', 'surprise'], how: 'ADD', value: '1' }
  const path = pick(places, random)
  const chosen = random()
  if (chosen < 0.1) return { path, how: 'REMOVE' }
  if (chosen < 0.17) {
    return { path: [...path, pick(['surprise', '__proto__', 'id'], random)], how: 'ADD', value: 1 }
  }
  const value = at(request, path)
  if (chosen < 0.3 && ids.length > 0) return { path, how: 'REPLACE', value: pick(ids, random) }
  if (chosen < 0.6) return { path, how: 'REPLACE', value: neighbour(value, random) }
  return { path, how: 'REPLACE', value: pick(hostile, random) }
}

/** A value of the same kind that lies at a border or a step away. */
function neighbour(value: unknown, random: Random): unknown {
  if (typeof value === 'number') {
    return pick(
      [value + 1, value - 1, -value, value * 10, value / 2, 0, 1_000_000, 1_000_001],
      random,
    )
  }
  if (typeof value === 'string' && /^-?\d{1,200}$/.test(value)) {
    const number = BigInt(value)
    return `${pick([number + 1n, number - 1n, -number, number * 10n ** 30n, number / 2n, 0n], random)}`
  }
  if (typeof value === 'string') {
    const half = Math.floor(value.length / 2)
    const words = [
      value.slice(0, half),
      value + value,
      value.toUpperCase(),
      `${value} `,
      `${value}\n`,
    ]
    return pick([...words, [...value].reverse().join('')], random)
  }
  if (Array.isArray(value)) {
    return pick([[], value.slice(1), [...value, ...value], Array(300).fill(value[0] ?? 0)], random)
  }
  if (typeof value === 'boolean') return !value
  return pick(hostile, random)
}

/** The request with its changes, one after the other; what lies no longer anywhere changes nothing. */
export function mutated<T extends object>(request: T, mutations: readonly Mutation[]): T {
  const changed = structuredClone(request)
  for (const { path, how, value } of mutations) {
    const name = path.at(-1)
    const parent = at(changed, path.slice(0, -1))
    if (name === undefined || typeof parent !== 'object' || parent === null) continue
    if (how === 'REMOVE' && Array.isArray(parent)) parent.splice(Number(name), 1)
    else if (how === 'REMOVE') delete (parent as Record<string, unknown>)[name]
    else {
      // A member of that name, not the prototype.
      const descriptor = { value: structuredClone(value), enumerable: true }
      Object.defineProperty(parent, name, { ...descriptor, writable: true, configurable: true })
    }
  }
  return changed
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string, unknown>)[step]
        : undefined,
    value,
  )
}
