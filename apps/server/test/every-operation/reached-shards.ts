import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/store/database/database.ts'
import type { SentStatement } from '../support/sent-statements.ts'
import { type ShardReach, shardReach } from '../support/shard-reach.ts'

export interface ReachedStatement extends SentStatement, ShardReach {
  /** Tables that the statement queries on more machines than the organization's. */
  readonly far: readonly string[]
}

/** Tables of the deployment that every machine has a copy of: the first line of the table in `docs/growth.md`. */
function copiedTables(): string[] {
  const page = readFileSync(new URL('../../../../docs/growth.md', import.meta.url), 'utf8')
  const line = page.split('\n').find((text) => text.startsWith('| `'))
  return [...(line?.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}

/**
 * Determines the tables that each statement touches. Statements that set a transaction variable
 * have no plan and touch no table.
 */
export async function reachedShards(
  database: Database,
  sent: readonly SentStatement[],
): Promise<ReachedStatement[]> {
  const reachOf = await shardReach(database)
  const copied = copiedTables()
  const reached: ReachedStatement[] = []
  for (const statement of sent) {
    if (statement.form.startsWith('set local ')) continue
    const reach = await reachOf(statement)
    const far = [
      ...reach.unbound,
      ...reach.deploymentTables.filter((table) => !copied.includes(table)),
    ]
    reached.push({ ...statement, ...reach, far })
  }
  return reached
}

/** Output file for the statements of a run, one per line, grouped by source file. */
const file = fileURLToPath(new URL('statements.txt', import.meta.url))

export function printStatements(reached: readonly ReachedStatement[]): void {
  const sections = Object.entries(
    Object.groupBy(reached, ({ senders }) => [...senders].sort().join(', ')),
  )
  const lines = sections.flatMap(([senders, statements = []]) => [
    ...['', senders],
    ...statements.map((statement) => `${verdictOf(statement)}  ${statement.form}`),
  ])
  writeFileSync(file, [...heading, ...lines, ''].join('\n'))
}

const heading = [
  'Statements that the service sent while every operation was asked once, by the files that send them.',
  '',
  'one   each table of an organization is bound to the organization of the transaction',
  'every a table of organizations is bound to none: every shard is asked',
  'two   is bound as `one` is, and reads a table of the deployment of which there is no copy beside it',
  'none  touches tables of the deployment only, or no table',
  '',
  '?     a literal; … a list of them; {organization} the organization of the transaction',
]

function verdictOf({ touched, unbound, far }: ReachedStatement): string {
  if (unbound.length > 0) return 'every'
  if (far.length > 0) return 'two  '
  return touched.length > 0 ? 'one  ' : 'none '
}
