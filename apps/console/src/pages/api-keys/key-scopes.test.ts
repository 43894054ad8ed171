import { operations, scopes } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { firstRead, firstReads, presets, scopeTexts } from './key-scopes.ts'

describe('scopes of API keys', () => {
  it('has a label for every scope', () => {
    expect(Object.keys(scopeTexts).toSorted()).toEqual([...scopes].toSorted())
  })

  it.each(Object.entries(firstReads))('reads %s at %s', (scope, path) => {
    const operation = operations.find((one) => one.method === 'GET' && one.path === path)
    expect(operation?.auth).toEqual({ kind: 'scoped', scope })
  })

  it.each(presets)('has a first request for the preset $label', ({ scopes: granted }) => {
    expect(firstRead(granted)).toMatch(/^\/[a-z]+\?limit=1$/)
  })

  it('has no first request for a scope that only sends', () => {
    expect(firstRead(['policies:compile'])).toBeNull()
  })
})
