import type { contract } from '@liquidity-os/contract'
import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  emptyNotes,
  ink,
  letterOn,
  lineBetween,
  lineOn,
  noteOn,
  type Paper,
  printDigitsFirst,
  type Shape,
  type TableCell,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import { decimalText } from '../../../../reports/cell-text.ts'
import {
  amountText,
  lights,
  minuteOf,
  nameOfPool,
  namesIn,
  type Pool,
  priceText,
  shortAddress,
} from '../../../../reports/token/token-words.ts'
import { textAfterLast } from '../../../../texts.ts'
import type { DrawnProject, Reading } from './drawn.ts'

type Change = contract.ProjectChange

const changesShown = 16
const [top, rowHeight] = [66, 28]
const columns = {
  mark: [16, 28],
  what: [34, 344],
  indent: [16, 28],
  before: [354, 480],
  after: [490, 640],
  share: [644, 744],
} as const
type Cells = Columns<keyof typeof columns>

interface ChangeRow {
  readonly what: string
  readonly before: string
  readonly after: string
  readonly share: string
  readonly material: boolean
}

/** Differences between the last two observations, material ones first. */
export function drawChanges({ readings }: DrawnProject, paper: Paper): Drawing {
  const [before, newest] = [readings.at(-2), readings.at(-1)]
  const changes = newest?.changes ?? []
  const described = changes
    .map((change) => describeChange(change, newest as Reading, before))
    .toSorted((a, b) => Number(b.material) - Number(a.material))
  const material = described.filter((one) => one.material)
  const about = {
    id: 'project-changes',
    title: 'Changes since the previous reading',
    description: headline(newest, before, described.length, material.length),
  }
  const table = {
    columns: ['figure', 'before', 'after', 'change', 'matters'],
    rows: described.map((one) => [
      ...[one.what, one.before, one.after, one.share, one.material ? 'yes' : 'no'],
    ]),
  }
  if (described.length === 0) {
    // Without a change, the description is the whole chart. A table row makes it visible.
    const box = { x: 0, y: 0, width: paper.width, height: 64 }
    const rows = [[about.description, '', '', '', 'no']]
    return drawing(
      about,
      { ...table, rows },
      { height: 64, shapes: emptyNotes(box, about.description) },
      paper,
    )
  }
  const shown = described.slice(0, changesShown)
  const cells = columnsOn(paper, columns, [
    ['mark', 'what'],
    ['indent', 'before', 'after'],
    ['indent', 'share'],
  ])
  const head = noteOn(paper, { x: 16, y: 22 }, about.description, { size: 11, isBold: true })
  const first = top + head.more + cells.more
  let bottom = first
  const rows = shown.flatMap((one) => {
    const row = rowOf(one, bottom, cells, paper)
    bottom += rowHeight + cells.more + row.more
    return row.shapes
  })
  const hidden = described.length - shown.length
  const faint = { size: 10, color: ink.faint } as const
  const titles = 48 + head.more
  const shapes = [
    ...head.shapes,
    cells.words('what', titles, 'figure', faint),
    cells.words('before', titles, 'before', { ...faint, anchor: 'end' }),
    cells.words('after', titles, 'after', { ...faint, anchor: 'end' }),
    cells.words('share', titles, 'change', { ...faint, anchor: 'end' }),
    ...rows,
    ...(hidden > 0 ? [textAt(16, bottom + 10, `${hidden} more in the record`, faint)] : []),
  ]
  return drawing(about, table, { height: bottom + (hidden > 0 ? 18 : 2), shapes }, paper)
}

function headline(
  newest: Reading | undefined,
  before: Reading | undefined,
  count: number,
  material: number,
): string {
  if (!newest) return 'No readings yet.'
  if (!before) return 'First reading. No comparison is available.'
  const span = `Reading ${newest.version} vs ${before.version}, ${minuteOf(newest.analysis.display.asOf)} vs ${minuteOf(before.analysis.display.asOf)} UTC`
  return `${span}: ${count === 0 ? 'no changes' : `${count} changed, ${material} of them material`}.`
}

function rowOf(
  { what, before, after, share, material }: ChangeRow,
  y: number,
  cells: Cells,
  paper: Paper,
): { readonly shapes: Shape[]; readonly more: number } {
  const color = material ? lights.look : ink.axis
  const isBold = material
  const values = [
    valueShapes(before, y + 10, cells.of.before, { paper }),
    valueShapes(after, y + 10, cells.of.after, { paper }),
    valueShapes(share, y + 10, cells.of.share, { paper, isBold }),
  ]
  const shapes: Shape[] = [
    lineBetween(
      { x: 16, y: y - 8 },
      { x: paper.width - 16, y: y - 8 },
      { color: ink.grid, width: 0.7 },
    ),
    {
      kind: 'mark',
      form: material ? 'diamond' : 'circle',
      x: 22,
      y: y + 6,
      size: 7,
      color,
      isHollow: !material,
    },
    cells.words('what', y + 10, what, { size: 10.5, isBold: material }),
    ...values.flatMap(({ shapes }) => shapes),
  ]
  return { shapes, more: Math.max(...values.map(({ more }) => more)) }
}

/**
 * A value in its cell. On a screen it is complete, wraps if necessary, and keeps its leading
 * digits.
 */
function valueShapes(
  text: string,
  y: number,
  cell: TableCell,
  { paper, isBold = false }: { readonly paper: Paper; readonly isBold?: boolean },
) {
  const style = { size: 10.5, anchor: 'end', isBold } as const
  const { x, end, drop } = cell
  const isShort = paper.minFontSize === 0 || widthOf(text, letterOn(paper, 10.5), isBold) <= end - x
  const line = { x, end, y: y + drop }
  return lineOn(paper, line, isShort ? text : printDigitsFirst(text), style)
}

const figures: Readonly<Record<string, string>> = {
  name: 'token name',
  symbol: 'token symbol',
  decimals: 'token decimals',
  totalSupply: 'total supply',
  codeHash: 'token code',
  proxy: 'proxy type',
  implementation: 'implementation contract',
  admin: 'proxy admin',
  owner: 'owner',
  ownerKind: 'owner type',
  mint: 'mint function in code',
  pause: 'pause function in code',
}

/** Display labels of chain codes. */
const codes: Readonly<Record<string, string>> = {
  NONE: 'none',
  ABSENT: 'not in code',
  SELECTOR: 'in code',
  EOA: 'single key',
  EIP7702: 'key with code',
  SAFE: 'a Safe',
  CONTRACT: 'a contract',
}

function describeChange(change: Change, newest: Reading, before: Reading | undefined): ChangeRow {
  const [, group, ...rest] = change.pointer.split('/')
  const { material } = change
  const share = shareText(change)
  if (group === 'pools') {
    const [address = '', name] = rest
    const find = (reading: Reading | undefined) =>
      reading?.analysis.pools.find((one) => one.address === address)
    const pool = find(newest) ?? find(before)
    if (!pool || name === undefined) {
      const what = pool ? nameOfPool(pool) : `pool ${shortAddress(address)}`
      return {
        what,
        before: presence(change.before),
        after: presence(change.after),
        share,
        material,
      }
    }
    const { label, print } = figureOfPool(name, pool, newest)
    return {
      what: `${label}, ${nameOfPool(pool)}`,
      before: print(change.before),
      after: print(change.after),
      share,
      material,
    }
  }
  const name = textAfterLast(change.pointer, '/')
  const { symbol, decimals } = newest.analysis.token
  const print = (value: string | null) =>
    value === null
      ? 'unknown'
      : name === 'totalSupply'
        ? amountText(value, decimals.value, symbol.value ?? 'token')
        : /^0x/.test(value)
          ? shortAddress(value)
          : (codes[value] ?? value)
  const what =
    group === 'listings'
      ? `listed by ${name.replaceAll('~1', '/').replaceAll('~0', '~')}`
      : (figures[name] ?? name)
  return { what, before: print(change.before), after: print(change.after), share, material }
}

const presence = (value: string | null) => (value === null ? 'absent' : 'there')

/** Label of the reserve. For a v3 pool it is the payout of the active range. */
const reserveWords: Readonly<Record<Pool['kind'], string>> = {
  UNISWAP_V2: 'in reserve',
  UNISWAP_V3: 'in range',
}

function figureOfPool(name: string, pool: Pool, newest: Reading) {
  const { base, quote } = namesIn(newest.analysis, pool)
  const baseDecimals = newest.analysis.token.decimals.value
  const quoteDecimals = pool.quote.decimals
  const known = (format: (value: string) => string) => (value: string | null) =>
    value === null ? 'unknown' : format(value)
  if (name === 'midX36') {
    const print = known(
      (value) => priceText(value, newest.analysis, pool) ?? 'in atoms; see the record',
    )
    return { label: `price in ${quote}`, print }
  }
  const isBase = name.endsWith('Base')
  const symbol = isBase ? base : quote
  const decimals = isBase ? baseDecimals : quoteDecimals
  return {
    label: `${symbol} ${name.startsWith('held') ? 'held' : reserveWords[pool.kind]}`,
    print: known((value) => amountText(value, decimals, symbol)),
  }
}

function shareText({ kind, deltaPips }: Change): string {
  if (deltaPips !== null) {
    const pips = BigInt(deltaPips)
    const text = decimalText(pips < 0n ? -pips : pips, 4)
    return pips === 0n ? '< 0.0001 %' : `${pips < 0n ? '−' : '+'}${text} %`
  }
  return {
    ADDED: 'new',
    REMOVED: 'gone',
    CHANGED: 'changed',
    KNOWN: 'now known',
    UNKNOWN: 'not read',
  }[kind]
}
