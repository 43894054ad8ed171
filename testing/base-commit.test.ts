import { expect, it } from 'vitest'
import { findBaseCommit, resolveCommit } from './base-commit.ts'
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
