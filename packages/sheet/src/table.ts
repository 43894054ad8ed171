/** The exact value `atoms / 10^decimals`. */
export interface Amount {
  readonly atoms: bigint
  readonly decimals: number
}

/**
 * Value of a cell: a string of a TEXT column, an amount of an AMOUNT column, a safe integer of a COUNT
 * column, Unix milliseconds of a TIME column, a boolean of a FLAG column. Null is missing data.
 */
export type Value = string | number | boolean | Amount | null

export type TableRow = readonly Value[]

export interface Column {
  /** Member of the row in JSON; also the name that formulas use. */
  readonly key: string
  readonly title: string
  readonly kind: 'TEXT' | 'AMOUNT' | 'COUNT' | 'TIME' | 'FLAG'
  /** Unit of the numbers, for example `WETH/ENS`. */
  readonly unit?: string
  /**
   * Adds the integers of amounts as text: in a workbook to the right of the number, whose digits
   * are limited, and in JSON.
   */
  readonly exact?: { readonly key: string; readonly unit: string }
  /** Definition and source, for the sheet of units. */
  readonly about?: string
  /**
   * Live formula of an AMOUNT column in a workbook; `{key}` is the cell of another column in the same
   * row. The values of the rows are the cached results.
   */
  readonly formula?: string
}

export interface Table {
  /** Name that formulas use. */
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
}

/** A line of the summary. */
export interface Fact {
  readonly label: string
  readonly value: Value
  readonly kind?: Column['kind']
  readonly unit?: string
  /**
   * Live formula; `{table.key}` is the column of a table, and `{table.key#3}` its cell in the third
   * row. `value` is the cached result.
   */
  readonly formula?: string
  /** Defined name of the cell, for example `total_volume`. */
  readonly name?: string
}

/** Source of the data: a sealed record, a block, or a build of the engine. */
export interface Source {
  readonly kind: string
  readonly id: string
  readonly version: string | null
  readonly hash: string | null
  readonly block: string | null
  readonly url: string | null
}

export interface Workbook {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly tables: readonly Table[]
  readonly sources: readonly Source[]
}

/** True if the value is an amount. */
export const isAmount = (value: Value | undefined): value is Amount =>
  typeof value === 'object' && value !== null

/** A heading with its unit: `price [WETH/ENS]`. */
export const headingOf = ({ title, unit }: Pick<Column, 'title' | 'unit'>): string =>
  unit === undefined ? title : `${title} [${unit}]`

/** ISO 8601 in UTC, without milliseconds if they are 0. */
export const isoTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('.000Z', 'Z')
