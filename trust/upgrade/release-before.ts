import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findBaseCommit } from '../../testing/base-commit.ts'

const repository = join(import.meta.dirname, '..', '..')
const migrations = 'apps/server/src/store/database/migrations'
const maxCommits = 500

/**
 * The newest landed commit that is old enough and whose migrations all still exist as they were. A migration may change until a
 * release has it, so a commit with an earlier draft of it is no release.
 *
 * @param root folder of the repository
 * @returns null if the history holds none
 */
export function findReleaseBefore(root = repository): string | null {
  const base = findBaseCommit(root)
  if (base === null) return null
  const listed = git(root, 'rev-list', '--first-parent', `--max-count=${maxCommits}`, base)
  return listed.split('\n').find((one) => findChangedMigrations(one, root).length === 0) ?? null
}

/** Migrations of a commit that the working tree lacks or has with other statements. A database that has them misses the change. */
export function findChangedMigrations(commit: string, root = repository): string[] {
  const filter = ['--name-only', '--no-renames', '--diff-filter=MD']
  const paths = git(root, 'diff', ...filter, commit, '--', migrations)
    .split('\n')
    .filter(Boolean)
  return paths
    .filter((path) => {
      const file = join(root, path)
      const before = statementsOf(git(root, 'show', `${commit}:${path}`))
      return !existsSync(file) || statementsOf(readFileSync(file, 'utf8')) !== before
    })
    .map((path) => basename(path, '.sql'))
}

/** A migration without its empty lines and comments. */
const statementsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('--'))
    .join('\n')

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
