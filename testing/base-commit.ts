import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** A commit that is younger counts as part of the change under test. */
export const changeHours = 4
const repository = join(import.meta.dirname, '..')

/**
 * The newest landed commit that is at least `changeHours` older than HEAD; null if the history does not reach back that far.
 * Only the first parents of merges count, because those are the commits that landed.
 *
 * @param root folder of the repository
 */
export function findBaseCommit(root = repository): string | null {
  const seconds = Number(git(root, 'show', '-s', '--format=%ct', 'HEAD')) - changeHours * 3600
  return git(root, 'rev-list', '-1', '--first-parent', `--before=${seconds}`, 'HEAD') || null
}

/**
 * The full hash of a commit.
 *
 * @returns null if the repository has no such commit
 */
export function resolveCommit(name: string, root = repository): string | null {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
  } catch {
    return null
  }
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
