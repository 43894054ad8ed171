import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeRepository } from '../../testing/made-repository.ts'
import { findChangedMigrations, findReleaseBefore } from './release-before.ts'

/** A repository whose migrations are written by name. */
function withMigrations() {
  const made = makeRepository()
  const folder = join(made.root, 'apps/server/src/store/database/migrations')
  mkdirSync(folder, { recursive: true })
  const fileOf = (name: string) => join(folder, `${name}.sql`)
  return {
    ...made,
    write: (name: string, sql: string) => writeFileSync(fileOf(name), sql),
    remove: (name: string) => rmSync(fileOf(name)),
  }
}

it('skips commits with an earlier draft of a migration, and not those with another comment', () => {
  const { root, commit, write } = withMigrations()
  write('0001-first', '-- A table.\ncreate table a ();\n')
  commit('01:00')
  const release = commit('02:00')
  write('0002-second', 'create table b ();\n')
  const draft = commit('05:00')
  write('0001-first', '-- The first table.\n\ncreate table a ();\n')
  write('0002-second', 'create table b (id text);\n')
  commit('10:00')
  expect(findChangedMigrations(draft, root)).toEqual(['0002-second'])
  expect(findChangedMigrations(release, root)).toEqual([])
  expect(findReleaseBefore(root)).toBe(release)
})

it('finds none if a migration of every old commit is gone or the history is too young', () => {
  const { root, commit, write, remove } = withMigrations()
  write('0001-first', 'create table a ();\n')
  const first = commit('08:00')
  expect(findReleaseBefore(root)).toBeNull()
  remove('0001-first')
  commit('12:00')
  expect(findChangedMigrations(first, root)).toEqual(['0001-first'])
  expect(findReleaseBefore(root)).toBeNull()
})
