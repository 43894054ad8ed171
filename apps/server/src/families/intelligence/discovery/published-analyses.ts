import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Analysis } from './reading/read-project.ts'

/**
 * Stores an answer under its hash for a while, shared by all nodes. A storage failure does not
 * affect the response.
 */
export async function keepAnalysis(
  { database, log }: Pick<Services, 'database' | 'log'>,
  analysis: Analysis,
  now: number,
): Promise<void> {
  const { analysisHash } = analysis
  try {
    await database.global([
      sql`set local synchronous_commit = off`,
      sql`delete from public_analyses where told_at < ${now - limits.publicAnswerLifetimeMilliseconds}`,
      sql`insert into public_analyses (analysis_hash, body, told_at)
        values (${analysisHash}, ${JSON.stringify(analysis)}, ${now})
        on conflict (analysis_hash) do update set told_at = excluded.told_at`,
    ])
  } catch (error) {
    log.warn({ err: error }, 'A response to a public request was not stored.')
  }
}

/** Looks up a recent answer by hash; null if absent or expired. */
export async function findAnalysis(
  { database }: Pick<Services, 'database'>,
  analysisHash: string,
  now: number,
): Promise<Analysis | null> {
  const [rows] = await database.global([
    sql`select body from public_analyses where analysis_hash = ${analysisHash}
      and told_at >= ${now - limits.publicAnswerLifetimeMilliseconds}`,
  ])
  const row = rows?.[0]
  return row ? (JSON.parse(textOf(row, 'body')) as Analysis) : null
}
