import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isTouched, readLanding } from './changed-paths.ts'
import { makeRepository } from './made-repository.ts'

// A run of `.ci/run` may name a base of its own.
beforeEach(() => void vi.stubEnv('BASE', undefined))
afterEach(() => void vi.unstubAllEnvs())

it('lists what changed since the base, uncommitted and new files too', () => {
  const { root, commit } = makeRepository()
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  write('old.txt', 'old')
  write('other.txt', 'other')
  const base = commit('06:00')
  write('landed.txt', 'landed')
  const head = commit('10:00')
  write('old.txt', 'changed')
  write('new.txt', 'new')
  expect(readLanding(root)).toEqual({
    commit: head,
    base,
    changed: ['landed.txt', 'old.txt', 'new.txt'],
  })
  vi.stubEnv('BASE', head)
  expect(readLanding(root)).toEqual({ commit: head, base: head, changed: ['old.txt', 'new.txt'] })
})

it('names a moved file by both of its paths', () => {
  const { root, git, commit } = makeRepository()
  writeFileSync(join(root, 'before.txt'), 'The same text\n'.repeat(9))
  commit('06:00')
  git(['mv', 'before.txt', 'after.txt'])
  commit('10:00')
  expect(readLanding(root).changed).toEqual(['after.txt', 'before.txt'])
})

it('knows no change if no commit is old enough', () => {
  const { root, commit } = makeRepository()
  commit('09:00')
  expect(readLanding(root)).toMatchObject({ base: null, changed: null })
})

it('takes a folder for touched by a path in it, and not by a name that begins alike', () => {
  expect(isTouched('packages/a', ['packages/a/src/b.ts'])).toBe(true)
  expect(isTouched('packages/a/src/b.ts', ['packages/a/src/b.ts'])).toBe(true)
  expect(isTouched('packages/a', ['packages/ab/src/b.ts'])).toBe(false)
})
