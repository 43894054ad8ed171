import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

type Statement = readonly [text: string, values: readonly unknown[]]

/** Database access of the naive service: PostgreSQL through a pool, or PGlite. */
export interface NaiveDatabase {
  run: (text: string) => Promise<unknown>
  transaction: (statements: readonly Statement[]) => Promise<void>
}

/** 28 values in three tables with six indexes: the keys, the unique ids, and what a list is sorted by. */
export const naiveTables = `
  create table if not exists naive_records (organization_id text, id text, sequence int, resource_type text,
    resource_version text unique, previous_version text, status text, reason text, body jsonb,
    created_at timestamptz, actor_kind text, actor_id text, primary key (organization_id, id, sequence));
  create index if not exists naive_newest on naive_records (organization_id, resource_type, created_at);
  create table if not exists naive_events (organization_id text, subject_id text, sequence int,
    event_id text unique, kind text, body jsonb, occurred_at timestamptz, actor_id text,
    primary key (organization_id, subject_id, sequence));
  create table if not exists naive_idempotency (organization_id text, actor_id text, key text, fingerprint text,
    status int, headers jsonb, response jsonb, created_at timestamptz,
    primary key (organization_id, actor_id, key));`

/** Connects to a URL, to nothing where that is `none`, or without one to PGlite in DATA_DIR. */
export async function connectNaive(url: string | undefined): Promise<NaiveDatabase> {
  if (url === 'none') return { run: async () => {}, transaction: async () => {} }
  return url ? overPool(url) : embedded()
}

function overPool(url: string): NaiveDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  return {
    run: (text) => pool.query(text),
    transaction: async (statements) => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        for (const [text, values] of statements) await client.query(text, [...values])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  }
}

async function embedded(): Promise<NaiveDatabase> {
  const lite = await PGlite.create({
    dataDir: join(process.env.DATA_DIR ?? 'data', 'naive'),
  })
  return {
    run: (text) => lite.exec(text),
    transaction: (statements) =>
      lite.transaction(async (trx) => {
        for (const [text, values] of statements) await trx.query(text, [...values])
      }),
  }
}
