import type { RecordFamily } from '@liquidity-os/contract'

/** A field of a record for readers: a label, its path, and its unit. */
export interface HumanColumn {
  readonly path: string
  readonly title: string
  /** Unit of a measured field (`x-unit`); null for names, states and times. */
  readonly unit: string | null
  /** Pointer to the asset of an amount (`x-asset`). */
  readonly asset: string | null
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly 'x-unit'?: string
  readonly 'x-title'?: string
  readonly 'x-asset'?: string
}

const maxDepth = 4
const units: readonly string[] = [
  ...['ATOMS', 'PIPS', 'PRICE_X18', 'PRICE_X36', 'MONTHS_X3', 'DAYS_X3', 'DAYS', 'SECONDS'],
  ...['COUNT', 'MULTIPLE_X3', 'MULTIPLE_X6', 'MULTIPLE_X18'],
]

/** The name, the columns of the page, and all measured fields outside lists. */
export function humanColumns({ title, columns, payload }: RecordFamily): HumanColumn[] {
  const measured = measuredIn(payload as Node, 'payload', { unit: null, asset: null }, 0)
  const known = new Map(measured.map((column) => [column.path, column]))
  const shown = [...(title === null ? [] : [title]), ...columns]
  const named = [...new Set(shown)].map(
    (path): HumanColumn =>
      known.get(path) ?? { path, title: wordsOf(path), unit: null, asset: null },
  )
  return [...named, ...measured.filter(({ path }) => !shown.includes(path))]
}

type Inherited = Pick<HumanColumn, 'unit' | 'asset'>

function measuredIn(node: Node, path: string, above: Inherited, depth: number): HumanColumn[] {
  const unit = node['x-unit'] ?? above.unit
  const asset = node['x-asset'] ?? above.asset
  if (node.properties) {
    if (depth >= maxDepth) return []
    return Object.entries(node.properties).flatMap(([name, inner]) =>
      measuredIn(inner, `${path}.${name}`, { unit, asset }, depth + 1),
    )
  }
  if (unit === null || !units.includes(unit) || node['x-title']?.includes('{')) return []
  return [{ path, title: node['x-title'] ?? wordsOf(path), unit, asset }]
}

/** The last name of a path in words: `payload.lastSeenAt` → `last seen`. */
function wordsOf(path: string): string {
  const name = path.split('.').at(-1) ?? path
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace(/ at$/, '')
}
