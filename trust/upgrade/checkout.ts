import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const repository = join(import.meta.dirname, '..', '..')
const maxGitMilliseconds = 60_000
const maxPackagesMilliseconds = 240_000

/** A commit's code in a folder of its own, with the packages that it needs. */
export interface Checkout {
  readonly root: string
  readonly remove: () => Promise<void>
}

/** @param signal ends the commands early */
export async function checkOut(
  commit: string,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<Checkout> {
  await using begun = new AsyncDisposableStack()
  const root = mkdtempSync(join(tmpdir(), 'liquidity-upgrade-'))
  begun.defer(() => removeWorktree(root))
  progress(`checking out ${commit.slice(0, 8)}`)
  await call('git', ['worktree', 'add', '--detach', root, commit], repository, {
    timeout: maxGitMilliseconds,
    signal,
  })
  await addPackages(root, progress, signal)
  const kept = begun.move()
  return { root, remove: () => kept.disposeAsync() }
}

/** A symbolic link to `node_modules` would lead from the workspace packages in it to the new code. */
async function addPackages(
  root: string,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const options = { timeout: maxPackagesMilliseconds, signal }
  if (lockOf(root) !== lockOf(repository)) {
    progress('installing its packages with npm ci, because package-lock.json differs')
    const production = ['--omit=dev', '--workspace', 'apps/server', '--no-audit', '--no-fund']
    await call('npm', ['ci', ...production], root, options)
    return
  }
  progress('copying the packages as hard links')
  for (const folder of globSync('{.,apps/*,packages/*}/node_modules', { cwd: repository })) {
    const [from, to] = [join(repository, folder), join(root, dirname(folder))]
    try {
      await call('cp', ['-al', from, to], repository, options)
    } catch (error) {
      if (signal.aborted) throw error
      // Hard links do not cross file systems.
      await call('cp', ['-a', from, to], repository, options)
    }
  }
}

const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')

async function removeWorktree(root: string): Promise<void> {
  const timeout = maxGitMilliseconds
  await call('git', ['worktree', 'remove', '--force', root], repository, { timeout }).catch(
    () => {},
  )
  rmSync(root, { recursive: true, force: true })
  // Forgets a worktree whose folder is gone.
  await call('git', ['worktree', 'prune'], repository, { timeout })
}

const call = (
  program: string,
  args: readonly string[],
  cwd: string,
  options: { readonly timeout: number; readonly signal?: AbortSignal },
) => promisify(execFile)(program, [...args], { cwd, maxBuffer: 16 * 1024 * 1024, ...options })
