import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { limits } from '../../apps/server/src/limits.ts'
import { pathOf, rewritten, settingsOf } from './files.ts'
import { programOf } from './programs.ts'

const read = (name: string) => readFileSync(pathOf(name), 'utf8')

describe('what runs is what an operator copies', () => {
  const here = {
    PRIMARY: '127.0.0.1:1',
    DB1: '127.0.0.1:2',
    DB2: '127.0.0.1:3',
    DB1_PATRONI_PORT: '4',
    DB2_PATRONI_PORT: '5',
  }

  it('keeps the members of a file and adds local values', () => {
    const { DB1, ...others } = here
    expect(settingsOf('haproxy.env', here)).toEqual(here)
    expect(() => settingsOf('haproxy.env', others)).toThrow('haproxy.env: DB1 must be said.')
    expect(() => settingsOf('haproxy.env', { ...here, DB3: '1' })).toThrow('does not say DB3')
  })

  it('refuses to rewrite a value that the file lacks', () => {
    expect(rewritten('pgbouncer.ini', { 'listen_port = 6432': 'listen_port = 1' })).toContain(
      'listen_port = 1\n',
    )
    expect(() => rewritten('pgbouncer.ini', { 'pool_mode = session': '' })).toThrow('once')
  })

  it('gives HAProxy every variable that its file reads', () => {
    const named = [...read('haproxy.cfg').matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set(Object.keys(here)))
  })
})

describe('the files fit each other and the service', () => {
  const pgbouncer = read('pgbouncer.ini')
  const numberOf = (name: string) =>
    Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(pgbouncer)?.[1])
  const { bootstrap, postgresql } = parse(read('patroni.yml'))
  const { dcs } = bootstrap

  it('PgBouncer reports the same about statements as the driver', () => {
    expect(pgbouncer).toContain(`set statement_timeout = ${limits.databaseStatementMilliseconds}`)
    expect(pgbouncer).toMatch(/^ignore_startup_parameters = statement_timeout$/m)
    expect(pgbouncer).toMatch(/^pool_mode = transaction$/m)
  })

  it('a request learns that there is no primary before it gives up', () => {
    expect(numberOf('query_wait_timeout') * 1_000).toBeLessThan(limits.databaseQueryMilliseconds)
  })

  it('PgBouncer leads to where HAProxy listens, and its pool fits into the database', () => {
    expect(read('haproxy.env')).toContain('PRIMARY=127.0.0.1:5000')
    expect(pgbouncer).toContain('host=127.0.0.1 port=5000 dbname=liquidity')
    const nodesWithPgbouncer = 2
    expect(numberOf('default_pool_size') * nodesWithPgbouncer).toBeLessThan(
      dcs.postgresql.parameters.max_connections,
    )
  })

  it('a primary steps down before another is chosen, and no acknowledged change is lost by it', () => {
    expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
    expect(dcs.synchronous_mode).toBe(true)
    expect(dcs.postgresql.parameters.synchronous_commit).toBe('on')
    expect(programOf('postgresql-15').startsWith(postgresql.bin_dir)).toBe(true)
  })
})
