import type { ReactNode } from 'react'
import { Scrolled } from '../ui/parts.tsx'
import marketStyles from './markets.module.css'
import styles from './pages.module.css'

/** A table that scrolls within the page. On a phone, each row is a card. */
export function Table({
  label,
  columns,
  isFigures = false,
  foot,
  children,
}: {
  label: string
  /** Titles, the row header first. */
  columns: readonly string[]
  /** True for figures of a market, which are aligned to the right and stay on one line. */
  isFigures?: boolean
  foot?: ReactNode
  /** The rows. */
  children: ReactNode
}) {
  return (
    <Scrolled label={label}>
      <table className={isFigures ? marketStyles.table : styles.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot ? <tfoot>{foot}</tfoot> : null}
      </table>
    </Scrolled>
  )
}

/**
 * A row: a cell for each column after the first, by title.
 *
 * @param title the row header
 * @param figures columns whose cells stay on one line
 */
export function Row<Column extends string>({
  title,
  cells,
  figures = [],
}: {
  title: ReactNode
  cells: Readonly<Record<Column, ReactNode>>
  figures?: readonly NoInfer<Column>[]
}) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {(Object.entries(cells) as [Column, ReactNode][]).map(([name, cell]) => (
        <td
          key={name}
          data-label={name}
          className={figures.includes(name) ? styles.figure : undefined}
        >
          <div>{cell}</div>
        </td>
      ))}
    </tr>
  )
}
