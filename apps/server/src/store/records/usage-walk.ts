import { integerOf, type Row, type Rows, textOf } from '../database/row.ts'
import { join, type Sql, type SqlValue, sql } from '../database/sql.ts'

/** Tables counted as usage, with their keys. A text's length is known without reading the text. */
const counted = {
  records: { key: ['id', 'sequence'], bytes: 'octet_length(body)' },
  events: { key: ['subject_id', 'sequence'], bytes: 'octet_length(body)' },
  idempotency: { key: ['actor', 'key'], bytes: 'coalesce(octet_length(body), 0)' },
  // An artifact counts with its first part, regardless of the location of its bytes.
  artifacts: {
    key: ['content_hash', 'part'],
    bytes: 'case part when 0 then byte_length else 0 end',
  },
} as const

type Table = keyof typeof counted
/** Key of the last counted row; null at the start. */
type RowKey = readonly [string, string | number] | null

/** A walk over the rows of an organization in parts, each with its own snapshot. */
export interface UsageWalk {
  readonly toldBytes: number
  readonly bytes: number
  /** Unfinished tables, and the position in each. */
  readonly at: { readonly [table in Table]?: RowKey }
}

export const beginWalk = (toldBytes: number): UsageWalk => ({
  toldBytes,
  bytes: 0,
  at: { records: null, events: null, idempotency: null, artifacts: null },
})

export const isAtEnd = ({ at }: UsageWalk): boolean => Object.keys(at).length === 0

const tablesOf = ({ at }: UsageWalk) => Object.entries(at) as [Table, RowKey][]

/** Statements for the next part: a number of rows from each unfinished table. */
export function partStatements(organizationId: string, walk: UsageWalk, partRows: number): Sql[] {
  return tablesOf(walk).map(([table, place]) => {
    const { key, bytes } = counted[table]
    const columns: Sql = { text: key.join(', ') }
    const from: SqlValue = place ? sql`and (${columns}) > (${join(place.map(literalOf))})` : sql``
    const [first, second] = key
    return sql`with part as (
        select ${columns}, ${{ text: bytes }} as bytes from ${{ text: table }}
        where organization_id = ${organizationId} ${from} order by ${columns} limit ${partRows}
      )
      select count(*) as rows, coalesce(sum(bytes), 0) as bytes,
        (select ${{ text: first }} from part order by ${columns} offset ${partRows - 1}) as first,
        (select ${{ text: second }} from part order by ${columns} offset ${partRows - 1}) as second
      from part`
  })
}

const literalOf = (value: string | number): Sql => sql`${value}`

/** The walk after a part, from the results of its statements. */
export function advanceWalk(
  walk: UsageWalk,
  answers: readonly Rows[],
  partRows: number,
): UsageWalk {
  const parts = tablesOf(walk).map(([table], index) => {
    const row = answers[index]?.[0]
    if (!row) throw new Error(`No rows of ${table} were read.`)
    return { table, bytes: integerOf(row, 'bytes'), place: placeOf(table, row, partRows) }
  })
  return {
    toldBytes: walk.toldBytes,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, walk.bytes),
    at: Object.fromEntries(
      parts.flatMap(({ table, place }) => (place === null ? [] : [[table, place]])),
    ),
  }
}

/** Last row of a part; null if the table ended. */
function placeOf(table: Table, row: Row, partRows: number): RowKey {
  if (integerOf(row, 'rows') < partRows) return null
  const isNumber = table !== 'idempotency'
  return [textOf(row, 'first'), isNumber ? integerOf(row, 'second') : textOf(row, 'second')]
}
