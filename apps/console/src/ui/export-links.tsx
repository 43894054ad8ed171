import { useMembership } from '../api/queries.ts'
import { index } from '../declared/families.ts'
import styles from './ui.module.css'

/**
 * Links to a view as Excel and CSV files.
 *
 * @param query of the view: filters of a list, window of a history
 */
export function ExportLinks({
  view,
  query = {},
}: {
  view: string
  query?: Readonly<Record<string, string>>
}) {
  const { organizationId } = useMembership()
  const hrefOf = (as: string) => {
    const text = new URLSearchParams({ ...query, as, organization: organizationId })
    return `${index.basePath}/exports/${view}?${text}`
  }
  return (
    <span className={styles.exports}>
      Export{' '}
      <a href={hrefOf('xlsx')} download>
        Excel
      </a>{' '}
      <a href={hrefOf('csv')} download>
        CSV
      </a>
    </span>
  )
}
