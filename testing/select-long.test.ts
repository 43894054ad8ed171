import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLongFiles, type LongFile, readCosts, selectLong } from './select-long.ts'

const root = join(import.meta.dirname, '..')

describe('the long files of the repository', () => {
  const files = findLongFiles()

  it('each name existing covered files', () => {
    const unknown = files.filter(
      ({ covers }) => covers.length < 2 || !covers.every((path) => existsSync(join(root, path))),
    )
    expect(unknown).toEqual([])
    expect(files.length).toBeGreaterThan(10)
  })

  it('have measured costs, and nothing else has', () => {
    const paths = new Set(files.map(({ path }) => path))
    const costs = readCosts()
    expect(Object.keys(costs).filter((path) => !paths.has(path))).toEqual([])
    expect(Object.keys(costs).length).toBeGreaterThan(files.length / 2)
    expect(Object.values(costs).every((seconds) => seconds >= 1)).toBe(true)
  })
})

describe('the choice of a landing', () => {
  const files: LongFile[] = Array.from({ length: 60 }, (_, index) => ({
    path: `apps/server/test/long-${index}.test.ts`,
    covers: [
      `apps/server/test/long-${index}.test.ts`,
      `apps/server/src/families/plan/f${index}`,
      `packages/p${index}`,
    ],
  }))
  const pathOf = (index: number) => `apps/server/test/long-${index}.test.ts`
  const commits = Array.from({ length: 60 }, (_, index) => `commit ${index}`)
  /** Ten seconds each, unless told otherwise. */
  const costs = Object.fromEntries(files.map(({ path }) => [path, 10]))
  const select = (changed: readonly string[], commit = 'commit 1', budget = 100) =>
    selectLong(files, { commit, changed }, { costs, budget })

  it('begins with the tests of the change: the file itself, its family, its package', () => {
    for (const commit of commits) {
      const changed = ['packages/p7/src/a.ts', 'apps/server/src/families/plan/f8/a.ts', pathOf(9)]
      const { chosen } = select(changed, commit)
      expect(chosen.slice(0, 3)).toEqual([pathOf(9), pathOf(8), pathOf(7)])
    }
  })

  it('ends when the budget is full, and names affected tests that wait', () => {
    const changed = files.map((_, index) => `packages/p${index}/a.ts`)
    const { chosen, waiting, resting, seconds } = select(changed)
    expect([chosen.length, waiting.length, resting.length, seconds]).toEqual([10, 50, 0, 100])
    expect(new Set([...chosen, ...waiting]).size).toBe(60)
  })

  it('always runs a file that itself changed, beyond the budget too', () => {
    const changed = Array.from({ length: 20 }, (_, index) => pathOf(index))
    const { chosen, waiting, seconds } = select([...changed, 'packages/p30/a.ts'])
    expect(new Set(chosen)).toEqual(new Set(changed))
    expect([waiting, seconds]).toEqual([[pathOf(30)], 200])
  })

  it('takes a test in a package for close to its own folder', () => {
    const { covers } = findLongFiles().find(
      ({ path }) => path === 'packages/engine/src/detection/wash-trades.test.ts',
    )!
    expect(covers).toContain('packages/engine/src/detection')
  })

  it('does not match a folder whose name only begins alike', () => {
    const chosen = commits.filter((commit) =>
      select(['packages/p70/a.ts'], commit).chosen.includes(pathOf(7)),
    )
    expect(chosen.length).toBeLessThan(30)
  })

  it('fills the budget with others in turn, the same for the same commit, and every file within 60 commits', () => {
    for (const commit of commits) expect(select([], commit).chosen).toHaveLength(10)
    expect(select([], 'commit 1')).toEqual(select([], 'commit 1'))
    expect(new Set(commits.flatMap((commit) => select([], commit).chosen)).size).toBe(60)
  })

  it('gives an expensive file turns too', () => {
    const dear = { ...costs, [pathOf(5)]: 90 }
    const turns = commits.filter((commit) =>
      selectLong(files, { commit, changed: [] }, { costs: dear, budget: 100 }).chosen.includes(
        pathOf(5),
      ),
    )
    // Sixty commits have ten turns for each file.
    expect(turns.length).toBeGreaterThan(4)
  })

  it('expects half a minute of a file that was not measured', () => {
    const { chosen, seconds } = selectLong(
      files,
      { commit: 'commit 1', changed: [] },
      { costs: {}, budget: 100 },
    )
    expect([chosen.length, seconds]).toEqual([4, 120])
  })
})
