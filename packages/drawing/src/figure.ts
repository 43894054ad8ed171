export type Cell = string | number | boolean | null

export interface Table {
  readonly columns: readonly { readonly name: string; readonly unit: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

export type FigureKind =
  | 'WATERFALLS'
  | 'NET_VS_HOLD'
  | 'DEPTH_OVER_TIME'
  | 'SLIPPAGE_BY_SIZE'
  | 'LIQUIDITY_MAP'
  | 'FEES_AND_LVR'
  | 'FIRST_PASSAGE'
  | 'PAIRED_DIFFERENCES'
  | 'VOLATILITY_SIGNATURE'

export interface Figure extends Table {
  /** Name within its report: lower-case letters, digits, dots and hyphens. */
  readonly id: string
  readonly kind: FigureKind
  readonly title: string
  /** Text alternative of the chart, for screen readers. */
  readonly description: string
}

/** One row, its cells by the names of their columns. */
export type Row = Readonly<Record<string, Cell>>

/** The rows of a table by the names of their columns. */
export function rowsOf({ columns, rows }: Table): Row[] {
  return rows.map((cells) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])),
  )
}

/** A cell of words. */
export const wordOf = (cell: Cell | undefined): string => (cell == null ? '' : String(cell))

export function numberOf(cell: Cell | undefined): number | null {
  return cell == null || typeof cell === 'boolean' || cell === '' ? null : Number(cell)
}

/** Atoms in a cell as whole tokens, or null. */
export function tokensOf(cell: Cell | undefined, decimals: number): number | null {
  const atoms = numberOf(cell)
  return atoms === null ? null : atoms / 10 ** decimals
}

/** Distinct texts of a column, in order of first appearance. */
export const wordsOf = (rows: readonly Row[], column: string): string[] => [
  ...new Set(rows.map((row) => wordOf(row[column]))),
]
