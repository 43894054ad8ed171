import assert from 'node:assert/strict'
import type { Database, TenantStatements } from '../../src/store/database/database.ts'
import { quote, type Sql } from '../../src/store/database/sql.ts'

/** A statement that the service sent, once for all that differ in their literals only. */
export interface SentStatement {
  /** Database method that sent it, which determines its role. */
  readonly by: 'tenants' | 'global' | 'dispatch' | 'proofLog'
  /** Its text without literals; `{organization}` is the organization of its transaction. */
  readonly form: string
  /** Shortest statement text with the form that was sent. */
  readonly text: string
  readonly organizationId: string | null
  /** Files below `src` that sent it. */
  readonly senders: ReadonlySet<string>
}

/**
 * Records every later statement that service code sends through a database; excludes statements of
 * tests.
 *
 * @returns statements up to now, by sender and form
 */
export function watchStatements(database: Database): () => SentStatement[] {
  const seen = new Map<string, SentStatement>()
  const note = (by: SentStatement['by'], groups: readonly Group[]) => {
    const sender = senderOf(new Error().stack)
    if (!sender.startsWith('src/')) return
    const file = sender.slice('src/'.length)
    for (const { organizationId, statements } of groups) {
      for (const { text } of statements) {
        const form = formOf(text, organizationId)
        const key = `${by} ${form}`
        const before = seen.get(key)
        const senders = new Set([...(before?.senders ?? []), file])
        const isShorter = !before || text.length < before.text.length
        const sample = isShorter ? { by, form, text, organizationId } : before
        seen.set(key, { ...sample, senders })
      }
    }
  }
  const { tenants } = database
  database.tenants = (groups: readonly TenantStatements[]) => {
    note('tenants', groups)
    return tenants.call(database, groups)
  }
  for (const by of ['global', 'dispatch', 'proofLog'] as const) {
    const send = database[by]
    database[by] = (statements) => {
      note(by, [{ organizationId: null, statements }])
      return send.call(database, statements)
    }
  }
  const keyOf = ({ senders, form }: SentStatement) => `${[...senders].sort().join(' ')} ${form}`
  return () => [...seen.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

interface Group {
  readonly organizationId: string | null
  readonly statements: readonly Sql[]
}

/** Files that only forward statements; the sender is their caller. */
const passers = [
  'test/support/sent-statements.ts',
  'src/store/database/',
  'src/store/records/tenant-records.ts',
]

/** File that issued a statement: the first on the stack that does not only forward it. */
function senderOf(stack: string | undefined): string {
  const [file] = [...(stack ?? '').matchAll(/\/apps\/server\/((?:src|test)\/[^:)]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !passers.some((passer) => name.startsWith(passer)))
  assert(file !== undefined, 'A statement has a sender.')
  return file
}

/**
 * A statement without its literals: `?` for one, `…` for a list of any length.
 *
 * @param organizationId its literal becomes `{organization}`
 */
export function formOf(text: string, organizationId: string | null): string {
  const own = organizationId === null ? null : quote(organizationId)
  return text
    .replace(/(?:\bE)?'(?:[^']|'')*'/g, (literal) => (literal === own ? '{organization}' : '?'))
    .replace(/(?<![\w?])-?\d+(?:\.\d+)?\b/g, '?')
    .replace(/\s+/g, ' ')
    .replace(/\barray\[(?:\?|null|,|\s)*\]/g, 'array[…]')
    .replace(/\(\?(?:, ?(?:\?|null))*\)/g, '(…)')
    .replace(/\(\{organization\}(?:, ?(?:\?|null))+\)/g, '({organization}, …)')
    .replace(/(\((?:\{organization\}, )?…\))(?:, ?\1)+/g, '$1')
    .trim()
}
