import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import {
  completeHistory,
  findBaseCommit,
  resolveCommit,
  ShallowHistoryError,
} from './base-commit.ts'
import { makeRepository } from './made-repository.ts'

it('finds the newest commit that is four hours older than HEAD', () => {
  const { root, commit } = makeRepository()
  commit('05:00')
  const base = commit('06:00')
  commit('06:01')
  commit('10:00')
  expect(findBaseCommit(root)).toBe(base)
})

it('takes no commit of a merged branch, because that one did not land by itself', () => {
  const { root, git, commit } = makeRepository()
  const base = commit('05:00')
  git(['switch', '--quiet', '--create', 'other'])
  commit('06:00')
  git(['switch', '--quiet', 'main'])
  commit('08:00')
  git(['merge', '--quiet', '--no-ff', '--message', 'A merge', 'other'], '10:00')
  expect(findBaseCommit(root)).toBe(base)
})

it('finds none if the history is younger, and resolves only commits that exist', () => {
  const { root, commit } = makeRepository()
  commit('09:00')
  const head = commit('10:00')
  expect(findBaseCommit(root)).toBeNull()
  expect(resolveCommit('HEAD', root)).toBe(head)
  expect(resolveCommit(head.slice(0, 8), root)).toBe(head)
  expect(resolveCommit('no-such-commit', root)).toBeNull()
  expect(resolveCommit('--all', root)).toBeNull()
})

/** A clone that has only the newest commit. */
function cloneShallow(root: string): string {
  const clone = mkdtempSync(join(tmpdir(), 'shallow-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  execFileSync('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(root).href, clone])
  return clone
}

it('fetches the rest of a shallow clone, and then finds the base', () => {
  const { root, commit } = makeRepository()
  const base = commit('06:00')
  commit('10:00')
  const clone = cloneShallow(root)
  expect(findBaseCommit(clone)).toBeNull()
  completeHistory(clone)
  expect(findBaseCommit(clone)).toBe(base)
  // A complete one needs no origin.
  rmSync(root, { recursive: true })
  completeHistory(clone)
})

it('says that the history is missing if it cannot be fetched', () => {
  const { root, commit } = makeRepository()
  commit('06:00')
  commit('10:00')
  const clone = cloneShallow(root)
  rmSync(root, { recursive: true })
  expect(() => completeHistory(clone)).toThrow(ShallowHistoryError)
  expect(() => completeHistory(clone)).toThrow(
    /^This clone is shallow, and `git fetch --unshallow` failed: .+ Fetch the whole history/,
  )
})
