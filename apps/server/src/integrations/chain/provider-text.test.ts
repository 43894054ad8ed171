import { describe, expect, it } from 'vitest'
import { redactProviderText } from './provider-text.ts'

const key = 'aB3dE6gH9jK2'
const endpoint = `https://rpc.example.com/v2/${key}?token=t0k3n%2Bvalue`

describe('the error text of a provider', () => {
  it.each([
    ['exceeded its compute units', 'exceeded its compute units'],
    [`key ${key} is over its limit`, 'key … is over its limit'],
    [`key ${key.toUpperCase()} is over its limit`, 'key … is over its limit'],
    ['token t0k3n+value or t0k3n%2Bvalue', 'token … or …'],
    [`see https://rpc.example.com/v2/${key} now`, 'see … now'],
    ['see https://docs.example.org/limits now', 'see … now'],
    ['block 0x1234567890abcdef1 unknown', 'block … unknown'],
    ['block 0x12ab unknown', 'block 0x12ab unknown'],
    ['id abcdefghij-klmnopqrst!', 'id …!'],
    ['line\nwith\ttabs, ümlauts and \u202e', 'line with tabs, mlauts and'],
    ['basic dXNlcjpwYXNz', 'basic …'],
  ])('%j is stored as %j', (text, stored) => {
    expect(redactProviderText(text, endpoint, ['dXNlcjpwYXNz'])).toBe(stored)
  })

  it('has at most 200 characters', () => {
    expect(redactProviderText('word '.repeat(100), endpoint)).toHaveLength(200)
  })
})
