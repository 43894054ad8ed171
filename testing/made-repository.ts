import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']

/** An empty repository for one test; times of commits are `HH:MM` of one day. */
export function makeRepository() {
  const root = mkdtempSync(join(tmpdir(), 'made-repository-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = (args: readonly string[], time = '00:00') => {
    const date = `2026-11-28T${time}:00Z`
    return execFileSync('git', [...author, ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim()
  }
  git(['init', '--quiet', '--initial-branch=main'])
  /** Commits everything in the folder; gives the hash. */
  const commit = (time: string) => {
    git(['add', '--all'])
    git(['commit', '--quiet', '--allow-empty', '--message', `At ${time}`], time)
    return git(['rev-parse', 'HEAD'])
  }
  return { root, git, commit }
}
