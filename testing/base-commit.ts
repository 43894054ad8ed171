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

/** A shallow clone whose history could not be fetched. */
export class ShallowHistoryError extends Error {
  override name = 'ShallowHistoryError'

  constructor(cause: unknown) {
    const { stderr } = cause as { stderr?: string }
    const reason = /^fatal: (.+?)\.?$/m.exec(stderr ?? '')?.[1] ?? String(cause)
    super(
      `This clone is shallow, and \`git fetch --unshallow\` failed: ${reason}. Fetch the whole history, for example with \`fetch-depth: 0\` in the checkout step.`,
      { cause },
    )
  }
}

/**
 * Fetches the rest of the history of a shallow clone. Elsewhere it does nothing.
 *
 * @throws ShallowHistoryError if the history stays incomplete
 */
export function completeHistory(root = repository): void {
  if (git(root, 'rev-parse', '--is-shallow-repository') !== 'true') return
  try {
    execFileSync('git', ['fetch', '--quiet', '--unshallow'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
      // Nobody is there to type a password.
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
    })
  } catch (cause) {
    throw new ShallowHistoryError(cause)
  }
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
