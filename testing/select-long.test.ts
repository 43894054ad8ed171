import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLongFiles, type LongFile, selectLong } from './select-long.ts'

const root = join(import.meta.dirname, '..')

describe('the long files of the repository', () => {
  const files = findLongFiles()

  it('each name what they cover, and only what exists', () => {
    const unknown = files.filter(
      ({ covers }) => covers.length < 2 || !covers.every((path) => existsSync(join(root, path))),
    )
    expect(unknown).toEqual([])
    expect(files.length).toBeGreaterThan(10)
  })
})

describe('the choice of a landing', () => {
  const files: LongFile[] = Array.from({ length: 60 }, (_, index) => ({
    path: `apps/server/test/long-${index}.test.ts`,
    covers: [`apps/server/test/long-${index}.test.ts`, `packages/p${index}`],
  }))
  const commits = Array.from({ length: 60 }, (_, index) => `commit ${index}`)

  it('holds every file that covers a changed path', () => {
    for (const commit of commits) {
      expect(selectLong(files, ['packages/p7/src/a.ts'], commit)).toContain(files[7]?.path)
    }
  })

  it('takes no path for a folder whose name begins alike', () => {
    const chosen = commits.filter((commit) =>
      selectLong(files, ['packages/p70/a.ts'], commit).includes('apps/server/test/long-7.test.ts'),
    )
    expect(chosen.length).toBeLessThan(30)
  })

  it('runs about a sixth of the rest, the same for the same commit, and every file within 60 commits', () => {
    const counts = commits.map((commit) => selectLong(files, [], commit).length)
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(mean).toBeGreaterThan(8)
    expect(mean).toBeLessThan(12)
    expect(selectLong(files, [], 'commit 1')).toEqual(selectLong(files, [], 'commit 1'))
    expect(new Set(commits.flatMap((commit) => selectLong(files, [], commit))).size).toBe(60)
  })
})
