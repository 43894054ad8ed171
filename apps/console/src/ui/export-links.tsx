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
  of: subject,
  query = {},
}: {
  view: string
  /** Content of the files, if the page has several exports. */
  of?: string
  query?: Readonly<Record<string, string>>
}) {
  const { organizationId } = useMembership()
  const hrefOf = (as: string) => {
    const text = new URLSearchParams({ ...query, as, organization: organizationId })
    return `${index.basePath}/exports/${view}?${text}`
  }
  const labelOf = (format: string) => (subject === undefined ? undefined : `${format}, ${subject}`)
  return (
    <span className={styles.exports}>
      {subject === undefined ? 'Export' : `Export ${subject}`}{' '}
      <a href={hrefOf('xlsx')} download aria-label={labelOf('Excel')}>
        Excel
      </a>{' '}
      <a href={hrefOf('csv')} download aria-label={labelOf('CSV')}>
        CSV
      </a>
    </span>
  )
}
