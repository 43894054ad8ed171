import type { Reply } from '@liquidity-os/client/core'
import { type Operation, recordFamilies } from '@liquidity-os/contract'
import { AdministrationError } from '../../access/administration.ts'
import { ask } from './ask.ts'
import type { Profile } from './profiles.ts'

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: { readonly count: number; readonly hasMore: boolean }
}

interface Listed {
  readonly operation: Operation
  readonly columns: readonly string[]
}

/** Lists by their path, such as `venues`. */
function lists(): Map<string, Listed> {
  const found = recordFamilies.flatMap(({ operations, columns }) =>
    operations
      .filter(({ method, paging, path }) => method === 'GET' && paging && !path.includes('{'))
      .map((operation): [string, Listed] => [
        operation.path.replace(/^\//, ''),
        { operation, columns },
      ]),
  )
  return new Map(found)
}

/** The newest records of a family, and the columns that people look at. */
export async function listRecords(
  profile: Profile,
  name: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<{ page: Page; columns: readonly string[] }> {
  const known = lists()
  const listed = known.get(name.replace(/^\//, ''))
  if (!listed) {
    throw new AdministrationError(
      `Unknown list ${name}. Known: ${[...known.keys()].sort().join(', ')}.`,
    )
  }
  const { id, method, path } = listed.operation
  const { body }: Reply<Page> = await ask(profile, { id, method, path }, { query })
  return { page: body, columns: ['id', ...listed.columns.filter((one) => one !== 'id')] }
}

export function cellOf(record: unknown, column: string): string {
  const found = column
    .split('.')
    .reduce<unknown>((inner, step) => (inner as Record<string, unknown> | null)?.[step], record)
  if (found === undefined || found === null) return ''
  return typeof found === 'object' ? JSON.stringify(found) : String(found)
}
