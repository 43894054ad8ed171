import type pg from 'pg'
import type { Fleet } from '../chaos/fleet.ts'
import type { Load } from './load.ts'

const megabyte = 1024 * 1024
const maxMetricsMilliseconds = 15_000

/** Series of a process that are watched, what they are called here, and by what they are divided. */
const ofProcess = [
  ['process_resident_memory_bytes', 'resident, MB', megabyte],
  ['nodejs_heap_size_used_bytes', 'heap in use, MB', megabyte],
  ['nodejs_external_memory_bytes', 'outside of the heap, MB', megabyte],
  ['process_open_fds', 'open handles', 1],
  ['nodejs_eventloop_lag_p99_seconds', 'event loop p99, ms', 0.001],
] as const

const queues = `select
  (select count(*) from jobs where status in ('QUEUED', 'RUNNING')) as "jobs that wait or run",
  (select count(*) from webhook_deliveries where status = 'WAITING') as "deliveries that wait",
  (select count(*) from pg_stat_activity where usename = 'liquidity_service') as "connections of the service"`
const tables = `select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'queue')`

/** Everything that is watched at one moment, by name. */
export interface Sample {
  readonly seconds: number
  readonly values: ReadonlyMap<string, number>
  /** Bytes of each table with its indexes. */
  readonly tables: ReadonlyMap<string, number>
}

/** @param administrator of the database, who sees every table */
export async function takeSample(
  { metricsPorts }: Fleet,
  administrator: pg.Client,
  load: Load,
  seconds: number,
): Promise<Sample> {
  const values = new Map<string, number>([['requests without an answer', load.unanswered]])
  for (const [process, port] of Object.entries(metricsPorts)) {
    const text = await (
      await fetch(`http://127.0.0.1:${port}/metrics`, {
        signal: AbortSignal.timeout(maxMetricsMilliseconds),
      })
    ).text()
    for (const [series, name, unit] of ofProcess) {
      values.set(`${process}: ${name}`, readingOf(series, text) / unit)
    }
  }
  const { rows: depths } = await administrator.query(queues)
  for (const [name, value] of Object.entries(depths[0] ?? {})) values.set(name, Number(value))
  const { rows } = await administrator.query(tables)
  return {
    seconds,
    values,
    tables: new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)])),
  }
}

/**
 * The value of a series without labels in the text format of Prometheus.
 *
 * @throws Error where it is not told
 */
export function readingOf(series: string, text: string): number {
  const [, value] = new RegExp(`^${series} (\\S+)$`, 'm').exec(text) ?? []
  if (value === undefined) throw new Error(`${series} is not told.`)
  return Number(value)
}
