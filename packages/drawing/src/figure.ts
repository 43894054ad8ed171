/** What a table holds in one place: words, an integer or decimal string, a flag, or nothing. */
export type Cell = string | number | boolean | null

/** Rows of cells under named columns; a column says what its numbers are. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly unit: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What a chart of a study shows. */
export type FigureKind =
  | 'WATERFALLS'
  | 'NET_VS_HOLD'
  | 'DEPTH_OVER_TIME'
  | 'SLIPPAGE_BY_SIZE'
  | 'LIQUIDITY_MAP'
  | 'FEES_AND_LVR'
  | 'FIRST_PASSAGE'
  | 'PAIRED_DIFFERENCES'

/** The description of a chart: what it shows, and the data that it is drawn from. */
export interface Figure extends Table {
  /** Name within its report: lower-case letters, digits, dots and hyphens. */
  readonly id: string
  readonly kind: FigureKind
  readonly title: string
  /** The picture in words, for readers who do not see it. */
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

/** A cell of a number; null where there is none. */
export function numberOf(cell: Cell | undefined): number | null {
  return cell == null || typeof cell === 'boolean' || cell === '' ? null : Number(cell)
}

/** A cell of atoms in whole tokens; null where there is none. */
export function tokensOf(cell: Cell | undefined, decimals: number): number | null {
  const atoms = numberOf(cell)
  return atoms === null ? null : atoms / 10 ** decimals
}

/** Distinct words of a column, in the order in which they first appear. */
export const wordsOf = (rows: readonly Row[], column: string): string[] => [
  ...new Set(rows.map((row) => wordOf(row[column]))),
]
