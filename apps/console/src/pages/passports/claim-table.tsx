import { useRecord } from '../../api/queries.ts'
import { Missing } from '../../fields/exact.tsx'
import { PageLink, toRecord } from '../../ui/page-link.tsx'
import { Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import { Row, Table } from '../table.tsx'
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
    <Table label="Claims" columns={['Claim', 'Value', 'Source', 'Age', 'State']}>
      {rows.map(({ name, value, source, state, note }) => (
        <Row
          key={name}
          title={name}
          cells={{
            Value: value ?? <Missing reason={note ?? 'No value'} />,
            Source: source ? <Source source={source} /> : <Missing reason="No source" />,
            Age: source ? <Age source={source} /> : <Missing reason="No source" />,
            State: <State {...stateMarks[state]} />,
          }}
        />
      ))}
    </Table>
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
