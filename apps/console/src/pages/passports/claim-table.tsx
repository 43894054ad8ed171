import { useRecord } from '../../api/queries.ts'
import { Missing } from '../../fields/exact.tsx'
import { PageLink, toRecord } from '../../ui/page-link.tsx'
import { Scrolled, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import type { ClaimRow, ClaimSource } from './claim-rows.ts'

const stateMarks: Readonly<Record<ClaimRow['state'], { of: string; text: string }>> = {
  READY: { of: 'COMPLETED', text: 'Ready' },
  BLOCKED: { of: 'FAILED', text: 'Blocked' },
  WAITING: { of: 'PENDING', text: 'Waiting' },
  WITHHELD: { of: 'DRAFT', text: 'Not disclosed' },
  NO_DATA: { of: 'ABSTAINED', text: 'No data' },
}

/** Claims of a passport with value, source, age and state. */
export function ClaimTable({ rows }: { rows: readonly ClaimRow[] }) {
  return (
    <Scrolled label="Claims">
      <table className={styles.table}>
        <thead>
          <tr>
            {['Claim', 'Value', 'Source', 'Age', 'State'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, value, source, state, note }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label="Value">{value ?? <Missing reason={note ?? 'No value'} />}</td>
              <td data-label="Source">
                {source ? <Source source={source} /> : <Missing reason="No source" />}
              </td>
              <td data-label="Age">
                {source ? <Age source={source} /> : <Missing reason="No source" />}
              </td>
              <td data-label="State">
                <State {...stateMarks[state]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function Source({ source: { text, recordId } }: { source: ClaimSource }) {
  const { entry } = useRecord(recordId ?? '')
  return recordId !== null && entry?.isListed ? (
    <PageLink to={toRecord(entry.key, recordId)}>{text}</PageLink>
  ) : (
    text
  )
}

/** Age of the evidence: the time that the claim states, else the end or the time of its record. */
function Age({ source: { recordId, at } }: { source: ClaimSource }) {
  const { item } = useRecord(at === null ? (recordId ?? '') : '')
  const payload = item?.payload as { window?: { to?: string } } | undefined
  const time = at ?? payload?.window?.to ?? (item?.createdAt as string | undefined)
  return time ? <Time at={time} isAge /> : <Missing reason="The source states no time." />
}
