import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { completeHistory, findBaseCommit } from './base-commit.ts'

const repository = join(import.meta.dirname, '..')

/** What a landing changes. */
export interface Landing {
  /** Hash of the commit that is checked out. */
  readonly commit: string
  /** The commit before the change; null if the repository has none. */
  readonly base: string | null
  /** Changed paths from the root of the repository, uncommitted ones included; null without a base. */
  readonly changed: readonly string[] | null
}

/**
 * The change since the commit that `BASE` names, or else since the newest landed commit that is old enough.
 *
 * @throws ShallowHistoryError if this clone is shallow and its history cannot be fetched
 */
export function readLanding(root = repository): Landing {
  const named = process.env.BASE
  if (!named) completeHistory(root)
  const base = named || findBaseCommit(root)
  const commit = readCommit(root)
  if (base === null) return { commit, base, changed: null }
  const changed = [
    git(root, 'diff', '--name-only', '--no-renames', base),
    git(root, 'ls-files', '--others', '--exclude-standard'),
  ]
  return { commit, base, changed: changed.join('\n').split('\n').filter(Boolean) }
}

/** The hash of the commit that is checked out. */
export const readCommit = (root = repository): string => git(root, 'rev-parse', 'HEAD')

/** Whether one of the changed paths is the part, or lies in it. */
export const isTouched = (part: string, changed: readonly string[]): boolean =>
  changed.some((path) => path === part || path.startsWith(`${part}/`))

/** A number below 2³² that depends on every bit of the text. */
export const hashNumber = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0)

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
