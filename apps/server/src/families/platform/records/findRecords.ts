import { contract, type RecordFamily, recordFamilies } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { join, type Sql, sql } from '../../../store/database/sql.ts'
import { findStatement, member } from '../../../store/records/find.ts'
import type { ResourceType } from '../../../store/records/resource-types.ts'
import { isShown } from './readable-record.ts'

type Named = RecordFamily & { readonly title: string }

/** Families whose records have member-given names and a page. */
const named = recordFamilies.filter(
  (family): family is Named => family.title !== null && family.ui !== undefined,
)
const maxWords = 8

export default handle(contract.findRecords, async (request): Promise<Outcome> => {
  const { query, organizationId, records, services, fail } = request
  const words = query.name.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 || words.length > maxWords) {
    const expected = `must be 1 to ${maxWords} words, got ${words.length}`
    throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { 'query.name': [expected] } })
  }
  // Reads twice the page size, to detect further results and to allow for records hidden from the
  // caller.
  const limit = contract.recordsFound * 2
  // No index contains words, so the search reads the records. Its share of the connections is
  // therefore limited.
  const answers = await services.heavyReads.read(`names ${organizationId} ${words.join(' ')}`, () =>
    records.query(
      named.map(({ type, title }) =>
        findStatement(organizationId, type as ResourceType, {
          where: hasAll(title, words),
          limit,
        }),
      ),
    ),
  )
  const found: { family: Named; record: VersionedRecord }[] = []
  for (const [index, rows] of answers.entries()) {
    const family = named[index]
    for (const record of family ? records.opened<unknown>(rows) : []) {
      if (family && (await isShown(request, record))) found.push({ family, record })
    }
  }
  found.sort((a, b) => (a.record.createdAt < b.record.createdAt ? 1 : -1))
  return {
    data: {
      records: found.slice(0, contract.recordsFound).map(({ family, record }) => ({
        id: record.id,
        resourceType: record.resourceType,
        name: nameIn(record, family.title),
        status: record.status,
        createdAt: record.createdAt,
      })),
      isWhole:
        found.length <= contract.recordsFound && answers.every((rows) => rows.length < limit),
    },
  }
})

const hasAll = (title: string, words: readonly string[]): Sql =>
  join(
    words.map((word) => sql`position(${word} in lower(${member(title)})) > 0`),
    ' and ',
  )

function nameIn(record: VersionedRecord, title: string): string {
  const value = title
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | null)?.[name], record)
  return String(value)
}
